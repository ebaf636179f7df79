"""The Java that runs Spark, the embedded broker and Ivy."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from livejoin.errors import ToolMissing

OLDEST = 17
_INSTALL = f"install a JDK {OLDEST} or newer (Debian: apt-get install openjdk-17-jdk-headless), or set JAVA_HOME to one"


def java() -> str:
    """The path of a `java` that is new enough: JAVA_HOME's, which Spark prefers too, or the one on the PATH."""
    return java_and_version()[0]


def java_and_version() -> tuple[str, int]:
    """The same, and which major version it is."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(str(Path(home) / "bin" / "java") if home else "java")
    if program is None:
        where = f"in JAVA_HOME ({home})" if home else "on the PATH"
        raise ToolMissing(f"there is no java {where}", do=_INSTALL)
    told = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', told)
    if version is None:
        raise ToolMissing(f"{program} -version does not tell its version: {told.strip() or 'no output'}", do=_INSTALL)
    if int(version[1]) < OLDEST:
        raise ToolMissing(f"{program} is Java {version[1]}; livejoin needs {OLDEST} or newer", do=_INSTALL)
    return program, int(version[1])

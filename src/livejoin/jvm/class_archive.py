"""Class-data archives: what a JVM has loaded, in the form in which it works with it.

They are made once, of processes that have run for a moment; every later start maps them, in place of reading thousands
of classes out of jars and checking each. Java compares an archive with itself and with every jar on its class path, and
does without one that does not fit. So one that is missing, or of before an upgrade, costs some seconds and no more.
"""

import shutil
import subprocess
from enum import StrEnum
from pathlib import Path

from livejoin.errors import LivejoinError
from livejoin.jvm.java import java
from livejoin.settings.settings import Settings

QUIETLY = "-Xlog:cds*=off"
"""What does not fit is no news for who reads a log, or for a program that reads what Java prints."""
RECORDING = f"-XX:+RecordDynamicDumpInfo {QUIETLY}"
"""With these options a JVM can be asked for an archive, and cannot use one."""
DUMP_SECONDS = 120.0


class Jvm(StrEnum):
    """The JVMs of livejoin."""

    BROKER = "broker"
    SPARK = "spark"
    TABLES = "tables"


class NoArchive(LivejoinError):
    """A JVM did not write what it has loaded."""


def archive_file(settings: Settings, of: Jvm) -> Path:
    """Where the archive of one is kept: beside the jars, because it is of their classes."""
    return settings.jars.folder / "classes" / f"{of}.jsa"


def archive_options(settings: Settings, of: Jvm) -> list[str]:
    """The options with which a JVM uses its archive; none where there is none."""
    file = archive_file(settings, of)
    return [f"-XX:SharedArchiveFile={file}", "-Xshare:auto", QUIETLY] if file.is_file() else []


def write_archive(settings: Settings, of: Jvm, process: int) -> Path:
    """Ask a running JVM, which was started with RECORDING, for its archive; it goes on."""
    file = archive_file(settings, of)
    draft = file.with_suffix(".draft")
    file.parent.mkdir(parents=True, exist_ok=True)
    draft.unlink(missing_ok=True)
    # Of the same Java, whichever is on the PATH.
    tool = shutil.which(str(Path(java()).resolve().with_name("jcmd")))
    if tool is None:
        raise NoArchive("there is no jcmd beside java", do="install a whole JDK, not a JRE")
    done = subprocess.run(
        [tool, str(process), "VM.cds", "dynamic_dump", str(draft)],
        capture_output=True,
        text=True,
        check=False,
        timeout=DUMP_SECONDS,
    )
    if not draft.is_file():
        raise NoArchive(f"{of} wrote no archive of its classes: {(done.stdout + done.stderr).strip()}")
    # Under its name when it is whole: a JVM that starts at this moment takes it or leaves it.
    return draft.replace(file)


def forget_archives(settings: Settings) -> None:
    """Remove all of them: a JVM that uses one cannot be asked for another."""
    for of in Jvm:
        archive_file(settings, of).unlink(missing_ok=True)

"""livejoin as somebody has it who has installed it: from the built wheel, in an environment of its own."""

import subprocess
import sys
from pathlib import Path

from livejoin.checkout import checkout


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, whose page and Java are built."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=checkout(), check=True, capture_output=True, timeout=60)
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """A new environment with the wheel and what is locked; its Python."""
    root = checkout()
    assert root is not None
    uv = str(Path(sys.executable).with_name("uv"))
    python = folder / "bin" / "python"
    # What this environment was installed from is in uv's cache.
    install = [uv, "pip", "install", "--quiet", "--python", str(python)]
    lock = str(root / "requirements/lock.txt")
    for command in (
        [uv, "venv", "--quiet", "--python", sys.executable, str(folder)],
        [*install, "--require-hashes", "--requirement", lock],
        [*install, "--no-deps", str(wheel)],
    ):
        subprocess.run(command, check=True, capture_output=True, timeout=240)
    return python

"""A disk that can be filled without anybody else noticing: a file system of its own, in memory."""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

CHUNK = b"\0" * 65_536


class SmallDisk:
    """Mounted where a folder is; only root can do that. Who makes it removes it."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._ballast = folder / "ballast"
        mount = shutil.which("mount")
        assert mount
        size = f"size={megabytes}m,mode=0700"
        subprocess.run([mount, "-t", "tmpfs", "-o", size, "livejoin-test", str(folder)], check=True)

    def fill(self) -> None:
        """Leave no room."""
        with suppress(OSError), self._ballast.open("ab", buffering=0) as file:
            while True:
                file.write(CHUNK)

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)

    def remove(self) -> None:
        """Unmount it, whoever still looks at it."""
        umount = shutil.which("umount")
        assert umount
        subprocess.run([umount, "-l", str(self._folder)], check=True)


def can_be_made(folder: Path) -> bool:
    """Whether this user may mount anything, here."""
    if os.geteuid() != 0:
        return False
    try:
        SmallDisk(folder, 1).remove()
    except subprocess.CalledProcessError:
        return False
    return True

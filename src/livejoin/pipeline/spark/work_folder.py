"""Where Spark and its JVM keep what they need while they run: files of a state, blocks, libraries that are unpacked.

They would lie below /tmp, and stay there whenever Spark is killed. Each process has a folder of its own and holds a
lock beside it, which ends with the process, however that ends: who starts later removes the folders that nobody holds.
The number of a process would not do, because two containers with one data folder may have the same.
"""

import atexit
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOCAL_DIRS = "SPARK_LOCAL_DIRS"
HELD = ".held"
"""What the name of a lock ends with; before that, it is the name of the folder."""


def work_folders(data_dir: Path) -> Path:
    """The folder with a folder for each process that runs Spark."""
    return data_dir / "spark-work"


def take_work_folder(data_dir: Path) -> Path:
    """A folder for this process, which is removed when it ends; those whose process is gone are removed at once."""
    folders = work_folders(data_dir)
    folders.mkdir(0o700, parents=True, exist_ok=True)
    with _alone(folders):
        for lock in folders.glob(f"*{HELD}"):
            _remove_if_free(lock)
        folder = folders / f"{os.getpid()}-{secrets.token_hex(4)}"
        held = _lock_of(folder).open("w")
        # Where a file system has no locks, nobody can tell that it is free, and it stays.
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        folder.mkdir(0o700)
    # Spark's JVM ends with this process, and needs nothing of it any more by then.
    atexit.register(_remove, folder, held)
    return folder


@contextmanager
def working_in(folder: Path, *, unless: Mapping[str, str]) -> Iterator[None]:
    """Let the Spark that is started meanwhile have its files in that folder, unless somebody has chosen another one.

    By its environment: the setting of that name is answered with a warning that others may override it.
    """
    if LOCAL_DIRS in os.environ or "spark.local.dir" in unless:
        yield
        return
    os.environ[LOCAL_DIRS] = str(folder)
    try:
        yield
    finally:
        del os.environ[LOCAL_DIRS]


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}{HELD}")


@contextmanager
def _alone(folders: Path) -> Iterator[None]:
    """Of those who start at the same time, one after the other: a folder is not free before it is held."""
    with (folders / "lock").open("w") as lock:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_if_free(lock: Path) -> None:
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        _remove(lock.with_name(lock.name.removesuffix(HELD)), held)


def _remove(folder: Path, held: IO[str]) -> None:
    """The lock goes last: what a JVM that is ending has written meanwhile is removed by who comes later."""
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        _lock_of(folder).unlink(missing_ok=True)
    held.close()

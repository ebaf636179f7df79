"""A log file that cannot fill the disk, and that a full disk does not end."""

from pathlib import Path
from typing import BinaryIO

LIMIT_BYTES = 10_000_000
TAIL_BYTES = 16_384


class RotatedLog:
    """Appends to a file; at the limit the file becomes `<name>.1` and a fresh one begins. Its opener closes it.

    What cannot be written is lost, and is told when something can be: what runs is worth more than what it says.
    """

    def __init__(self, path: Path, limit: int = LIMIT_BYTES) -> None:
        self._path = path
        self._limit = limit
        self._lost = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO | None = None

    def write(self, chunk: bytes) -> None:
        """Append bytes as they are."""
        try:
            self._append(chunk)
        except OSError:
            self._lost += len(chunk)

    def _append(self, chunk: bytes) -> None:
        file = self._file or self._path.open("ab", buffering=0)
        self._file = file
        if self._lost:
            file.write(f"{self._lost} bytes of this log could not be written\n".encode())
            self._lost = 0
        file.write(chunk)
        if file.tell() >= self._limit:
            self.close()
            retire(self._path)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file = None


def retire(path: Path) -> None:
    """Keep an existing log as `<name>.1`, in place of the one before it."""
    if path.exists():
        path.replace(path.with_name(f"{path.name}.1"))


def size(path: Path) -> int:
    """The bytes in a log; none where there is no log."""
    return path.stat().st_size if path.exists() else 0


def last_lines(path: Path, count: int, *, since: int = 0) -> list[str]:
    """The last lines of a log that were written after it had `since` bytes, without empty ones."""
    end = size(path)
    if end < since:
        # It was rotated since then.
        since = 0
    if end == since:
        return []
    with path.open("rb") as file:
        file.seek(max(since, end - TAIL_BYTES))
        text = file.read().decode("utf-8", errors="replace")
    return [line for line in text.splitlines() if line.strip()][-count:]

"""A log file that cannot fill the disk."""

from pathlib import Path

LIMIT_BYTES = 10_000_000
TAIL_BYTES = 16_384


class RotatedLog:
    """Appends to a file; at the limit the file becomes `<name>.1` and a fresh one begins. Its opener closes it."""

    def __init__(self, path: Path, limit: int = LIMIT_BYTES) -> None:
        self._path = path
        self._limit = limit
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab", buffering=0)

    def write(self, chunk: bytes) -> None:
        """Append bytes as they are."""
        self._file.write(chunk)
        if self._file.tell() >= self._limit:
            self._file.close()
            retire(self._path)
            self._file = self._path.open("ab", buffering=0)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


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

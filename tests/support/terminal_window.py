"""A command in a terminal, and what a person would have seen there."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path


class TerminalWindow:
    """Runs one command in a pseudo-terminal; whoever opens it closes it."""

    def __init__(
        self, command: list[str], *, folder: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> None:
        self._window, inside = os.openpty()
        size = {"COLUMNS": "160", "LINES": "60"}
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**os.environ, **size, "TERM": "xterm", **(variables or {})},
            start_new_session=True,
        )
        os.close(inside)
        self._seen = bytearray()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def seen(self) -> str:
        """Everything that was drawn so far."""
        return self._seen.decode(errors="replace")

    @property
    def has_ended(self) -> bool:
        """Whether the command is over."""
        return self._process.poll() is not None

    def interrupt(self, patience: float = 15) -> int:
        """Ctrl-C, which everything in the foreground hears, and the exit code that follows."""
        os.killpg(self._process.pid, signal.SIGINT)
        return self._process.wait(patience)

    def close(self) -> None:
        """End the command, if it still runs, and the terminal."""
        if not self.has_ended:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        os.close(self._window)

    def _read(self) -> None:
        while True:
            try:
                self._seen += os.read(self._window, 65_536)
            except OSError:
                # Nobody has the other side open any more.
                return

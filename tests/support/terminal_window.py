"""A command in a terminal, and what a person would have seen there."""

import os
import signal
import subprocess
import threading


class TerminalWindow:
    """Runs one command in a pseudo-terminal; whoever opens it closes it."""

    def __init__(self, command: list[str]) -> None:
        self._window, inside = os.openpty()
        size = {"COLUMNS": "160", "LINES": "60"}
        self._process = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, env={**os.environ, **size, "TERM": "xterm"}
        )
        os.close(inside)
        self._seen = bytearray()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def seen(self) -> str:
        """Everything that was drawn so far."""
        return self._seen.decode(errors="replace")

    def interrupt(self) -> int:
        """Ctrl-C, and the exit code that follows."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(timeout=15)

    def close(self) -> None:
        """End the command, if it still runs, and the terminal."""
        self._process.kill()
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

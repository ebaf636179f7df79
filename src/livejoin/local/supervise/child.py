"""One supervised command: started behind a guard, restarted with back-off when it dies, stopped within its grace."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from livejoin.local.supervise.process_session import end_session
from livejoin.local.supervise.rotated_log import last_lines, size

# What a guard may take beyond its command's grace: for the session to end, and for itself.
GUARD_SECONDS = 0.3
LAST_LINES = 12


@dataclass(frozen=True, slots=True)
class BackOff:
    """How long to wait before a restart: doubled at each death, forgotten after a run that lasted."""

    first: float = 0.5
    longest: float = 30.0
    forgotten_after: float = 60.0

    def delay(self, deaths: int) -> float:
        """Seconds to wait after that many deaths in a row."""
        return min(self.longest, self.first * 2.0 ** (deaths - 1))


@dataclass(frozen=True, slots=True)
class Death:
    """What is known about a child that ended without being asked to."""

    name: str
    how: str
    last_lines: list[str]
    log: Path
    restart_in: float


@dataclass(slots=True)
class Child:
    """A command under its name. Whoever starts it stops it; a Supervisor does both.

    `niceness` is how far it gives way to others where there are not enough processors for all.
    """

    name: str
    command: list[str]
    log: Path
    grace: float = 5.0
    niceness: int = 0
    env: Mapping[str, str] | None = None
    back_off: BackOff = field(default_factory=BackOff)
    started: float = 0.0
    _guard: subprocess.Popen[bytes] | None = None
    _log_began: int = 0
    _deaths: int = 0
    _restart_at: float | None = None

    def start(self) -> None:
        """Start the command in a session of its own, with its output in the log."""
        self._log_began = size(self.log)
        guard = [sys.executable, "-P", "-m", "livejoin.local.supervise.guard"]
        options = [f"--log={self.log}", f"--grace={self.grace}", f"--niceness={self.niceness}"]
        self._guard = subprocess.Popen(
            [*guard, *options, "--", *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.env,
            start_new_session=True,
        )
        self.started = time.monotonic()
        self._restart_at = None

    @property
    def running(self) -> bool:
        """Whether the command (or the rest of its session) is there."""
        return self._guard is not None and self._guard.poll() is None

    @property
    def pid(self) -> int | None:
        """The guard's process id, which is also the id of the command's session."""
        return self._guard.pid if self._guard else None

    def last_lines(self) -> list[str]:
        """What the command said last, since it was started."""
        return last_lines(self.log, LAST_LINES, since=self._log_began)

    def look_after(self) -> Death | None:
        """Notice a death once, and restart when the back-off is over."""
        if self._restart_at is not None:
            if time.monotonic() >= self._restart_at:
                self.start()
            return None
        if self._guard is None or self._guard.poll() is None:
            return None
        self._sweep()
        ran = time.monotonic() - self.started
        self._deaths = 1 if ran >= self.back_off.forgotten_after else self._deaths + 1
        delay = self.back_off.delay(self._deaths)
        self._restart_at = time.monotonic() + delay
        return Death(self.name, _how(self._guard.returncode), self.last_lines(), self.log, delay)

    def ask_to_stop(self) -> None:
        """Ask the command to end; the guard kills what is left after the grace."""
        self._restart_at = None
        if self._guard is not None and self._guard.poll() is None:
            self._guard.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """Ask, wait for the grace, and return when nothing of the command is left."""
        self.ask_to_stop()
        if self._guard is None:
            return
        try:
            self._guard.wait(self.grace + GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._sweep()
        self._guard = None

    def kill(self) -> None:
        """End the command and all of its session at once."""
        self._restart_at = None
        if self._guard is not None:
            self._guard.kill()
            self._guard.wait()
            self._sweep()

    def _sweep(self) -> None:
        """Kill what outlived a guard that was killed itself; else there is nothing to find."""
        if self._guard is None:
            return
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        end_session(self._guard.pid)


def _how(status: int) -> str:
    number = -status if status < 0 else status - 128
    try:
        return f"was ended by {signal.Signals(number).name}"
    except ValueError:
        return f"ended with exit status {status}"

"""Runs one command in a session of its own and leaves nothing of that session behind.

Standard input is a pipe that the supervisor holds: its end means that the supervisor is gone. The command's output goes
to a rotated log. The exit status is the command's, or 128 + the signal that ended it.
"""

import argparse
import codecs
import ctypes
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from livejoin.local.supervise.process_session import end_session, give_way
from livejoin.local.supervise.rotated_log import RotatedLog
from livejoin.visible import visible_lines

PR_SET_PDEATHSIG = 1
# How long what the command has started may take to follow it.
FOLLOW_SECONDS = 2.0
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Guard:
    """One command, its log, and the wish to stop. `run` returns when the session is empty but for the guard."""

    def __init__(self, command: list[str], log: RotatedLog, grace: float) -> None:
        self._log = log
        self._grace = grace
        self._stop_asked = False
        self._deadline: float | None = None
        # It waits for the rest of a character that was cut in two; bytes that are no text are shown as \x80.
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._selector = selectors.DefaultSelector()
        self._wake_up_on_signals()
        self._command = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Safe here: the guard has no thread that could hold a lock.
            preexec_fn=_die_with_the_guard,
        )
        assert self._command.stdout is not None  # noqa: S101 - for the type checker: a pipe was asked for
        self._output = self._command.stdout.fileno()
        os.set_blocking(self._output, False)
        self._selector.register(self._output, selectors.EVENT_READ, self._copy_output)
        self._selector.register(sys.stdin.fileno(), selectors.EVENT_READ, self._read_supervisor)

    def run(self) -> int:
        """Follow the command to its end, then end what it left in the session."""
        while self._command.poll() is None:
            if self._stop_asked and self._deadline is None:
                # The command alone is asked: it knows the order in which its own children end.
                self._deadline = time.monotonic() + self._grace
                self._command.terminate()
            elif self._deadline is not None and time.monotonic() >= self._deadline:
                self._command.kill()
            for key, _ in self._selector.select(timeout=self._remaining()):
                key.data()
        remaining = self._remaining()
        end_session(os.getpid(), FOLLOW_SECONDS if remaining is None else min(FOLLOW_SECONDS, remaining))
        self._copy_output()
        status = self._command.returncode
        return status if status >= 0 else 128 - status

    def _remaining(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _wake_up_on_signals(self) -> None:
        self._wake_up, self._signalled = socket.socketpair()
        self._wake_up.setblocking(False)
        self._signalled.setblocking(False)
        signal.set_wakeup_fd(self._signalled.fileno(), warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(self._wake_up, selectors.EVENT_READ, lambda: self._wake_up.recv(4096))

    def _ask_to_stop(self, *_: object) -> None:
        self._stop_asked = True

    def _read_supervisor(self) -> None:
        """The supervisor writes nothing: what can be read is the end of the pipe."""
        if not os.read(sys.stdin.fileno(), 4096):
            self._selector.unregister(sys.stdin.fileno())
            self._ask_to_stop()

    def _shown(self, chunk: bytes, *, final: bool = False) -> bytes:
        """What a program says, without what a terminal would obey when the log is looked at."""
        return visible_lines(self._decoder.decode(chunk, final)).encode()

    def _copy_output(self) -> None:
        try:
            while chunk := os.read(self._output, 65_536):
                self._log.write(self._shown(chunk))
        except BlockingIOError:
            return
        self._log.write(self._shown(b"", final=True))
        if self._output in self._selector.get_map():
            self._selector.unregister(self._output)


def _die_with_the_guard() -> None:
    """For the one case that the guard cannot handle: its own sudden death. Linux only, and not needed elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    """Read the arguments, run the command, exit with its status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--grace", type=float, required=True)
    parser.add_argument("--niceness", type=int, required=True)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if arguments.niceness:
        give_way(arguments.niceness)
    with closing(RotatedLog(arguments.log)) as log:
        sys.exit(Guard(arguments.command, log, arguments.grace).run())


if __name__ == "__main__":
    main()

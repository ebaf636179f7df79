"""The processes of a session (in the sense of setsid): how they give way to others, and how to end them."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil

LOOK_AGAIN_SECONDS = 0.02
AUTOGROUP = Path("/proc/self/autogroup")


def session_members(session: int) -> list[int]:
    """The living processes of a session, without its leader."""
    return [pid for pid in psutil.pids() if pid != session and _belongs(pid, session)]


def end_session(session: int, patience: float = 0.0) -> None:
    """Return when the session has no process but its leader; those still there after `patience` seconds are killed."""
    deadline = time.monotonic() + patience
    while members := session_members(session):
        if time.monotonic() >= deadline:
            for pid in members:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        time.sleep(LOOK_AGAIN_SECONDS)


def give_way(niceness: int) -> None:
    """Let every process that this one will start give way to those of other sessions; it is to lead its session."""
    os.nice(niceness)
    # Where Linux shares the processors among sessions first, what a process has counts within its session only.
    with suppress(OSError):
        AUTOGROUP.write_text(str(niceness), encoding="ascii")


def _belongs(pid: int, session: int) -> bool:
    try:
        return os.getsid(pid) == session and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):
        return False

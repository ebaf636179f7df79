"""The processes of a session (in the sense of setsid), and how to end them."""

import os
import signal
import time

import psutil

LOOK_AGAIN_SECONDS = 0.02


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


def _belongs(pid: int, session: int) -> bool:
    try:
        return os.getsid(pid) == session and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):
        return False

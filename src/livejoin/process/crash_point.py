"""Places where a test kills or pauses the process, to see that all is right from there.

The tests name a file in the environment and write into it what is to happen and the name of a place; the process that
reaches the place takes the file away and does it to itself, once. Where the variable is not set, nothing happens.
"""

import os
import signal
from pathlib import Path

VARIABLE = "LIVEJOIN_CRASH_FILE"
KILL, PAUSE = "kill", "pause"
_SIGNALS = {KILL: signal.SIGKILL, PAUSE: signal.SIGSTOP}


def crash_point(name: str) -> None:
    """Die here, as by SIGKILL, or stand still until SIGCONT, if a test asks for it."""
    armed = os.environ.get(VARIABLE)
    if not armed:
        return
    file = Path(armed)
    try:
        what, _, place = file.read_text(encoding="utf-8").partition(" ")
        if place != name:
            return
        file.unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), _SIGNALS[what])

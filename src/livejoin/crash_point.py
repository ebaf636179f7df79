"""Places where a test kills the process, to see that it comes back right from there.

The tests name a file in the environment and write the name of a place into it; the process that reaches the place takes
the file away and kills itself, once. Nothing of this happens where the variable is not set.
"""

import os
import signal
from pathlib import Path

VARIABLE = "LIVEJOIN_CRASH_FILE"


def crash_point(name: str) -> None:
    """Die here, as by SIGKILL, if a test asks for it."""
    armed = os.environ.get(VARIABLE)
    if not armed:
        return
    file = Path(armed)
    try:
        if file.read_text(encoding="utf-8") != name:
            return
        file.unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)

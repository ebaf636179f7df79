"""What every user of a machine, or its owner, can see of a process."""

import psutil


def argv_and_environment(process: psutil.Process) -> str:
    """Both in one text, to look for what must not be there; nothing of a process that has just ended."""
    try:
        return f"{process.cmdline()} {process.environ()}"
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""

"""The data folder belongs to who runs livejoin, and nobody else can look into it.

Everything that is shown as a table is in it as well: in the broker's topics, in checkpoints, in logs.
"""

import os
import re
import stat
from pathlib import Path

from livejoin.errors import LivejoinError

PRIVATE = 0o700
OTHERS = 0o077
OURS = frozenset(
    {
        "checkpoints",
        "dead-letters",
        "kafka",
        "key",
        "logs",
        "spark-log4j2.xml",
        "spark-warehouse",
        "spark-work",
        # Of before, where a start was broken off.
        "spark.properties",
        "table-server",
        "up.pid",
    }
)
"""What livejoin keeps in its data folder."""
_REHEARSAL = re.compile(r"rehearsal-\d+")
"""What a standby has while it warms Spark, named after its process."""
_DRAFT = re.compile(r"\.(?P<file>.+)\.\d+\.[0-9a-f]{8}")
"""A private file before it has its name."""


class DataFolderNotOurs(LivejoinError):
    """The data folder belongs to somebody else, or holds what is not livejoin's."""


def own_data_folder(folder: Path) -> None:
    """Make the folder private, and with it whatever this process and those that it starts will write."""
    os.umask(OTHERS)
    folder.mkdir(PRIVATE, parents=True, exist_ok=True)
    require_ours(folder)
    if _is_open(folder):
        folder.chmod(PRIVATE)


def require_ours(folder: Path) -> None:
    """Raise DataFolderNotOurs where livejoin should not keep its data in a folder that is there."""
    owner = folder.stat().st_uid
    if owner != os.geteuid():
        raise DataFolderNotOurs(
            f"{folder} belongs to another user (uid {owner})",
            do="run livejoin as that user, or set data_dir to a folder of your own",
        )
    # A folder such as /tmp or somebody's home is nothing to lock others out of.
    strange = sorted(entry.name for entry in folder.iterdir() if not is_ours(entry.name)) if _is_open(folder) else []
    if strange:
        raise DataFolderNotOurs(
            f"{folder} is open to other users, and holds more than livejoin's files: {', '.join(strange[:3])}",
            do=f"set data_dir to a folder of its own, or make this one private: chmod 700 {folder}",
        )


def is_ours(name: str) -> bool:
    """Whether what has this name in a data folder is livejoin's; some of it is only left where a process was killed."""
    draft = _DRAFT.fullmatch(name)
    return (draft["file"] if draft else name) in OURS or _REHEARSAL.fullmatch(name) is not None


def _is_open(folder: Path) -> bool:
    return stat.S_IMODE(folder.stat().st_mode) & OTHERS != 0

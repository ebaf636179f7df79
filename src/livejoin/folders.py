"""Where livejoin keeps what is its own: in a checkout beside it, and otherwise where the user's programs do."""

import os
from pathlib import Path

from livejoin.checkout import checkout

IN_A_CHECKOUT = Path(".livejoin")


def data_folder() -> Path:
    """Topics, checkpoints, logs and the key, unless `data_dir` says otherwise; in a checkout below where one is."""
    return IN_A_CHECKOUT if checkout() else _of_user("XDG_DATA_HOME", ".local/share")


def jar_folder() -> Path:
    """Jars, unless `jars.dir` says otherwise: the same from every working folder."""
    root = checkout()
    return root / ".cache" / "jars" if root else _of_user("XDG_CACHE_HOME", ".cache") / "jars"


def _of_user(variable: str, otherwise: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / otherwise) / "livejoin"

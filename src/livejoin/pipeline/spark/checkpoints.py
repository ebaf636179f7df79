"""Where the checkpoints of a generation are kept."""

import shutil
from pathlib import Path

from livejoin.settings.settings import Settings


def checkpoint(settings: Settings, generation: int) -> Path:
    """The folder of a generation's checkpoints."""
    return checkpoints(settings) / str(generation)


def checkpoints(settings: Settings) -> Path:
    """The folder with a folder for each generation of this prefix: others may have the same data folder."""
    return settings.data_dir / "checkpoints" / settings.topics.prefix


def delete_checkpoint(settings: Settings, generation: int) -> None:
    """Remove a generation's checkpoints, if there are any."""
    shutil.rmtree(checkpoint(settings, generation), ignore_errors=True)

"""The folders of checkpoints, in memory: a disk would take most of the time of a simulation."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from livejoin.settings.settings import Settings


@dataclass(frozen=True)
class Folder:
    """Stands for the folder of a checkpoint, or for the one that all of them are in."""

    folders: ClassVar[set["Folder"]] = set()
    """Those that are there."""

    above: Path
    name: str = ""

    def exists(self) -> bool:
        """Whether it is there; the one of all is where any is."""
        return self in self.folders if self.name else bool([*self.iterdir()])

    def mkdir(self, *, parents: bool, exist_ok: bool) -> None:
        """Make it."""
        assert parents
        assert exist_ok
        self.folders.add(self)

    def iterdir(self) -> list["Folder"]:
        """What is in it."""
        return sorted((one for one in self.folders if one.above == self.above), key=lambda one: one.name)

    def __truediv__(self, _: str) -> "Folder":
        """Nothing is told of what Spark has in there."""
        return self


def checkpoint(settings: Settings, generation: int) -> Folder:
    """Stands for the function of that name."""
    return Folder(settings.data_dir, str(generation))


def checkpoints(settings: Settings) -> Folder:
    """Stands for the function of that name."""
    return Folder(settings.data_dir)


def delete_checkpoint(settings: Settings, generation: int) -> None:
    """Stands for the function of that name."""
    Folder.folders.discard(checkpoint(settings, generation))


def next_offsets(_: Folder) -> dict[str, dict[int, int]]:
    """Stands for the function of that name: no query has noted anything."""
    return {}


def require_logs(_: Folder) -> None:
    """Stands for the function of that name: what was written can be read."""


def require_state(_: object, __: Folder) -> None:
    """Stands for the function of that name: so can the state."""

"""Which records of a log are shown: the newest, by their number and by their bytes, whatever comes.

Each has a slot, a number below the most that there may be, which is given to another one when it is gone. So a table
whose key is the slot does not grow either, not even by the keys of what it has held.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Placed:
    """A record on the shelf: its slot, when it came, and its bytes."""

    slot: int
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Change:
    """What a batch has changed: where its records are, by their place in the batch, and which slots are empty now."""

    put: dict[int, Placed] = field(default_factory=dict)
    emptied: list[int] = field(default_factory=list)


class Shelf:
    """Keeps the newest `most` records, as long as they have no more than `most_bytes` together; one in any case."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self.total_bytes = 0
        self._most = most
        self._most_bytes = most_bytes
        self._placed: dict[Hashable, Placed] = {}
        """By what names them, the oldest first."""
        self._free: list[int] = []
        self._numbers = 0

    def __len__(self) -> int:
        """How many are on it."""
        return len(self._placed)

    def take(self, records: Iterable[tuple[Hashable, int]]) -> Change:
        """Put records on it, each with its name and size; one that is there is replaced where it is."""
        before = {placed.slot for placed in self._placed.values()}
        newest: dict[Hashable, int] = {}
        for index, (name, size) in enumerate(records):
            self._put(name, size)
            newest[name] = index
        put = {index: self._placed[name] for name, index in newest.items() if name in self._placed}
        after = {placed.slot for placed in self._placed.values()}
        return Change(put, sorted(before - after))

    def _put(self, name: Hashable, size: int) -> None:
        known = self._placed.get(name)
        if known is not None:
            self._placed[name] = Placed(known.slot, known.number, size)
            self.total_bytes += size - known.size
        else:
            slot = self._free.pop() if self._free else len(self._placed)
            self._placed[name] = Placed(slot, self._numbers, size)
            self._numbers += 1
            self.total_bytes += size
        while len(self._placed) > 1 and (len(self._placed) > self._most or self.total_bytes > self._most_bytes):
            gone = self._placed.pop(next(iter(self._placed)))
            self._free.append(gone.slot)
            self.total_bytes -= gone.size

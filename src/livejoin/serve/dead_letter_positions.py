"""Where rejected events are in their sources, and how many of them there are."""

import threading
from collections import Counter

import pyarrow as pa  # type: ignore[import-untyped]

from livejoin.dead_letter import Kind, kind_of
from livejoin.serve.log_batch import GENERATION


class DeadLetterPositions:
    """The next offset after the newest dead letter: a rejected event is accounted for too."""

    def __init__(self) -> None:
        self.kinds: Counter[Kind] = Counter()
        """How many events were rejected, each counted once, however many generations have rejected it."""
        self._next: dict[tuple[str, int], dict[int, int]] = {}
        self._lock = threading.Lock()

    def add(self, letters: pa.Table) -> None:
        """Take in dead letters."""
        names = (GENERATION.name, "topic", "partition", "offset", "reason")
        columns = [letters.column(name).to_pylist() for name in names]
        with self._lock:
            for generation, topic, partition, offset, reason in zip(*columns, strict=True):
                found = self._next.setdefault((topic, partition), {})
                # A generation rejects the events of a partition in their order, and a later one all of them again.
                if offset >= max(found.values(), default=0):
                    self.kinds[kind_of(reason)] += 1
                found[generation] = max(found.get(generation, 0), offset + 1)

    def of(self, generation: int, topic: str, partition: int) -> int:
        """As far as that generation got, or a later one: a repeated rejection replaces the earlier."""
        with self._lock:
            found = self._next.get((topic, partition), {})
            return max((position for number, position in found.items() if number >= generation), default=0)

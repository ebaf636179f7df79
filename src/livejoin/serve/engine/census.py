"""Offsets of a source that hold no record: transactions leave them, aborted ones many, and each at least its end.

Nobody tells how many there are, so records are counted, of the sources that have such offsets and of no others: those
where nothing is left to read before the end. From then on the count follows the end of the source.
"""

import threading
from dataclasses import dataclass

from livejoin.errors import KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import count_records, has_record
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker

POLL_SECONDS = 0.2
PAUSE_SECONDS = 5.0
"""After trouble: nobody waits for these numbers."""


@dataclass(frozen=True, slots=True)
class Place:
    """A partition of a source, as a generation reads it."""

    generation: int
    topic: str
    partition: int


@dataclass(slots=True)
class Counted:
    """What is known of a partition: up to `next`, so many offsets are absent, and the last record is before `last`."""

    next: int
    last: int
    absent: int = 0
    seen: tuple[int, int] = (-1, -1)
    """Position and end of the last look."""
    behind: tuple[int, int] = (-1, -1)
    """The same where a record was found between them, and nothing is to be counted."""


class Census(Worker):
    """Counts in a thread of its own. Who makes it starts and stops it; one other thread looks."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__("census")
        self._cluster = cluster
        self._counted: dict[Place, Counted] = {}
        self._wanted: dict[Place, tuple[int, int]] = {}
        self._asked = threading.Event()

    def look(self, place: Place, begin: int, position: int, end: int) -> tuple[int, int]:
        """The position, which is the end where no record is left before it, and how many offsets are absent."""
        found = self._counted.setdefault(place, Counted(begin, begin))
        rests, found.seen = found.seen == (position, end), (position, end)
        seems_empty = rests and position < end and found.behind != found.seen
        if found.next < end and (found.absent or seems_empty):
            self._wanted[place] = (position, end)
            self._asked.set()
        return end if found.next == end and found.last <= position else position, found.absent

    def keep(self, generations: set[int]) -> None:
        """Forget all others."""
        self._counted = {place: found for place, found in self._counted.items() if place.generation in generations}

    def _run(self) -> None:
        trouble = Recurring("records are not counted")
        while not self._stop.is_set():
            if not self._asked.wait(POLL_SECONDS):
                continue
            self._asked.clear()
            for place, (position, end) in list(self._wanted.items()):
                del self._wanted[place]
                try:
                    self._examine(place, position, end)
                    trouble.over()
                except KafkaTrouble as error:
                    # It is asked for again with the next look.
                    trouble.tell(error.in_words)
                    self._stop.wait(PAUSE_SECONDS)

    def _examine(self, place: Place, position: int, end: int) -> None:
        found, at = self._counted.get(place), (self._cluster, place.topic, place.partition)
        if found is None:
            return
        if not found.absent:
            is_behind = has_record(*at, (position, end))
            if is_behind:
                found.behind = position, end
            if is_behind is not False:
                return
        counted = count_records(*at, (found.next, end), self._stop)
        if counted is not None:
            records, last = counted
            found.absent += end - found.next - records
            found.last, found.next = max(found.last, last if records else 0), end

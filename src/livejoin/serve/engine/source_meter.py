"""How far a generation is behind its sources, in events and in time."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_MARKS = 600
"""Of one partition. Beyond that, the newest one stands for those that follow it."""


@dataclass(slots=True)
class Reach:
    """One partition of a source: where the generation began, what it has accounted for, and where the source ends.

    `absent` is how many of these offsets hold no record.
    """

    begin: int = 0
    position: int = 0
    end: int = 0
    absent: int = 0
    marks: deque[tuple[int, float]] = field(default_factory=deque)
    """Ends that were seen and are not accounted for yet, with the time when they were first seen."""


class SourceMeter:
    """Takes in what the progress of a generation is read to be, about once a second; any thread may read it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._reach: dict[tuple[str, int], Reach] = {}

    def note(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Rows as `source_progress` has them."""
        now = self._clock()
        columns = (rows[name] for name in ("source", "partition", "begin", "position", "end", "absent"))
        for source, partition, begin, position, end, absent in zip(*columns, strict=True):
            reach = self._reach.setdefault((source, partition), Reach())
            last = reach.marks[-1][0] if reach.marks else max(reach.end, position)
            if end > max(last, position):
                if len(reach.marks) < MOST_MARKS:
                    reach.marks.append((end, now))
                else:
                    reach.marks[-1] = (end, reach.marks[-1][1])
            while reach.marks and reach.marks[0][0] <= position:
                reach.marks.popleft()
            reach.begin, reach.position, reach.end, reach.absent = begin, position, end, absent

    def reaches(self) -> Iterator[tuple[str, int, Reach]]:
        """Each partition of each source."""
        for (source, partition), reach in list(self._reach.items()):
            yield source, partition, reach

    def waiting_since(self, source: str, partition: int) -> int | None:
        """When the oldest event was first seen that still waits, in epoch milliseconds; None where none waits."""
        reach = self._reach.get((source, partition))
        return None if reach is None or not reach.marks else round((time.time() - self.age(reach)) * 1000)

    def age(self, reach: Reach) -> float:
        """For how long the oldest event has been seen to wait; 0 where none does."""
        marks = list(reach.marks)
        return self._clock() - marks[0][1] if marks else 0.0

"""When the newest event of each partition of a source was written, and when it came."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class Newest(NamedTuple):
    """In epoch milliseconds, or None where it is not known."""

    written: int | None
    """As the event says. Its producer may be wrong, or may send what happened long ago."""
    arrived: int | None
    """By the clock of this process. Of what was there before it looked, `written`, unless that is in the future."""


NOTHING_YET = Newest(None, None)


class Times(Protocol):
    """The part of a Kafka cluster that is needed here."""

    def newest_times(self, topic: str) -> dict[int, int]:
        """The highest timestamp of each partition, in epoch milliseconds."""


@dataclass(slots=True)
class _Topic:
    ends: dict[int, int] = field(default_factory=dict)
    newest: dict[int, Newest] = field(default_factory=dict)


class NewestEvents:
    """Asks the broker only where a topic has grown since the last look. One thread calls it."""

    def __init__(self, times: Times, clock: Callable[[], float] = time.time) -> None:
        self._times = times
        self._clock = clock
        self._topics: dict[str, _Topic] = {}

    def keep(self, topics: Collection[str]) -> None:
        """Forget all others."""
        for topic in self._topics.keys() - set(topics):
            del self._topics[topic]

    def look(self, topic: str, ends: Mapping[int, int]) -> Mapping[int, Newest]:
        """The newest event of each partition; `ends` are the offsets after them. Raises KafkaTrouble."""
        known = self._topics.setdefault(topic, _Topic())
        if ends != known.ends:
            now, written = round(self._clock() * 1000), self._times.newest_times(topic)
            known.newest = {
                partition: self._newest(known, partition, end, written.get(partition), now)
                for partition, end in ends.items()
            }
            known.ends = dict(ends)
        return known.newest

    @staticmethod
    def _newest(known: _Topic, partition: int, end: int, written: int | None, now: int) -> Newest:
        before = known.newest.get(partition, NOTHING_YET)
        # An open transaction hides it for a moment.
        written = before.written if written is None else written
        if partition in known.ends:
            return Newest(written, now if end > known.ends[partition] else before.arrived)
        return Newest(written, written if written is not None and written <= now else None)

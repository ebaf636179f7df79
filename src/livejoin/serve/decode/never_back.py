"""No row becomes older while one pipeline takes over from another.

Of a pipeline whose process stands still, Spark goes on, and reads an event that the one which takes over has not read
yet. What the new one writes of that key counts, because its epoch is higher, and is older for a moment: so it waits
here until it is not. Nobody waits for ever: where compaction took events of the source, a count is lower and stays so.
Nor is anything forgotten, or given up, before the new one is live: until then it reads what was there when it began,
and the Spark of the one before may have shown what came after that.
"""

import time
from collections.abc import Callable, Sequence

from livejoin.kafka.message import Message
from livejoin.serve.decode.written_event import event_of

PATIENCE_SECONDS = 10.0
"""How long a new pipeline that is live may be behind the one that it replaces; so long, what a key showed is known."""


class NeverBack:
    """Takes records in their order, and hands them on when they are not older than what was. One thread uses it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._shown: dict[bytes, tuple[int, int, float]] = {}
        """Epoch and version of the keys that have changed lately, and when; in that order."""
        self._held: dict[bytes, list[tuple[float, Message]]] = {}
        self._not_live = -PATIENCE_SECONDS
        """When the generation was last seen without queries that are live."""

    def add(self, records: Sequence[Message], *, is_live: bool = True) -> list[Message]:
        """What can be shown, of these records and of those that have waited; `is_live` says whether its queries are."""
        now = self._clock()
        if not is_live:
            self._not_live = now
        found = [record for key in [*self._held] for record in self._given_up(key, now)]
        for record in records:
            found += self._take(record, now)
        self._forget(now)
        return found

    def _take(self, record: Message, now: float) -> list[Message]:
        event = event_of(record)
        if event is None:
            return [record]
        epoch, version, _ = self._shown.get(event.key, (event.epoch, event.version, now))
        if event.epoch > epoch and event.version < version:
            self._held.setdefault(event.key, []).append((now, record))
            return []
        if (event.epoch, event.version) >= (epoch, version):
            # At its end again, so that the oldest come first.
            self._shown.pop(event.key, None)
            self._shown[event.key] = event.epoch, event.version, now
        waited = self._held.pop(event.key, []) if event.epoch > epoch else []
        return [*(one for _, one in waited), record]

    def _given_up(self, key: bytes, now: float) -> list[Message]:
        """Everything of a key that has waited, when the first of it has waited for long enough."""
        if self._is_recent(self._held[key][0][0], now):
            return []
        self._shown.pop(key, None)
        return [record for _, record in self._held.pop(key)]

    def _forget(self, now: float) -> None:
        while self._shown:
            oldest = next(iter(self._shown))
            if self._is_recent(self._shown[oldest][2], now):
                return
            del self._shown[oldest]

    def _is_recent(self, then: float, now: float) -> bool:
        return now - max(then, self._not_live) < PATIENCE_SECONDS

"""Where rejected events are in their sources, and how many of them there are."""

import threading
from array import array
from bisect import bisect_left
from collections import Counter

import pyarrow as pa  # type: ignore[import-untyped]

from livejoin.serve.decode.log_batch import JUDGEMENT, LETTER_KIND
from livejoin.wire.dead_letter import Kind

REMEMBERED = 1_000
"""Of how many topics, each as it was judged: those that nobody asks for or writes of any more are forgotten."""
EXACT = 1_000_000
"""Of how many dead letters together their offsets are kept, 8 MB; where there are more, they count by their order."""
_KINDS = {kind.value: kind for kind in Kind}


class _Judged:
    """What is known of a topic that was judged in one way."""

    def __init__(self) -> None:
        self.count = 0
        self.next: dict[int, int] = {}
        """The offset after the newest dead letter, for each partition."""
        self.offsets: dict[int, array[int]] = {}
        """Those of the dead letters of each partition, in order."""

    def add(self, partition: int, offset: int, *, is_exact: bool) -> bool:
        """Whether this one was not counted before."""
        following = self.next.get(partition, 0)
        known = self.offsets.setdefault(partition, array("q"))
        at = len(known) if offset >= following else bisect_left(known, offset)
        if offset < following and (not is_exact or (at < len(known) and known[at] == offset)):
            return False
        if is_exact:
            known.insert(at, offset)
        self.next[partition] = max(following, offset + 1)
        self.count += 1
        return True


class DeadLetterPositions:
    """The next offset after the newest dead letter: a rejected event is accounted for too.

    Generations that judge a topic in the same way have the same dead letters. Each is counted once, however often it
    was written: a pipeline that starts again may write the newest of them again, in their order. What the broker leaves
    of that when it compacts may be in another order, where somebody stopped before he had written all of them again.
    """

    def __init__(self) -> None:
        self.kinds: Counter[Kind] = Counter()
        """How many events were rejected."""
        self.topics: Counter[str] = Counter()
        """The same by their topic, as it was judged last: another topic under its name begins with none."""
        self._judged: dict[tuple[str, str], _Judged] = {}
        """By how a topic was judged, and its name; what was used last is at the end."""
        self._is_exact = True
        self._lock = threading.Lock()

    def add(self, letters: pa.Table) -> None:
        """Take in dead letters."""
        names = (JUDGEMENT.field, "topic", "partition", "offset", LETTER_KIND.field)
        columns = [letters.column(name).to_pylist() for name in names]
        with self._lock:
            for judgement, topic, partition, offset, kind in zip(*columns, strict=True):
                found = self._used(judgement, topic) or self._judged.setdefault((judgement, topic), _Judged())
                if found.add(partition, offset, is_exact=self._is_exact):
                    self.kinds[_KINDS.get(kind, Kind.OTHER)] += 1
                self.topics[topic] = found.count
            self._forget()

    def of(self, judgement: str, topic: str, partition: int) -> int:
        """As far as the dead letters of those who judge a topic in this way got."""
        with self._lock:
            found = self._used(judgement, topic)
            return found.next.get(partition, 0) if found else 0

    def _used(self, judgement: str, topic: str) -> _Judged | None:
        found = self._judged.pop((judgement, topic), None)
        if found is not None:
            self._judged[judgement, topic] = found
        return found

    def _forget(self) -> None:
        while len(self._judged) > REMEMBERED:
            oldest = next(iter(self._judged))
            del self._judged[oldest]
            if all(topic != oldest[1] for _, topic in self._judged):
                del self.topics[oldest[1]]
        if self._is_exact and sum(found.count for found in self._judged.values()) > EXACT:
            self._is_exact = False
            for found in self._judged.values():
                found.offsets = {}

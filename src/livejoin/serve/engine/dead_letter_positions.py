"""Where rejected events are in their sources, and how many of them there are."""

import threading
from collections import Counter

import pyarrow as pa  # type: ignore[import-untyped]

from livejoin.serve.decode.log_batch import JUDGEMENT, LETTER_KIND
from livejoin.wire.dead_letter import Kind

_KINDS = {kind.value: kind for kind in Kind}


class DeadLetterPositions:
    """The next offset after the newest dead letter: a rejected event is accounted for too.

    Generations that judge a topic in the same way have the same dead letters. Each is counted once, however often it
    was written: a pipeline that starts again may write the newest of them again, in their order.
    """

    def __init__(self) -> None:
        self.kinds: Counter[Kind] = Counter()
        """How many events were rejected."""
        self.topics: Counter[str] = Counter()
        """The same by their topic, as it was judged last: another topic under its name begins with none."""
        self._counts: Counter[tuple[str, str]] = Counter()
        self._next: dict[tuple[str, str, int], int] = {}
        self._lock = threading.Lock()

    def add(self, letters: pa.Table) -> None:
        """Take in dead letters."""
        names = (JUDGEMENT.field, "topic", "partition", "offset", LETTER_KIND.field)
        columns = [letters.column(name).to_pylist() for name in names]
        with self._lock:
            for judgement, topic, partition, offset, kind in zip(*columns, strict=True):
                place = (judgement, topic, partition)
                if offset >= self._next.get(place, 0):
                    self._next[place] = offset + 1
                    self._counts[judgement, topic] += 1
                    self.kinds[_KINDS.get(kind, Kind.OTHER)] += 1
                self.topics[topic] = self._counts[judgement, topic]

    def of(self, judgement: str, topic: str, partition: int) -> int:
        """As far as the dead letters of those who judge a topic in this way got."""
        with self._lock:
            return self._next.get((judgement, topic, partition), 0)

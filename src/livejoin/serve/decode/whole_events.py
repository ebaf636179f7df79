"""The rows of one event are shown together: what has arrived of one that is not complete is held back.

A live event writes a record for each row that it changes, and its progress after them. Kafka hands records over as they
arrive, so the last of a batch may belong to an event whose other rows come a moment later.
"""

import time
from collections.abc import Callable, Sequence

from livejoin.kafka.message import Message
from livejoin.serve.decode.view_batch import ROWS
from livejoin.serve.decode.written_event import event_of
from livejoin.wire.view_record import PROGRESS, key_prefix

PATIENCE_SECONDS = 0.3
"""How long rows are held back at the most: a pipeline may die in the middle of an event, and another one goes on."""
PROGRESS_KEY = key_prefix(PROGRESS).encode()
ROW_KEYS = tuple(key_prefix(kind).encode() for kind in ROWS)


class WholeEvents:
    """Takes records in their order, and hands them on when their event is complete. One thread uses it.

    Records of a topic with several partitions have no order, and are handed on as they come.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: list[tuple[float, Message]] = []
        self._partitions: set[int | None] = set()

    @property
    def is_waiting(self) -> bool:
        """Whether anything is held back."""
        return bool(self._held)

    def add(self, records: Sequence[Message]) -> list[Message]:
        """What can be shown, of these records and of those that were held back."""
        now = self._clock()
        found = [*self._held, *((now, record) for record in records)]
        self._partitions |= {record.partition() for record in records}
        self._held = []
        if len(self._partitions) > 1:
            return [record for _, record in found]
        complete = {event_of(record) for _, record in found if (record.key() or b"").startswith(PROGRESS_KEY)}
        shown = []
        for arrived, record in found:
            is_row = (record.key() or b"").startswith(ROW_KEYS)
            if is_row and now - arrived < PATIENCE_SECONDS and event_of(record) not in complete:
                self._held.append((arrived, record))
            else:
                shown.append(record)
        return shown

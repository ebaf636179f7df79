"""Which records of a view topic are those of one generation: several may have the same topic, one after the other.

A generation knows the epoch at which it took the topic. What was written with a lower one is of who had it before, also
where it comes later: a pipeline that stands still is replaced, and its Spark goes on writing.
"""

from collections.abc import Sequence

import structlog

from livejoin.kafka.message import Message
from livejoin.model.generation import Generation
from livejoin.serve.decode.written_event import event_of
from livejoin.wire.view_record import TAKEN, Taken

TAKEN_KEY = TAKEN.encode()

log = structlog.get_logger()


class OwnRecords:
    """Hands on the records of one generation, until another one takes the topic. One thread uses it."""

    def __init__(self, generation: Generation) -> None:
        self._number = generation.number
        self._since = generation.taken
        self._is_over = False

    def of(self, records: Sequence[Message]) -> list[Message]:
        """Those of them that are of this generation."""
        return [record for record in records if not self._is_over and self._is_own(record)]

    def _is_own(self, record: Message) -> bool:
        if record.key() == TAKEN_KEY:
            self._is_over = self._is_taken_later(record.value())
            if self._is_over:
                log.warning("view topic has gone to another generation", generation=self._number)
            return False
        if not self._since:
            return True
        event = event_of(record)
        return event is None or event.epoch >= self._since

    def _is_taken_later(self, value: bytes | None) -> bool:
        """Who was paused before it took the topic, and goes on when another one has it, has not taken it."""
        try:
            return Taken.read(value).epoch > self._since
        except ValueError:
            # Another version of livejoin has it, and what follows is not this one's to read.
            return True

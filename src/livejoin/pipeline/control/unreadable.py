"""Records in a topic of livejoin's own that somebody else has written: skipped, counted, and told together."""

import structlog

from livejoin.kafka.message import Message

log = structlog.get_logger()


class Unreadable:
    """Those of one topic that were met in one reading. What livejoin wrote counts."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._count = 0
        self._first: dict[str, object] = {}

    def add(self, record: Message, error: ValueError) -> None:
        """Count one; the first of them stands for all in the log."""
        self._count += 1
        if not self._first:
            self._first = {"partition": record.partition(), "offset": record.offset(), "reason": str(error)}

    def tell(self) -> None:
        """Say how many there were, if there were any."""
        if self._count:
            log.warning("records skipped that cannot be read", topic=self._topic, records=self._count, **self._first)

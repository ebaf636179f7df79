"""Follows the control topic, which belongs to others: it may be missing, be created late, or be replaced."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from livejoin.errors import TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.kafka.trouble import needed_to
from livejoin.model.registry import Ledger

GRACE = timedelta(minutes=1)
"""How much older than the first start a message may be: clocks differ, and a script may send before it starts us."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ControlRecord:
    """A control message as it lies in its topic."""

    topic_id: str
    partition: int
    offset: int
    timestamp: int
    value: bytes | None

    @property
    def key(self) -> str:
        """Its name in the control log; a topic that is created again has another id and starts at 0 again."""
        return f"{self.topic_id}/{self.partition}/{self.offset}"


class ControlReader:
    """Hands every message to `take`, from where the ledger says on. Whoever makes it calls `look` now and then."""

    def __init__(self, cluster: Cluster, topic: str, take: Callable[[ControlRecord], None]) -> None:
        self._cluster = cluster
        self._topic = topic
        self._take = take
        self._tail: TopicTail | None = None
        self._found = ("", 0)
        self._told_missing = False

    def look(self, ledger: Ledger) -> None:
        """Follow the topic if it is there, and begin again where it is another one or has grown.

        Raises what keeps it from being followed.
        """
        try:
            with needed_to("READ"):
                described = self._cluster.describe([self._topic])[self._topic]
        except TopicMissing as missing:
            if not self._told_missing:
                log.warning("control topic missing", what=missing.what, do=f"create {self._topic!r} to swap by message")
            self._told_missing = True
            return
        found = (described.topic_id, described.partitions)
        if found == self._found:
            if self._tail is not None and self._tail.trouble is not None:
                raise self._tail.trouble
            return
        self.stop()
        topic_id, _ = found
        positions = ledger.control_next if topic_id == ledger.control_id else self._since(ledger.control_since)
        self._tail = TopicTail(self._cluster, self._topic, lambda records: self._hand_on(topic_id, records), positions)
        self._tail.start()
        self._found = found
        self._told_missing = False

    def stop(self) -> None:
        """Read no further."""
        if self._tail is not None:
            self._tail.stop()
            self._tail = None

    def _since(self, start: datetime | None) -> dict[int, int]:
        """Where a topic is begun of which nothing was read: behind what was sent before anybody listened."""
        if start is None:
            return {}
        positions = self._cluster.offsets_at(self._topic, start - GRACE)
        older = sum(
            positions[p] - low for p, (low, _) in self._cluster.watermarks(self._topic).items() if p in positions
        )
        if older > 0:
            log.info(
                "older control messages are not obeyed", topic=self._topic, messages=older, before=str(start - GRACE)
            )
        return positions

    def _hand_on(self, topic_id: str, records: list[Message]) -> None:
        for record in records:
            _, timestamp = record.timestamp()
            place = record.partition() or 0, record.offset() or 0
            self._take(ControlRecord(topic_id, *place, timestamp, record.value()))

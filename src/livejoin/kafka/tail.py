"""A thread that reads a topic from its beginning, or from where it was left, and then follows it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from typing import TypeVar

import structlog
from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from livejoin.errors import LivejoinError, TopicMissing
from livejoin.kafka.cluster import Cluster, watermarks_of
from livejoin.worker import Worker

BATCH = 20_000
BATCH_BYTES = 2_000_000
"""What is taken together is bounded, so that nothing else waits for long while it is taken."""
POLL_SECONDS = 0.2
RETRY_SECONDS = 0.5
PROPERTIES = {
    "enable.partition.eof": True,
    # What is read ahead is bounded; a client that has reached the bound would fetch no more for a second by default.
    "fetch.queue.backoff.ms": 5,
}

R = TypeVar("R", bound=Sized)

log = structlog.get_logger()


class TopicTail(Worker):
    """Hands every record of a topic to `take`, in batches, each partition in order.

    A missing topic and an unreachable broker are waited for. Where `take` raises, the batch is read again. Batches
    that are not full begin at least `pace` seconds apart, so that what comes in a steady stream is taken together.
    """

    def __init__(
        self,
        cluster: Cluster,
        topic: str,
        take: Callable[[list[Message]], None],
        positions: Mapping[int, int] | None = None,
        pace: float = 0.0,
    ) -> None:
        super().__init__(f"tail-{topic}")
        self.topic = topic
        self.positions = dict(positions or {})
        self.ends: dict[int, int] | None = None
        """The end offsets when reading began; None until the topic is there."""
        self.waiting_for: str = f"topic {topic!r}"
        """What keeps it from reading, in words; empty while it reads."""
        self.missing = False
        """Whether the broker says that there is no such topic."""
        self._cluster = cluster
        self._pace = pace
        self._take = take

    def reached(self, ends: Mapping[int, int] | None = None) -> bool:
        """Whether every record has been taken that was there when reading began, and up to the given ends too."""
        if self.ends is None:
            return False
        wanted = [*self.ends.items(), *(ends or {}).items()]
        return all(self.positions.get(partition, 0) >= end for partition, end in wanted)

    @property
    def remaining(self) -> int:
        """How many offsets lie between what was taken and the ends noted when reading began."""
        return sum(max(0, end - self.positions.get(partition, 0)) for partition, end in (self.ends or {}).items())

    def _run(self) -> None:
        told = ""
        while not self._stop.is_set():
            try:
                self._read()
            except (KafkaException, LivejoinError) as error:
                self.missing = isinstance(error, TopicMissing)
                self.waiting_for = str(error) if isinstance(error, TopicMissing) else f"topic {self.topic!r} ({error})"
                if told != self.waiting_for:
                    log.warning("topic is waited for", topic=self.topic, reason=str(error))
                    told = self.waiting_for
            except Exception:
                self.waiting_for = f"topic {self.topic!r} (its records could not be taken in)"
                log.exception("records are read again", topic=self.topic, positions=self.positions)
            self._stop.wait(RETRY_SECONDS)

    def _read(self) -> None:
        partitions = self._cluster.partitions(self.topic)
        consumer = self._cluster.consumer(f"tail-{self.topic}", **PROPERTIES)
        try:
            marks = {p: watermarks_of(consumer, TopicPartition(self.topic, p)) for p in partitions}
            self.ends = self.ends or {p: end for p, (_, end) in marks.items()}
            # By number: to find the beginning by itself, the client waits for half a second.
            starts = ((p, self.positions.get(p, beginning)) for p, (beginning, _) in marks.items())
            consumer.assign([TopicPartition(self.topic, p, offset) for p, offset in starts])
            self.waiting_for, self.missing = "", False
            while not self._stop.is_set():
                first = consumer.poll(POLL_SECONDS)
                if first is not None:
                    began = time.monotonic()
                    more = consumer.consume(BATCH, 0)
                    for batch in bounded([first, *more], BATCH_BYTES):
                        if self._stop.is_set():
                            return
                        self._accept(batch)
                    if len(more) < BATCH:
                        self._stop.wait(max(0.0, began + self._pace - time.monotonic()))
        finally:
            consumer.close()

    def _accept(self, messages: Sequence[Message]) -> None:
        records: list[Message] = []
        positions: dict[int, int] = {}
        for message in messages:
            error = message.error()
            if error is None:
                records.append(message)
                positions[message.partition() or 0] = (message.offset() or 0) + 1
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001  its public name
                # The end may lie behind the last record: compaction and transactions leave gaps.
                positions[message.partition() or 0] = message.offset() or 0
            # Any other error is passing (a broker that restarts) or final (a deleted topic); the client goes on alone.
        if records:
            self._take(records)
        self.positions = {**self.positions, **positions}


def bounded(records: Sequence[R], size: int) -> Iterator[Sequence[R]]:
    """The records in order, in batches of no more than that size together, or of one that is larger."""
    first, together = 0, 0
    for index, record in enumerate(records):
        together += len(record)
        if together > size and index > first:
            yield records[first:index]
            first, together = index, len(record)
    if records:
        yield records[first:]

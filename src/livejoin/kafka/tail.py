"""A thread that reads a topic from its beginning, or from where it was left, and then follows it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from typing import TypeVar

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from livejoin.errors import KafkaTrouble, Refused, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import STOPS_READING, Complaints, kafka_error, needed_to, trouble_of
from livejoin.process.backoff import Backoff
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker

BATCH = 20_000
BATCH_BYTES = 2_000_000
"""What is taken together is bounded, so that nothing else waits for long while it is taken."""
POLL_SECONDS = 0.2
RETRY_SECONDS = 0.5
LONGEST_RETRY_SECONDS = 10.0
"""How long who was refused waits before the next try."""
PROPERTIES = {
    "enable.partition.eof": True,
    # What is read ahead is bounded; a client that has reached the bound would fetch no more for a second by default.
    "fetch.queue.backoff.ms": 5,
}

R = TypeVar("R", bound=Sized)


class TopicTail(Worker):
    """Hands every record of a topic to `take`, in batches, each partition in order; calls `rest` while none comes.

    A missing topic and an unreachable broker are waited for. Where `take` raises, the batch is read again, later and
    later. Batches that are not full begin at least `pace` seconds apart, so that what comes in a steady stream is taken
    together.
    """

    def __init__(
        self,
        cluster: Cluster,
        topic: str,
        take: Callable[[list[Message]], None],
        positions: Mapping[int, int] | None = None,
        pace: float = 0.0,
        thread: str = "",
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(thread or f"tail-{topic}")
        self.topic = topic
        self.positions = dict(positions or {})
        self.ends: dict[int, int] | None = None
        """The end offsets when reading began; None until the topic is there."""
        self.waiting_for = ""
        """What keeps it from reading, in words; empty while it reads."""
        self.trouble: KafkaTrouble | None = None
        """What keeps it from reading, where Kafka does."""
        self._cluster = cluster
        self._pace = pace
        self._take = take
        self._rest = rest

    def reached(self, ends: Mapping[int, int] | None = None) -> bool:
        """Whether every record has been taken that was there when reading began, and up to the given ends too."""
        if self.ends is None:
            return False
        wanted = [*self.ends.items(), *(ends or {}).items()]
        return all(self.positions.get(partition, 0) >= end for partition, end in wanted)

    @property
    def missing(self) -> bool:
        """Whether the broker says that there is no such topic."""
        return isinstance(self.trouble, TopicMissing)

    @property
    def remaining(self) -> int:
        """How many offsets lie between what was taken and the ends noted when reading began."""
        return sum(max(0, end - self.positions.get(partition, 0)) for partition, end in (self.ends or {}).items())

    def _run(self) -> None:
        trouble = Recurring("topic is waited for", topic=self.topic)
        failures = Recurring("records could not be taken in", topic=self.topic)
        backoff = Backoff(RETRY_SECONDS, LONGEST_RETRY_SECONDS)
        while not self._stop.is_set():
            delay = RETRY_SECONDS
            began = self.positions
            try:
                self._read(trouble, failures)
            except KafkaTrouble as error:
                self.trouble = error
                self.waiting_for = error.what if self.missing else f"topic {self.topic!r} ({error.what})"
                trouble.tell(str(error))
                if self.positions != began:
                    backoff.reset()
                if isinstance(error, Refused):
                    delay = backoff.next()
            except Exception as error:  # noqa: BLE001  it is logged
                self.waiting_for = f"topic {self.topic!r} (its records could not be taken in)"
                failures.unexpected(error)
                if self.positions != began:
                    backoff.reset()
                delay = backoff.next()
            else:
                continue
            self._stop.wait(delay)

    def _read(self, *troubles: Recurring) -> None:
        with needed_to("READ"):
            marks, edition = self._cluster.watermarks(self.topic), self._cluster.client.edition
        complaints = Complaints(self._cluster.client)
        consumer = self._cluster.consumer(f"tail-{self.topic}", error_cb=complaints.add, **PROPERTIES)
        try:
            self.ends = self.ends or {p: end for p, (_, end) in marks.items()}
            # By number: to find the beginning by itself, the client waits for half a second.
            starts = ((p, self.positions.get(p, beginning)) for p, (beginning, _) in marks.items())
            consumer.assign([TopicPartition(self.topic, p, offset) for p, offset in starts])
            # What it logs in with is fixed for a consumer: when that has changed, another one goes on.
            while not self._stop.is_set() and self._cluster.client.renew() == edition:
                first = consumer.poll(POLL_SECONDS)
                if first is None:
                    self._rest()
                else:
                    began = time.monotonic()
                    more = consumer.consume(BATCH, 0)
                    for batch in bounded([first, *more], BATCH_BYTES):
                        if self._stop.is_set():
                            return
                        self._accept(batch, complaints)
                    for trouble in troubles:
                        trouble.over()
                    if len(more) < BATCH:
                        self._stop.wait(max(0.0, began + self._pace - time.monotonic()))
                self.trouble = complaints.refusal() if complaints.about_login else None
                self.waiting_for = self.trouble.what if self.trouble else ""
        except KafkaException as error:
            raise trouble_of(kafka_error(error), complaints, "READ", self.topic) from error
        finally:
            consumer.close()

    def _accept(self, messages: Sequence[Message], complaints: Complaints) -> None:
        records: list[Message] = []
        positions: dict[int, int] = {}
        trouble: KafkaTrouble | None = None
        for message in messages:
            error = message.error()
            if error is None:
                records.append(message)
                positions[message.partition() or 0] = (message.offset() or 0) + 1
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001  its public name
                # The end may lie behind the last record: compaction and transactions leave gaps.
                positions[message.partition() or 0] = message.offset() or 0
            elif error.code() in STOPS_READING:
                trouble = trouble_of(error, complaints, "READ", self.topic)
            # Any other error is passing (a broker that restarts); the client goes on alone.
        if records:
            self._take(records)
        self.positions = {**self.positions, **positions}
        if trouble is not None:
            raise trouble


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

"""What a small topic holds at one moment, and how many records a part of any topic has."""

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import STOPS_READING, Complaints, kafka_error, needed_to, trouble_of

BATCH = 10_000


def read_to_end(cluster: Cluster, topic: str, *, timeout: float = 30.0) -> list[Message]:
    """Every record that is in a small topic at the time of the call."""
    records, _ = _read(cluster, topic, _watermarks(cluster, topic), timeout)
    return records


def read_newest(
    cluster: Cluster, topic: str, count: int, *, most_bytes: int = 64_000_000, timeout: float = 30.0
) -> list[Message]:
    """About so many of the newest records of all partitions together, or fewer, so that they have no more bytes."""
    marks = _watermarks(cluster, topic)
    records, is_all = _read(cluster, topic, newest(marks, count), timeout, most_bytes)
    while not is_all and len(records) > 1:
        # Reading goes forward: what was read are the oldest of them, so fewer are begun with.
        records, is_all = _read(cluster, topic, newest(marks, len(records) // 2), timeout, most_bytes)
    return records


def newest(marks: Mapping[int, tuple[int, int]], count: int) -> dict[int, tuple[int, int]]:
    """From where to where the newest records are, by partition: as many of each, unless one has fewer."""
    left, found = count, dict[int, tuple[int, int]]()
    by_size = sorted(marks.items(), key=lambda mark: mark[1][1] - mark[1][0])
    for done, (partition, (low, high)) in enumerate(by_size):
        share = -(-left // (len(by_size) - done))
        found[partition] = max(low, high - share), high
        left -= high - found[partition][0]
    return dict(sorted(found.items()))


def has_record(
    cluster: Cluster, topic: str, partition: int, span: tuple[int, int], *, timeout: float = 10.0
) -> bool | None:
    """Whether there is a record between two offsets; None where nobody can tell at this moment."""
    begin, end = span
    with _partition(cluster, topic, partition, begin) as consumer:
        message = consumer.poll(timeout)
        return None if message is None else _offset_of(message, cluster) < end


def count_records(
    cluster: Cluster, topic: str, partition: int, span: tuple[int, int], stop: threading.Event
) -> tuple[int, int] | None:
    """How many records there are between two offsets, and the offset after the last one; None when told to stop."""
    reached, end = span
    records, last = 0, reached
    with _partition(cluster, topic, partition, reached) as consumer:
        while reached < end and not stop.is_set():
            for message in consumer.consume(BATCH, 0.2):
                offset = _offset_of(message, cluster)
                reached = offset if message.error() else offset + 1
                if not message.error() and offset < end:
                    records, last = records + 1, reached
    return None if stop.is_set() else (records, last)


@contextmanager
def _partition(cluster: Cluster, topic: str, partition: int, offset: int) -> Iterator[Consumer]:
    consumer = cluster.consumer("count", **{"enable.partition.eof": True})
    try:
        consumer.assign([TopicPartition(topic, partition, offset)])
        yield consumer
    finally:
        consumer.close()


def _offset_of(message: Message, cluster: Cluster) -> int:
    """Of a record, or of the end, which may lie behind the last one; raises KafkaTrouble where it is neither."""
    error = message.error()
    if error is not None and error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001  its public name
        raise trouble_of(error, Complaints(cluster.client), "READ", message.topic())
    return message.offset() or 0


def _watermarks(cluster: Cluster, topic: str) -> Mapping[int, tuple[int, int]]:
    with needed_to("READ"):
        return cluster.watermarks(topic)


def _read(
    cluster: Cluster, topic: str, marks: Mapping[int, tuple[int, int]], timeout: float, most_bytes: float = math.inf
) -> tuple[list[Message], bool]:
    """The records between these offsets, and whether these are all of them: more bytes are not read."""
    ends = {p: high for p, (low, high) in marks.items() if high > low}
    size = 0
    complaints = Complaints(cluster.client)
    consumer = cluster.consumer("read-to-end", error_cb=complaints.add)
    records: list[Message] = []
    try:
        consumer.assign([TopicPartition(topic, p, marks[p][0]) for p in ends])
        deadline = time.monotonic() + timeout
        while ends:
            message = consumer.poll(0.5)
            if message is not None:
                error = message.error()
                if error is None:
                    records.append(message)
                    size += len(message)
                    if size > most_bytes:
                        return records, False
                elif error.code() in STOPS_READING:
                    raise trouble_of(error, complaints, "READ", topic)
            # The position moves past transaction markers and compacted gaps too, which no record would show.
            for position in consumer.position([TopicPartition(topic, p) for p in ends]):
                if position.offset >= ends[position.partition]:
                    del ends[position.partition]
            if ends and time.monotonic() > deadline:
                why = f"reading {topic!r} did not reach its end in {timeout:.0f} s"
                timed_out = KafkaError(KafkaError._TIMED_OUT, why)  # noqa: SLF001  its public name
                raise trouble_of(timed_out, complaints, "READ", topic)
    except KafkaException as error:
        raise trouble_of(kafka_error(error), complaints, "READ", topic) from error
    finally:
        consumer.close()
    return records, True

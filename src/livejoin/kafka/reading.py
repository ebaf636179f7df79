"""What a small topic holds at one moment."""

import time

from confluent_kafka import Message, TopicPartition

from livejoin.errors import BrokerUnreachable
from livejoin.kafka.cluster import Cluster


def read_to_end(cluster: Cluster, topic: str, *, timeout: float = 30.0) -> list[Message]:
    """Every record that is in a small topic at the time of the call."""
    ends = {p: high for p, (low, high) in cluster.watermarks(topic).items() if high > low}
    consumer = cluster.consumer("read-to-end")
    records: list[Message] = []
    try:
        consumer.assign([TopicPartition(topic, p, 0) for p in ends])
        deadline = time.monotonic() + timeout
        while ends:
            message = consumer.poll(0.5)
            if message is not None and message.error() is None:
                records.append(message)
            # The position moves past transaction markers and compacted gaps too, which no record would show.
            for position in consumer.position([TopicPartition(topic, p) for p in ends]):
                if position.offset >= ends[position.partition]:
                    del ends[position.partition]
            if time.monotonic() > deadline:
                raise BrokerUnreachable(f"reading {topic!r} did not reach its end within {timeout:.0f} s")
    finally:
        consumer.close()
    return records

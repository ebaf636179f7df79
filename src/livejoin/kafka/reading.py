"""What a small topic holds at one moment."""

import time

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import STOPS_READING, Complaints, kafka_error, trouble_of


def read_to_end(cluster: Cluster, topic: str, *, timeout: float = 30.0) -> list[Message]:
    """Every record that is in a small topic at the time of the call."""
    ends = {p: high for p, (low, high) in cluster.watermarks(topic).items() if high > low}
    complaints = Complaints(cluster.client)
    consumer = cluster.consumer("read-to-end", error_cb=complaints.add)
    records: list[Message] = []
    try:
        consumer.assign([TopicPartition(topic, p, 0) for p in ends])
        deadline = time.monotonic() + timeout
        while ends:
            message = consumer.poll(0.5)
            if message is not None:
                error = message.error()
                if error is None:
                    records.append(message)
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
    return records

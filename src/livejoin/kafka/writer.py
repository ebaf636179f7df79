"""Single records, each confirmed by the broker."""

from confluent_kafka import Message

from livejoin.errors import BrokerUnreachable
from livejoin.kafka.cluster import Cluster

WRITE_TIMEOUT = 30.0
PARTITION_UA = -1


class Writer:
    """Writes single records to one topic; each is confirmed by the broker before the call returns."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._topic = topic
        self._producer = cluster.producer()

    def write(self, key: str | None, value: bytes | None, partition: int = PARTITION_UA) -> Message:
        """Write a record and return it as the broker has it; raises BrokerUnreachable where it was not confirmed.

        Without a partition, the key decides.
        """
        written: list[Message] = []
        failures: list[str] = []

        def delivered(error: object, message: Message) -> None:
            if error is None:
                written.append(message)
            else:
                failures.append(str(error))

        self._producer.produce(
            self._topic, value, key.encode() if key else None, partition=partition, on_delivery=delivered
        )
        if self._producer.flush(WRITE_TIMEOUT) or failures:
            why = "; ".join(failures) or f"no answer in {WRITE_TIMEOUT:.0f} s"
            raise BrokerUnreachable(f"{self._topic}: {key or 'a record'} was not written: {why}")
        return written[0]

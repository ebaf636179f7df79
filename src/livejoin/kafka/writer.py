"""Single records, each confirmed by the broker."""

import threading

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from livejoin.errors import KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import Complaints, kafka_error, trouble_of

WRITE_SECONDS = 30.0
PATIENCE = {"message.timeout.ms": str(int(WRITE_SECONDS * 1000))}
"""A record that was not confirmed in time is given up by the client itself: it cannot arrive behind a later one."""
OUTCOME_SECONDS = 5.0
"""How much longer than that it may take until the client says so."""
BY_KEY = -1
"""In place of a partition: the key decides."""


class Writer:
    """Writes single records to one topic; each is confirmed by the broker before the call returns.

    Any thread may call it; one record follows the other.
    """

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._complaints = Complaints(cluster.client)
        self._producer: Producer | None = None
        self._edition = 0
        self._lock = threading.Lock()

    def write(self, key: str | None, value: bytes | None, partition: int = BY_KEY) -> Message:
        """Write a record and return it as the broker has it; raises KafkaTrouble where it was not confirmed."""
        with self._lock:
            return self._write(key, value, partition)

    def _write(self, key: str | None, value: bytes | None, partition: int) -> Message:
        written: list[Message] = []
        failures: list[KafkaError] = []

        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is None:
                written.append(message)
            else:
                failures.append(error)

        producer = self._current_producer()
        try:
            producer.produce(self._topic, value, key.encode() if key else None, partition, on_delivery=delivered)
            producer.flush(WRITE_SECONDS + OUTCOME_SECONDS)
        except KafkaException as error:
            raise self._given_up(kafka_error(error)) from error
        except SystemError as error:
            # A fatal error that comes while the outcome of the record is told: the client says both at once.
            fatal = error.__cause__ or error.__context__
            if not isinstance(fatal, KafkaException):
                raise
            raise self._given_up(kafka_error(fatal)) from error
        if not written:
            timeout = KafkaError(KafkaError._TIMED_OUT, f"no answer in {WRITE_SECONDS:.0f} s")  # noqa: SLF001  its name
            raise self._given_up(failures[0] if failures else timeout)
        self._complaints.clear()
        return written[0]

    def _current_producer(self) -> Producer:
        """The one of before, unless it has failed or what it logged in with has changed."""
        edition = self._cluster.client.renew()
        if self._producer is None or edition != self._edition:
            self._producer = self._cluster.producer(error_cb=self._complaints.add, **PATIENCE)
            self._edition = edition
        return self._producer

    def _given_up(self, error: KafkaError) -> KafkaTrouble:
        """A producer that has failed once may refuse everything from then on: the next record gets another one."""
        if self._producer is not None:
            self._producer.purge()
            self._producer = None
        return trouble_of(error, self._complaints, "WRITE", self._topic)

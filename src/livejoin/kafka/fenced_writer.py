"""Records that only one process at a time can write: Kafka itself refuses everybody who had the right before."""

import logging
import time

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from livejoin.errors import Fenced, KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import Complaints, kafka_error, trouble_of

WRITE_SECONDS = 30.0
PROPERTIES = {
    # A transaction that its writer does not end, because it was killed or paused, is ended by the broker; readers who
    # read what is committed wait for that.
    "transaction.timeout.ms": 10_000,
    # Kafka's client refuses more than that, whatever is configured for the others.
    "socket.timeout.ms": 10_000,
    # The next record of a transaction may come before the last one is quite over, and is then asked for again.
    "retry.backoff.ms": 1,
    "retry.backoff.max.ms": 50,
    "linger.ms": 0,
}
PURGED = frozenset({KafkaError._PURGE_QUEUE, KafkaError._PURGE_INFLIGHT})  # noqa: SLF001  their public names
FENCED = frozenset(
    {
        KafkaError._FENCED,  # noqa: SLF001  its public name
        KafkaError.PRODUCER_FENCED,
        KafkaError.INVALID_PRODUCER_EPOCH,
    }
)
UNHEARD = logging.Logger("unheard", logging.CRITICAL + 1)
"""What Kafka's client would write to standard error of a refusal that was meant."""
LONGEST_MS = 2**31 - 1_000
"""About as much as Kafka's client can count: brokers let a transaction last for a quarter of an hour, unless somebody
has set it."""


def require_right(cluster: Cluster, transactional_id: str) -> None:
    """Raise RightMissing where who logs in could not take over, and take the right to write from nobody.

    A broker looks at who asks first, and then at what is asked for: a transaction of weeks, which it refuses.
    """
    complaints = Complaints(cluster.client)
    asked = {"transactional.id": transactional_id, "transaction.timeout.ms": LONGEST_MS}
    try:
        cluster.producer(**asked, error_cb=complaints.add, logger=UNHEARD).init_transactions(WRITE_SECONDS)
    except KafkaException as error:
        found = kafka_error(error)
        if found.code() != KafkaError.INVALID_TRANSACTION_TIMEOUT:
            raise trouble_of(found, complaints, "WRITE", None, transactional_id=transactional_id) from error


class FencedWriter:
    """Writes single records, each in a transaction of its own that has ended before the call returns.

    Used by one thread at a time. Who makes it needs not close it: what it has begun and not ended never happened.
    """

    def __init__(self, cluster: Cluster, transactional_id: str) -> None:
        self._cluster = cluster
        self._transactional_id = transactional_id
        self._complaints = Complaints(cluster.client)
        self._producer: Producer | None = None
        self._edition = 0

    @property
    def is_ready(self) -> bool:
        """Whether it has the right, as far as is known here, and logs in with what is in force."""
        return self._producer is not None and self._cluster.client.renew() == self._edition

    def take_over(self) -> None:
        """Have the right to write, and take it from whoever had it; what they have begun is undone."""
        self._producer, edition = None, self._cluster.client.renew()
        producer = self._cluster.producer(
            **PROPERTIES, **{"transactional.id": self._transactional_id}, error_cb=self._complaints.add
        )
        try:
            producer.init_transactions(WRITE_SECONDS)
        except KafkaException as error:
            raise self._trouble(kafka_error(error), None) from error
        self._complaints.clear()
        self._producer, self._edition = producer, edition

    def let_go(self) -> None:
        """Write nothing more by the right that was taken: it was somebody else's."""
        self._producer = None

    def write(self, topic: str, key: str, value: bytes | None, seconds: float = WRITE_SECONDS) -> None:
        """Write a record; raises Fenced where somebody else has the right, KafkaTrouble where it is not confirmed.

        After Fenced it is sure that the record was not written.
        """
        if self._producer is None:
            raise Fenced("the right to write was not taken yet")
        deadline = time.monotonic() + seconds
        try:
            failed = self._produce(self._producer, topic, key, value, deadline)
            if failed is None:
                failed = self._commit(self._producer, deadline)
            elif failed.code() in PURGED:
                # Why that was done is told by the end of the transaction, which cannot be a good one.
                self._producer.commit_transaction(max(0.1, deadline - time.monotonic()))
        except KafkaException as error:
            raise self._given_up(kafka_error(error), topic) from error
        if failed is not None:
            raise self._given_up(failed, topic)
        self._complaints.clear()

    @staticmethod
    def _produce(producer: Producer, topic: str, key: str, value: bytes | None, deadline: float) -> KafkaError | None:
        """Send the record; returns why it did not arrive."""
        outcome: list[KafkaError | None] = []

        def delivered(error: KafkaError | None, _: Message) -> None:
            outcome.append(error)

        producer.begin_transaction()
        producer.produce(topic, value, key.encode(), on_delivery=delivered)
        producer.flush(max(0.0, deadline - time.monotonic()))
        timeout = KafkaError(KafkaError._TIMED_OUT, "no answer in time")  # noqa: SLF001  its public name
        return outcome[0] if outcome else timeout

    @staticmethod
    def _commit(producer: Producer, deadline: float) -> KafkaError | None:
        """End the transaction; returns why it is not known to have ended."""
        while True:
            try:
                producer.commit_transaction(max(0.1, deadline - time.monotonic()))
            except KafkaException as exception:
                error = kafka_error(exception)
                if error.code() in FENCED:
                    # It may have ended before, by a request of which the answer got lost.
                    why = "the right to write was taken before the record was confirmed"
                    return KafkaError(KafkaError._TIMED_OUT, why)  # noqa: SLF001  its public name
                if not error.retriable() or time.monotonic() > deadline:
                    return error
            else:
                return None

    def _given_up(self, error: KafkaError, topic: str) -> KafkaTrouble | Fenced:
        """Whether the record is written is not known now; the next producer ends what this one has left open."""
        if self._producer is not None:
            self._producer.purge()
        self._producer = None
        return self._trouble(error, topic)

    def _trouble(self, error: KafkaError, topic: str | None) -> KafkaTrouble | Fenced:
        if error.code() in FENCED:
            return Fenced(f"somebody else has the right to write of {self._transactional_id!r}")
        return trouble_of(error, self._complaints, "WRITE", topic, transactional_id=self._transactional_id)

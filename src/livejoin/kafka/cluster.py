"""The Kafka cluster as livejoin uses it: a thin adapter over confluent-kafka's admin client.

Whatever goes wrong is raised as KafkaTrouble, whose kinds tell what helps; no exception of the client gets out.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from confluent_kafka import (
    OFFSET_END,
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ListOffsetsResultInfo,
    OffsetSpec,
    ResourceType,
    TopicDescription,
)
from confluent_kafka.cimpl import NewTopic

from livejoin.errors import BrokerUnreachable, KafkaTrouble, LoginRefused, RightMissing, TopicMissing
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.renewal import Renewed
from livejoin.kafka.trouble import Complaints, kafka_error, principal_of, trouble_of
from livejoin.process.backoff import Backoff

METADATA_TIMEOUT = 10.0
PROBE_SECONDS = 1.0
LOGIN_SECONDS = 3.0
"""How long a refused login is tried again before it is believed: a broker that starts may not know its users yet."""
RETRY_SECONDS = 0.02
LOOK_SECONDS = 0.05
GROUP_PREFIX = "livejoin-"
"""How the groups of livejoin's own consumers begin."""
QUIET: dict[str, Any] = {
    # librdkafka writes every failed connection attempt to stderr otherwise.
    "log_level": 2,
    "reconnect.backoff.ms": 200,
    "reconnect.backoff.max.ms": 2000,
    # A broker whose machine is gone says nothing, not even that the connection has ended: nobody waits for a minute.
    "socket.timeout.ms": 15_000,
}
NOT_YET = frozenset(
    {
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.UNKNOWN_LEADER_EPOCH,
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError._NOENT,  # noqa: SLF001  its public name
    }
)
"""What is said of the offsets of a topic that was created a moment ago."""

NOT_TOLD = frozenset({KafkaError.UNSUPPORTED_VERSION, KafkaError._UNSUPPORTED_FEATURE})  # noqa: SLF001  its public name
"""What is said of a question that the broker is too old for."""

T = TypeVar("T")


class NotToldByBroker(Exception):
    """The broker is too old for the question."""


@dataclass(frozen=True, slots=True)
class Described:
    """A topic as it is at one moment; one that is deleted and created again has another id."""

    topic_id: str
    partitions: int
    allowed: frozenset[str]
    """What this client may do with it, as Kafka names it: READ, WRITE, ..."""


class Cluster:
    """Topics and offsets of one Kafka cluster. Holds no thread of its own; nothing to close."""

    def __init__(self, client: KafkaClient) -> None:
        self.client = client
        self._complaints = Complaints(client)
        self._renewed_admin = Renewed(client, lambda: self._admin_client(self._complaints))

    @property
    def bootstrap_servers(self) -> str:
        """Where the cluster is reached."""
        return self.client.bootstrap_servers

    def wait_until_reachable(self, timeout: float) -> None:
        """Return when a broker answers; raise BrokerUnreachable or LoginRefused when none has in `timeout` seconds."""
        began = time.monotonic()
        # A client of its own, which tries again sooner than one that may have to wait for an outage to end.
        complaints = Complaints(self.client)
        probe = self._admin_client(complaints, **{"reconnect.backoff.max.ms": 200})
        refused_since: float | None = None
        while True:
            answer = probe.describe_cluster(request_timeout=min(2.0, timeout))
            while not answer.done():
                probe.poll(LOOK_SECONDS)
                if complaints.about_login:
                    refused_since = refused_since or time.monotonic()
                    refusal = complaints.refusal()
                    if refusal is not None and time.monotonic() - refused_since > min(LOGIN_SECONDS, timeout):
                        raise refusal
            try:
                self._answer(answer, complaints, "DESCRIBE", None)
            except KafkaTrouble:
                if time.monotonic() - began >= timeout:
                    raise
            else:
                return

    def wait_for_broker(self, stop: threading.Event, least: float = 0.0) -> None:
        """Return when a broker answers, if only to refuse us, however long that takes; or when told to stop.

        After `least` seconds at the earliest: it may answer this, and not do what else it is asked for.
        """
        until = time.monotonic() + least
        backoff = Backoff(first=PROBE_SECONDS, longest=3.0)
        while not stop.is_set():
            try:
                self.wait_until_reachable(PROBE_SECONDS)
            except BrokerUnreachable:
                stop.wait(backoff.next())
            except LoginRefused:
                break
            else:
                break
        stop.wait(max(0.0, until - time.monotonic()))

    def ping(self, timeout: float) -> None:
        """Raise KafkaTrouble where no broker answers at this moment."""
        answer = self._admin.describe_cluster(request_timeout=timeout)
        self._answer(answer, self._complaints, "DESCRIBE", None)

    def topic_names(self) -> set[str]:
        """Every topic that the cluster has and this client may know of."""
        with self._calling("DESCRIBE", None):
            return set(self._admin.list_topics(timeout=METADATA_TIMEOUT).topics)

    def partitions(self, topic: str) -> list[int]:
        """The partitions of a topic; raises TopicMissing where there is no such topic."""
        return [*range(self.describe([topic])[topic].partitions)]

    def describe(self, topics: Iterable[str]) -> dict[str, Described]:
        """Each of the topics; raises TopicMissing, or RightMissing where this client may not know."""
        found: dict[str, Described] = {}
        for topic, answer in self._descriptions(topics).items():
            description = self._answer(answer, self._complaints, "DESCRIBE", topic)
            allowed = frozenset(operation.name for operation in description.authorized_operations or [])
            found[topic] = Described(str(description.topic_id), len(description.partitions), allowed)
        return found

    def require(self, topic: str, described: Described, operation: str) -> None:
        """Raise RightMissing where this client may not do that with the topic."""
        if operation not in described.allowed:
            raise RightMissing(principal_of(self.client), operation, topic)

    def missing(self, topics: Iterable[str]) -> list[str]:
        """Those of the topics that are not there; raises RightMissing where this client may not know."""
        missing: list[str] = []
        for topic, answer in self._descriptions(topics).items():
            try:
                self._answer(answer, self._complaints, "DESCRIBE", topic)
            except TopicMissing:
                missing.append(topic)
        return missing

    def ensure(
        self, topic: str, *, partitions: int = 1, replication: int = -1, config: Mapping[str, str] | None = None
    ) -> None:
        """Create a topic of livejoin's own unless it is there; return when the cluster's metadata show it.

        A replication factor of -1 lets the broker decide.
        """
        # Asking first needs no right to create, which somebody who has made the topic beforehand need not give.
        if not self.missing([topic]):
            return
        new = NewTopic(topic, num_partitions=partitions, replication_factor=replication, config=dict(config or {}))
        with self._calling("CREATE", topic):
            [answer] = self._admin.create_topics([new]).values()
        self._answer(answer, self._complaints, "CREATE", topic, unless=KafkaError.TOPIC_ALREADY_EXISTS)
        deadline = time.monotonic() + METADATA_TIMEOUT
        while self.missing([topic]) and time.monotonic() < deadline:
            time.sleep(RETRY_SECONDS)

    def delete(self, topic: str) -> None:
        """Delete a topic of livejoin's own, if it is there."""
        with self._calling("DELETE", topic):
            [answer] = self._admin.delete_topics([topic]).values()
        self._answer(answer, self._complaints, "DELETE", topic, unless=KafkaError.UNKNOWN_TOPIC_OR_PART)

    def configuration(self, topic: str) -> dict[str, str]:
        """How a topic is configured, its broker's defaults included."""
        operation = "DescribeConfigs"
        with self._calling(operation, topic):
            [answer] = self._admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]).values()
        found = self._answer(answer, self._complaints, operation, topic)
        return {name: str(entry.value) for name, entry in found.items()}

    def configure(self, topic: str, config: Mapping[str, str]) -> None:
        """Set these properties of a topic, and no others."""
        operation, setting = "AlterConfigs", AlterConfigOpType.SET
        changes = [ConfigEntry(name, value, incremental_operation=setting) for name, value in config.items()]
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=changes)
        with self._calling(operation, topic):
            [answer] = self._admin.incremental_alter_configs([resource]).values()
        self._answer(answer, self._complaints, operation, topic)

    def empty(self, topic: str) -> None:
        """Delete every record of a topic; returns when every replica has. Its cleanup policy has to contain delete."""
        ends = [TopicPartition(topic, partition, OFFSET_END) for partition in self.partitions(topic)]
        with self._calling("DELETE", topic):
            answers = self._admin.delete_records(ends)
        for answer in answers.values():
            self._answer(answer, self._complaints, "DELETE", topic)

    def end_offsets(self, topic: str) -> dict[int, int]:
        """The offset after the newest record of each partition that may be read: an open transaction may not."""
        return self._offsets(topic, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def watermarks(self, topic: str) -> dict[int, tuple[int, int]]:
        """Oldest offset and the offset after the newest, of each partition."""
        lows, highs = self._offsets(topic, OffsetSpec.earliest()), self.end_offsets(topic)  # type: ignore[no-untyped-call]
        return {partition: (lows.get(partition, high), high) for partition, high in highs.items()}

    def offsets_at(self, topic: str, at: datetime) -> dict[int, int]:
        """The offset of the first record of each partition that is not older; its end where all are."""
        # Ends before times: a record that comes in between is not older.
        ends = self.end_offsets(topic)
        found = self._offsets(topic, OffsetSpec.for_timestamp(int(at.timestamp() * 1000)))
        return {
            partition: found[partition] if found.get(partition, -1) >= 0 else end for partition, end in ends.items()
        }

    def newest_times(self, topic: str) -> dict[int, int]:
        """The highest timestamp of each partition, in epoch milliseconds; nothing of one that has no record.

        A broker before Kafka 3.0 cannot tell, and then nothing is known.
        """
        try:
            found = self._listed(topic, OffsetSpec.max_timestamp())  # type: ignore[no-untyped-call]
        except NotToldByBroker:
            return {}
        return {partition: one.timestamp for partition, one in found.items() if one.timestamp >= 0}

    def consumer(self, purpose: str, **properties: Any) -> Consumer:
        """A consumer that commits nothing and creates no topic; who asks for it closes it."""
        return Consumer(
            {
                **QUIET,
                "group.id": f"{GROUP_PREFIX}{purpose}",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "allow.auto.create.topics": False,
                "fetch.wait.max.ms": 100,
                **self.client.librdkafka(),
                **properties,
            }
        )

    def producer(self, **properties: Any) -> Producer:
        """A producer that waits for every replica in sync; who asks for it flushes it."""
        return Producer({**QUIET, "acks": "all", "enable.idempotence": True, **self.client.librdkafka(), **properties})

    @property
    def _admin(self) -> AdminClient:
        """The admin client; another one when what it logs in with has changed."""
        return self._renewed_admin.get()

    def _admin_client(self, complaints: Complaints, **properties: Any) -> AdminClient:
        given: dict[str, Any] = {**QUIET, **self.client.librdkafka(), "error_cb": complaints.add, **properties}
        return AdminClient(given)

    def _descriptions(self, topics: Iterable[str]) -> dict[str, Future[TopicDescription]]:
        asked = TopicCollection([*dict.fromkeys(topics)])
        with self._calling("DESCRIBE", None):
            return self._admin.describe_topics(
                asked, include_authorized_operations=True, request_timeout=METADATA_TIMEOUT
            )

    def _offsets(self, topic: str, which: OffsetSpec) -> dict[int, int]:
        return {partition: int(one.offset) for partition, one in self._listed(topic, which).items()}

    def _listed(self, topic: str, which: OffsetSpec) -> dict[int, ListOffsetsResultInfo]:
        deadline = time.monotonic() + METADATA_TIMEOUT
        while True:
            # This says what is missing, a topic or a right; asking for offsets would only say that there is no leader.
            places = [TopicPartition(topic, partition) for partition in self.partitions(topic)]
            with self._calling("DESCRIBE", topic):
                answers = self._admin.list_offsets(
                    dict.fromkeys(places, which),
                    isolation_level=IsolationLevel.READ_COMMITTED,
                    request_timeout=METADATA_TIMEOUT,
                )
            try:
                return {place.partition: answer.result() for place, answer in answers.items()}
            except KafkaException as error:
                found = kafka_error(error)
                if found.code() in NOT_TOLD:
                    raise NotToldByBroker from error
                if found.code() not in NOT_YET or time.monotonic() > deadline:
                    self._admin.poll(0)
                    raise trouble_of(found, self._complaints, "DESCRIBE", topic) from error
            time.sleep(RETRY_SECONDS)

    def _answer(
        self, answer: "Future[T]", complaints: Complaints, operation: str, topic: str | None, unless: int | None = None
    ) -> T:
        """What a call brings; `unless` is an error that is as good as an answer, in place of which None comes."""
        try:
            found = answer.result()
        except KafkaException as exception:
            error = kafka_error(exception)
            if error.code() == unless:
                return None  # type: ignore[return-value]
            if complaints is self._complaints:
                self._admin.poll(0)
            raise trouble_of(error, complaints, operation, topic) from exception
        complaints.clear()
        return found

    @contextmanager
    def _calling(self, operation: str, topic: str | None) -> Iterator[None]:
        try:
            yield
        except KafkaException as error:
            self._admin.poll(0)
            raise trouble_of(kafka_error(error), self._complaints, operation, topic) from error

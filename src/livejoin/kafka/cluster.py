"""The Kafka cluster as livejoin uses it: a thin adapter over confluent-kafka's admin client and metadata calls."""

import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from confluent_kafka import (
    OFFSET_END,
    Consumer,
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
    ResourceType,
)
from confluent_kafka.cimpl import NewTopic

from livejoin.errors import BrokerUnreachable, TopicMissing

METADATA_TIMEOUT = 10.0
PROBE_SECONDS = 1.0
RETRY_SECONDS = 0.02
GROUP_PREFIX = "livejoin-"
"""How the groups of livejoin's own consumers begin."""
QUIET: dict[str, Any] = {
    # librdkafka writes every failed connection attempt to stderr otherwise.
    "log_level": 2,
    "reconnect.backoff.ms": 200,
    "reconnect.backoff.max.ms": 2000,
}


class Cluster:
    """Topics and offsets of one Kafka cluster. Holds no thread of its own; nothing to close."""

    def __init__(self, client: dict[str, str]) -> None:
        self.client = client
        self._admin = AdminClient({**QUIET, **client})

    @property
    def bootstrap_servers(self) -> str:
        """Where the cluster is reached."""
        return self.client["bootstrap.servers"]

    def wait_until_reachable(self, timeout: float) -> None:
        """Return when a broker answers; raise BrokerUnreachable when none has within `timeout` seconds."""
        deadline = time.monotonic() + timeout
        # A client of its own, which tries again sooner than one that may have to wait for an outage to end.
        probe = AdminClient({**QUIET, **self.client, "reconnect.backoff.max.ms": 200})
        while True:
            try:
                probe.list_topics(timeout=min(2.0, timeout))
            except KafkaException as error:
                if time.monotonic() >= deadline:
                    raise BrokerUnreachable(
                        f"no Kafka broker answers at {self.bootstrap_servers} ({_reason(error)})",
                        do="start it, or correct kafka.bootstrap.servers (`livejoin config` shows what is in force)",
                    ) from error
            else:
                return

    def wait_for_broker(self, stop: threading.Event) -> None:
        """Return when a broker answers, however long that takes, or when told to stop."""
        while not stop.is_set():
            try:
                self.wait_until_reachable(PROBE_SECONDS)
            except BrokerUnreachable:
                stop.wait(PROBE_SECONDS)
            else:
                return

    def topic_names(self) -> set[str]:
        """Every topic that the cluster has."""
        return set(self._admin.list_topics(timeout=METADATA_TIMEOUT).topics)

    def partitions(self, topic: str) -> list[int]:
        """The partitions of a topic; raises TopicMissing where there is no such topic."""
        found = self._admin.list_topics(timeout=METADATA_TIMEOUT).topics.get(topic)
        if found is None or found.error is not None:
            raise _missing(topic, self.bootstrap_servers)
        return sorted(found.partitions)

    def describe(self, topics: list[str]) -> dict[str, tuple[str, int]]:
        """The id and the number of partitions of each topic; a topic that is created again has another id."""
        described = self._admin.describe_topics(
            TopicCollection([*dict.fromkeys(topics)]), request_timeout=METADATA_TIMEOUT
        )
        found: dict[str, tuple[str, int]] = {}
        for topic, future in described.items():
            try:
                description = future.result()
            except KafkaException as error:
                if error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                    raise _missing(topic, self.bootstrap_servers) from error
                raise
            found[topic] = (str(description.topic_id), len(description.partitions))
        return found

    def ensure(
        self, topic: str, *, partitions: int = 1, replication: int = -1, config: Mapping[str, str] | None = None
    ) -> None:
        """Create a topic of livejoin's own unless it is there; return when the cluster's metadata show it.

        A replication factor of -1 lets the broker decide.
        """
        new = NewTopic(topic, num_partitions=partitions, replication_factor=replication, config=dict(config or {}))
        for future in self._admin.create_topics([new]).values():
            try:
                future.result()
            except KafkaException as error:
                if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                    raise
        deadline = time.monotonic() + METADATA_TIMEOUT
        while topic not in self.topic_names() and time.monotonic() < deadline:
            time.sleep(RETRY_SECONDS)

    def delete(self, topic: str) -> None:
        """Delete a topic of livejoin's own, if it is there."""
        for future in self._admin.delete_topics([topic]).values():
            try:
                future.result()
            except KafkaException as error:
                if error.args[0].code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
                    raise

    def configuration(self, topic: str) -> dict[str, str]:
        """How a topic is configured, its broker's defaults included."""
        [future] = self._admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]).values()
        return {name: str(entry.value) for name, entry in future.result().items()}

    def configure(self, topic: str, config: Mapping[str, str]) -> None:
        """Set these properties of a topic, and no others."""
        changes = [
            ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET) for name, value in config.items()
        ]
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=changes)
        [future] = self._admin.incremental_alter_configs([resource]).values()
        future.result()

    def empty(self, topic: str) -> None:
        """Delete every record of a topic; returns when every replica has. Its cleanup policy has to contain delete."""
        ends = [TopicPartition(topic, partition, OFFSET_END) for partition in self.partitions(topic)]
        for future in self._admin.delete_records(ends).values():
            future.result()

    def end_offsets(self, topic: str) -> dict[int, int]:
        """The offset after the newest record of each partition."""
        return {partition: high for partition, (_, high) in self.watermarks(topic).items()}

    def watermarks(self, topic: str) -> dict[int, tuple[int, int]]:
        """Oldest offset and the offset after the newest, of each partition."""
        partitions = self.partitions(topic)
        consumer = self.consumer("offsets")
        try:
            return {p: watermarks_of(consumer, TopicPartition(topic, p)) for p in partitions}
        finally:
            consumer.close()

    def offsets_at(self, topic: str, at: datetime) -> dict[int, int]:
        """The offset of the first record of each partition that is not older; its end where all are."""
        partitions, millis = self.partitions(topic), int(at.timestamp() * 1000)
        consumer = self.consumer("offsets")
        try:
            # Ends before times: a record that comes in between is not older.
            ends = {p: watermarks_of(consumer, TopicPartition(topic, p))[1] for p in partitions}
            asked = [TopicPartition(topic, p, millis) for p in partitions]
            found = {f.partition: f.offset for f in consumer.offsets_for_times(asked, timeout=METADATA_TIMEOUT)}
        finally:
            consumer.close()
        return {p: found[p] if found[p] >= 0 else end for p, end in ends.items()}

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
                **self.client,
                **properties,
            }
        )

    def producer(self, **properties: Any) -> Producer:
        """A producer that waits for every replica in sync; who asks for it flushes it."""
        return Producer({**QUIET, "acks": "all", "enable.idempotence": True, **self.client, **properties})


def watermarks_of(consumer: Consumer, partition: TopicPartition) -> tuple[int, int]:
    """A topic that was created a moment ago is in the metadata before its leader answers for it."""
    deadline = time.monotonic() + METADATA_TIMEOUT
    while True:
        try:
            low, high = consumer.get_watermark_offsets(partition, timeout=METADATA_TIMEOUT)
        except KafkaException as error:
            if error.args[0].code() != KafkaError.NOT_LEADER_FOR_PARTITION or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return int(low), int(high)


def _missing(topic: str, bootstrap_servers: str) -> TopicMissing:
    return TopicMissing(
        f"topic {topic!r} is not on the broker at {bootstrap_servers}",
        do=f"create {topic!r}, or set topics.users and topics.accounts to topics that exist",
    )


def _reason(error: KafkaException) -> str:
    return str(error.args[0].str() if isinstance(error.args[0], KafkaError) else error)

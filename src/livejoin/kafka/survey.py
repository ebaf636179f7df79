"""What only an examination asks a cluster: who its brokers are, and what it would allow, without doing it."""

from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    OffsetSpec,
    ResourceType,
)
from confluent_kafka.cimpl import NewTopic

from livejoin.errors import NotAccepted, RightMissing, TopicMissing
from livejoin.kafka.cluster import METADATA_TIMEOUT, Cluster
from livejoin.kafka.rights import Operation
from livejoin.topic_plan import POLICY


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker as it tells clients to reach it."""

    number: int
    host: str
    port: int

    @property
    def address(self) -> str:
        """Host and port in one."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Survey(Cluster):
    """A cluster that is examined: nothing here changes it."""

    def brokers(self, timeout: float = METADATA_TIMEOUT) -> list[Broker]:
        """Every broker, at the address that it sends clients on to.

        Any broker tells it, a bootstrap server too: so it is known also where no client gets further than there.
        """
        with self._calling("DESCRIBE", None):
            found = self._admin.list_topics(timeout=timeout).brokers.values()
        return sorted((Broker(each.id, str(each.host), each.port) for each in found), key=lambda one: one.number)

    def newest_time(self, topic: str) -> float | None:
        """The largest timestamp of a topic's records, seconds since the epoch; None: there is none, or it is not told.

        Brokers before Kafka 3.0 do not tell it.
        """
        latest = OffsetSpec.max_timestamp()  # type: ignore[no-untyped-call]
        places = {TopicPartition(topic, partition): latest for partition in self.partitions(topic)}
        answers = self._admin.list_offsets(places, request_timeout=METADATA_TIMEOUT)
        times = []
        for answer in answers.values():
            try:
                times.append(answer.result().timestamp / 1000)
            except KafkaException:
                return None
        return max((moment for moment in times if moment > 0), default=None)

    def may(self, operation: Operation, topic: str) -> bool | None:
        """Whether this client may do that with a topic that is not there; None: no broker would tell before it is."""
        trials = {
            Operation.CREATE: self._create,
            Operation.DESCRIBE_CONFIGS: self.configuration,
            Operation.ALTER_CONFIGS: self._configure,
        }
        if operation not in trials:
            return None
        try:
            trials[operation](topic)
        except RightMissing:
            return False
        except (TopicMissing, NotAccepted):
            # Whoever may not is told so before anybody looks for the topic.
            return True
        return True

    def _create(self, topic: str) -> None:
        new = NewTopic(topic, num_partitions=1, replication_factor=-1)
        [answer] = self._admin.create_topics([new], validate_only=True).values()
        self._answer(answer, self._complaints, "CREATE", topic, unless=KafkaError.TOPIC_ALREADY_EXISTS)

    def _configure(self, topic: str) -> None:
        entry = ConfigEntry(POLICY, "delete", incremental_operation=AlterConfigOpType.SET)
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
        [answer] = self._admin.incremental_alter_configs([resource], validate_only=True).values()
        self._answer(answer, self._complaints, "ALTER_CONFIGS", topic)

"""What only an examination asks a cluster: who its brokers are, and what it would allow, without doing it."""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    OffsetSpec,
    ResourceType,
)
from confluent_kafka.cimpl import NewTopic

from livejoin.errors import KafkaTrouble, LoginRefused, NotAccepted, RightMissing, TopicMissing
from livejoin.kafka.cluster import LOGIN_SECONDS, METADATA_TIMEOUT, Cluster
from livejoin.kafka.listener import host_and_port
from livejoin.kafka.trouble import Complaints
from livejoin.topics.plan import POLICY
from livejoin.topics.rights import Operation

LOOK_SECONDS = 1.0
SETUP_MS = 5_000
# A bootstrap server has no number: only who was let in by one knows the number of a broker.
_NUMBERED = re.compile(r"^(?:\w+://)?(?P<address>\[?[\w.:-]+\]?:\d+)/(?P<number>\d+): ")


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

    def _admin_client(self, complaints: Complaints, **properties: Any) -> AdminClient:
        # A way that leads nowhere would be complained of after half a minute.
        return super()._admin_client(complaints, **{"socket.connection.setup.timeout.ms": SETUP_MS, **properties})

    def enter(self, timeout: float) -> list[Broker]:
        """Be let in by a bootstrap server, and learn every broker at the address that it sends clients on to.

        Where those cannot be reached, what the client complains of names them. Raises LoginRefused or
        BrokerUnreachable.
        """
        began = time.monotonic()
        while True:
            try:
                with self._calling("DESCRIBE", None):
                    found = self._admin.list_topics(timeout=LOOK_SECONDS).brokers.values()
            except KafkaTrouble as trouble:
                named = {_broker(each) for each in map(_NUMBERED.match, self._complaints.texts) if each}
                if named:
                    return _in_order(named)
                patience = min(LOGIN_SECONDS, timeout) if isinstance(trouble, LoginRefused) else timeout
                if time.monotonic() - began > patience:
                    raise
            else:
                return _in_order(Broker(each.id, str(each.host), each.port) for each in found)

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


def _broker(complaint: re.Match[str]) -> Broker:
    return Broker(int(complaint["number"]), *host_and_port(complaint["address"]))


def _in_order(brokers: Iterable[Broker]) -> list[Broker]:
    return sorted(brokers, key=lambda broker: broker.number)

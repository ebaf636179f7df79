"""A livejoin as the rest of the world sees it: through its topics and its data folder."""

import json
from functools import cached_property
from typing import Any

from await_that import await_that
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.model.generation import Generation
from livejoin.model.registry import Registry
from livejoin.pipeline.control.state_topic import read_registry
from livejoin.pipeline.spark.checkpoints import checkpoints
from livejoin.settings.settings import Settings
from livejoin.wire.records import from_json


class Deployment:
    """Sends control messages and reads what became of them. Starts nothing: who is derived from it does."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def cluster(self) -> Cluster:
        """Its Kafka, logged in as livejoin is: not before there is a broker, whose password has to be known."""
        return Cluster(self.settings.kafka_client)

    def topic(self, name: str) -> str:
        """A source topic, which is created."""
        topic = f"{self.settings.topics.prefix}-{name}"
        self.cluster.ensure(topic)
        return topic

    def send(self, message: dict[str, Any] | bytes) -> str:
        """Write a control message and return its key in the control log."""
        value = message if isinstance(message, bytes) else json.dumps(message).encode()
        topic = self.settings.topics.control
        written = self._control.write(None, value)
        topic_id = self.cluster.describe([topic])[topic].topic_id
        return f"{topic_id}/{written.partition()}/{written.offset()}"

    @cached_property
    def _control(self) -> Writer:
        """Stays connected, as that of a service which sends control messages does."""
        return Writer(self.cluster, self.settings.topics.control)

    def swap(self, users: str, join: str = "left") -> str:
        """Ask for another users topic."""
        return self.send({"usersTopic": users, "accountsTopic": self.settings.right.topic_name, "joinType": join})

    def entries(self, key: str) -> list[ControlEntry]:
        """Everything that the control log says about a message."""
        found = read_to_end(self.cluster, self.settings.own_topics.control_log)
        return [from_json(ControlEntry, r.value() or b"") for r in found if r.key() == key.encode()]

    def verdict(self, key: str, timeout: float = 20.0) -> tuple[Verdict, str]:
        """The one verdict of a message, and its reason."""

        def judged() -> list[ControlEntry]:
            return [entry for entry in self.entries(key) if entry.verdict is not None]

        [entry] = await_that(judged, timeout=timeout)
        assert entry.verdict is not None
        return entry.verdict, entry.reason

    @property
    def registry(self) -> Registry:
        """What the state topic says."""
        topic = self.settings.own_topics.state
        return read_registry(self.cluster, topic) if topic in self.cluster.topic_names() else Registry()

    @property
    def live_number(self) -> int:
        """The number of the generation that is shown."""
        live = self.registry.live
        assert live is not None
        return live.number

    def records(self) -> list[Generation]:
        """Every record of a generation, in order."""
        return [
            from_json(Generation, value)
            for record in read_to_end(self.cluster, self.settings.own_topics.state)
            if (record.key() or b"").startswith(b"generation/") and (value := record.value()) is not None
        ]

    def await_live(self, users: str, timeout: float = 20.0) -> Generation:
        """The generation that is shown, when it is live, shows this topic, and nothing is on its way."""

        def live() -> Generation:
            registry = self.registry
            assert registry.live is not None
            assert (registry.live.request.left_topic, registry.live.state) == (users, "live")
            assert not registry.swap_story
            return registry.live

        return await_that(live, timeout=timeout)

    def await_alone(self, number: int, timeout: float = 20.0) -> None:
        """Return when nothing is left of any other generation: no record, no topic, no checkpoint."""

        def alone() -> bool:
            assert [*self.registry.generations] == [number]
            assert self._view_topics() == [self.registry.of(number).view_topic]
            assert [f.name for f in checkpoints(self.settings).iterdir()] == [str(number)]
            return True

        await_that(alone, timeout=timeout)

    def _view_topics(self) -> list[str]:
        """The view topics that are there; of a pool, those that hold anything."""
        topics = self.settings.own_topics
        if not topics.views:
            return [topic for topic in self.cluster.topic_names() if topic.startswith(topics.view_prefix)]
        marks = {topic: self.cluster.watermarks(topic) for topic in topics.views}
        return [topic for topic, found in marks.items() if any(low < high for low, high in found.values())]

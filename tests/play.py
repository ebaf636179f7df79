"""An orchestrator on a real broker. Stand-ins for the Spark queries let a test decide when they end or die."""

import json
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, ClassVar

from await_that import await_that
from livejoin.control import ControlEntry, Verdict
from livejoin.generation import Generation
from livejoin.kafka import Cluster, Writer, read_to_end
from livejoin.pipeline.orchestrator import Orchestrator
from livejoin.pipeline.query import QueryDied, checkpoint, checkpoints
from livejoin.pipeline.state_topic import read_registry
from livejoin.registry import Registry
from livejoin.settings import Settings


class Queries:
    """Stands for the queries of a generation: backfills when the gate is open, and dies of the given reasons."""

    gate: ClassVar[Event] = Event()
    deaths: ClassVar[list[str]] = []
    deaths_of_backfill: ClassVar[list[str]] = []

    def __init__(self, _: Any, settings: Settings, generation: Generation) -> None:
        self._folder = checkpoint(settings, generation.number)

    def backfill(self, stop: Event, tell: Callable[[int], None]) -> bool:
        """Wait for the gate."""
        self._folder.mkdir(parents=True, exist_ok=True)
        tell(0)
        while not self.gate.wait(0.01):
            if stop.is_set():
                return False
        if self.deaths_of_backfill:
            raise QueryDied(self.deaths_of_backfill.pop(0))
        return True

    def go_live(self) -> None:
        """Nothing to start."""

    def follow_rejected(self) -> None:
        """Nothing to start."""

    def look(self) -> None:
        """Die of the next reason, if there is one."""
        if self.deaths:
            raise QueryDied(self.deaths.pop(0))

    def stop(self) -> None:
        """Nothing to stop."""


class Play:
    """An orchestrator that can be stopped and started again; whoever makes it stops it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cluster = Cluster(settings.kafka_client)
        for topic in (settings.topics.users, settings.topics.accounts, settings.topics.control):
            self.cluster.ensure(topic)
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self, settings: Settings | None = None) -> None:
        """Run until stopped."""
        self.settings = settings or self.settings
        self._stop = Event()
        orchestrator = Orchestrator(self.settings, self.cluster, None)  # type: ignore[arg-type]
        self._thread = Thread(target=orchestrator.run, args=(self._stop,))
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10)
            assert not self._thread.is_alive()

    def topic(self, name: str) -> str:
        """A source topic of this test's own, which is created."""
        topic = f"{self.settings.topics.prefix}-{name}"
        self.cluster.ensure(topic)
        return topic

    def send(self, message: dict[str, Any] | bytes) -> str:
        """Write a control message and return its key in the control log."""
        value = message if isinstance(message, bytes) else json.dumps(message).encode()
        topic = self.settings.topics.control
        written = Writer(self.cluster, topic).write(None, value)
        topic_id, _ = self.cluster.describe([topic])[topic]
        return f"{topic_id}/{written.partition()}/{written.offset()}"

    def swap(self, users: str, join: str = "left") -> str:
        """Ask for another users topic."""
        return self.send({"usersTopic": users, "accountsTopic": self.settings.topics.accounts, "joinType": join})

    def entries(self, key: str) -> list[ControlEntry]:
        """Everything that the control log says about a message."""
        found = read_to_end(self.cluster, self.settings.own_topics.control_log)
        return [ControlEntry.model_validate_json(r.value() or b"") for r in found if r.key() == key.encode()]

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
        assert topic in self.cluster.topic_names()
        return read_registry(self.cluster, topic)

    def records(self) -> list[Generation]:
        """Every record of a generation, in order."""
        return [
            Generation.model_validate_json(value)
            for record in read_to_end(self.cluster, self.settings.own_topics.state)
            if (record.key() or b"").startswith(b"generation/") and (value := record.value()) is not None
        ]

    def await_live(self, users: str) -> Generation:
        """The generation that is shown, when it is live, shows this topic, and nothing is on its way."""

        def live() -> Generation:
            registry = self.registry
            assert registry.live is not None
            assert (registry.live.request.users_topic, registry.live.state) == (users, "live")
            assert not registry.swap_story
            return registry.live

        return await_that(live)

    def await_alone(self, number: int) -> None:
        """Return when nothing is left of any other generation: no record, no topic, no checkpoint."""
        prefix = self.settings.own_topics.view_prefix

        def alone() -> bool:
            assert [*self.registry.generations] == [number]
            assert [t for t in self.cluster.topic_names() if t.startswith(prefix)] == [f"{prefix}{number}"]
            assert [f.name for f in checkpoints(self.settings).iterdir()] == [str(number)]
            return True

        await_that(alone)

"""An orchestrator on a real broker. Stand-ins for the Spark queries let a test decide when they end or die."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

from await_that import await_that
from deployment import Deployment
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.writer import Writer
from livejoin.model.generation import BUILDING, Generation
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.settings.settings import Settings
from livejoin.wire.records import generation_key, to_json


class Queries:
    """Stands for the join of a generation: it begins when its gate is open, and dies of the given reasons."""

    gate: ClassVar[Event] = Event()
    deaths: ClassVar[list[str]] = []
    deaths_of_backfill: ClassVar[list[str]] = []

    @classmethod
    def open_gates(cls) -> None:
        """Hold nothing."""
        cls.gate.set()
        Letters.gate.set()

    def __init__(self, _: Any, settings: Settings, generation: Generation, epoch: int, __: int) -> None:
        self.epoch = epoch
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

    def go_live(self, _: Event) -> bool:
        """Nothing to start."""
        return True

    def look(self) -> None:
        """Die of the next reason, if there is one; after a moment, so that a test keeps some processor for itself."""
        if self.deaths:
            raise QueryDied(self.deaths.pop(0))
        Event().wait(0.05)

    def stop(self) -> None:
        """Nothing to stop."""


class Letters:
    """Stands for the query of dead letters, in the same way."""

    gate: ClassVar[Event] = Event()
    deaths: ClassVar[list[str]] = []
    begun: ClassVar[list[int]] = []
    """The generations whose dead letters have begun, one after the other."""
    checkpoints: ClassVar[list[Path]] = []
    """Where each of them has begun."""

    def __init__(self, _: Any, __: Settings, generation: Generation, checkpoint: Path) -> None:
        self.gate.wait()
        self.begun.append(generation.number)
        self.checkpoints.append(checkpoint)

    def look(self) -> None:
        """Die of the next reason, if there is one; after a moment, so that a test keeps some processor for itself."""
        if self.deaths:
            raise QueryDied(self.deaths.pop(0))
        Event().wait(0.05)

    def stop(self) -> None:
        """Nothing to stop."""


class Play(Deployment):
    """An orchestrator that can be stopped and started again; whoever makes it stops it."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        for topic in (settings.left.topic_name, settings.right.topic_name, settings.topics.control):
            self.cluster.ensure(topic)
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self, settings: Settings | None = None) -> None:
        """Run until stopped."""
        self.settings = settings or self.settings
        self._stop = Event()
        # Its own login, which may be another one than that of the test.
        cluster = Cluster(self.settings.kafka_client)
        self.orchestrator = Orchestrator(self.settings, cluster, None)  # type: ignore[arg-type]
        self._thread = Thread(target=self.orchestrator.run, args=(self._stop,))
        self._thread.start()

    def restart(self, settings: Settings | None = None) -> None:
        """Another orchestrator in the place of this one, as after a restart of the process."""
        self.stop()
        self.start(settings)

    def stop_for_an_hour(self, number: int) -> None:
        """Stop it, and let that generation have been asked for long ago, and nothing be known of it yet."""
        self.stop()
        asked = self.registry.of(number)
        long_ago = replace(asked, requested=asked.requested - timedelta(hours=1), message="")
        Writer(self.cluster, self.settings.own_topics.state).write(generation_key(number), to_json(long_ago))

    def with_swap(self, **fields: Any) -> Settings:
        """The same settings with other times."""
        return self.settings.model_copy(update={"swap": self.settings.swap.model_copy(update=fields)})

    def await_building(self, users: str) -> None:
        """Return when a generation of this topic is being built."""
        await_that(lambda: any(g.request.left_topic == users for g in self.registry.in_state(*BUILDING)))

    @property
    def problems(self) -> dict[str, str]:
        """What the orchestrator says is wrong."""
        return self.orchestrator.vitals.problems

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10)
            assert not self._thread.is_alive()

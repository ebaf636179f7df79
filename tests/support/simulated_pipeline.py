"""A pipeline as a simulated process: all of it is livejoin's own, but for Spark and the machine that it runs on."""

from collections.abc import Callable
from typing import Any

from livejoin.errors import LivejoinError
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import Generation
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.one_writer import writer_name
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.pipeline.control.standby import StandbyWatch
from livejoin.pipeline.health import PipelineHealth
from livejoin.pipeline.process import take_turns
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.settings.settings import Settings
from simulated_disk import checkpoint
from simulated_promises import Promises
from simulated_time import Clock, Event, Process, World

REACH_SECONDS = 60.0
REHEARSAL_SECONDS = 3.0


class Host(Process):
    """A process that runs a pipeline."""

    def __init__(self, name: str, settings: Settings, promises: Promises) -> None:
        super().__init__(name)
        self.settings = settings
        self.promises = promises
        self.told_to_stop = Event()
        self.spark_runs = True
        self.query_deaths = 0.0
        """How likely a query is to die whenever it is looked at."""

    def run(self) -> None:
        """What `livejoin pipeline` does; it ends when told to, or of trouble that only a new process can mend."""
        try:
            self._run()
        except LivejoinError as error:
            World.now_running.tell("pipeline ends", why=error)
        # With the main thread, all others of a process end.
        World.now_running.kill(self)

    def _run(self) -> None:
        settings, stop, counts = self.settings, self.told_to_stop, Counts()
        cluster = Cluster(settings.kafka_client)
        cluster.wait_until_reachable(REACH_SECONDS)
        standby = StandbyWatch(cluster, settings.own_topics.state, writer_name(), Clock.monotonic)
        try:
            take_turns(
                standby,
                PipelineHealth(),
                stop,  # type: ignore[arg-type]
                lambda: World.now_running.suspend(REHEARSAL_SECONDS),
                lambda: Orchestrator(settings, cluster, None, lambda: self.spark_runs, counts),  # type: ignore[arg-type]
            )
        finally:
            standby.stop()


class Join:
    """Stands for the join of a generation in Spark: it takes its time, and dies where that is drawn."""

    def __init__(self, _: Any, settings: Settings, generation: Generation, epoch: int, __: int) -> None:
        found = World.now_running.process
        assert isinstance(found, Host)
        self._host = found
        self._host.promises.query_starts(generation.number, epoch)
        self._folder = checkpoint(settings, generation.number)

    def backfill(self, stop: Event, tell: Callable[[int], None]) -> bool:
        """Take a while, and have a checkpoint then."""
        chance = World.now_running.chance
        for done in range(chance.randrange(4)):
            self._folder.mkdir(parents=True, exist_ok=True)
            if stop.wait(chance.choice((0.1, 1.0, 5.0)) * chance.random() + 0.001):
                return False
            tell(done)
            self._die_if_drawn()
        self._folder.mkdir(parents=True, exist_ok=True)
        return True

    def go_live(self, _: Event) -> bool:
        """Nothing to start."""
        return True

    def look(self) -> None:
        """Wait a moment, and die where that is drawn."""
        World.now_running.suspend(1.0 + 2.0 * World.now_running.chance.random())
        self._die_if_drawn()

    def stop(self) -> None:
        """Nothing to stop."""

    def _die_if_drawn(self) -> None:
        if World.now_running.chance.random() < self._host.query_deaths:
            raise QueryDied("simulated")


class Letters:
    """Stands for the dead letters of a generation, which are not simulated."""

    problem = ""

    def __init__(self, *_: Any) -> None:
        """Nothing to prepare."""

    def start(self) -> None:
        """Nothing to start."""

    def stop(self, _: float) -> None:
        """Nothing to stop."""

"""Keeps the queries of one generation running, and reports what happens to them.

A runner decides nothing about the generation: it backfills, goes live, mends what can be mended by starting again, and
tells the orchestrator, which alone writes the registry.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from pyspark import InheritableThread
from pyspark.sql import SparkSession

from livejoin.errors import BrokerUnreachable, KafkaTrouble, RightMissing, TopicMissing
from livejoin.generation import Generation, Progress
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import principal_of
from livejoin.pipeline.query import GenerationQueries, QueryDied
from livejoin.pipeline.topology import PartitionsAdded, TopicReplaced, Topology
from livejoin.settings import Settings
from livejoin.worker import Worker

FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
STEADY_SECONDS = 60.0
POLL_SECONDS = 1.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Report:
    """Something that happened to the generation of that number."""

    number: int


@dataclass(frozen=True, slots=True)
class Noted(Report):
    """Its topics were looked at: their ids and where it begins to read."""

    topic_ids: dict[str, str]
    source_starts: dict[str, dict[int, int]]


@dataclass(frozen=True, slots=True)
class Reading(Report):
    """The backfill is this far."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class Backfilled(Report):
    """Everything up to these ends of the sources is in the view topic, up to its ends."""

    source_ends: dict[str, dict[int, int]]
    view_ends: dict[int, int]


@dataclass(frozen=True, slots=True)
class RunsLive(Report):
    """Its live queries run."""


@dataclass(frozen=True, slots=True)
class Troubled(Report):
    """Its queries do not run at the moment; they are started again. `deaths` counts how often in a row they died."""

    why: str
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class Broken(Report):
    """It cannot go on from its checkpoint: only a fresh generation can be right."""

    why: str


class Runner(Worker):
    """The queries of one generation; they are stopped when it is not alive. After `stop` it reports nothing."""

    def __init__(
        self,
        settings: Settings,
        cluster: Cluster,
        spark: SparkSession,
        generation: Generation,
        report: Callable[[Report], None],
    ) -> None:
        # Spark's kind of thread, because it gives back its connection to the JVM when it ends.
        super().__init__(f"generation-{generation.number}", InheritableThread)
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._generation = generation
        self._report = report
        self._deaths = 0

    def _run(self) -> None:
        number = self._generation.number
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._keep_live()
            except (TopicReplaced, QueryDied) as trouble:
                if isinstance(trouble, TopicReplaced) or trouble.data_lost:
                    self._tell(Broken(number, str(trouble)))
                    return
                self._back_off(self._in_words(trouble), began)
            except PartitionsAdded as change:
                self._tell(Troubled(number, f"{change}; starting again with all of them"))
            except TopicMissing as missing:
                self._tell(Troubled(number, f"{missing.what}; waiting for it"))
                self._stop.wait(POLL_SECONDS)
            except BrokerUnreachable as error:
                log.warning("waiting for the broker", generation=number, why=str(error))
                self._tell(Troubled(number, "the broker was gone; reading what came meanwhile"))
                self._cluster.wait_for_broker(self._stop)
            except KafkaTrouble as trouble:
                self._back_off(trouble.in_words, began)
            except Exception as error:
                # Whatever Spark throws at the start of a query is treated as the death of one.
                log.exception("queries could not be started", generation=number)
                self._back_off((str(error).splitlines() or [type(error).__name__])[0], began)

    def _in_words(self, death: QueryDied) -> str:
        """Why a query died; where it was for a right, that right."""
        topic = death.forbidden_topic
        if topic is None:
            return str(death)
        request = self._generation.request
        operation = "READ" if topic in (request.users_topic, request.accounts_topic) else "WRITE"
        return RightMissing(principal_of(self._cluster.client), operation, topic).in_words

    def _keep_live(self) -> None:
        """Backfill, go live, and stay so until told to stop or until something has changed or broken."""
        number = self._generation.number
        topology = Topology(self._cluster, self._generation, self._settings.own_topics.dead_letters)
        self._generation = topology.note()
        self._tell(Noted(number, self._generation.topic_ids, self._generation.source_starts))
        queries = GenerationQueries(self._spark, self._settings, self._generation)
        try:
            ends = topology.ends()
            if not queries.backfill(self._stop, self._meter(ends)):
                return
            self._tell(Backfilled(number, ends, self._cluster.end_offsets(self._generation.view_topic)))
            queries.go_live()
            self._tell(RunsLive(number))
            # After the report, because a flip need not wait until Spark has understood another query.
            queries.follow_rejected()
            while not self._stop.is_set():
                queries.look()
                topology.check()
        except QueryDied:
            # A topic that was replaced kills queries in many ways; that it was replaced is the reason to tell.
            topology.check()
            raise
        finally:
            queries.stop()

    def _meter(self, ends: dict[str, dict[int, int]]) -> Callable[[int], None]:
        """Turns the number of events read into reports with a rate."""
        starts = self._generation.source_starts
        total = sum(end - starts[name].get(p, 0) for name, found in ends.items() for p, end in found.items())
        began = time.monotonic()

        def tell(done: int) -> None:
            seconds = time.monotonic() - began
            progress = Progress(done=min(done, total), total=total, rate=round(done / seconds, 1))
            self._tell(Reading(self._generation.number, progress))

        return tell

    def _back_off(self, why: str, began: float) -> None:
        """Wait before the next start, longer after each death that follows soon."""
        self._deaths = 1 if time.monotonic() - began > STEADY_SECONDS else self._deaths + 1
        delay = min(FIRST_DELAY * 2 ** (self._deaths - 1), LONGEST_DELAY)
        number = self._generation.number
        self._tell(Troubled(number, f"{why}; again in {delay:.0f} s", self._deaths))
        self._stop.wait(delay)
        self._tell(Troubled(number, f"{why}; starting again", self._deaths))

    def _tell(self, report: Report) -> None:
        if not self._stop.is_set():
            self._report(report)

"""Keeps the join of one generation running, and reports what happens to it; its dead letters run beside it.

A runner decides nothing about the generation: it backfills, goes live, mends what can be mended by starting again, and
tells the orchestrator, which alone writes the registry.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyspark import InheritableThread
from pyspark.sql import SparkSession

from livejoin.errors import BrokerUnreachable, Fenced, KafkaTrouble, RightMissing, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import principal_of
from livejoin.model.generation import Generation, Progress, Start
from livejoin.pipeline.control.letters import LetterRunner
from livejoin.pipeline.control.slots import NoSlots, Slots
from livejoin.pipeline.control.topology import EventsDropped, PartitionsAdded, TopicReplaced, Topology
from livejoin.pipeline.spark.broken_checkpoint import CheckpointBroken, require_logs, require_state
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.next_offsets import Offsets, next_offsets
from livejoin.pipeline.spark.query import JOIN, JoinQuery
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.process.backoff import Backoff
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker
from livejoin.settings.settings import Settings

FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
STEADY_SECONDS = 60.0
POLL_SECONDS = 1.0
DOUBTED_AFTER = 3
"""After so many deaths in a row, each soon after a start, it is looked whether the state can be read at all."""
LETTERS_SECONDS = 60.0
"""How long the end of the dead letters is waited for."""


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
    """Its queries do not run at the moment; they are started again. `deaths` counts how often in a row they could not.

    They died, or there was no room for them.
    """

    why: str
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class Broken(Report):
    """It cannot go on from its checkpoint: only a fresh generation can be right."""

    why: str


class Runner(Worker):
    """The queries of one generation: they are stopped when it is not alive. After `stop` it reports nothing."""

    def __init__(
        self,
        settings: Settings,
        cluster: Cluster,
        spark: SparkSession,
        slots: Slots,
        generation: Generation,
        report: Callable[[Report], None],
        next_epoch: Callable[[], int],
    ) -> None:
        # Spark's kind of thread, because it gives back its connection to the JVM when it ends.
        super().__init__(f"generation-{generation.number}", InheritableThread)
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._slots = slots
        self._generation = generation
        self._report = report
        self._next_epoch = next_epoch
        self._topology = Topology(cluster, generation)
        self._deaths = 0
        self._failures = Recurring("queries could not be started", generation=generation.number)
        self._outages = Recurring("waiting for the broker", generation=generation.number)
        self._outage_delays = Backoff(FIRST_DELAY, LONGEST_DELAY)
        self._lacks = 0
        """How often in a row there were too few slots."""
        self._edition = 0
        """Of the client properties that the query was started with."""
        self._letters: LetterRunner | None = None

    @property
    def letters_problem(self) -> str:
        """Why its dead letters do not come; empty while they do, and before it is live."""
        letters = self._letters
        return letters.problem if letters is not None else ""

    @property
    def _query(self) -> Path:
        """Where the join's query has its checkpoint."""
        return checkpoint(self._settings, self._generation.number) / JOIN

    def stop(self, timeout: float = 2.0) -> None:
        """Ask it to end, and its dead letters at the same time."""
        letters = self._letters
        if letters is not None:
            letters.stop(0.0)
        super().stop(timeout)

    def _run(self) -> None:
        try:
            self._keep_running()
        finally:
            self._end_letters()
            self._slots.give_back(self._generation.number)

    def _end_letters(self) -> None:
        letters, self._letters = self._letters, None
        if letters is not None:
            letters.stop(LETTERS_SECONDS)

    def _begin_letters(self) -> None:
        """Once: they go on by themselves while the join is mended."""
        if self._letters is None:
            self._letters = LetterRunner(self._settings, self._cluster, self._spark, self._generation)
            self._letters.start()

    def _keep_running(self) -> None:
        number = self._generation.number
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                if self._deaths >= DOUBTED_AFTER:
                    require_state(self._spark, self._query)
                self._keep_live()
            except (TopicReplaced, EventsDropped, CheckpointBroken) as change:
                self._tell(Broken(number, str(change)))
                return
            except QueryDied as death:
                self._back_off(self._in_words(death), began)
            except PartitionsAdded as change:
                self._tell(Troubled(number, f"{change}; starting again with all of them"))
            except NoSlots as lack:
                # What does not run needs none: its dead letters would hold some of those that others wait for.
                self._end_letters()
                self._lacks += 1
                self._tell(Troubled(number, lack.what, self._lacks))
                self._stop.wait(POLL_SECONDS)
            except TopicMissing as missing:
                self._tell(Troubled(number, f"{missing.what}; waiting for it"))
                self._stop.wait(POLL_SECONDS)
            except BrokerUnreachable as error:
                self._outages.tell(str(error))
                self._tell(Troubled(number, "the broker was gone; reading what came meanwhile"))
                self._wait_for_broker(began)
            except KafkaTrouble as trouble:
                self._back_off(trouble.in_words, began)
            except Fenced:
                # Who decides finds out by itself, and stops everything.
                return
            except Exception as error:  # noqa: BLE001  it is logged
                # Whatever Spark throws at the start of a query is treated as the death of one.
                self._failures.unexpected(error)
                self._back_off((str(error).splitlines() or [type(error).__name__])[0], began)

    def _in_words(self, death: QueryDied) -> str:
        """Why a query died; where it was for a right, that right."""
        topic = death.forbidden_topic
        is_login_of_before = self._cluster.client.edition != self._edition
        if topic is None:
            # Of the tasks that die together, Spark names one; where another one was refused, nothing else tells.
            return f"{death}; it ran with a login of before" if is_login_of_before else str(death)
        operation = "READ" if topic in self._generation.request.topics.values() else "WRITE"
        principal = principal_of(self._cluster.client)
        if is_login_of_before:
            # It is not known as whom, but it was not as who is asked now whether he may.
            return f"a login of before has no right to {operation} topic {topic!r} any more; {principal} logs in"
        return RightMissing(principal, operation, topic).in_words

    def _keep_live(self) -> None:
        """Backfill, go live, and stay so until told to stop or until something has changed or broken."""
        number = self._generation.number
        topology = self._topology
        self._generation = topology.note()
        self._tell(Noted(number, self._generation.topic_ids, self._generation.source_starts))
        topology.require(self._wanted())
        self._slots.take(self._generation)
        self._lacks = 0
        self._edition = self._cluster.client.renew()
        partitions = len(self._cluster.partitions(self._generation.view_topic))
        query = JoinQuery(self._spark, self._settings, self._generation, self._next_epoch(), partitions)
        try:
            ends = topology.ends()
            if not query.backfill(self._stop, self._meter(ends)):
                return
            self._tell(Backfilled(number, ends, self._cluster.end_offsets(self._generation.view_topic)))
            if not query.go_live(self._stop):
                return
            self._tell(RunsLive(number))
            since = time.monotonic()
            # After the report, because a flip need not wait until Spark has understood another query.
            self._begin_letters()
            while not self._stop.is_set():
                query.look()
                topology.check()
                if time.monotonic() - since > STEADY_SECONDS:
                    self._failures.over()
                    self._outages.over()
        except QueryDied:
            # What has happened to a topic kills queries in many ways, and is the reason to tell.
            topology.check()
            topology.require(self._wanted())
            raise
        finally:
            query.stop()

    def _wanted(self) -> Offsets:
        """What the join would read next; before it has begun, any beginning will do, unless one was chosen."""
        require_logs(self._query)
        found = next_offsets(self._query)
        request, starts = self._generation.request, self._generation.source_starts
        if found or request.start is Start.EARLIEST:
            return found
        return {topic: starts[name] for name, topic in request.topics.items()}

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

    def _wait_for_broker(self, began: float) -> None:
        """Until it answers, and longer each time that it soon was gone again."""
        if time.monotonic() - began > STEADY_SECONDS:
            self._outage_delays.reset()
        self._cluster.wait_for_broker(self._stop, self._outage_delays.next())

    def _tell(self, report: Report) -> None:
        if not self._stop.is_set():
            self._report(report)

"""Decides: what a control message, a report of a runner, or the passing of time means for the generations.

One thread takes one event after the other, so there is never a half-made decision. Every decision can be made again: an
event that could not be handled because the broker was gone is handled again when it is back, by what is written then.
"""

import queue
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import singledispatchmethod
from threading import Event

import structlog
from pyspark.sql import SparkSession

from livejoin.errors import BrokerUnreachable, NotAccepted, Refused, SparkGone, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to
from livejoin.model.control_message import ControlEntry, ControlMessage, Verdict
from livejoin.model.generation import BUILDING, SHOWN, Generation, Request, State
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.reader import ControlReader, ControlRecord
from livejoin.pipeline.control.runner import Backfilled, Broken, Noted, Reading, Report, RunsLive, Troubled
from livejoin.pipeline.control.view_topics import NoViewTopic
from livejoin.pipeline.control.vitals import Vitals
from livejoin.pipeline.spark.state_format import state_format
from livejoin.process.crash_point import crash_point
from livejoin.settings.settings import Settings
from livejoin.wire.control_message import parse
from livejoin.wire.view_record import is_readable

TICK_SECONDS = 0.1
CONTROL_LOOK_SECONDS = 2.0
LONGEST_LOOK_SECONDS = 2.0
BUILD_DEATHS = 3
WAITING = "; waiting for it"
BROKER, OWN_TOPICS, CONTROL = "broker", "own topics", "control topic"
"""Components of the pipeline, beside its generations."""
FROM_THE_BEGINNING = "reading the sources from the beginning"

log = structlog.get_logger()


class Orchestrator:
    """Runs in the Spark driver. `run` returns when `stop` is set; who made the session stops that."""

    def __init__(
        self,
        settings: Settings,
        cluster: Cluster,
        spark: SparkSession,
        spark_runs: Callable[[], bool] = lambda: True,
        counts: Counts | None = None,
    ) -> None:
        """`counts` go on from one orchestrator to the next in the same process."""
        self.vitals = Vitals()
        self._settings = settings
        self._cluster = cluster
        self._spark_runs = spark_runs
        self._events: queue.SimpleQueue[ControlRecord | Report] = queue.SimpleQueue()
        self._life = Lifecycle(settings, cluster, spark, self._events.put, counts or Counts())
        self._control = ControlReader(cluster, settings.topics.control, self._events.put)
        self._started = datetime.now(UTC)
        self._control_looked = 0.0
        self._topics_due = 0.0
        self._broken: dict[int, str] = {}
        """The shown generation that cannot go on, and why."""

    @property
    def life(self) -> Lifecycle:
        """The generations, for whoever looks on."""
        return self._life

    def run(self, stop: Event) -> None:
        """Keep a generation live and obey control messages, whatever happens to brokers, topics and queries.

        Raises NotAccepted where the cluster will never do what is asked, SparkGone where Spark has ended, and Fenced
        where another pipeline has taken the right to write: when this is raised, all queries have been stopped.
        """
        opened, is_sure, event = False, True, None
        try:
            while not stop.is_set():
                try:
                    if not opened:
                        self._open()
                        opened = True
                    elif not is_sure:
                        self._life.read_again()
                        self._close_what_a_flip_has_left()
                    is_sure = True
                    event = event or self._next_event()
                    if event is not None:
                        self._handle(event)
                        event = None
                    self._tick()
                    self.vitals.over(BROKER)
                    self.vitals.over(OWN_TOPICS)
                except BrokerUnreachable as error:
                    is_sure = False
                    self.vitals.tell(BROKER, error)
                    self._cluster.wait_for_broker(stop)
                except (Refused, TopicMissing) as trouble:
                    # Without its own topics nothing can be decided: what was begun is done again.
                    stop.wait(self.vitals.tell(OWN_TOPICS, trouble))
        finally:
            self._control.stop()
            self._life.stop()
            # Last, so that who takes over finds nothing running any more.
            self._life.writer.release()

    def _open(self) -> None:
        """Go on with what the registry says, and ask for what the settings say if they have changed."""
        self._life.open()
        registry = self._life.registry
        self._close_what_a_flip_has_left()
        for generation in registry.in_state(*SHOWN, State.LINGERING, *BUILDING):
            number = generation.number
            if not is_readable(generation):
                self._lose(generation, "its rows were written by another version of livejoin")
                continue
            if generation.state_format != state_format():
                self._lose(generation, "its state was kept by another version of livejoin or of Spark")
                continue
            if generation.state not in BUILDING and not self._life.has_checkpoint(number):
                self._lose(generation, "the checkpoint is gone")
                continue
            if generation.state is State.LIVE:
                self._life.move(number, State.RECOVERING, "pipeline started; reading what came meanwhile")
            self._build(generation)
        wanted = self._wanted_at_start()
        if wanted is not None:
            self._life.request(wanted, f"the settings ask for it; {FROM_THE_BEGINNING}")
        if registry.ledger.settings != self._settings.request:
            self._life.write_ledger(settings=self._settings.request)
        control = self._settings.topics.control
        if registry.ledger.control_topic != control:
            self._life.write_ledger(control_topic=control, control_since=self._started)

    def _close_what_a_flip_has_left(self) -> None:
        """A death between a flip and its last step leaves the generation before, where it was of no use any more."""
        live = self._life.registry.live
        for generation in self._life.registry.in_state(*SHOWN) if live is not None else []:
            if live is not None and generation.number != live.number:
                self._life.move(generation.number, State.CLOSED, f"generation {live.number} is shown")

    def _wanted_at_start(self) -> Request | None:
        """The settings choose topics and join once, and again when they are changed; the rest of them always counts.

        In between, control messages choose.
        """
        registry, asked = self._life.registry, self._settings.request
        coming = registry.in_state(State.REQUESTED, *BUILDING)
        newest = coming[-1] if coming else registry.live
        before = registry.ledger.settings
        if newest is None or before is None or _chosen_by(before) != _chosen_by(asked):
            wanted = asked
        else:
            left, right, join = newest.request.choice
            wanted = replace(asked, left_topic=left, right_topic=right, join=join)
        return None if newest is not None and newest.request == wanted else wanted

    def _next_event(self) -> ControlRecord | Report | None:
        try:
            return self._events.get(timeout=TICK_SECONDS)
        except queue.Empty:
            return None

    def _tick(self) -> None:
        """What time brings: topics that appear, deadlines that pass, things that are left to do."""
        if not self._spark_runs():
            raise SparkGone("Spark's JVM has ended", do="start the pipeline again; its log tells why it ended")
        if time.monotonic() - self._control_looked > CONTROL_LOOK_SECONDS and self.vitals.due(CONTROL):
            with self.vitals.trying(CONTROL):
                self._control.look(self._life.registry.ledger)
            self._control_looked = time.monotonic()
        swap, now, registry = self._settings.swap, datetime.now(UTC), self._life.registry
        self._look_for_topics()
        self._build_what_is_begun()
        for generation in registry.in_state(*BUILDING):
            # While nobody built it, no time has passed for it.
            begun = max(generation.requested, self._started)
            if generation.control and (now - begun).total_seconds() > swap.build_timeout_seconds:
                why = f"not built within {swap.build_timeout_seconds:g} s (swap.build_timeout_seconds)"
                self._life.move(generation.number, State.FAILED, why)
        for generation in registry.in_state(State.LINGERING):
            if generation.until is None or now >= generation.until:
                lingered = (now - generation.since).total_seconds()
                self._life.move(generation.number, State.CLOSED, f"lingered for {lingered:.0f} s")
        if not registry.in_state(State.REQUESTED, *BUILDING):
            self._replace_what_is_missing()
        self._life.settle(self.vitals)
        self.vitals.beat(self._life.beat)

    def _replace_what_is_missing(self) -> None:
        live = self._life.registry.live
        if live is None:
            self._life.request(self._settings.request, FROM_THE_BEGINNING)
        elif live.number in self._broken:
            self._life.request(live.request, f"{self._broken[live.number]}; {FROM_THE_BEGINNING}")

    def _look_for_topics(self) -> None:
        """Requests whose topics are there are built, the newest first; a message's topic is not waited for for ever."""
        requested = self._life.registry.in_state(State.REQUESTED)
        if not requested or time.monotonic() < self._topics_due:
            return
        # One that is waited for for hours is not asked for ten times a second.
        waited = (datetime.now(UTC) - requested[-1].requested).total_seconds()
        self._topics_due = time.monotonic() + min(LONGEST_LOOK_SECONDS, waited / 10)
        now = datetime.now(UTC)
        for generation in reversed(requested):
            what = self._not_there(generation.request.topics.values()) or self._life.lacks_slots(generation)
            if not what:
                self._supersede(generation.number, f"generation {generation.number} was asked for later")
                self._build(generation)
                return
            waited = (now - generation.requested).total_seconds()
            if generation.control and waited >= self._settings.swap.topic_wait_seconds:
                self._life.move(generation.number, State.REJECTED, what)
            elif not generation.message.endswith(WAITING):
                log.warning("cannot be built yet", generation=generation.number, what=what)
                self._life.update(generation.number, message=f"{what}{WAITING}")

    def _not_there(self, topics: Iterable[str]) -> str:
        """Why these topics cannot be joined at the moment, in words; empty where they can."""
        try:
            with needed_to("READ"):
                missing = self._cluster.missing(topics)
        except Refused as refused:
            return refused.in_words
        what = f"the broker has no topic {' and no topic '.join(map(repr, missing))}"
        return f"{what}: create it, or name one that exists" if missing else ""

    def _build_what_is_begun(self) -> None:
        """A build that could not be begun, because the broker was gone or did not allow it, is begun again."""
        for generation in self._life.registry.in_state(*BUILDING):
            if not self._life.is_run(generation.number) and self.vitals.due(name_of(generation)):
                self._build(generation)

    def _build(self, generation: Generation) -> None:
        """Start its queries. A message whose generation may not be built has failed; what settings ask for waits."""
        component = name_of(generation)
        try:
            self._life.build(generation.number, "" if generation.message.endswith(WAITING) else generation.message)
        except NoViewTopic as none:
            self._let_wait(generation, none.what)
        except (Refused, TopicMissing, NotAccepted) as trouble:
            if generation.control:
                self._life.move(generation.number, State.FAILED, trouble.in_words)
            elif isinstance(trouble, NotAccepted):
                raise
            else:
                self.vitals.tell(component, trouble)
                self._life.update(generation.number, message=trouble.in_words)
        else:
            self.vitals.over(component)

    def _let_wait(self, generation: Generation, what: str) -> None:
        """One that is asked for waits until a view topic is free; a message does not wait for ever."""
        waited = (datetime.now(UTC) - generation.requested).total_seconds()
        if generation.control and waited >= self._settings.swap.build_timeout_seconds:
            self._life.move(generation.number, State.REJECTED, what)
        elif generation.message != f"{what}{WAITING}":
            log.warning("view topic is waited for", generation=generation.number, what=what)
            self._life.update(generation.number, message=f"{what}{WAITING}")

    def _supersede(self, by: int | None, why: str) -> None:
        """Give up what was asked for before; `by` is the request that takes its place, if there is one."""
        for generation in self._life.registry.in_state(State.REQUESTED, *BUILDING):
            if by is None or generation.number < by:
                self._life.move(generation.number, State.SUPERSEDED, why)

    @singledispatchmethod
    def _handle(self, event: ControlRecord | Report) -> None:
        raise TypeError(f"no event: {event!r}")

    @_handle.register
    def _(self, record: ControlRecord) -> None:
        key, registry = record.key, self._life.registry
        taken = {generation.control for generation in registry.generations.values()}
        flipped = registry.current.control if registry.current is not None else None
        if not self._life.control_log.has_verdict(key) and key not in {*taken, flipped}:
            message = parse(record.value, self._settings.declaration)
            self._obey(key, message, ControlEntry.of(message, record.timestamp))
        crash_point("message taken")
        ledger = registry.ledger
        known = ledger.control_next if ledger.control_id == record.topic_id else {}
        after = {**known, record.partition: record.offset + 1}
        self._life.write_ledger(control_id=record.topic_id, control_next=after)

    def _obey(self, key: str, message: ControlMessage, entry: ControlEntry) -> None:
        registry, judge = self._life.registry, self._life.control_log.judge
        if message.problem:
            judge(key, Verdict.REJECTED, message.problem, entry)
            return
        lingering = registry.in_state(State.LINGERING)
        if message.rollback:
            if lingering:
                self._bring_back(lingering[-1], key, entry)
            else:
                judge(key, Verdict.REJECTED, "no generation lingers: there is nothing to roll back to", entry)
            return
        request = replace(
            self._settings.request,
            left_topic=message.left_topic or "",
            right_topic=message.right_topic or "",
            join=message.join,
        )
        own = [topic for topic in request.choice[:2] if self._settings.own_topics.is_own(topic)]
        same = [generation for generation in lingering if generation.request == request]
        building, live = registry.building, registry.live
        if own:
            judge(key, Verdict.REJECTED, f"{own[0]!r} is a topic of livejoin's own: name a source topic", entry)
        elif building is not None and building.request == request and not registry.in_state(State.REQUESTED):
            judge(key, Verdict.UNCHANGED, f"generation {building.number}, which is being built, shows this", entry)
        elif live is not None and live.request == request and live.number not in self._broken:
            self._supersede(None, f"a later message asked for generation {live.number}, which is live")
            judge(key, Verdict.UNCHANGED, f"generation {live.number}, which is live, shows this", entry)
        elif same:
            self._bring_back(same[-1], key, entry)
        else:
            self._life.control_log.note(key, entry)
            crash_point("message noted")
            self._topics_due = 0.0
            self._life.request(request, "", control=key)

    def _bring_back(self, lingering: Generation, key: str, entry: ControlEntry) -> None:
        """Flip back at once: its queries have gone on all the time."""
        self._supersede(None, f"a later message brought generation {lingering.number} back")
        self._life.control_log.note(key, entry)
        why = f"generation {lingering.number} is live again"
        live = self._useful(self._life.registry.live)
        self._life.flip(lingering.number, lingering=live, why=why, control=key)

    def _useful(self, generation: Generation | None) -> int | None:
        """A generation that was shown may be brought back, unless it cannot go on."""
        return None if generation is None or generation.number in self._broken else generation.number

    @_handle.register
    def _(self, report: Noted) -> None:
        if self._is_open(report):
            fields = {"topic_ids": report.topic_ids, "source_starts": report.source_starts}
            self._life.update(report.number, **fields)

    @_handle.register
    def _(self, report: Reading) -> None:
        if self._is_open(report) and self._life.registry.of(report.number).state is State.BACKFILLING:
            self._life.update(report.number, progress=report.progress)

    @_handle.register
    def _(self, report: Backfilled) -> None:
        if not self._is_open(report):
            return
        fields = {"source_ends": report.source_ends, "view_ends": report.view_ends}
        generation = self._life.update(report.number, **fields)
        if generation.state is State.BACKFILLING:
            self._life.move(report.number, State.LOADING)

    @_handle.register
    def _(self, report: RunsLive) -> None:
        if not self._is_open(report):
            return
        generation = self._life.registry.of(report.number)
        if generation.state is State.RECOVERING:
            self._life.move(report.number, State.LIVE)
        elif generation.state is State.LOADING:
            self._life.flip(report.number, lingering=self._useful(self._life.registry.live))

    @_handle.register
    def _(self, report: Troubled) -> None:
        if not self._is_open(report):
            return
        generation = self._life.registry.of(report.number)
        if generation.state is State.LIVE:
            self._life.move(report.number, State.RECOVERING, report.why)
        elif generation.state in BUILDING and generation.control and report.deaths >= BUILD_DEATHS:
            self._life.move(report.number, State.FAILED, report.why)
        else:
            self._life.update(report.number, message=report.why)

    @_handle.register
    def _(self, report: Broken) -> None:
        if self._is_open(report):
            self._lose(self._life.registry.of(report.number), report.why)

    def _lose(self, generation: Generation, why: str) -> None:
        """It cannot go on. What is shown stays until a fresh one can take its place."""
        if generation.state in SHOWN:
            if generation.state is State.LIVE:
                self._life.move(generation.number, State.RECOVERING, f"{why}; a fresh generation is built")
            self._broken[generation.number] = why
        elif generation.state in BUILDING:
            # A message can be sent again; what the settings asked for would be forgotten. The request comes first, so
            # that a crash in between asks twice and not never.
            if generation.control is None and not self._life.registry.in_state(State.REQUESTED):
                self._life.request(generation.request, f"{why}; {FROM_THE_BEGINNING}")
            self._life.move(generation.number, State.FAILED, why)
        else:
            self._life.move(generation.number, State.CLOSED, why)

    def _is_open(self, report: Report) -> bool:
        """A report may come late, when its generation is over or gone."""
        generation = self._life.registry.generations.get(report.number)
        return generation is not None and generation.state in {*BUILDING, *SHOWN, State.LINGERING}


def name_of(generation: Generation) -> str:
    """The component that a generation is."""
    return f"generation {generation.number}"


def _chosen_by(settings: Request) -> tuple[object, ...]:
    """What the settings choose: topics of other sources are another choice, also where they are called the same."""
    return *settings.choice, *settings.topics

"""Decides: what a control message, a report of a runner, or the passing of time means for the generations.

One thread takes one event after the other, so there is never a half-made decision. Every decision can be made again: an
event that could not be handled because the broker was gone is handled again when it is back, by what is written then.
"""

import queue
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event

from pyspark.sql import SparkSession

from livejoin.errors import BrokerUnreachable, Refused, SparkGone, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import BUILDING, SHOWN, Request, State
from livejoin.pipeline.control.construction import Construction
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.losses import FROM_THE_BEGINNING, Losses
from livejoin.pipeline.control.messages import Messages
from livejoin.pipeline.control.reader import ControlReader, ControlRecord
from livejoin.pipeline.control.reports import Reports
from livejoin.pipeline.control.runner import Report
from livejoin.pipeline.control.vitals import Vitals
from livejoin.pipeline.spark.state_format import state_format
from livejoin.settings.settings import Settings
from livejoin.wire.view_record import is_readable

TICK_SECONDS = 0.1
CONTROL_LOOK_SECONDS = 2.0
BROKER, OWN_TOPICS, CONTROL = "broker", "own topics", "control topic"
"""Components of the pipeline, beside its generations."""


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
        self._construction = Construction(settings, cluster, self._life, self.vitals)
        self._losses = Losses(self._life)
        self._messages = Messages(settings, self._life, self._construction, self._losses)
        self._reports = Reports(self._life, self._losses)
        self._control = ControlReader(cluster, settings.topics.control, self._events.put)
        self._started = datetime.now(UTC)
        self._control_looked = 0.0

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
                    self._cluster.wait_for_broker(stop, self.vitals.tell(BROKER, error))
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
        # What is shown comes first, also to its slots.
        for generation in [*registry.in_state(*SHOWN), *registry.in_state(State.LINGERING, *BUILDING)]:
            number = generation.number
            if not is_readable(generation):
                self._losses.lose(generation, "its rows were written by another version of livejoin")
                continue
            if generation.state_format != state_format():
                self._losses.lose(generation, "its state was kept by another version of livejoin or of Spark")
                continue
            if generation.state not in BUILDING and not self._life.has_checkpoint(number):
                self._losses.lose(generation, "the checkpoint is gone")
                continue
            if generation.state is State.LIVE:
                self._life.move(number, State.RECOVERING, "pipeline started; reading what came meanwhile")
            self._construction.build(generation)
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

    def _handle(self, event: ControlRecord | Report) -> None:
        if isinstance(event, ControlRecord):
            self._messages.take(event)
        else:
            self._reports.take(event)

    def _tick(self) -> None:
        """What time brings: topics that appear, deadlines that pass, things that are left to do."""
        if not self._spark_runs():
            raise SparkGone("Spark's JVM has ended", do="start the pipeline again; its log tells why it ended")
        if time.monotonic() - self._control_looked > CONTROL_LOOK_SECONDS and self.vitals.due(CONTROL):
            with self.vitals.trying(CONTROL):
                self._control.look(self._life.registry.ledger)
            self._control_looked = time.monotonic()
        self._construction.go_on()
        now, registry = datetime.now(UTC), self._life.registry
        for generation in registry.in_state(State.LINGERING):
            if generation.until is None or now >= generation.until:
                lingered = (now - generation.since).total_seconds()
                self._life.move(generation.number, State.CLOSED, f"lingered for {lingered:.0f} s")
        if not registry.in_state(State.REQUESTED, *BUILDING):
            self._losses.replace(otherwise=self._settings.request)
        self._life.settle(self.vitals)
        self.vitals.beat(self._life.beat)


def _chosen_by(settings: Request) -> tuple[object, ...]:
    """What the settings choose: topics of other sources are another choice, also where they are called the same."""
    return *settings.choice, *settings.topics

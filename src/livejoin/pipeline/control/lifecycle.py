"""Every move of a generation: recorded in the state topic, logged, and followed by what it means.

The state topic is written first, then memory, then the world (topics, queries, checkpoints): after a crash at any point
`open` reads the same registry, and `settle` does again what was left undone.
"""

import gc
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from pyspark.sql import SparkSession

from livejoin.errors import LivejoinError
from livejoin.kafka.cluster import Cluster
from livejoin.model.control_message import Verdict
from livejoin.model.generation import OVER, SHOWN, Generation, Request, State
from livejoin.model.registry import Current, Pulse, Registry
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.leftovers import Leftovers
from livejoin.pipeline.control.log import ControlLog
from livejoin.pipeline.control.one_writer import OneWriter
from livejoin.pipeline.control.runner import Noted, Report, Runner
from livejoin.pipeline.control.silent_standbys import SilentStandbys
from livejoin.pipeline.control.slots import Slots
from livejoin.pipeline.control.state_topic import StateTopic
from livejoin.pipeline.control.view_topics import ViewTopics
from livejoin.pipeline.control.vitals import Vitals
from livejoin.pipeline.spark.checkpoints import checkpoint, delete_checkpoint
from livejoin.pipeline.spark.state_format import state_format
from livejoin.process.crash_point import crash_point
from livejoin.settings.settings import Settings
from livejoin.topics.keeper import TopicKeeper
from livejoin.topics.plan import fixed_topics
from livejoin.wire import view_record

CLEANING = "clean-up"
"""The component that removes what nobody needs any more."""
LETTERS = "dead letters"
"""The component that tells which events were rejected."""
STOP_SECONDS = 5.0
VERDICTS = {
    State.REJECTED: Verdict.REJECTED,
    State.SUPERSEDED: Verdict.SUPERSEDED,
    State.FAILED: Verdict.FAILED,
}
"""What the end of a generation means for the message that asked for it."""

log = structlog.get_logger()


class Lifecycle:
    """The registry and everything that it stands for. Used by one thread; who makes it calls `stop` at the end."""

    def __init__(
        self,
        settings: Settings,
        cluster: Cluster,
        spark: SparkSession,
        report: Callable[[Report], None],
        counts: Counts,
    ) -> None:
        self.registry = Registry()
        self.writer = OneWriter(cluster, settings.own_topics)
        self.control_log = ControlLog(cluster, settings.own_topics.control_log, self.writer.write, counts.verdicts)
        self.counts = counts
        self.is_open = False
        """Whether the registry was read."""
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._report = report
        self._keeper = TopicKeeper(settings, cluster)
        self._views = ViewTopics(settings, cluster, self._keeper)
        self._state = StateTopic(cluster, settings.own_topics.state, self.writer.write)
        self._standbys = SilentStandbys(self._state)
        self._leftovers = Leftovers(settings, cluster, self._views, self.writer)
        self._slots = Slots(settings, cluster, spark)
        self._runners: dict[int, Runner] = {}

    def open(self) -> None:
        """Read what was recorded, and note what no record knows: `settle` removes it."""
        for topic in fixed_topics(self._settings):
            self._keeper.provide(topic)
        # Before anything is read, or what another pipeline writes after that would be overlooked.
        self.writer.claim()
        self.registry = self._state.read()
        self.control_log.open()
        for name in self.registry.standbys:
            # One that was this pipeline, or is gone; who still waits says so again in a moment.
            self._state.forget_standby(name)
        self._leftovers.look(self.registry)
        self.is_open = True

    def read_again(self) -> None:
        """Know what is written: where no answer came, the last record may be there or not."""
        # Ends what is under way, which could be written after it was looked for.
        self.writer.confirm()
        self.registry = self._state.read()
        self.control_log.open()

    def request(self, request: Request, why: str, control: str | None = None) -> Generation:
        """A generation that is asked for; nothing is built yet."""
        number, now = self.registry.next_number, datetime.now(UTC)
        generation = Generation(
            number=number,
            request=request,
            view_topic=self._views.name(number),
            message=why,
            requested=now,
            since=now,
            control=control,
        )
        # First, so that the number is not given again, whatever becomes of the record.
        self.write_ledger(last_number=number)
        crash_point("number given")
        self._write(generation)
        log.info("generation", generation=number, to=generation.state, why=why, request=str(request))
        crash_point(State.REQUESTED)
        return generation

    def build(self, number: int, why: str) -> None:
        """Start its queries beside those of the others. What a crash has left of it is continued.

        Raises NoViewTopic where it has to wait for a topic of the pool.
        """
        if number in self._runners:
            return
        generation = self.registry.of(number)
        if generation.state is State.REQUESTED:
            view_topic = self._views.choose(generation, self.registry)
            # The formats at the request would be too early: another version of livejoin may have written that.
            formats = {"view_format": view_record.FORMAT, "state_format": state_format()}
            generation = self.update(number, view_topic=view_topic, **formats)
            crash_point("view topic taken")
            generation = self.move(number, State.VALIDATED, why)
        if generation.state is State.VALIDATED:
            if self._views.is_shared(generation):
                # Higher than that of every query which may still write there.
                generation = self.update(number, taken=self.writer.next_epoch())
            self._views.prepare(generation)
            self.move(number, State.BACKFILLING, why)
        else:
            self._views.check(generation)
        generation = self.registry.of(number)
        world = (self._settings, self._cluster, self._spark, self._slots)
        runner = Runner(*world, generation, self._heard, self.writer.next_epoch)
        self._runners[number] = runner
        runner.start()

    def lacks_slots(self, generation: Generation) -> str:
        """Why it cannot run beside those that do, in words; empty where it can."""
        return self._slots.lack(generation)

    def beat(self, pulse: Pulse) -> None:
        """Tell the table servers that the pipeline lives."""
        self._state.beat(pulse)

    def has_checkpoint(self, number: int) -> bool:
        """Whether a generation can go on from where it was."""
        return checkpoint(self._settings, number).exists()

    def move(self, number: int, to: State, why: str = "") -> Generation:
        """Record a generation in another state."""
        before, now = self.registry.of(number), datetime.now(UTC)
        after = before.move(to, why=why, now=now)
        self._write(after)
        self._log_move(before, after)
        crash_point(to)
        return after

    def update(self, number: int, **fields: Any) -> Generation:
        """Record something about a generation that stays in its state."""
        before = self.registry.of(number)
        after = replace(before, **fields)
        if after != before:
            self._write(after)
        return after

    def flip(self, number: int, *, lingering: int | None, why: str = "", control: str | None = None) -> None:
        """Let every table show that generation; the one before lingers, or is closed where it is of no use."""
        now, registry = datetime.now(UTC), self.registry
        befores = [registry.of(number), *([registry.of(lingering)] if lingering is not None else [])]
        befores[0].move(State.LIVE, why=why, now=now)
        shown = [generation.number for generation in registry.in_state(*SHOWN)]
        until = now + timedelta(seconds=self._settings.swap.linger_seconds) if lingering is not None else None
        current = Current(generation=number, lingering=lingering, until=until, at=now, why=why, control=control)
        crash_point("before flip")
        self._state.flip(current)
        crash_point("flip")
        registry.flip(current)
        for before in befores:
            self._state.write(registry.of(before.number))
            self._log_move(before, registry.of(before.number))
        of_no_use = {*shown, *(generation.number for generation in registry.in_state(State.LINGERING))}
        for other in sorted(of_no_use - {number, lingering}):
            self.move(other, State.CLOSED, f"generation {number} is shown")

    def settle(self, vitals: Vitals) -> None:
        """Give every message the verdict that is due, and remove what is left of generations that are over."""
        current = self.registry.current
        if current is not None and current.control is not None:
            self._judge(current.control, Verdict.APPLIED, current.why)
        for generation in self.registry.generations.values():
            if generation.control is None:
                continue
            if generation.state in VERDICTS:
                self._judge(generation.control, VERDICTS[generation.state], generation.message)
            elif generation.applied is not None:
                self._judge(generation.control, Verdict.APPLIED, f"generation {generation.number} is live")
        if vitals.due(CLEANING):
            with vitals.trying(CLEANING):
                self._clean()
        self._leftovers.remove_checkpoints(self.registry)
        self._standbys.forget()
        self._tell_of_letters(vitals)

    def _tell_of_letters(self, vitals: Vitals) -> None:
        """What keeps dead letters from coming keeps no generation from being live."""
        problem = "; ".join(dict.fromkeys(filter(None, (r.letters_problem for r in self._runners.values()))))
        if not problem:
            vitals.over(LETTERS)
        elif vitals.problems.get(LETTERS) != problem:
            vitals.tell(LETTERS, LivejoinError(problem))

    def write_ledger(self, **fields: Any) -> None:
        """Record what must outlive the generations."""
        ledger = replace(self.registry.ledger, **fields)
        self._state.write_ledger(ledger)
        self.registry.ledger = ledger

    def stop(self) -> None:
        """Stop every query; the generations stay as they are recorded."""
        # All are asked before the first is waited for.
        for timeout in (0.0, STOP_SECONDS):
            for runner in self._runners.values():
                runner.stop(timeout)

    def _heard(self, report: Report) -> None:
        """Hand on what a runner says; it notes its topics whenever it starts its queries."""
        if isinstance(report, Noted):
            self.counts.started(report.number)
        self._report(report)

    def _clean(self) -> None:
        self._leftovers.remove_topics(self.registry)
        over = self.registry.in_state(*OVER)
        if over:
            # No broker fences the deletion of a topic: who was paused finds out here that it is not his any more.
            self.writer.confirm()
        for generation in over:
            self._remove(generation)

    def _judge(self, key: str, verdict: Verdict, reason: str) -> None:
        if self.control_log.awaits_verdict(key):
            self.control_log.judge(key, verdict, reason)
            crash_point(f"verdict {verdict}")

    def _remove(self, generation: Generation) -> None:
        """Take away the queries, what is in the view topic, the checkpoint, and at last the record that knows of them.

        With its record, a view topic of the pool is free.
        """
        number = generation.number
        runner = self._runners.get(number)
        if runner is not None:
            runner.stop(timeout=0.0)
            if runner.alive:
                return
            del self._runners[number]
            # What Python has of its plans lies in cycles, and would hold megabytes in Spark's JVM until Python, which
            # has little to do, came to collect them by itself.
            gc.collect()
        self._views.release(generation)
        crash_point("view topic released")
        delete_checkpoint(self._settings, number)
        crash_point("checkpoint deleted")
        self._state.forget(number)
        del self.registry.generations[number]
        log.info("generation is gone", generation=number)

    def _write(self, generation: Generation) -> None:
        self._state.write(generation)
        self.registry.generations[generation.number] = generation

    def _log_move(self, before: Generation, after: Generation) -> None:
        seconds = round((after.since - before.since).total_seconds(), 3)
        moved = {"from": before.state, "to": after.state, "why": after.message, "after_seconds": seconds}
        log.info("generation", generation=after.number, **moved)
        self.counts.moved(before, after)

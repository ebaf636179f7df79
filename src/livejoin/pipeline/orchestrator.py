"""Keeps one generation live: adopts the one that the registry names, or builds a new one, and mends what breaks."""

from datetime import UTC, datetime
from threading import Event

import structlog
from pyspark.sql import SparkSession

from livejoin.errors import TopicMissing
from livejoin.generation import Generation, Registry, State
from livejoin.kafka import Cluster
from livejoin.pipeline.query import (
    GenerationQueries,
    QueryDied,
    checkpoint,
    checkpoints,
    delete_checkpoint,
)
from livejoin.pipeline.state_topic import StateTopic
from livejoin.schema import SOURCES
from livejoin.settings import Settings

VIEW_CONFIG = {"cleanup.policy": "compact"}
LOG_CONFIG = {"cleanup.policy": "delete"}
FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
TOPIC_POLL_SECONDS = 2.0

log = structlog.get_logger()


class Orchestrator:
    """Runs in the Spark driver. `run` returns when `stop` is set; who made the session stops that."""

    def __init__(self, settings: Settings, cluster: Cluster, spark: SparkSession) -> None:
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._topics = settings.own_topics
        self._state = StateTopic(cluster, self._topics.state)

    def run(self, stop: Event) -> None:
        """Keep the requested generation live until told to stop."""
        for topic in (self._topics.control_log, self._topics.dead_letters):
            self._cluster.ensure(topic, config=LOG_CONFIG)
        registry = self._state.open()
        generation = self._adopt_or_create(registry)
        delay = FIRST_DELAY
        while not stop.is_set():
            queries = GenerationQueries(self._spark, self._settings, generation)
            try:
                self._await_topics(generation, stop)
                source_ends = self._source_ends(generation)
                if not queries.backfill(stop):
                    return
                generation = self._announce(generation, source_ends)
                queries.go_live()
                self._close_others(registry, generation)
                delay = FIRST_DELAY
                queries.watch(stop)
            except QueryDied as death:
                generation = self._record(generation, self._broken(generation), f"{death}; again in {delay:.0f} s")
                stop.wait(delay)
                delay = min(delay * 2, LONGEST_DELAY)
            finally:
                queries.stop()

    def _adopt_or_create(self, registry: Registry) -> Generation:
        """Go on with the live generation if it still shows what is asked for and its checkpoint is there."""
        live = registry.live
        wanted = self._settings.request
        if live and live.request == wanted and checkpoint(self._settings, live.number).exists():
            if live.state is State.LIVE:
                return self._record(live, State.RECOVERING, "pipeline started; reading what came meanwhile")
            return live
        number = registry.next_number
        # A folder of that number can only be left over from a registry that is gone.
        delete_checkpoint(self._settings, number)
        topic = self._topics.view(number)
        self._cluster.delete(topic)
        generation = Generation(
            number=number,
            request=wanted,
            view_topic=topic,
            message="reading the sources from the beginning",
            since=datetime.now(UTC),
        )
        self._cluster.ensure(topic, config=VIEW_CONFIG)
        self._state.write(generation)
        log.info("generation created", generation=number, request=wanted.model_dump(mode="json"))
        return generation

    def _await_topics(self, generation: Generation, stop: Event) -> None:
        """Wait for the source topics: they belong to others and are never created here."""
        told = False
        while not stop.is_set():
            try:
                for source in SOURCES:
                    self._cluster.partitions(generation.request.topic_of(source.name))
            except TopicMissing as missing:
                if not told:
                    told = True
                    log.warning("source topic missing", generation=generation.number, what=missing.what, do=missing.do)
                    self._state.write(generation.model_copy(update={"message": f"{missing.what}; waiting for it"}))
                stop.wait(TOPIC_POLL_SECONDS)
            else:
                return

    def _source_ends(self, generation: Generation) -> dict[str, dict[int, int]]:
        """What the backfill that starts now is sure to read."""
        return {s.name: self._cluster.end_offsets(generation.request.topic_of(s.name)) for s in SOURCES}

    def _announce(self, generation: Generation, source_ends: dict[str, dict[int, int]]) -> Generation:
        """The backfill is complete: table servers may show the generation once they have loaded this far."""
        view_ends = self._cluster.end_offsets(generation.view_topic)
        loaded = generation.model_copy(update={"source_ends": source_ends, "view_ends": view_ends})
        live = self._record(loaded, State.LIVE, "")
        self._state.make_current(live)
        return live

    def _close_others(self, registry: Registry, live: Generation) -> None:
        """Remove every other generation, and what a crash may have left of one."""
        for number in [number for number in registry.generations if number != live.number]:
            log.info("generation closed", generation=number, replaced_by=live.number)
            self._cluster.delete(registry.generations.pop(number).view_topic)
            self._state.forget(number)
        registry.generations[live.number] = live
        for topic in self._cluster.topic_names():
            if topic.startswith(self._topics.view_prefix) and topic != live.view_topic:
                self._cluster.delete(topic)
        for folder in checkpoints(self._settings).iterdir():
            if folder.name != str(live.number):
                delete_checkpoint(self._settings, int(folder.name))

    def _record(self, generation: Generation, to: State, why: str) -> Generation:
        moved = (
            generation.move(to, why=why, now=datetime.now(UTC))
            if to is not generation.state
            else (generation.model_copy(update={"message": why}))
        )
        self._state.write(moved)
        log.info("generation moved", generation=moved.number, **{"from": generation.state}, to=to, why=why)
        return moved

    @staticmethod
    def _broken(generation: Generation) -> State:
        return State.RECOVERING if generation.applied else State.BACKFILLING

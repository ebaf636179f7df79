"""Keeps one generation live: adopts the one that the registry names, or builds a new one, and mends what breaks."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from threading import Event

import structlog
from confluent_kafka import KafkaException
from pyspark.sql import SparkSession

from livejoin.errors import BrokerUnreachable, TopicMissing
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
from livejoin.pipeline.topology import PartitionsAdded, TopicReplaced, Topology
from livejoin.settings import Settings

LOG_CONFIG = {"cleanup.policy": "delete"}
FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
STEADY_SECONDS = 60.0
TOPIC_POLL_SECONDS = 1.0

log = structlog.get_logger()


class Orchestrator:
    """Runs in the Spark driver. `run` returns when `stop` is set; who made the session stops that."""

    def __init__(self, settings: Settings, cluster: Cluster, spark: SparkSession) -> None:
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._topics = settings.own_topics
        self._state = StateTopic(cluster, self._topics.state)
        self._registry = Registry()

    def run(self, stop: Event) -> None:
        """Keep the requested generation live until told to stop, whatever happens to brokers, topics and queries.

        Every trouble decides which step comes next. A step that fails because the broker is gone is done again.
        """
        step: Callable[[], Generation] = self._adopt_or_create
        delay = FIRST_DELAY
        while not stop.is_set():
            began = time.monotonic()
            try:
                generation = step()
                step = partial(self._recover, generation.number, "the broker was gone; reading what came meanwhile")
                self._keep_live(generation, stop)
            except TopicReplaced as change:
                step = partial(self._create, f"{change}; reading the sources from the beginning")
            except PartitionsAdded as change:
                step = partial(self._recover, generation.number, f"{change}; starting again with all of them")
            except QueryDied as death:
                if time.monotonic() - began > STEADY_SECONDS:
                    delay = FIRST_DELAY
                if death.data_lost:
                    step = partial(self._create, f"{death}; reading what the sources still have")
                else:
                    step = partial(self._wait_and_recover, stop, delay, generation.number, str(death))
                    delay = min(delay * 2, LONGEST_DELAY)
            except (KafkaException, BrokerUnreachable) as error:
                log.warning("waiting for the broker", bootstrap_servers=self._cluster.bootstrap_servers, why=str(error))
                self._await_broker(stop)

    def _keep_live(self, generation: Generation, stop: Event) -> None:
        """Backfill, announce, go live, and stay so until told to stop or until something has changed or broken."""
        topology = Topology(self._cluster, generation)
        noted = self._note_topics(topology, generation, stop)
        if noted is None:
            return
        queries = GenerationQueries(self._spark, self._settings, noted)
        try:
            source_ends = topology.ends()
            if not queries.backfill(stop):
                return
            live = self._announce(noted, source_ends)
            queries.go_live()
            self._close_others(live)
            while not stop.is_set():
                queries.look()
                topology.check()
        except QueryDied:
            # A topic that was replaced kills queries in many ways; that it was replaced is the reason to tell.
            topology.check()
            raise
        finally:
            queries.stop()

    def _adopt_or_create(self) -> Generation:
        """Go on with the live generation if it still shows what is asked for and its checkpoint is there."""
        for topic in (self._topics.control_log, self._topics.dead_letters):
            self._cluster.ensure(topic, config=LOG_CONFIG)
        self._registry = self._state.open()
        live = self._registry.live
        if live is None:
            return self._create("reading the sources from the beginning")
        if live.request != self._settings.request:
            return self._create("the settings ask for another join; reading the sources from the beginning")
        if not checkpoint(self._settings, live.number).exists():
            return self._create("the checkpoint is gone; reading the sources from the beginning")
        return self._recover(live.number, "pipeline started; reading what came meanwhile")

    def _create(self, why: str) -> Generation:
        number = self._registry.next_number
        # A folder or a topic of that number can only be left over from a registry that is gone.
        delete_checkpoint(self._settings, number)
        topic = self._topics.view(number)
        self._cluster.delete(topic)
        row_bytes = str(self._settings.events.row_bytes)
        self._cluster.ensure(topic, config={"cleanup.policy": "compact", "max.message.bytes": row_bytes})
        generation = Generation(
            number=number, request=self._settings.request, view_topic=topic, message=why, since=datetime.now(UTC)
        )
        log.info("generation created", generation=number, request=generation.request.model_dump(mode="json"))
        return self._write(generation)

    def _recover(self, number: int, why: str) -> Generation:
        """Say what keeps a generation from being live; what was live recovers, what never was goes on."""
        generation = self._registry.generations[number]
        if generation.state is State.LIVE:
            generation = generation.move(State.RECOVERING, why=why, now=datetime.now(UTC))
        return self._write(generation.model_copy(update={"message": why}))

    def _wait_and_recover(self, stop: Event, delay: float, number: int, why: str) -> Generation:
        self._recover(number, f"{why}; again in {delay:.0f} s")
        stop.wait(delay)
        return self._recover(number, f"{why}; starting again")

    def _await_broker(self, stop: Event) -> None:
        while not stop.is_set():
            try:
                self._cluster.wait_until_reachable(TOPIC_POLL_SECONDS)
            except BrokerUnreachable:
                stop.wait(TOPIC_POLL_SECONDS)
            else:
                return

    def _note_topics(self, topology: Topology, generation: Generation, stop: Event) -> Generation | None:
        """Wait for the source topics, which belong to others and are never created here; None when told to stop."""
        told = False
        while not stop.is_set():
            try:
                return self._write(topology.note())
            except TopicMissing as missing:
                if not told:
                    told = True
                    log.warning("source topic missing", generation=generation.number, what=missing.what, do=missing.do)
                    self._write(generation.model_copy(update={"message": f"{missing.what}; waiting for it"}))
                stop.wait(TOPIC_POLL_SECONDS)
        return None

    def _announce(self, generation: Generation, source_ends: dict[str, dict[int, int]]) -> Generation:
        """The backfill is complete: table servers may show the generation once they have loaded this far."""
        view_ends = self._cluster.end_offsets(generation.view_topic)
        loaded = generation.model_copy(update={"source_ends": source_ends, "view_ends": view_ends})
        live = self._write(loaded.move(State.LIVE, why="", now=datetime.now(UTC)))
        self._state.make_current(live)
        self._registry.current = live.number
        return live

    def _close_others(self, live: Generation) -> None:
        """Remove every other generation, and what a crash may have left of one."""
        for number in [number for number in self._registry.generations if number != live.number]:
            log.info("generation closed", generation=number, replaced_by=live.number)
            self._cluster.delete(self._registry.generations[number].view_topic)
            self._state.forget(number)
            del self._registry.generations[number]
        for topic in self._cluster.topic_names():
            if topic.startswith(self._topics.view_prefix) and topic != live.view_topic:
                self._cluster.delete(topic)
        for folder in checkpoints(self._settings).iterdir():
            if folder.name != str(live.number):
                delete_checkpoint(self._settings, int(folder.name))

    def _write(self, generation: Generation) -> Generation:
        self._state.write(generation)
        before = self._registry.generations.get(generation.number)
        self._registry.generations[generation.number] = generation
        if before is None or (before.state, before.message) != (generation.state, generation.message):
            log.info("generation", generation=generation.number, state=generation.state, why=generation.message)
        return generation

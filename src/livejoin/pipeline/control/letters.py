"""Keeps the dead letters of a generation coming, whatever happens to them: the rows do not notice.

They have a checkpoint, a thread and a patience of their own. What troubles them is `problem`, and no reason to stop a
join. Their topic is made again where somebody deletes it; what is in the checkpoint by then went with the old one, and
everything after that is written again.
"""

import shutil
import time
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import structlog
from pyspark import InheritableThread
from pyspark.sql import SparkSession

from livejoin.errors import KafkaTrouble, RightMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to, principal_of
from livejoin.model.generation import Generation
from livejoin.pipeline.control.topology import EventsDropped, Topology
from livejoin.pipeline.spark.broken_checkpoint import CheckpointBroken, require_logs
from livejoin.pipeline.spark.letter_checkpoint import letter_checkpoint, open_letter_checkpoint
from livejoin.pipeline.spark.letter_query import DEAD_LETTERS, LetterQuery
from livejoin.pipeline.spark.next_offsets import next_offsets
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.process.backoff import Backoff
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker
from livejoin.settings.settings import Settings
from livejoin.topics.keeper import TopicKeeper
from livejoin.topics.plan import letter_topic

FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
STEADY_SECONDS = 60.0
TURN_SECONDS = 0.2

log = structlog.get_logger()


class _TopicChanged(Exception):
    """The topic is another one than the query began to write to, or one whose partitions it does not read."""


class LetterRunner(Worker):
    """The dead letters of a generation that is live, or was; after `stop` its query is stopped when it is not alive."""

    _turns: ClassVar[WeakValueDictionary[Path, Lock]] = WeakValueDictionary()
    """Of all generations of this process: those that reject the same have one checkpoint, and one of them writes.

    A turn is there for as long as one of them is.
    """

    def __init__(self, settings: Settings, cluster: Cluster, spark: SparkSession, generation: Generation) -> None:
        # Spark's kind of thread, because it gives back its connection to the JVM when it ends.
        super().__init__(f"generation-{generation.number}-{DEAD_LETTERS}", InheritableThread)
        self.problem = ""
        """Why dead letters do not come, in words; empty while they do."""
        self._settings = settings
        self._cluster = cluster
        self._spark = spark
        self._generation = generation
        self._checkpoint = letter_checkpoint(settings, generation)
        self._turn = self._turns.setdefault(self._checkpoint, Lock())
        self._topic = letter_topic(settings)
        self._keeper = TopicKeeper(settings, cluster)
        self._backoff = Backoff(FIRST_DELAY, LONGEST_DELAY)
        self._failures = Recurring("dead letters could not be begun", generation=generation.number)

    def _run(self) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._follow()
            except _TopicChanged as change:
                log.warning("dead letters begin again", generation=self._generation.number, why=str(change))
            except QueryDied as death:
                self._wait(self._in_words(death), began)
            except KafkaTrouble as trouble:
                self._wait(trouble.in_words, began)
            except Exception as error:  # noqa: BLE001  it is logged
                # Whatever Spark throws at the start of a query is treated as the death of one.
                self._failures.unexpected(error)
                self._wait((str(error).splitlines() or [type(error).__name__])[0], began)

    def _follow(self) -> None:
        """Write dead letters until told to stop, or until something has changed or broken.

        While another generation writes the same, those are the dead letters of this one too.
        """
        while not self._turn.acquire(timeout=TURN_SECONDS):
            if self._stop.is_set():
                return
        try:
            self._write()
        finally:
            self._turn.release()

    def _write(self) -> None:
        self._keeper.provide(self._topic)
        open_letter_checkpoint(self._settings, self._cluster, self._generation)
        self._forget_what_was_dropped()
        noted = self._look_at_topics()
        query = LetterQuery(self._spark, self._settings, self._generation, self._checkpoint)
        since = time.monotonic()
        try:
            while not self._stop.is_set():
                query.look()
                found = self._look_at_topics()
                if found != noted:
                    changed = ", ".join(repr(topic) for topic in found if found[topic] != noted[topic])
                    raise _TopicChanged(f"{changed} was created again, or has other partitions")
                self.problem = ""
                if time.monotonic() - since > STEADY_SECONDS:
                    self._failures.over()
        finally:
            query.stop()

    def _look_at_topics(self) -> dict[str, Any]:
        """What the query depends on: the id of the topic that it writes, and the partitions of those that it reads."""
        name = self._topic.name
        with needed_to("READ", {name: "WRITE"}):
            found = self._cluster.describe([*self._generation.request.topics.values(), name])
        self._cluster.require(name, found[name], "WRITE")
        return {topic: one.topic_id if topic == name else one.partitions for topic, one in found.items()}

    def _forget_what_was_dropped(self) -> None:
        """Bad events that the broker dropped before they were written are lost; those that it has are not.

        Where the checkpoint is broken, all that it has are written again, under the same keys.
        """
        try:
            require_logs(self._checkpoint)
            Topology(self._cluster, self._generation).require(next_offsets(self._checkpoint))
        except EventsDropped as dropped:
            log.warning("dead letters are lost", generation=self._generation.number, why=str(dropped))
            shutil.rmtree(self._checkpoint)
        except CheckpointBroken as broken:
            log.warning("dead letters are written again", generation=self._generation.number, why=str(broken))
            shutil.rmtree(self._checkpoint)

    def _wait(self, why: str, began: float) -> None:
        """Before the next start, longer after each trouble that follows soon."""
        self.problem = why
        if time.monotonic() - began > STEADY_SECONDS:
            self._backoff.reset()
        self._stop.wait(self._backoff.next())

    def _in_words(self, death: QueryDied) -> str:
        topic = death.forbidden_topic
        if topic is None:
            return str(death)
        operation = "WRITE" if topic == self._topic.name else "READ"
        return RightMissing(principal_of(self._cluster.client), operation, topic).in_words

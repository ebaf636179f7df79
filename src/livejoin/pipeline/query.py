"""The streaming queries of one generation: the join, and beside it the dead letters.

Dead letters are a query of their own, because they need no state: inside the join every bad event would have to be a
key of the aggregation, and stay in its state for ever. Each query has its own checkpoint.
"""

import shutil
from pathlib import Path
from threading import Event

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from livejoin.generation import Generation
from livejoin.pipeline.join import aggregate
from livejoin.pipeline.rows import dead_letter_records, valid_events, view_records
from livejoin.pipeline.source import judge, read
from livejoin.schema import SOURCES
from livejoin.settings import Settings

JOIN = "join"
DEAD_LETTERS = "dead-letters"
POLL_SECONDS = 1
SINK = {"kafka.linger.ms": "1", "kafka.batch.size": "131072"}


class QueryDied(Exception):
    """A streaming query ended by itself; the text is Spark's reason."""


class GenerationQueries:
    """Backfill, then live, on one checkpoint per query. Who makes it calls `stop`."""

    def __init__(self, spark: SparkSession, settings: Settings, generation: Generation) -> None:
        self._spark = spark
        self._settings = settings
        self._generation = generation
        self._running: list[StreamingQuery] = []

    def backfill(self, stop: Event) -> bool:
        """Read everything up to the present end of the sources; False when told to stop before that."""
        self._start(live=False)
        for query in self._running:
            while not _await(query, POLL_SECONDS):
                if stop.is_set():
                    return False
        self._running.clear()
        return True

    def go_live(self) -> None:
        """Continue in Real-Time Mode from where the backfill ended."""
        self._start(live=True)

    def watch(self, stop: Event) -> None:
        """Return when told to stop; raise QueryDied when a live query has ended."""
        while not stop.is_set():
            for query in self._running:
                if _await(query, POLL_SECONDS):
                    raise QueryDied(f"{query.name} ended without an error")

    def stop(self) -> None:
        """Stop what runs. What was not committed is read again at the next start."""
        for query in self._running:
            query.stop()
        self._running.clear()

    def _start(self, *, live: bool) -> None:
        generation = self._generation
        judged = self._judged()
        valid = {name: valid_events(events) for name, events in judged.items()}
        rejected = [
            dead_letter_records(events, generation.number, self._settings.events.dead_letter_bytes)
            for events in judged.values()
        ]
        joined = view_records(aggregate(valid, generation.request), generation.request, live=live)
        self._run(JOIN, joined, generation.view_topic, live=live)
        self._run(DEAD_LETTERS, rejected[0].unionByName(rejected[1]), self._settings.own_topics.dead_letters, live=live)

    def _run(self, name: str, records: DataFrame, topic: str, *, live: bool) -> None:
        folder = checkpoint(self._settings, self._generation.number) / name
        options = {**self._kafka_options(), **SINK, "topic": topic, "checkpointLocation": str(folder)}
        trigger = {"realTime": self._settings.spark.batch} if live else {"availableNow": True}
        writer = records.writeStream.format("kafka").outputMode("update").options(**options)
        named = writer.queryName(f"generation-{self._generation.number}-{name}")
        self._running.append(named.trigger(**trigger).start())

    def _judged(self) -> dict[str, DataFrame]:
        request = self._generation.request
        return {
            source.name: judge(
                read(self._spark, self._settings.kafka_client, request.topic_of(source.name)),
                source,
                self._settings.events,
            )
            for source in SOURCES
        }

    def _kafka_options(self) -> dict[str, str]:
        return {f"kafka.{name}": value for name, value in self._settings.kafka_client.items()}


def checkpoint(settings: Settings, generation: int) -> Path:
    """The folder of a generation's checkpoints."""
    return checkpoints(settings) / str(generation)


def checkpoints(settings: Settings) -> Path:
    """The folder with a folder for each generation."""
    return settings.data_dir / "checkpoints"


def delete_checkpoint(settings: Settings, generation: int) -> None:
    """Remove a generation's checkpoints, if there are any."""
    shutil.rmtree(checkpoint(settings, generation), ignore_errors=True)


def _await(query: StreamingQuery, seconds: int) -> bool:
    try:
        return bool(query.awaitTermination(seconds))
    except StreamingQueryException as error:
        raise QueryDied(f"{query.name}: {_first_line(error)}") from error


def _first_line(error: StreamingQueryException) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0]

"""The streaming queries of one generation: the join, and beside it the dead letters.

The join is backfilled in micro-batches and then goes on in Real-Time Mode, on one checkpoint. Dead letters are a query
of their own, because they need no state: inside the join every bad event would have to be a key of the aggregation, and
stay in its state for ever. They need no backfill either, since nothing is put together, and follow when the rows are
live.
"""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import Any, cast

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from livejoin.generation import Generation, Start
from livejoin.pipeline.backfill_meter import BackfillMeter
from livejoin.pipeline.join import aggregate
from livejoin.pipeline.rows import dead_letter_records, valid_events, view_records
from livejoin.pipeline.source import judge, read
from livejoin.schema import SOURCES
from livejoin.settings import Settings

JOIN = "join"
DEAD_LETTERS = "dead-letters"
POLL_SECONDS = 1.0
BACKFILL_POLL_SECONDS = 0.5
FORBIDDEN = re.compile(r"TopicAuthorizationException: Not authorized to access topics: \[(?P<topic>[^],]+)")
UNHURRIED = {"fetch.min.bytes": "65536", "fetch.max.wait.ms": "200"}
"""How dead letters are read, unless the settings say otherwise: by and by, not with a request for every event."""
SINK = {"kafka.linger.ms": "1", "kafka.batch.size": "131072"}


class QueryDied(Exception):
    """A streaming query ended by itself; the text is Spark's reason.

    `data_lost` tells that the source no longer has what the checkpoint would read next.
    """

    @property
    def data_lost(self) -> bool:
        """Whether going on from the checkpoint would leave a gap."""
        return any(sign in str(self) for sign in ("DATA_LOSS", "OffsetOutOfRange", "failOnDataLoss"))

    @property
    def forbidden_topic(self) -> str | None:
        """The topic that the query may not read or write, where it died of that."""
        found = FORBIDDEN.search(str(self))
        return found["topic"] if found else None


class GenerationQueries:
    """Backfill, then live. Who makes it calls `stop`."""

    def __init__(self, spark: SparkSession, settings: Settings, generation: Generation) -> None:
        self._spark = spark
        self._settings = settings
        self._generation = generation
        self._kafka = settings.kafka_client.java()
        self._judged = self._judge(self._kafka)
        self._live_rows: DataFrame
        self._running: list[StreamingQuery] = []

    def backfill(self, stop: Event, tell: Callable[[int], None] = lambda _: None) -> bool:
        """Join everything up to the present end of the sources; False when told to stop before that.

        `tell` is called about twice a second with the number of events that are done.
        """
        query = self._run(JOIN, self._joined(live=False), self._generation.view_topic, {"availableNow": True})
        # Spark takes a second to understand a join; what comes next is put together while this runs.
        self._live_rows = self._joined(live=True)
        meter = BackfillMeter(self._spark, query)
        while not _ended(query, BACKFILL_POLL_SECONDS):
            if stop.is_set():
                return False
            tell(meter.count())
        self._running.clear()
        return True

    def go_live(self) -> None:
        """Continue the join in Real-Time Mode from where `backfill` has ended."""
        self._run(JOIN, self._live_rows, self._generation.view_topic, self._live)

    def follow_rejected(self) -> None:
        """Write the dead letters, from where they were left, and follow them."""
        self._run(DEAD_LETTERS, self._rejected(), self._settings.own_topics.dead_letters, self._live)

    def look(self) -> None:
        """Return after a moment; raise QueryDied when a live query has ended."""
        for query in self._running:
            if _ended(query, POLL_SECONDS):
                raise QueryDied(f"{query.name} ended without an error")

    def stop(self) -> None:
        """Stop what runs. What was not committed is read again at the next start."""
        for query in self._running:
            query.stop()
        self._running.clear()

    def _run(self, name: str, records: DataFrame, topic: str, trigger: dict[str, Any]) -> StreamingQuery:
        full_name = f"generation-{self._generation.number}-{name}"
        options = {f"kafka.{option}": value for option, value in self._kafka.items()} | SINK
        options |= {
            "checkpointLocation": str(checkpoint(self._settings, self._generation.number) / name),
            "kafka.max.request.size": str(self._settings.events.row_bytes),
            # Spark shares a producer among queries with equal options, and with it whatever troubles one of them.
            "kafka.client.id": f"livejoin-{full_name}",
        }
        writer = records.writeStream.format("kafka").outputMode("update").option("topic", topic).options(**options)
        query = writer.queryName(full_name).trigger(**trigger).start()
        self._running.append(query)
        return query

    def _judge(self, kafka: Mapping[str, str]) -> dict[str, DataFrame]:
        topic_of = self._generation.request.topic_of
        return {
            source.name: judge(
                read(self._spark, kafka, topic_of(source.name), self._starting_offsets(source.name)),
                source,
                self._settings.events,
            )
            for source in SOURCES
        }

    def _starting_offsets(self, source: str) -> str:
        """What was noted where reading begins at the latest: events must not get lost between noting and starting."""
        request = self._generation.request
        if request.start is Start.EARLIEST:
            return request.start.value
        starts = self._generation.source_starts[source]
        return json.dumps({request.topic_of(source): {str(partition): offset for partition, offset in starts.items()}})

    @property
    def _live(self) -> dict[str, Any]:
        return {"realTime": self._settings.spark.batch}

    def _joined(self, *, live: bool) -> DataFrame:
        request = self._generation.request
        valid = {name: valid_events(events) for name, events in self._judged.items()}
        return view_records(aggregate(valid, request), request, live=live)

    def _rejected(self) -> DataFrame:
        keep, judged = self._settings.events.dead_letter_bytes, self._judge(UNHURRIED | self._kafka)
        users, accounts = (dead_letter_records(e, self._generation.number, keep) for e in judged.values())
        return users.unionByName(accounts)


def checkpoint(settings: Settings, generation: int) -> Path:
    """The folder of a generation's checkpoints."""
    return checkpoints(settings) / str(generation)


def checkpoints(settings: Settings) -> Path:
    """The folder with a folder for each generation."""
    return settings.data_dir / "checkpoints"


def delete_checkpoint(settings: Settings, generation: int) -> None:
    """Remove a generation's checkpoints, if there are any."""
    shutil.rmtree(checkpoint(settings, generation), ignore_errors=True)


def _ended(query: StreamingQuery, seconds: float) -> bool:
    """Whether a query ends by itself within this time or has ended; raises QueryDied where it failed."""
    try:
        # It is annotated for whole seconds, and takes fractions.
        return bool(query.awaitTermination(cast("int", seconds)))
    except StreamingQueryException as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[0]
        raise QueryDied(f"{query.name}: {reason}") from error

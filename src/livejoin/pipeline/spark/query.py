"""The join of one generation: backfilled in micro-batches, and then in Real-Time Mode, on one checkpoint."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from livejoin.model.generation import Generation
from livejoin.pipeline.spark.backfill_meter import BackfillMeter
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.renewal import put_in_force, renewable
from livejoin.pipeline.spark.streaming import ended, is_at_work, judged, live, look, run
from livejoin.pipeline.sql.join import aggregate
from livejoin.pipeline.sql.records import valid_events, view_records
from livejoin.settings.settings import Settings

JOIN = "join"
POLL_SECONDS = 1.0
BACKFILL_POLL_SECONDS = 0.5
START_POLL_SECONDS = 0.25
LONGEST_START_SECONDS = 10.0
"""Spark tells of its tasks by events, and may lose some when it has very much to do: nobody waits for them for ever."""


class JoinQuery:
    """Backfill, then live. Who makes it calls `stop`."""

    def __init__(
        self, spark: SparkSession, settings: Settings, generation: Generation, epoch: int, view_partitions: int
    ) -> None:
        """`epoch` is carried by every row: of those of two starts, the later one's count."""
        self._spark = spark
        self._settings = settings
        self._generation = generation
        self._epoch = epoch
        self._view_partitions = view_partitions
        # First, so that nobody who is told what is new finds what is old in force.
        put_in_force(spark, settings.kafka_client)
        self._kafka = renewable(settings.kafka_client.java())
        self._judged = judged(spark, settings, generation, self._kafka)
        self._live_rows: DataFrame
        self._running: StreamingQuery | None = None

    def backfill(self, stop: Event, tell: Callable[[int], None] = lambda _: None) -> bool:
        """Join everything up to the present end of the sources; False when told to stop before that.

        `tell` is called about twice a second with the number of events that are done.
        """
        query = self._run(self._joined(live=False), {"availableNow": True})
        # Spark takes a second to understand a join; what comes next is put together while this runs.
        self._live_rows = self._joined(live=True)
        meter = BackfillMeter(self._spark, query)
        while not ended(query, BACKFILL_POLL_SECONDS):
            if stop.is_set():
                return False
            tell(meter.count())
        self._running = None
        return True

    def rehearse(self, folder: Path, stop: Event) -> None:
        """Join up to the present end of the sources and write nothing; `folder` is for a checkpoint."""
        self._joined(live=True)
        writer = self._joined(live=False).writeStream.format("noop").outputMode("update")
        query = writer.option("checkpointLocation", str(folder)).trigger(availableNow=True).start()
        self._running = query
        while not ended(query, BACKFILL_POLL_SECONDS) and not stop.is_set():
            pass
        self.stop()

    def go_live(self, stop: Event) -> bool:
        """Continue in Real-Time Mode from where `backfill` has ended; False when told to stop before it does.

        A query that was started reads nothing for a second, or for several in a Spark that has just begun.
        """
        query = self._run(self._live_rows, live(self._settings))
        until = time.monotonic() + LONGEST_START_SECONDS
        while not stop.is_set():
            look(query, START_POLL_SECONDS)
            if is_at_work(self._spark, query) or time.monotonic() > until:
                return True
        return False

    def look(self) -> None:
        """Return after a moment; raise QueryDied when the live query has ended."""
        if self._running is not None:
            look(self._running, POLL_SECONDS)

    def stop(self) -> None:
        """Stop what runs. What was not committed is read again."""
        running, self._running = self._running, None
        if running is not None:
            running.stop()

    def _run(self, records: DataFrame, trigger: dict[str, Any]) -> StreamingQuery:
        number = self._generation.number
        self._running = run(
            f"generation-{number}-{JOIN}",
            number,
            records,
            self._generation.view_topic,
            kafka=self._kafka,
            checkpoint=checkpoint(self._settings, number) / JOIN,
            largest=self._settings.events.row_bytes,
            trigger=trigger,
        )
        return self._running

    def _joined(self, *, live: bool) -> DataFrame:
        request = self._generation.request
        valid = {side: valid_events(events, request.declaration) for side, events in self._judged.items()}
        state = aggregate(valid, request)
        return view_records(state, request, self._epoch, live=live, partitions=self._view_partitions)

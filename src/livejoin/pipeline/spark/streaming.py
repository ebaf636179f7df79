"""What every streaming query of livejoin has in common: how it judges, writes, and ends."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from livejoin.logs.java import GENERATION
from livejoin.model.declaration import Side
from livejoin.model.generation import Generation, Start
from livejoin.pipeline.sql.source import judge, read
from livejoin.settings.settings import Settings

FORBIDDEN = re.compile(r"TopicAuthorizationException: Not authorized to access topics: \[(?P<topic>[^],]+)")
KAFKAS_BUFFER = 33_554_432
"""What a producer of Kafka holds at the most, where nobody has said otherwise."""
SINK = {"kafka.linger.ms": "1", "kafka.batch.size": "131072"}


class QueryDied(Exception):
    """A streaming query ended by itself; the text is Spark's reason."""

    @property
    def forbidden_topic(self) -> str | None:
        """The topic that the query may not read or write, where it died of that."""
        found = FORBIDDEN.search(str(self))
        return found["topic"] if found else None


def judged(
    spark: SparkSession, settings: Settings, generation: Generation, kafka: Mapping[str, str]
) -> dict[Side, DataFrame]:
    """The events of both sources, read with these properties and judged."""
    request = generation.request
    return {
        side: judge(
            read(
                spark,
                kafka,
                request.topic_of(side),
                generation.topic_ids.get(request.topic_of(side)),
                _starting_offsets(generation, side),
            ),
            request.declaration,
            side,
            settings.events,
        )
        for side in Side
    }


def run(
    name: str,
    generation: int,
    records: DataFrame,
    topic: str,
    *,
    kafka: Mapping[str, str],
    checkpoint: Path,
    largest: int,
    trigger: dict[str, Any],
) -> StreamingQuery:
    """Start to write records to a topic; whoever calls this stops it.

    Its threads and tasks name the generation in every line of the log.
    """
    records.sparkSession.sparkContext.setLocalProperty(GENERATION, str(generation))
    options = {f"kafka.{option}": value for option, value in kafka.items()} | SINK
    options |= {
        "checkpointLocation": str(checkpoint),
        "kafka.max.request.size": str(largest),
        # A record has to fit into it, and so should those that are on their way meanwhile.
        "kafka.buffer.memory": str(max(KAFKAS_BUFFER, 2 * largest)),
        # Spark shares a producer among queries with equal options, and with it whatever troubles one of them.
        "kafka.client.id": f"livejoin-{name}",
    }
    writer = records.writeStream.format("kafka").outputMode("update").option("topic", topic).options(**options)
    return writer.queryName(name).trigger(**trigger).start()


def live(settings: Settings) -> dict[str, Any]:
    """The trigger of Real-Time Mode."""
    return {"realTime": settings.spark.batch}


def ended(query: StreamingQuery, seconds: float) -> bool:
    """Whether a query ends by itself within this time or has ended; raises QueryDied where it failed."""
    try:
        # It is annotated for whole seconds, and takes fractions.
        return bool(query.awaitTermination(cast("int", seconds)))
    except StreamingQueryException as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[0]
        raise QueryDied(f"{query.name}: {reason}") from error


def is_at_work(spark: SparkSession, query: StreamingQuery) -> bool:
    """Whether every task of its batch runs: in Real-Time Mode they all do so at once, for as long as the batch."""
    tracker = spark.sparkContext.statusTracker()
    jobs = (tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup(str(query.runId)))
    stages = [tracker.getStageInfo(number) for job in jobs if job is not None for number in job.stageIds]
    return bool(stages) and all(stage is not None and stage.numActiveTasks == stage.numTasks for stage in stages)


def look(query: StreamingQuery, seconds: float) -> None:
    """Return after that time; raise QueryDied when a live query has ended."""
    if ended(query, seconds):
        raise QueryDied(f"{query.name} ended without an error")


def _starting_offsets(generation: Generation, side: Side) -> str:
    """What was noted where reading begins at the latest: events must not get lost between noting and starting."""
    request = generation.request
    if request.start is Start.EARLIEST:
        return request.start.value
    starts = generation.source_starts[request.declaration.source(side).name]
    return json.dumps({request.topic_of(side): {str(partition): offset for partition, offset in starts.items()}})

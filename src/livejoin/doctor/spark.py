"""Spark for an examination: a session as the pipeline has it, which ends with the look at a few records."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from livejoin.model.declaration import Side
from livejoin.settings.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHOWN_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Judged:
    """One event: why it was rejected (None: it was not), where it is, and how large."""

    reason: str | None
    partition: int
    offset: int
    length: int


@contextmanager
def spark_session(settings: Settings) -> Iterator["SparkSession"]:
    """A session that nobody hears of, with a folder of its own: a pipeline may run in the data folder."""
    # Here and not above: whoever does not need it does not wait for the import.
    from livejoin.pipeline.spark.session import open_session

    with tempfile.TemporaryDirectory(prefix="livejoin-doctor-") as folder, _silence():
        spark = open_session(settings.model_copy(update={"data_dir": Path(folder)}))
        try:
            yield spark
        finally:
            spark.stop()


def judged(spark: "SparkSession", settings: Settings, side: Side, marks: Mapping[int, tuple[int, int]]) -> "DataFrame":
    """The records between these offsets of the topic of a side, judged as the pipeline does."""
    from livejoin.pipeline.sql.source import FORMAT, judge, reading

    topic = settings.request.topic_of(side)
    options = reading(settings.kafka_client.java(), topic) | {"failOnDataLoss": "false"}
    for option, at in (("startingOffsets", 0), ("endingOffsets", 1)):
        options[option] = json.dumps({topic: {str(partition): mark[at] for partition, mark in marks.items()}})
    records = spark.read.format(FORMAT).options(**options).load()
    return judge(records, settings.declaration, side, settings.events)


def events_of(found: "DataFrame") -> list[Judged]:
    """What became of each judged record, in the order of their offsets."""
    wanted = ("reason.text as reason", "order.partition", "order.offset", "coalesce(octet_length(value), 0) as length")
    rows = found.selectExpr(*wanted).collect()
    events = [Judged(row["reason"], row["partition"], row["offset"], row["length"]) for row in rows]
    return sorted(events, key=lambda event: (event.partition, event.offset))


def words_of(said: str) -> str:
    """What Spark says, without where in its code and in that of its bridge to Python it happened."""
    lines = (line.strip().removeprefix(": ") for line in said.splitlines())
    told = " ".join(line for line in lines if not line.startswith(("at ", "An error occurred while calling")))
    return told[:SHOWN_CHARACTERS]


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Spark's JVM, which writes to this process's standard error, from talking between the findings."""
    sys.stderr.flush()
    kept = os.dup(2)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)

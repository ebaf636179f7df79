"""The newest events of each source, judged by Spark as the pipeline does: it also shows that Spark's client logs in."""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.errors import LivejoinError
from livejoin.schema import SOURCES, Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NEWEST = 200
"""How many events are judged of each source, of all its partitions together."""
COMMONEST = 3
"""How many reasons of rejection are told."""
SHOWN_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Judged:
    """One event: why it was rejected (None: it was not), where it is, and how large."""

    reason: str | None
    partition: int
    offset: int
    length: int


def check_sample(case: Case) -> Iterator[Finding]:
    """The newest events of each source, by Spark."""
    tried = f"judge the newest {NEWEST} events by Spark"
    if case.quick:
        yield skipped("", tried, "left out by --quick, and with it whether Spark's client logs in")
        return
    parts = {source: _newest(case, topic) for source, topic in _topics(case).items()}
    if not any(begins for begins, _ in parts.values()):
        yield skipped("", tried, "there are no events yet")
        return
    with tempfile.TemporaryDirectory(prefix="livejoin-doctor-") as folder:
        try:
            with _silence(), _spark(case, Path(folder)) as spark:
                judged = {source: _judge(case, spark, source, *part) for source, part in parts.items() if part[0]}
        except LivejoinError as error:
            yield problem("", tried, error.what, error.do)
            return
        except Exception as error:  # noqa: BLE001  whatever Spark fails with, of which it has many kinds
            yield failed(case, tried, error)
            return
    for source, events in judged.items():
        yield _told(case, source, events, tried)


def _topics(case: Case) -> dict[Source, str]:
    return {source: topic for source in SOURCES if (topic := case.source_topics[source.name]) in case.sources}


def _newest(case: Case, topic: str) -> tuple[dict[str, int], dict[str, int]]:
    """From where to where the newest events are, by partition; empty where there are none."""
    marks = case.cluster.watermarks(topic)
    each = max(1, NEWEST // max(1, len(marks)))
    begins = {str(p): max(low, high - each) for p, (low, high) in marks.items()}
    ends = {str(p): high for p, (_, high) in marks.items()}
    return (begins, ends) if begins != ends else ({}, {})


def _judge(
    case: Case, spark: "SparkSession", source: Source, begins: dict[str, int], ends: dict[str, int]
) -> list[Judged]:
    from livejoin.pipeline.source import judge

    topic = case.source_topics[source.name]
    options = {f"kafka.{name}": value for name, value in case.settings.kafka_client.java().items()}
    options |= {"subscribe": topic, "failOnDataLoss": "false"}
    options |= {"startingOffsets": json.dumps({topic: begins}), "endingOffsets": json.dumps({topic: ends})}
    records = spark.read.format("kafka").options(**options).load()
    wanted = ("reason", "order.partition", "order.offset", "coalesce(octet_length(value), 0) as length")
    rows = judge(records, source, case.settings.events).selectExpr(*wanted).collect()
    judged = [Judged(row["reason"], row["partition"], row["offset"], row["length"]) for row in rows]
    return sorted(judged, key=lambda event: (event.partition, event.offset))


def _told(case: Case, source: Source, events: list[Judged], tried: str) -> Finding:
    topic = case.source_topics[source.name]
    about = f"{topic} ({source.name})"
    if not events:
        return skipped(about, tried, "the broker has no events at the newest offsets any more")
    count = sum(high - low for low, high in case.cluster.watermarks(topic).values())
    case.source_bytes[topic] = count * sum(event.length for event in events) // len(events)
    largest = max(event.length for event in events)
    rejected = [event for event in events if event.reason is not None]
    found = f"{len(events) - len(rejected)} of {len(events)} are valid; the largest has {largest:,} bytes"
    if not rejected:
        return ok(about, tried, f"{found}; Spark's client has logged in")
    first = {event.reason: event for event in reversed(rejected)}
    reasons = [
        f"{number} x {reason} (e.g. {topic}/{first[reason].partition}/{first[reason].offset})"
        for reason, number in Counter(event.reason for event in rejected).most_common(COMMONEST)
    ]
    told = f"{found}. Rejected: {'; '.join(reasons)}"
    do = "correct who writes them; rejected events are kept as dead letters, and stop nothing"
    if len(rejected) < len(events):
        return warning(about, tried, told, do)
    return problem(about, tried, told, f"{do}; none is valid, so topics.{source.name} may be another topic")


def failed(case: Case, tried: str, error: Exception) -> Finding:
    """What Spark says, without where in its code and in that of its bridge to Python it happened."""
    # Hidden before it is cut: half a secret would not be known for one.
    lines = (line.strip().removeprefix(": ") for line in case.confidential.hide(str(error)).splitlines())
    said = " ".join(line for line in lines if not line.startswith(("at ", "An error occurred while calling")))
    said = said[:SHOWN_CHARACTERS]
    return problem(
        "",
        tried,
        f"Spark failed: {said or type(error).__name__}",
        "if it is about logging in, compare with what `login` has found: livejoin's own client was let in, Spark's is "
        "Java's and has other names for the properties; else see spark.conf",
    )


@contextmanager
def _spark(case: Case, folder: Path) -> Iterator["SparkSession"]:
    """A session as the pipeline has it, with a folder of its own: a pipeline may run in the data folder."""
    # Here and not above: whoever is quick does not wait for the import.
    from livejoin.pipeline.session import open_session

    spark = open_session(case.settings.model_copy(update={"data_dir": folder}))
    try:
        yield spark
    finally:
        spark.stop()


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

"""The newest events of each source, judged by Spark as the pipeline does: it also shows that Spark's client logs in."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.doctor.spark import Judged, events_of, judged, spark_session, words_of
from livejoin.errors import LivejoinError
from livejoin.kafka.reading import newest
from livejoin.model.declaration import Side

NEWEST = 200
"""How many events are judged of each source, of all its partitions together."""
_OF_ONE_EVENT = re.compile(r"^\d+ bytes: |(?<=out of range): -?\d+ milliseconds since 1970$")
"""What a reason says of one event alone; without it, the same reason of many events is one."""
COMMONEST = 3
"""How many reasons of rejection are told."""


def check_sample(case: Case) -> Iterator[Finding]:
    """The newest events of each source, by Spark."""
    tried = f"judge the newest {NEWEST} events by Spark"
    if case.quick:
        yield skipped("", tried, "left out by --quick, and with it whether Spark's client logs in")
        return
    there = {side: topic for side, topic in case.source_topics.items() if topic in case.sources}
    marks = {side: newest(case.cluster.watermarks(topic), NEWEST) for side, topic in there.items()}
    some = {side: of_side for side, of_side in marks.items() if any(low < high for low, high in of_side.values())}
    if not some:
        yield skipped("", tried, "there are no events yet")
        return
    try:
        with spark_session(case.settings) as spark:
            found = {side: events_of(judged(spark, case.settings, side, of_side)) for side, of_side in some.items()}
    except LivejoinError as error:
        yield problem("", tried, error.what, error.do)
        return
    except Exception as error:  # noqa: BLE001  whatever Spark fails with, of which it has many kinds
        yield failed(case, tried, error)
        return
    for side, events in found.items():
        yield _told(case, side, events, tried)


def _told(case: Case, side: Side, events: list[Judged], tried: str) -> Finding:
    topic, about = case.source_topics[side], case.about(side)
    if not events:
        return skipped(about, tried, "the broker has no events at the newest offsets any more")
    count = sum(high - low for low, high in case.cluster.watermarks(topic).values())
    case.source_bytes[topic] = count * sum(event.length for event in events) // len(events)
    largest = max(event.length for event in events)
    rejected = [event for event in events if event.reason is not None]
    found = f"{len(events) - len(rejected)} of {len(events)} are valid; the largest has {largest:,} bytes"
    if not rejected:
        return ok(about, tried, f"{found}; Spark's client has logged in")
    reasons = [
        f"{number} x {reason} (e.g. {topic}/{first.partition}/{first.offset})"
        for reason, number, first in commonest(rejected)[:COMMONEST]
    ]
    told = f"{found}. Rejected: {'; '.join(reasons)}"
    do = "correct who writes them; rejected events are kept as dead letters, and stop nothing"
    if len(rejected) < len(events):
        return warning(about, tried, told, do)
    return problem(about, tried, told, f"{do}; none is valid, so {side}.topic may be another topic")


def commonest(rejected: Iterable[Judged]) -> list[tuple[str, int, Judged]]:
    """Why events are rejected, how many, and the first of them, the commonest reason first."""
    by_reason: dict[str, list[Judged]] = {}
    for event in rejected:
        by_reason.setdefault(_OF_ONE_EVENT.sub("", event.reason or ""), []).append(event)
    counted = Counter({reason: len(events) for reason, events in by_reason.items()})
    return [(reason, number, by_reason[reason][0]) for reason, number in counted.most_common()]


def failed(case: Case, tried: str, error: Exception) -> Finding:
    """What Spark says."""
    # Hidden before it is cut: half a secret would not be known for one.
    said = words_of(case.confidential.hide(str(error)))
    return problem(
        "",
        tried,
        f"Spark failed: {said or type(error).__name__}",
        "if it is about logging in, compare with what `login` has found: livejoin's own client was let in, Spark's is "
        "Java's and has other names for the properties; else see spark.conf",
    )

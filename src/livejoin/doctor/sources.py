"""The source topics: there, with how many partitions and records, for how long, and since when."""

import datetime
import time
from collections.abc import Iterator

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.errors import RightMissing, TopicMissing
from livejoin.model.declaration import Keep, Side
from livejoin.topics.plan import POLICY, RETENTION

SHORT = datetime.timedelta(days=1)


def check_sources(case: Case) -> Iterator[Finding]:
    """Each source topic, and what its configuration means for livejoin."""
    for side, topic in case.source_topics.items():
        about, tried = case.about(side), "describe it, and ask for its offsets"
        try:
            described = case.cluster.describe([topic])[topic]
            marks = case.cluster.watermarks(topic)
            newest = case.cluster.newest_time(topic)
        except TopicMissing as missing:
            do = f"create {topic!r}, or set {side}.topic to the topic that has these events"
            yield problem(about, tried, f"{missing.what}; livejoin never makes a source topic", do)
            continue
        except RightMissing as unseen:
            yield skipped(about, tried, f"{unseen.what}; `rights` says what grants it")
            continue
        case.sources[topic] = described
        count = sum(high - low for low, high in marks.values())
        if newest is not None:
            case.newest[topic] = newest
        yield ok(about, tried, f"{described.partitions} partition(s), {_records(count, newest)}")
        yield from _configuration(case, side, topic)


def _records(count: int, newest: float | None) -> str:
    if not count:
        return "no record yet"
    when = f", the newest of {_moment(newest)}" if newest is not None else ""
    return f"at the most {count:,} records{when}"


def _moment(seconds: float) -> str:
    try:
        moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (OverflowError, ValueError):
        # Kafka takes any number for a time, and most years have no calendar.
        return f"{seconds:,.0f} s after 1970"
    ago = datetime.timedelta(seconds=round(time.time() - seconds))
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" + (f" ({ago} ago)" if ago > datetime.timedelta() else "")


def _configuration(case: Case, side: Side, topic: str) -> Iterator[Finding]:
    about, tried = case.about(side), "look at its configuration"
    try:
        found = case.cluster.configuration(topic)
    except RightMissing:
        yield ok(about, tried, "not allowed to look at its retention and compaction, which livejoin can do without")
        return
    policy, retention = found.get(POLICY, ""), int(found.get(RETENTION, "-1"))
    lasts = datetime.timedelta(milliseconds=retention) if "delete" in policy and retention >= 0 else None
    told = f"{POLICY}={policy}, {RETENTION}={retention}"
    kept = case.source(side).keep
    well = True
    if "compact" in policy and kept is Keep.ALL:
        well = False
        yield warning(
            about,
            tried,
            f"{told}: the broker forgets all but the newest event of each key, and {side}.keep is all: rows vanish "
            "from the next generation on, and an as-of join finds no older ones",
            f"set {side}.keep to latest, or {POLICY} of the topic to delete",
        )
    if lasts is not None and lasts < SHORT:
        well = False
        yield warning(
            about,
            tried,
            f"{told}: the broker forgets events after {_lasting(lasts)}, and a new generation is built from those that "
            "are there",
            f"raise {RETENTION} of the topic",
        )
    if well:
        since = f"a new generation shows what is not older than {_lasting(lasts)}" if lasts else "no event gets too old"
        yield ok(about, tried, f"{told}: {since}")


def _lasting(span: datetime.timedelta) -> str:
    return f"{span.days} days" if span.days > 1 else f"{span.total_seconds() / 3600:g} hours"

"""The join, tried on the newest events of both topics before anything is built.

It is judged, joined and written by the pipeline's own SQL, in one batch.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from livejoin.client.tables import date_text, instant_text
from livejoin.doctor.confidential import Confidential
from livejoin.doctor.sample import commonest
from livejoin.doctor.spark import Judged, events_of, judged, spark_session, words_of
from livejoin.errors import LivejoinError
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import newest
from livejoin.model.column import ColumnType, Kind
from livejoin.model.declaration import Side
from livejoin.model.generation import Request
from livejoin.model.table import Tables
from livejoin.settings.settings import Settings
from livejoin.wire import view_record

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ANSWER_SECONDS = 10.0
FIRST_EPOCH = 1
"""Nothing was written before a trial."""


class TrialFailed(LivejoinError):
    """Spark could not judge or join the sample."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why so many events are dead letters, and where the first of them is."""

    reason: str
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Sampled:
    """The newest events of one source, judged. `there` is how many the topic has at the most."""

    name: str
    topic: str
    there: int
    events: int
    rejections: list[Rejection]

    @property
    def rejected(self) -> int:
        """How many are dead letters."""
        return sum(rejection.count for rejection in self.rejections)


@dataclass(frozen=True, slots=True)
class Trial:
    """What would be shown: some of the joined rows, how many there are, and how many keys both sources have."""

    sources: list[Sampled]
    table: str
    columns: list[str]
    rows: list[dict[str, Any]]
    size: int
    keys: int
    matched: int

    @property
    def fits(self) -> bool:
        """Whether there is nothing to look at."""
        return self.matched > 0 and not any(source.rejected for source in self.sources)


def try_out(settings: Settings, events: int, rows: int) -> Trial:
    """Judge and join about so many of the newest events of each source; raises KafkaTrouble or TrialFailed."""
    cluster = Cluster(settings.kafka_client)
    cluster.wait_until_reachable(ANSWER_SECONDS)
    topics = {side: settings.request.topic_of(side) for side in Side}
    there = {side: cluster.watermarks(topic) for side, topic in topics.items()}
    marks = {side: newest(of_side, events) for side, of_side in there.items()}
    table = Tables(settings.declaration).joined
    found: dict[Side, list[Judged]] = {side: [] for side in Side}
    joined = _Joined(settings.request)
    if any(low < high for of_side in marks.values() for low, high in of_side.values()):
        try:
            with spark_session(settings) as spark:
                found, records = _by_spark(spark, settings, marks)
        except LivejoinError:
            raise
        except Exception as error:
            said = words_of(Confidential(settings).hide(str(error)))
            raise TrialFailed(
                f"Spark failed: {said or type(error).__name__}", do="`livejoin doctor` looks for the cause"
            ) from error
        joined.take(records)
    return Trial(
        [_sampled(settings, side, there[side], found[side]) for side in Side],
        table.name,
        table.column_names,
        joined.newest(rows),
        len(joined.rows),
        len(joined.keys),
        joined.matched,
    )


def _by_spark(
    spark: "SparkSession", settings: Settings, marks: Mapping[Side, Mapping[int, tuple[int, int]]]
) -> tuple[dict[Side, list[Judged]], list[str]]:
    from livejoin.pipeline.sql.join import aggregate
    from livejoin.pipeline.sql.records import valid_events, view_records

    request = settings.request
    frames: dict[Side, DataFrame] = {
        side: judged(spark, settings, side, of_side).cache() for side, of_side in marks.items()
    }
    found = {side: events_of(frame) for side, frame in frames.items()}
    valid = {side: valid_events(frame, request.declaration) for side, frame in frames.items()}
    records = view_records(aggregate(valid, request), request, FIRST_EPOCH, live=False)
    return found, [row["value"] for row in records.select("value").collect()]


def _sampled(settings: Settings, side: Side, there: Mapping[int, tuple[int, int]], events: list[Judged]) -> Sampled:
    topic = settings.request.topic_of(side)
    rejections = [
        Rejection(reason, count, f"{topic}/{first.partition}/{first.offset}")
        for reason, count, first in commonest(event for event in events if event.reason is not None)
    ]
    count = sum(high - low for low, high in there.values())
    return Sampled(settings.declaration.source(side).name, topic, count, len(events), rejections)


class _Joined:
    """The records of a view topic, as far as they are rows of the join."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._columns = Tables(request.declaration).joined.columns
        self.rows: list[tuple[bool, int, int, dict[str, Any]]] = []
        self.keys: dict[tuple[Any, ...], set[str]] = {}
        """Each key, and which of left, right and joined has rows of it."""

    def take(self, values: Iterable[str]) -> None:
        """Take records in."""
        records = [json.loads(value) for value in values]
        for record in records:
            kinds = self.keys.setdefault(self._key(record), set())
            kinds.update(kind for kind in (*Side, view_record.JOINED) if any(_there(record, kind)))
        for record in records:
            is_matched = self._is_matched(self.keys[self._key(record)])
            for place, row in enumerate(_there(record, view_record.JOINED)):
                at = record.get(view_record.TIMESTAMP, 0)
                self.rows.append((is_matched, -place, at, self._shown(record, row)))

    def newest(self, count: int) -> list[dict[str, Any]]:
        """Some rows: first those whose key both sources have, of each key one before another, newest first."""
        return [row for *_, row in sorted(self.rows, key=lambda row: row[:3], reverse=True)[:count]]

    @property
    def matched(self) -> int:
        """How many keys there are of which both sources have rows."""
        return sum(self._is_matched(kinds) for kinds in self.keys.values())

    def _is_matched(self, kinds: set[str]) -> bool:
        # A mirrored table has no rows of its own: those of the join are its rows.
        mirrored = {self._request.mirrored.value: view_record.JOINED} if self._request.mirrored else {}
        return all(mirrored.get(side.value, side.value) in kinds for side in Side)

    def _key(self, record: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(record.get(f"k{place}") for place in range(len(self._request.declaration.left.key)))

    def _shown(self, record: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        cells = {**row, **{name: value for name, value in record.items() if name.startswith("k")}}
        return {column.name: _plain(cells.get(column.field), column.type) for column in self._columns}


def _there(record: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    return (row for row in record.get(kind, []) if not row.get(view_record.GONE))


def _plain(value: Any, of: ColumnType) -> Any:
    if value is None:
        return None
    match of.kind:
        case Kind.TIMESTAMP:
            return instant_text(value)
        case Kind.DATE:
            return date_text(value)
        case _:
            return value

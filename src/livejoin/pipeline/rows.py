"""Emissions as records for Kafka: rows of the view topic, and dead letters.

The formats are told in livejoin.view_record and livejoin.dead_letter.
"""

from pyspark.sql import DataFrame

from livejoin import dead_letter, view_record
from livejoin.generation import Request
from livejoin.pipeline.join import VERSION, cut, expand
from livejoin.pipeline.kept import EVENT
from livejoin.pipeline.source import SQL_TYPES
from livejoin.schema import JOINED, KEY, SOURCES

HEADERS_TYPE = "array<struct<key:string,value:binary>>"
RECORD_TYPES = {
    **{column.name: SQL_TYPES[column.type] for column in JOINED},
    view_record.SOURCE: "string",
    view_record.PARTITION: "bigint",
    view_record.OFFSET: "bigint",
    view_record.TIMESTAMP: "bigint",
    view_record.CUT: "bigint",
}
"""The fields of any record's value. All emissions have one type, because they share an array; JSON leaves out nulls."""


def view_records(state: DataFrame, request: Request, *, live: bool) -> DataFrame:
    """The records of a view topic: what changed, each change with its version, and the progress after it."""
    state, emissions = expand(state, request, _emission, live=live)
    everything = f"concat({', '.join(emissions)}, array({_progress(request)}))"
    return state.selectExpr(VERSION, f"explode({everything}) as out").selectExpr(
        "out.key as key",
        f"case when not out.gone then to_json(struct({VERSION} as {view_record.VERSION}, out.row.*)) end as value",
        f"case when out.gone then {_headers({view_record.VERSION: VERSION})} end as headers",
    )


def dead_letter_records(judged: DataFrame, generation: int, keep_bytes: int) -> DataFrame:
    """The records of the dead-letter topic: one for each rejected event."""
    headers = {
        dead_letter.TOPIC: "topic",
        dead_letter.PARTITION: "order.partition",
        dead_letter.OFFSET: "order.offset",
        dead_letter.TIMESTAMP: "unix_millis(order.timestamp)",
        dead_letter.REASON: "reason",
        dead_letter.SIZE: "coalesce(octet_length(value), 0)",
        dead_letter.GENERATION: str(generation),
    }
    return _only(judged, "reason is not null", "value", "topic", "reason", "order").selectExpr(
        "concat_ws('/', topic, order.partition, order.offset) as key",
        # A null would be a delete of the dead letter itself.
        f"coalesce(substring(value, 1, {keep_bytes}), X'') as value",
        f"{_headers(headers)} as headers",
    )


def valid_events(judged: DataFrame) -> DataFrame:
    """The events that are not rejected."""
    return _only(judged, "reason is null", KEY.name, "order", "row")


def _only(judged: DataFrame, condition: str, *columns: str) -> DataFrame:
    # A plain filter would be pushed below the projections that it needs, and they would be computed twice.
    return judged.selectExpr(f"inline(case when {condition} then array(struct({', '.join(columns)})) end)")


def _emission(table: str, row_id: str, alive: str, rows: dict[str, str]) -> str:
    columns = {KEY.name: KEY.name}
    for source in SOURCES:
        if source.name in rows:
            columns |= {field.name: f"{rows[source.name]}.{field.name}" for field in source.fields}
    return _record(f"concat('{view_record.row_key_prefix(table)}', {row_id})", f"not ({alive})", columns)


def _progress(request: Request) -> str:
    columns = {
        view_record.SOURCE: f"{EVENT}.source",
        view_record.PARTITION: f"{EVENT}.order.partition",
        view_record.OFFSET: f"{EVENT}.order.offset",
        view_record.TIMESTAMP: f"unix_millis({EVENT}.order.timestamp)",
        view_record.CUT: cut(request) or "null",
    }
    return _record(f"concat('{view_record.row_key_prefix(view_record.PROGRESS)}', {KEY.name})", "false", columns)


def _record(key: str, gone: str, columns: dict[str, str]) -> str:
    row = ", ".join(f"'{name}', cast({columns.get(name, 'null')} as {kind})" for name, kind in RECORD_TYPES.items())
    return f"named_struct('key', {key}, 'gone', {gone}, 'row', named_struct({row}))"


def _headers(texts: dict[str, str]) -> str:
    headers = ", ".join(
        f"named_struct('key', '{name}', 'value', binary(string({text})))" for name, text in texts.items()
    )
    return f"cast(array({headers}) as {HEADERS_TYPE})"

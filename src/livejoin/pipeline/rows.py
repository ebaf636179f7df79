"""Emissions as records for Kafka: rows of the view topic, and dead letters.

The formats are told in livejoin.view_record and livejoin.dead_letter.
"""

from pyspark.sql import DataFrame

from livejoin import dead_letter, view_record
from livejoin.generation import Request
from livejoin.pipeline.join import VERSION, cut, expand
from livejoin.pipeline.kept import EVENT
from livejoin.pipeline.source import SQL_TYPES
from livejoin.schema import KEY, SOURCES

HEADERS_TYPE = "array<struct<key:string,value:binary>>"
EVERYTHING_BYTES = 65_536
"""How large a record with everything of a userId may be: less than is allowed to a record with one row."""
EVERYTHING_ROWS = 2_000
"""How many rows are put together at the most: more would nearly always be found too large."""


def view_records(state: DataFrame, request: Request, *, live: bool) -> DataFrame:
    """The records of a view topic: rows with their version, and the progress.

    Live, each row that has changed is a record. A backfill writes everything of a userId into one, unless it is too
    large for that.
    """
    state, rows = expand(state, request, _row, live=live)
    # A column for the rows of each table, so that they are computed once.
    state = state.selectExpr("*", *(f"{found} as {table}" for table, found in rows.items()))
    progress = _progress(request)
    one_by_one = [*map(_rows_one_by_one, rows), f"array({_record(view_record.PROGRESS, KEY.name, _value(progress))})"]
    singly = f"concat({', '.join(one_by_one)})"
    if live:
        return state.selectExpr(f"inline({singly})")
    count = " + ".join(f"size({table})" for table in rows)
    value = _value({table: table for table in rows} | progress)
    everything = f"case when {count} <= {EVERYTHING_ROWS} then {value} end"
    together = f"array({_record(view_record.EVERYTHING, KEY.name, 'everything')})"
    return state.selectExpr("*", f"{everything} as everything").selectExpr(
        f"inline(case when octet_length(everything) <= {EVERYTHING_BYTES} then {together} else {singly} end)"
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


def _row(row_id: str, alive: str, rows: dict[str, str]) -> str:
    """A row as a struct, from its id, whether it is there, and the row of each source that has part in it."""
    fields = {field: f"{rows[s.name]}.{field.name}" for s in SOURCES if s.name in rows for field in s.fields}
    there = ", ".join(f"'{field.name}', {value}" for field, value in fields.items())
    nulls = ", ".join(f"'{field.name}', cast(null as {SQL_TYPES[field.type]})" for field in fields)
    of_id = f"named_struct('{view_record.ROW_ID}', {row_id}, '{view_record.GONE}'"
    return f"case when {alive} then {of_id}, cast(null as boolean), {there}) else {of_id}, true, {nulls}) end"


def _rows_one_by_one(table: str) -> str:
    record = _record(table, f"row.{view_record.ROW_ID}", _value({table: "array(row)"}))
    return f"transform({table}, row -> {record})"


def _progress(request: Request) -> dict[str, str]:
    return {
        view_record.SOURCE: f"{EVENT}.source",
        view_record.PARTITION: f"{EVENT}.order.partition",
        view_record.OFFSET: f"{EVENT}.order.offset",
        view_record.TIMESTAMP: f"unix_millis({EVENT}.order.timestamp)",
        view_record.CUT: cut(request) or "cast(null as bigint)",
    }


def _record(kind: str, of: str, value: str) -> str:
    return f"named_struct('key', concat('{view_record.key_prefix(kind)}', {of}), 'value', {value})"


def _value(fields: dict[str, str]) -> str:
    """The value of a record, from what it says besides its userId and version; JSON leaves out nulls."""
    named = {KEY.name: KEY.name, view_record.VERSION: VERSION, **fields}
    pairs = ", ".join(f"'{name}', {value}" for name, value in named.items())
    return f"to_json(named_struct({pairs}))"


def _headers(texts: dict[str, str]) -> str:
    headers = ", ".join(
        f"named_struct('key', '{name}', 'value', binary(string({text})))" for name, text in texts.items()
    )
    return f"cast(array({headers}) as {HEADERS_TYPE})"

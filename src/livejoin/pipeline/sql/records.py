"""Emissions as records for Kafka: rows of the view topic, and dead letters.

The formats are told in livejoin.wire.view_record and livejoin.wire.dead_letter.
"""

from pyspark.sql import DataFrame

from livejoin.model.column import ColumnType
from livejoin.model.declaration import Declaration, Side
from livejoin.model.generation import Generation, Request
from livejoin.model.judgement import judgement
from livejoin.model.table import field_of, key_field
from livejoin.pipeline.sql.join import VERSION, cut, expand
from livejoin.pipeline.sql.kept import EVENT, key_text
from livejoin.pipeline.sql.literal import literal
from livejoin.pipeline.sql.source import key_fields
from livejoin.pipeline.sql.value import on_the_wire, sql_type
from livejoin.wire import dead_letter, view_record

HEADERS_TYPE = "array<struct<key:string,value:binary>>"
EVERYTHING_BYTES = 65_536
"""How large a record with everything of a key may be: less than is allowed to a record with one row."""
EVERYTHING_ROWS = 2_000
"""How many rows are put together at the most: more would nearly always be found too large."""


def view_records(state: DataFrame, request: Request, epoch: int, *, live: bool, partitions: int = 1) -> DataFrame:
    """The records of a view topic: rows with their epoch and version, and the progress.

    Live, each row that has changed is a record. A backfill writes everything of a key into one, unless it is too large
    for that. What is said of a key goes into one of the partitions, so that nobody reads it in another order.
    """
    return _Records(request, epoch, partitions).of(state, live=live)


def dead_letter_records(judged: DataFrame, generation: Generation, side: Side, keep_bytes: int) -> DataFrame:
    """The records of the dead-letter topic: one for each rejected event of a side."""
    how = judgement(generation, side)
    topic_id = generation.topic_ids.get(generation.request.topic_of(side), "")
    headers = {
        dead_letter.TOPIC: "topic",
        dead_letter.PARTITION: "order.partition",
        dead_letter.OFFSET: "order.offset",
        dead_letter.TIMESTAMP: "millis",
        dead_letter.REASON: "reason.text",
        dead_letter.KIND: "reason.kind",
        dead_letter.SIZE: "coalesce(octet_length(value), 0)",
        dead_letter.GENERATION: str(generation.number),
        dead_letter.JUDGEMENT: literal(how),
    }
    return _only(judged, "reason is not null", "value", "topic", "millis", "reason", "order").selectExpr(
        f"concat_ws('/', topic, order.partition, order.offset, {literal(topic_id)}, {literal(how)}) as key",
        # A null would be a delete of the dead letter itself.
        f"coalesce(substring(value, 1, {keep_bytes}), X'') as value",
        f"{_headers(headers)} as headers",
    )


def valid_events(judged: DataFrame, declaration: Declaration) -> DataFrame:
    """The events that are not rejected."""
    return _only(judged, "reason is null", *key_fields(declaration), "order", "row")


def _only(judged: DataFrame, condition: str, *columns: str) -> DataFrame:
    # A plain filter would be pushed below the projections that it needs, and they would be computed twice.
    return judged.selectExpr(f"inline(case when {condition} then array(struct({', '.join(columns)})) end)")


class _Records:
    """How rows of one request are written, by one start of its queries."""

    def __init__(self, request: Request, epoch: int, partitions: int) -> None:
        self._request = request
        self._epoch = epoch
        declaration = request.declaration
        self._key_text = key_text(declaration)
        self._partition = f"pmod(hash({self._key_text}), {partitions})" if partitions > 1 else "0"
        self._keys = {
            key_field(place): on_the_wire(key_field(place), column.type)
            for place, column in enumerate(declaration.left.key_columns)
        }
        self._types: dict[str, tuple[Side, str, ColumnType]] = {
            field_of(declaration, side, column.name): (side, column.name, column.type)
            for side in Side
            for column in declaration.source(side).columns
        }

    def of(self, state: DataFrame, *, live: bool) -> DataFrame:
        state, rows = expand(state, self._request, self._row, live=live)
        # A column for the rows of each kind, so that they are computed once.
        state = state.selectExpr("*", *(f"{found} as {_emitted(kind)}" for kind, found in rows.items()))
        progress = self._progress()
        of_progress = _record(view_record.PROGRESS, self._key_text, self._value(progress))
        singly = f"concat({', '.join([*map(self._rows_one_by_one, rows), f'array({of_progress})'])})"
        if live:
            return state.selectExpr(f"{self._partition} as partition", f"inline({singly})")
        count = " + ".join(f"size({_emitted(kind)})" for kind in rows)
        value = self._value({kind: _emitted(kind) for kind in rows} | progress)
        everything = f"case when {count} <= {EVERYTHING_ROWS} then {value} end"
        together = f"array({_record(view_record.EVERYTHING, self._key_text, 'everything')})"
        return state.selectExpr("*", f"{everything} as everything").selectExpr(
            f"{self._partition} as partition",
            f"inline(case when octet_length(everything) <= {EVERYTHING_BYTES} then {together} else {singly} end)",
        )

    def _row(self, kind: str, row_id: str, alive: str, rows: dict[Side, str]) -> str:
        """A row as a struct, from its id, whether it is there, and the row of each side that has part in it."""
        fields = {field: self._field(field, rows) for field in view_record.row_fields(self._request, kind)}
        there = "".join(f", '{field}', {value}" for field, (value, _) in fields.items())
        nulls = "".join(f", '{field}', cast(null as {of})" for field, (_, of) in fields.items())
        of_id = f"named_struct('{view_record.ROW_ID}', {row_id}, '{view_record.GONE}'"
        return f"case when {alive} then {of_id}, cast(null as boolean){there}) else {of_id}, true{nulls}) end"

    def _field(self, field: str, rows: dict[Side, str]) -> tuple[str, str]:
        """A cell and its type on the wire; the key of a side is there where its row is."""
        side, name, of = self._types[field]
        key = self._request.declaration.source(side).key
        value = (
            f"case when {rows[side]} is not null then {key_field(key.index(name))} end"
            if name in key
            else f"{rows[side]}.{field}"
        )
        written = on_the_wire(value, of)
        return written, sql_type(of) if written == value else "string"

    def _rows_one_by_one(self, kind: str) -> str:
        record = _record(kind, f"row.{view_record.ROW_ID}", self._value({kind: "array(row)"}))
        return f"transform({_emitted(kind)}, row -> {record})"

    def _progress(self) -> dict[str, str]:
        return {
            view_record.SOURCE: f"{EVENT}.side",
            view_record.PARTITION: f"{EVENT}.order.partition",
            view_record.OFFSET: f"{EVENT}.order.offset",
            view_record.TIMESTAMP: f"unix_millis({EVENT}.order.timestamp)",
            view_record.CUT: cut(self._request) or "cast(null as bigint)",
        }

    def _value(self, fields: dict[str, str]) -> str:
        """The value of a record, from what it says besides its key and version; JSON leaves out nulls."""
        about = {view_record.EPOCH: str(self._epoch), view_record.VERSION: VERSION}
        named = {**self._keys, **about, **fields}
        pairs = ", ".join(f"'{name}', {value}" for name, value in named.items())
        return f"to_json(named_struct({pairs}))"


def _emitted(kind: str) -> str:
    return f"{kind}_emitted"


def _record(kind: str, of: str, value: str) -> str:
    return f"named_struct('key', concat('{view_record.key_prefix(kind)}', {of}), 'value', {value})"


def _headers(texts: dict[str, str]) -> str:
    headers = ", ".join(
        f"named_struct('key', '{name}', 'value', binary(string({text})))" for name, text in texts.items()
    )
    return f"cast(array({headers}) as {HEADERS_TYPE})"

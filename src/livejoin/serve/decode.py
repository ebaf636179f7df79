"""Bytes of livejoin's own topics become columns: pure, without Kafka, without the table server.

A record that cannot be decoded is left out and described; it never spoils the records around it.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from livejoin import dead_letter, view_record
from livejoin.schema import CONTROL_RAW, DEAD_LETTERS, VIEWS, Column, ColumnType

NULL_LONG = -(2**63)
NULL_DOUBLE = -1.7976931348623157e308
"""How the table server spells a null in a column of primitives."""

VIEW_COLUMNS: tuple[Column, ...] = tuple({column.name: column for view in VIEWS for column in view.columns}.values())
"""Every column that a row of any view may have: one batch carries the rows of all views."""

ROW_TABLE = Column("row_table", ColumnType.LONG)
ROW_ID = Column("row_id", ColumnType.STRING)
ROW_VERSION = Column("row_version", ColumnType.LONG)
ROW_GONE = Column("row_gone", ColumnType.LONG)
ROW_CUT = Column("row_cut", ColumnType.LONG)
ENVELOPE = (ROW_TABLE, ROW_ID, ROW_VERSION, ROW_GONE, ROW_CUT)
"""What a view record says about its row: which table, which row, which version, and 1 where the row is deleted."""

VIEW_BATCH = (*ENVELOPE, *VIEW_COLUMNS)

TABLE_CODES = {name: code for code, name in enumerate([*(view.name for view in VIEWS), view_record.PROGRESS])}
"""The value of `row_table` for each kind of record; a number costs less than the name on every row."""

GENERATION = Column("generation", ColumnType.LONG)
DEAD_LETTER_BATCH = (*DEAD_LETTERS.columns, GENERATION)

MESSAGE = Column("message", ColumnType.STRING)
CONTROL_BATCH = (*CONTROL_RAW.columns, MESSAGE)
"""A control message comes once when it arrives and once with its verdict; `message` names it both times."""

_NULLS: dict[ColumnType, Any] = {
    ColumnType.STRING: None,
    ColumnType.LONG: NULL_LONG,
    ColumnType.DOUBLE: NULL_DOUBLE,
    ColumnType.INSTANT: NULL_LONG,
}
_BROKEN = (KeyError, TypeError, ValueError, AttributeError)

Columns = dict[str, Sequence[Any]]


class Record(Protocol):
    """The part of a Kafka message that is decoded."""

    def key(self) -> Any:
        """The key's bytes."""

    def value(self) -> Any:
        """The value's bytes, or None."""

    def headers(self) -> Any:
        """Pairs of name and bytes, or None."""

    def partition(self) -> int | None:
        """Where it is, for messages to people."""

    def offset(self) -> int | None:
        """Where it is, for messages to people."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that could not be decoded: where it is, and why."""

    partition: int | None
    offset: int | None
    reason: str


@dataclass(slots=True)
class Batch:
    """Decoded records as columns; an instant is a long of epoch milliseconds until the table server has it."""

    columns: Columns
    size: int
    skipped: list[Skipped] = field(default_factory=list)
    positions: dict[tuple[str, int], int] = field(default_factory=dict)
    """Of progress records: the next offset to be accounted, for each (source, partition)."""


def decode_view(records: Sequence[Record]) -> Batch:
    """Rows and progress of one generation's view topic."""
    loads, codes = orjson.loads, TABLE_CODES
    tables: list[int] = []
    ids: list[str] = []
    versions: list[int] = []
    gone: list[int] = []
    cuts: list[int] = []
    rows: list[dict[str, Any]] = []
    kept: list[Record] = []
    skipped: list[Skipped] = []
    positions: dict[tuple[str, int], int] = {}
    progress = codes[view_record.PROGRESS]
    for record in records:
        try:
            table, _, row_id = record.key().decode().partition("/")
            code = codes[table]
            value = record.value()
            if value is None:
                row: dict[str, Any] = {}
                version = int(dict(record.headers())[view_record.VERSION])
            else:
                row = loads(value)
                version = row[view_record.VERSION]
                if type(version) is not int:
                    raise TypeError(f"the version is {version!r}")
                if code == progress:
                    place = (row[view_record.SOURCE], row[view_record.PARTITION])
                    positions[place] = max(positions.get(place, 0), row[view_record.OFFSET] + 1)
        except _BROKEN as error:
            skipped.append(_skipped(record, error))
            continue
        tables.append(code)
        ids.append(row_id)
        versions.append(version)
        gone.append(value is None)
        cuts.append(row.get(view_record.CUT, 0))
        rows.append(row)
        kept.append(record)
    envelope: dict[str, list[Any]] = {
        ROW_TABLE.name: tables,
        ROW_ID.name: ids,
        ROW_VERSION.name: versions,
        ROW_GONE.name: gone,
        ROW_CUT.name: cuts,
    }
    return _batch(VIEW_BATCH, envelope, rows, kept, skipped, positions)


def decode_dead_letters(records: Sequence[Record]) -> Batch:
    """Rows of the dead-letter topic; the text is what the original bytes say as UTF-8."""
    return _decode_each(records, DEAD_LETTER_BATCH, _dead_letter)


def decode_control_log(records: Sequence[Record]) -> Batch:
    """Rows of the control log: JSON with the columns of the table, an instant as epoch milliseconds."""
    return _decode_each(records, CONTROL_BATCH, _control_entry)


def _control_entry(record: Record) -> dict[str, Any]:
    return {**orjson.loads(record.value()), MESSAGE.name: record.key().decode()}


def _dead_letter(record: Record) -> dict[str, Any]:
    headers = {name: value.decode() for name, value in record.headers()}
    return {
        "when": int(headers[dead_letter.TIMESTAMP]),
        "topic": headers[dead_letter.TOPIC],
        "partition": int(headers[dead_letter.PARTITION]),
        "offset": int(headers[dead_letter.OFFSET]),
        "reason": headers[dead_letter.REASON],
        "text": (record.value() or b"").decode(errors="replace"),
        GENERATION.name: int(headers[dead_letter.GENERATION]),
    }


def _decode_each(
    records: Sequence[Record], columns: Sequence[Column], decode: Callable[[Record], dict[str, Any]]
) -> Batch:
    rows: list[dict[str, Any]] = []
    kept: list[Record] = []
    skipped: list[Skipped] = []
    for record in records:
        try:
            rows.append(decode(record))
            kept.append(record)
        except _BROKEN as error:
            skipped.append(_skipped(record, error))
    return _batch(columns, {}, rows, kept, skipped, {})


def _batch(
    columns: Sequence[Column],
    given: dict[str, list[Any]],
    rows: list[dict[str, Any]],
    records: list[Record],
    skipped: list[Skipped],
    positions: dict[tuple[str, int], int],
) -> Batch:
    """Columns of the right type. Whole columns are checked at once; only where that fails is every row looked at."""
    by_name: dict[str, list[Any]] = {}
    for column in columns:
        null = _NULLS[column.type]
        by_name[column.name] = given.get(column.name) or [row.get(column.name, null) for row in rows]
    try:
        return Batch({c.name: _typed(c, by_name[c.name]) for c in columns}, len(rows), skipped, positions)
    except (TypeError, OverflowError):
        good: list[int] = []
        for index, record in enumerate(records):
            try:
                for column in columns:
                    value = by_name[column.name][index]
                    by_name[column.name][index] = _NULLS[column.type] if value is None else value
                    _typed(column, by_name[column.name][index : index + 1])
                good.append(index)
            except (TypeError, OverflowError) as error:
                skipped.append(_skipped(record, error))
        typed = {c.name: _typed(c, [by_name[c.name][index] for index in good]) for c in columns}
        return Batch(typed, len(good), skipped, positions)


def _typed(column: Column, values: list[Any]) -> Sequence[Any]:
    if column.type is ColumnType.STRING:
        wrong = set(map(type, values)) - {str, type(None)}
        if wrong:
            raise TypeError(f"{column.name} is {_names(wrong)}, not text")
        return values
    try:
        return array("d" if column.type is ColumnType.DOUBLE else "q", values)
    except (TypeError, OverflowError) as error:
        raise TypeError(f"{column.name} is not a {column.type.value}: {error}") from error


def _names(types: Iterable[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in types))


def _skipped(record: Record, error: Exception) -> Skipped:
    return Skipped(record.partition(), record.offset(), f"{type(error).__name__}: {error}")

"""Bytes of livejoin's own topics become Arrow tables: without Kafka, without the table server.

A record that cannot be decoded is left out and described; it never spoils the records around it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa  # type: ignore[import-untyped]

from livejoin.schema import Column, ColumnType

ARROW_TYPES: dict[ColumnType, pa.DataType] = {
    ColumnType.STRING: pa.string(),
    ColumnType.LONG: pa.int64(),
    ColumnType.DOUBLE: pa.float64(),
    # Epoch milliseconds, until the table server has it.
    ColumnType.INSTANT: pa.int64(),
}
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, OverflowError, pa.ArrowException)
"""What a record that nobody of ours wrote can cause."""


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


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows of the records that could be decoded, and the records that could not."""

    rows: pa.Table
    skipped: list[Skipped] = field(default_factory=list)


def decode(records: Sequence[Record], parse: Callable[[Sequence[Record]], pa.Table]) -> Batch:
    """Everything that `parse` can read: it makes rows of all records, or raises where one of them is broken."""
    if not records:
        return Batch(parse(records))
    tables: list[pa.Table] = []
    skipped: list[Skipped] = []
    _decode_into(tables, skipped, records, parse)
    return Batch(pa.concat_tables(tables or [parse([])]), skipped)


def _decode_into(
    tables: list[pa.Table],
    skipped: list[Skipped],
    records: Sequence[Record],
    parse: Callable[[Sequence[Record]], pa.Table],
) -> None:
    try:
        tables.append(parse(records))
    except _BROKEN as error:
        if len(records) == 1:
            reason = f"{type(error).__name__}: {error}"
            skipped.append(Skipped(records[0].partition(), records[0].offset(), reason))
            return
        # A broken record is rare, and is found by halving: nothing is looked at record by record otherwise.
        middle = len(records) // 2
        for half in (records[:middle], records[middle:]):
            _decode_into(tables, skipped, half, parse)


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """Names and types of these columns."""
    return pa.schema([(column.name, ARROW_TYPES[column.type]) for column in columns])


def arrow_table(columns: Iterable[Column], values: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Columns of values, None for a null; raises where a value has not its column's type."""
    return pa.Table.from_pydict(dict(values), arrow_schema(columns))

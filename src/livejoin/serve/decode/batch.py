"""Bytes of livejoin's own topics become Arrow tables: without Kafka, without the table server.

A record that cannot be decoded is left out and described; it never spoils the records around it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from livejoin.model.column import LARGEST_SECOND, ColumnType, Kind
from livejoin.model.table import TableColumn

_ARROW_TYPES: dict[Kind, pa.DataType] = {
    Kind.STRING: pa.string(),
    Kind.LONG: pa.int64(),
    Kind.DOUBLE: pa.float64(),
    Kind.BOOLEAN: pa.bool_(),
    # Nanoseconds and days since 1970.
    Kind.TIMESTAMP: pa.int64(),
    Kind.DATE: pa.int64(),
}
NANOS_PER_MILLI = 1_000_000
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


def arrow_type(of: ColumnType) -> pa.DataType:
    """The type of values on their way into the engine."""
    return pa.decimal128(of.precision, of.scale) if of.kind is Kind.DECIMAL else _ARROW_TYPES[of.kind]


def arrow_schema(columns: Iterable[TableColumn]) -> pa.Schema:
    """Fields and types of these columns."""
    return pa.schema([(column.field, arrow_type(column.type)) for column in columns])


def arrow_table(columns: Iterable[TableColumn], values: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Values by the fields of their columns, None for a null, a point in time as epoch milliseconds.

    Records may be of times that no table can hold, which become the first or the last one that it can. Raises where a
    value has not its column's type.
    """
    found = list(columns)
    arrays = [_array(values[column.field], column.type) for column in found]
    return pa.table(arrays, schema=arrow_schema(found))


def _array(values: Sequence[Any], of: ColumnType) -> pa.Array:
    found = pa.array(values, arrow_type(of))
    if of.kind is not Kind.TIMESTAMP:
        return found
    first, last = -LARGEST_SECOND * 1000, LARGEST_SECOND * 1000
    within = pc.max_element_wise(pc.min_element_wise(found, last, skip_nulls=False), first, skip_nulls=False)
    return pc.multiply_checked(within, NANOS_PER_MILLI)

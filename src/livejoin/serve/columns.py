"""Columns of the schema as the engine has them: the only place that maps its types and builds its tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from deephaven import dtypes
from deephaven.arrow import to_table
from deephaven.dtypes import DType
from deephaven.table import Table

from livejoin.schema import Column, ColumnType
from livejoin.serve.decode import arrow_table

_DTYPES: dict[ColumnType, DType] = {
    ColumnType.STRING: dtypes.string,
    ColumnType.LONG: dtypes.int64,
    ColumnType.DOUBLE: dtypes.double,
    ColumnType.INSTANT: dtypes.Instant,
}


def definition(columns: Iterable[Column]) -> dict[str, DType]:
    """Names and types of a table that holds these columns."""
    return {column.name: _DTYPES[column.type] for column in columns}


def wire_definition(columns: Iterable[Column]) -> dict[str, DType]:
    """The same for a table that is fed from Python: an instant arrives as epoch milliseconds."""
    return {c.name: dtypes.int64 if c.type is ColumnType.INSTANT else _DTYPES[c.type] for c in columns}


def from_wire(columns: Iterable[Column]) -> list[str]:
    """The view formulas that turn a table as it is fed into one as it is shown."""
    return [f"{c.name} = epochMillisToInstant({c.name})" if c.type is ColumnType.INSTANT else c.name for c in columns]


def wire_table(columns: Sequence[Column], values: Mapping[str, Sequence[Any]]) -> Table:
    """A table to be fed, from columns of values, None for a null."""
    return fed(columns, arrow_table(columns, values))


def fed(columns: Iterable[Column], rows: pa.Table) -> Table:
    """These columns of an Arrow table as a table to be fed."""
    # By Arrow, because the other way cuts every character beyond U+FFFF to 16 bits, and takes twice the time.
    return to_table(rows, [column.name for column in columns])

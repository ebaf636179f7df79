"""Declared columns as the engine has them: the only place that maps its types and builds its tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from deephaven import dtypes
from deephaven.arrow import to_table
from deephaven.dtypes import DType
from deephaven.table import Table

from livejoin.model.column import Kind
from livejoin.model.table import TableColumn
from livejoin.serve.decode.batch import arrow_table

_DTYPES: dict[Kind, DType] = {
    Kind.STRING: dtypes.string,
    Kind.LONG: dtypes.int64,
    Kind.DOUBLE: dtypes.double,
    Kind.BOOLEAN: dtypes.bool_,
    Kind.DECIMAL: dtypes.BigDecimal,
    # Nanoseconds and days since 1970: the engine's own points in time do not reach as far.
    Kind.TIMESTAMP: dtypes.int64,
    Kind.DATE: dtypes.int64,
}


def definition(columns: Iterable[TableColumn]) -> dict[str, DType]:
    """Fields and types of a table that holds these columns."""
    return {column.field: _DTYPES[column.type.kind] for column in columns}


def fields_of(columns: Iterable[TableColumn]) -> list[str]:
    """What these columns are in the engine: one that is shown under two names is there once."""
    return list(definition(columns))


def table_of(columns: Sequence[TableColumn], values: Mapping[str, Sequence[Any]]) -> Table:
    """A table from columns of values, None for a null, a point in time as epoch milliseconds."""
    return fed(columns, arrow_table(columns, values))


def fed(columns: Iterable[TableColumn], rows: pa.Table) -> Table:
    """These columns of an Arrow table as a table to be fed."""
    # By Arrow, because the other way cuts every character beyond U+FFFF to 16 bits, and takes twice the time.
    return to_table(rows, [column.field for column in columns])

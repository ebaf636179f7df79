"""The records of a view topic, as rows: by Arrow, because millions of them come in while people wait for a flip."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.json  # type: ignore[import-untyped]

from livejoin import view_record
from livejoin.schema import VIEWS, Column, ColumnType
from livejoin.serve.decode import Record, arrow_schema

VIEW_COLUMNS: tuple[Column, ...] = tuple({column.name: column for view in VIEWS for column in view.columns}.values())
"""Every column that a row of any view may have: one batch carries the rows of all views."""

ROW_TABLE = Column("row_table", ColumnType.LONG)
ROW_ID = Column("row_id", ColumnType.STRING)
ROW_VERSION = Column("row_version", ColumnType.LONG)
ROW_GONE = Column("row_gone", ColumnType.LONG)
ROW_CUT = Column("row_cut", ColumnType.LONG)
VIEW_BATCH = (ROW_TABLE, ROW_ID, ROW_VERSION, ROW_GONE, ROW_CUT, *VIEW_COLUMNS)
"""What a view record says about its row: which table, which row, which version, 1 where it is deleted; and the row."""

POSITION = (
    Column(view_record.SOURCE, ColumnType.STRING),
    Column(view_record.PARTITION, ColumnType.LONG),
    Column(view_record.OFFSET, ColumnType.LONG),
)
"""What a progress record says besides; null in all others."""

TABLE_CODES = {name: code for code, name in enumerate([*(view.name for view in VIEWS), view_record.PROGRESS])}
"""The value of `row_table` for each kind of record; a number costs less than the name on every row."""

_NUMBERS = (Column(view_record.VERSION, ColumnType.LONG), Column(view_record.CUT, ColumnType.LONG))
_FIELDS = arrow_schema((*_NUMBERS, *POSITION, *VIEW_COLUMNS))
_PARSING = pyarrow.json.ParseOptions(explicit_schema=_FIELDS, unexpected_field_behavior="ignore")


def parse_view(records: Sequence[Record]) -> pa.Table:
    """A row with the columns of VIEW_BATCH and POSITION for each record; raises where one is broken."""
    values = [record.value() for record in records]
    keys = [record.key().decode().partition(view_record.SEPARATOR) for record in records]
    codes = [TABLE_CODES[table] for table, _, _ in keys]
    fields = _parse_objects([_deletion(r) if v is None else v for r, v in zip(records, values, strict=True)])
    if fields.column(view_record.VERSION).null_count:
        raise ValueError("no version")
    rows = pa.table(
        {
            ROW_TABLE.name: pa.array(np.array(codes, dtype=np.int64)),
            ROW_ID.name: pa.array([row_id for _, _, row_id in keys], pa.string()),
            ROW_VERSION.name: fields.column(view_record.VERSION),
            ROW_GONE.name: pa.array(np.array([value is None for value in values], dtype=np.int64)),
            ROW_CUT.name: fields.column(view_record.CUT),
            **{column.name: fields.column(column.name) for column in (*VIEW_COLUMNS, *POSITION)},
        }
    )
    if any(column.null_count for column in _positions(rows)):
        raise ValueError("progress without a position")
    return rows


def positions_of(rows: pa.Table) -> dict[tuple[str, int], int]:
    """The next offset to be accounted, for each (source, partition), as the progress records among the rows tell."""
    positions: dict[tuple[str, int], int] = {}
    for source, partition, offset in zip(*(column.to_pylist() for column in _positions(rows)), strict=True):
        positions[source, partition] = max(positions.get((source, partition), 0), offset + 1)
    return positions


def _positions(rows: pa.Table) -> list[pa.ChunkedArray]:
    """The columns of POSITION, of the progress records only."""
    progress = np.flatnonzero(rows.column(ROW_TABLE.name).to_numpy() == TABLE_CODES[view_record.PROGRESS])
    return [rows.column(column.name).take(progress) for column in POSITION]


def _deletion(record: Record) -> bytes:
    """What a record without a value says, written like the others."""
    return b'{"%s":%d}' % (view_record.VERSION.encode(), int(dict(record.headers())[view_record.VERSION]))


def _parse_objects(values: list[bytes]) -> pa.Table:
    """One row for each JSON object.

    All are parsed as one text. What begins and ends with a brace makes at least one row or an error, and cannot be
    continued by the next, so as many rows as values means that every row stands in its place.
    """
    if not all(value.startswith(b"{") and value.endswith(b"}") for value in values):
        raise ValueError("a value that is not a JSON object")
    if not values:
        return _FIELDS.empty_table()
    text = b"\n".join(values)
    reading = pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1)
    table = pyarrow.json.read_json(pa.BufferReader(text), reading, _PARSING)
    if table.num_rows != len(values):
        raise ValueError("a value that is not one JSON object")
    # The parser takes bytes that are not UTF-8 as they are.
    table.validate(full=True)
    return table

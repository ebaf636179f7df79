"""The records of a view topic, as rows: by Arrow, because millions of them come in while people wait for a flip."""

from collections.abc import Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.json  # type: ignore[import-untyped]

from livejoin import view_record
from livejoin.schema import KEY, VIEWS, Column, ColumnType, Table
from livejoin.serve.decode import Record, arrow_schema

VIEW_COLUMNS: tuple[Column, ...] = tuple({column.name: column for view in VIEWS for column in view.columns}.values())
"""Every column that a row of any view may have: one batch carries the rows of all views."""

ROW_TABLE = Column("row_table", ColumnType.LONG)
ROW_ID = Column("row_id", ColumnType.STRING)
ROW_VERSION = Column("row_version", ColumnType.LONG)
ROW_GONE = Column("row_gone", ColumnType.LONG)
ROW_CUT = Column("row_cut", ColumnType.LONG)
VIEW_BATCH = (ROW_TABLE, ROW_ID, ROW_VERSION, ROW_GONE, ROW_CUT, *VIEW_COLUMNS)
"""What is said about a row: which table, which row, which version, 1 where it is deleted; and the row."""

POSITION = (
    Column(view_record.SOURCE, ColumnType.STRING),
    Column(view_record.PARTITION, ColumnType.LONG),
    Column(view_record.OFFSET, ColumnType.LONG),
)
"""What progress says besides; null in rows of views."""

TABLE_CODES = {name: code for code, name in enumerate([*(view.name for view in VIEWS), view_record.PROGRESS])}
"""The value of `row_table` for each kind of row; a number costs less than the name on every row."""

_ID, _GONE = pa.field(view_record.ROW_ID, pa.string()), pa.field(view_record.GONE, pa.bool_())


def _columns(view: Table) -> list[str]:
    """The columns of a row in a record: its userId is that of the record."""
    return [column.name for column in view.columns if column != KEY]


_BATCH = arrow_schema((*VIEW_BATCH, *POSITION))
_NUMBERS = (Column(view_record.VERSION, ColumnType.LONG), Column(view_record.CUT, ColumnType.LONG))
_LISTS = {
    view.name: pa.list_(pa.struct([_ID, _GONE, *(_BATCH.field(name) for name in _columns(view))])) for view in VIEWS
}
_ABOUT = arrow_schema((KEY, *_NUMBERS, *POSITION))
_FIELDS = pa.schema([*_ABOUT, *_LISTS.items()])
_PARSING = pyarrow.json.ParseOptions(explicit_schema=_FIELDS, unexpected_field_behavior="ignore")


def parse_view(records: Sequence[Record]) -> pa.Table:
    """All rows and progress that the records hold, with the columns of VIEW_BATCH and POSITION.

    Raises where a record is broken.
    """
    fields = _parse_objects([record.value() for record in records])
    if fields.column(KEY.name).null_count or fields.column(view_record.VERSION).null_count:
        raise ValueError(f"no {KEY.name} or no version")
    kinds = [*(_rows_of(fields, view) for view in VIEWS), _progress_of(fields)]
    return pa.Table.from_batches([rows for rows in kinds if rows is not None], _BATCH)


def positions_of(rows: pa.Table) -> dict[tuple[str, int], int]:
    """The next offset to be accounted, for each (source, partition), as the progress among the rows tells."""
    positions: dict[tuple[str, int], int] = {}
    places = rows.select([column.name for column in POSITION]).drop_null()
    for source, partition, offset in zip(*(column.to_pylist() for column in places.columns), strict=True):
        positions[source, partition] = max(positions.get((source, partition), 0), offset + 1)
    return positions


def _rows_of(fields: pa.RecordBatch, view: Table) -> pa.RecordBatch | None:
    """The rows of one view in all records; None where there are none."""
    lists = fields.column(view.name)
    rows = lists.flatten()
    if not len(rows):
        return None
    row_ids, gone, *values = rows.flatten()
    if row_ids.null_count:
        raise ValueError(f"a row of {view.name} without an id")
    record = pc.list_parent_indices(lists)
    about = {
        ROW_ID.name: row_ids,
        ROW_VERSION.name: fields.column(view_record.VERSION).take(record),
        ROW_GONE.name: pc.fill_null(gone, fill_value=False).cast(pa.int64()),
        KEY.name: fields.column(KEY.name).take(record),
    }
    return _batch(view.name, about | dict(zip(_columns(view), values, strict=True)))


def _progress_of(fields: pa.RecordBatch) -> pa.RecordBatch | None:
    """The progress in all records; None where there is none."""
    where = pc.is_valid(fields.column(view_record.SOURCE))
    found = fields.select(_ABOUT.names).filter(where)
    if not found.num_rows:
        return None
    if any(found.column(column.name).null_count for column in POSITION):
        raise ValueError("progress without a position")
    about = {
        ROW_ID.name: found.column(KEY.name),
        ROW_VERSION.name: found.column(view_record.VERSION),
        ROW_CUT.name: found.column(view_record.CUT),
    }
    return _batch(view_record.PROGRESS, about | {column.name: found.column(column.name) for column in POSITION})


def _batch(kind: str, columns: dict[str, pa.Array]) -> pa.RecordBatch:
    """Rows of one kind; columns that they do not have are null."""
    count = len(columns[ROW_ID.name])
    columns[ROW_TABLE.name] = pa.repeat(pa.scalar(TABLE_CODES[kind], pa.int64()), count)
    arrays = [columns[field.name] if field.name in columns else pa.nulls(count, field.type) for field in _BATCH]
    return pa.RecordBatch.from_arrays(arrays, schema=_BATCH)


def _parse_objects(values: list[bytes]) -> pa.RecordBatch:
    """One row for each JSON object.

    All are parsed as one text. What begins and ends with a brace makes at least one row or an error, and cannot be
    continued by the next, so as many rows as values means that every row stands in its place.
    """
    if not all(value.startswith(b"{") and value.endswith(b"}") for value in values):
        raise ValueError("a value that is not a JSON object")
    if not values:
        return pa.RecordBatch.from_pylist([], _FIELDS)
    text = b"\n".join(values)
    reading = pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1)
    table = pyarrow.json.read_json(pa.BufferReader(text), reading, _PARSING)
    if table.num_rows != len(values):
        raise ValueError("a value that is not one JSON object")
    # The parser takes bytes that are not UTF-8 as they are.
    table.validate(full=True)
    [batch] = table.to_batches()
    return batch

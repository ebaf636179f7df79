"""The records of a view topic, as rows: by Arrow, because millions of them come in while people wait for a flip."""

from collections.abc import Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.json  # type: ignore[import-untyped]

from livejoin.model.column import ColumnType, Kind
from livejoin.model.declaration import Side
from livejoin.model.generation import Request
from livejoin.model.table import TableColumn, Tables, key_field
from livejoin.serve.decode.batch import Record, arrow_schema
from livejoin.wire import view_record


def _own(field: str, kind: Kind) -> TableColumn:
    return TableColumn(field, ColumnType(kind), field)


ROW_TABLE = _own("row_table", Kind.LONG)
ROW_ID = _own("row_id", Kind.STRING)
ROW_ORDER = _own("row_order", Kind.LONG)
ROW_GONE = _own("row_gone", Kind.LONG)
ROW_CUT = _own("row_cut", Kind.LONG)
ABOUT_ROW = (ROW_TABLE, ROW_ID, ROW_ORDER, ROW_GONE, ROW_CUT)
"""What is said about a row: which table, which row, its epoch and version as one number, 1 where it is deleted."""
VERSION_BITS = 40
"""The lower bits of that number are the version, enough for a million millions, and those above are the epoch."""

SIDE = _own(view_record.SOURCE, Kind.STRING)
PARTITION = _own(view_record.PARTITION, Kind.LONG)
OFFSET = _own(view_record.OFFSET, Kind.LONG)
POSITION = (SIDE, PARTITION, OFFSET)
"""What progress says besides; null in rows of views."""

ROWS = (Side.LEFT.value, Side.RIGHT.value, view_record.JOINED)
"""The lists of rows in a record, in the order of the tables of a declaration."""
TABLE_CODES = {name: code for code, name in enumerate([*ROWS, view_record.PROGRESS])}
"""The value of `row_table` for each kind of row; a number costs less than the name on every row."""

Positions = dict[tuple[Side, int], int]
"""The next offset to be accounted, for each partition of each side."""

_NUMBERS = tuple(_own(name, Kind.LONG) for name in (view_record.EPOCH, view_record.VERSION, view_record.CUT))
_SIDES = pa.array([side.value for side in Side])
_ID, _GONE = pa.field(view_record.ROW_ID, pa.string()), pa.field(view_record.GONE, pa.bool_())


class ViewFormat:
    """How the records of a generation are read, by what it was asked to show. Made once for each generation."""

    def __init__(self, request: Request) -> None:
        columns = _columns(request)
        self.columns = (*ABOUT_ROW, *columns.values())
        """Of a batch, but for the positions: one batch carries the rows of all views, with every column of any."""
        self._batch = arrow_schema((*self.columns, *POSITION))
        self._keys = [key_field(at) for at in range(len(request.declaration.left.key))]
        self._has_text_key = request.declaration.left.has_text_key
        self._fields = {kind: view_record.row_fields(request, kind) for kind in ROWS}
        self._about = [*self._keys, *(column.field for column in (*_NUMBERS, *POSITION))]
        written = {column.field: _written(column, self._batch.field(column.field)) for column in self.columns}
        lists = {
            kind: pa.list_(pa.struct([_ID, _GONE, *(written[name] for name in names)]))
            for kind, names in self._fields.items()
        }
        keys = [written[name] for name in self._keys]
        self._objects = pa.schema([*keys, *arrow_schema((*_NUMBERS, *POSITION)), *lists.items()])
        self._parsing = pyarrow.json.ParseOptions(explicit_schema=self._objects, unexpected_field_behavior="ignore")

    def parse(self, records: Sequence[Record]) -> pa.Table:
        """All rows and progress that the records hold, with `columns` and POSITION; raises where one is broken."""
        found = self._parse_objects([record.value() for record in records])
        if any(found.column(name).null_count for name in (*self._keys, view_record.EPOCH, view_record.VERSION)):
            raise ValueError("no key, no epoch or no version")
        kinds = [*(self._rows_of(found, kind) for kind in ROWS), self._progress_of(found)]
        return pa.Table.from_batches([rows for rows in kinds if rows is not None], self._batch)

    def _rows_of(self, found: pa.RecordBatch, kind: str) -> pa.RecordBatch | None:
        """The rows of one view in all records; None where there are none."""
        lists = found.column(kind)
        rows = lists.flatten()
        if not len(rows):
            return None
        row_ids, gone, *values = rows.flatten()
        if row_ids.null_count:
            raise ValueError(f"a row of {kind} without an id")
        record = pc.list_parent_indices(lists)
        about = {
            ROW_ID.field: row_ids,
            ROW_ORDER.field: _order(found).take(record),
            ROW_GONE.field: pc.fill_null(gone, fill_value=False).cast(pa.int64()),
            **{name: found.column(name).take(record) for name in self._keys},
        }
        return self._batch_of(kind, about | dict(zip(self._fields[kind], values, strict=True)))

    def _progress_of(self, found: pa.RecordBatch) -> pa.RecordBatch | None:
        """The progress in all records; None where there is none."""
        where = pc.is_valid(found.column(SIDE.field))
        found = found.select(self._about).filter(where)
        if not found.num_rows:
            return None
        if any(found.column(column.field).null_count for column in POSITION):
            raise ValueError("progress without a position")
        if not pc.all(pc.is_in(found.column(SIDE.field), value_set=_SIDES)).as_py():
            raise ValueError("progress of no side")
        about = {
            ROW_ID.field: self._key_text(found),
            ROW_ORDER.field: _order(found),
            ROW_CUT.field: found.column(view_record.CUT),
        }
        return self._batch_of(
            view_record.PROGRESS, about | {column.field: found.column(column.field) for column in POSITION}
        )

    def _key_text(self, found: pa.RecordBatch) -> pa.Array:
        """A text for each key, different for different ones: of several columns it tells how long each of them is."""
        if self._has_text_key:
            return found.column(self._keys[0])
        texts = [found.column(name).cast(pa.string()) for name in self._keys]
        parts = [part for text in texts for part in (pc.binary_length(text).cast(pa.string()), text)]
        return pc.binary_join_element_wise(*parts, ":")

    def _batch_of(self, kind: str, columns: dict[str, pa.Array]) -> pa.RecordBatch:
        """Rows of one kind; columns that they do not have are null."""
        count = len(columns[ROW_ID.field])
        columns[ROW_TABLE.field] = pa.repeat(pa.scalar(TABLE_CODES[kind], pa.int64()), count)
        arrays = [_typed(columns.get(field.name), field.type, count) for field in self._batch]
        return pa.RecordBatch.from_arrays(arrays, schema=self._batch)

    def _parse_objects(self, values: list[bytes]) -> pa.RecordBatch:
        """One row for each JSON object.

        All are parsed as one text. What begins and ends with a brace makes at least one row or an error, and cannot be
        continued by the next, so as many rows as values means that every row stands in its place.
        """
        if not all(value.startswith(b"{") and value.endswith(b"}") for value in values):
            raise ValueError("a value that is not a JSON object")
        if not values:
            return pa.RecordBatch.from_pylist([], self._objects)
        text = b"\n".join(values)
        reading = pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1)
        table = pyarrow.json.read_json(pa.BufferReader(text), reading, self._parsing)
        if table.num_rows != len(values):
            raise ValueError("a value that is not one JSON object")
        # The parser takes bytes that are not UTF-8 as they are.
        table.validate(full=True)
        [batch] = table.to_batches()
        return batch


def positions_of(rows: pa.Table) -> Positions:
    """How far the progress among the rows tells that each partition of each side is."""
    places = rows.select([column.field for column in POSITION]).drop_null()
    if not places.num_rows:
        return {}
    newest = places.group_by([SIDE.field, PARTITION.field]).aggregate([(OFFSET.field, "max")])
    found = (newest.column(name).to_pylist() for name in (SIDE.field, PARTITION.field, f"{OFFSET.field}_max"))
    return {(Side(side), partition): offset + 1 for side, partition, offset in zip(*found, strict=True)}


def _order(found: pa.RecordBatch) -> pa.Array:
    """Epoch and version as one number, by which the newest is found."""
    epochs = pc.shift_left_checked(found.column(view_record.EPOCH), VERSION_BITS)
    return pc.bit_wise_or(epochs, found.column(view_record.VERSION))


def _columns(request: Request) -> dict[str, TableColumn]:
    """Every column that a row of any view may have, by its field."""
    views = Tables(request.declaration).views
    return {column.field: column for view in views for column in view.columns}


def _written(column: TableColumn, field: pa.Field) -> pa.Field:
    """A field as records have it: there is no calendar for days beyond 32 bits, and nobody of ours writes them."""
    return field.with_type(pa.int32()) if column.type.kind is Kind.DATE else field


def _typed(values: pa.Array | None, of: pa.DataType, count: int) -> pa.Array:
    if values is None:
        return pa.nulls(count, of)
    return values if values.type == of else values.cast(of)

"""Records of a view topic as a test writes them, in the words of livejoin.wire.view_record.

Tables, sources and columns are given by the names that people know, and values as the wire has them.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from livejoin.model.declaration import Declaration
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, Tables
from livejoin.wire import view_record

Keyed = tuple[str, bytes]
"""The key of a record, and its value."""


def row(
    table: str,
    row_id: str,
    version: Any,
    columns: Mapping[str, Any],
    declaration: Declaration = DEFAULT,
    epoch: int = 1,
) -> Keyed:
    """Sets one row; where the columns have no key, that is the row's id."""
    kind, schema = _tables(declaration)[table]
    fields = _fields(schema, columns)
    key = {name: fields.pop(name, row_id) for name in _key_fields(declaration)}
    return f"{kind}/{row_id}", _value(key, version, epoch, **{kind: [{view_record.ROW_ID: row_id, **fields}]})


def deletion(table: str, row_id: str, version: Any, declaration: Declaration = DEFAULT) -> Keyed:
    """Deletes one row."""
    return row(table, row_id, version, {view_record.GONE: True}, declaration)


def progress(key: str, version: Any, source: str, partition: int, offset: int, epoch: int = 1) -> Keyed:
    """Says how far a key of the default is."""
    side = DEFAULT.side_of(source).value
    position = {view_record.SOURCE: side, view_record.PARTITION: partition, view_record.OFFSET: offset}
    return f"{view_record.PROGRESS}/{key}", _value({"k0": key}, version, epoch, **position)


def everything(key: str, version: Any, **fields: Any) -> Keyed:
    """Whatever is given of a key of the default in one record, as a backfill writes it."""
    known = _tables(DEFAULT)
    written = {
        known[name][0] if name in known else name: [_fields(known[name][1], one) for one in given]
        if name in known
        else given
        for name, given in fields.items()
    }
    return f"{view_record.EVERYTHING}/{key}", _value({"k0": key}, version, 1, **written)


def _tables(declaration: Declaration) -> dict[str, tuple[str, Table]]:
    kinds = ("left", "right", view_record.JOINED)
    return {table.name: (kind, table) for kind, table in zip(kinds, Tables(declaration).views, strict=True)}


def _fields(table: Table, columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns as the wire has them; what the table does not have stays what it is."""
    fields = {column.name: column.field for column in table.columns}
    return {fields.get(name, name): value for name, value in columns.items()}


def _key_fields(declaration: Declaration) -> list[str]:
    return [f"k{at}" for at in range(len(declaration.left.key))]


def _value(key: Mapping[str, Any], version: Any, epoch: int, **fields: Any) -> bytes:
    return orjson.dumps({**key, view_record.EPOCH: epoch, view_record.VERSION: version, **fields})

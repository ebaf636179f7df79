"""Records of a view topic as a test writes them, in the words of livejoin.view_record."""

from typing import Any

import orjson

from livejoin import view_record
from livejoin.schema import KEY

Keyed = tuple[str, bytes]
"""The key of a record, and its value."""


def row(table: str, row_id: str, version: Any, **columns: Any) -> Keyed:
    """Sets one row; its userId is that of the columns, or else the row's id."""
    user_id = columns.pop(KEY.name, row_id)
    return f"{table}/{row_id}", _value(user_id, version, **{table: [{view_record.ROW_ID: row_id, **columns}]})


def deletion(table: str, row_id: str, version: Any) -> Keyed:
    """Deletes one row."""
    return row(table, row_id, version, **{view_record.GONE: True})


def progress(user_id: str, version: Any, source: str, partition: int, offset: int) -> Keyed:
    """Says how far a userId is."""
    position = {view_record.SOURCE: source, view_record.PARTITION: partition, view_record.OFFSET: offset}
    return f"{view_record.PROGRESS}/{user_id}", _value(user_id, version, **position)


def everything(user_id: str, version: Any, **fields: Any) -> Keyed:
    """Whatever is given of a userId in one record, as a backfill writes it."""
    return f"{view_record.EVERYTHING}/{user_id}", _value(user_id, version, **fields)


def _value(user_id: Any, version: Any, **fields: Any) -> bytes:
    return orjson.dumps({KEY.name: user_id, view_record.VERSION: version, **fields})

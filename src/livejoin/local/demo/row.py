"""A demo row, and the record that it becomes."""

from datetime import datetime
from typing import Any, Protocol

import orjson

from livejoin.model.declaration import Side, Source

Row = dict[str, Any]
"""Values as JSON has them, by the names of the columns; one that is left out is missing in the event too."""


class Subject(Protocol):
    """What demo events are about. The same number is the same thing in every run, so that a later run updates rows."""

    def first(self, side: Side, number: int, at: datetime) -> Row:
        """What a source tells first of that number."""

    def changed(self, side: Side, row: Row, at: datetime) -> Row:
        """What it tells later."""

    def bad(self, number: int, at: datetime) -> tuple[Side, bytes, bytes]:
        """An event that is rejected: its source, its key, its value."""


def record_key(source: Source, row: Row) -> bytes:
    """The key of its record, as that of a tombstone would be."""
    if source.has_text_key:
        return str(row[source.key[0]]).encode()
    return orjson.dumps({name: row[name] for name in source.key})


def record_value(source: Source, row: Row) -> bytes:
    """The value of its record: an object in which each field is where its column's path leads."""
    value: dict[str, Any] = {}
    for column in source.columns:
        if column.name in row:
            *parents, last = column.path
            place = value
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = row[column.name]
    return orjson.dumps(value)

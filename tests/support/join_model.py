"""What each table must be, computed from a plain list of events: the specification as a few lines of Python.

It shares nothing with the pipeline but the declaration. A row is a tuple of its table's columns, as values are held; a
table is a Counter, so that equal rows count.
"""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from livejoin.model.column import MOST_DIGITS, Column, Kind
from livejoin.model.declaration import JOINED_TABLE, Keep, Side, Source
from livejoin.model.generation import JoinType, Request

EARLIEST, LATEST = -2_208_988_800_000, (2**63 - 1) // 1000
"""The times of events, in milliseconds: from 1900 to what has 64 bits in microseconds."""
Row = tuple[Any, ...]
Tables = dict[str, Counter[Row]]


@dataclass(frozen=True, order=True)
class Order:
    """What decides between two events of one key."""

    timestamp: int
    partition: int
    offset: int


@dataclass(frozen=True)
class Event:
    """A record of a source topic."""

    topic: str
    order: Order
    key: bytes | None
    value: bytes | None


@dataclass(frozen=True)
class Judged:
    """A valid event: its key, and its row without the key, or None for a tombstone."""

    key: Row
    order: Order
    row: Row | None


class Number(str):
    """A number as it was written."""

    __slots__ = ()


@cache
def judge(event: Event, source: Source, max_bytes: int) -> Judged | None:
    """The event as a row or a tombstone; None if it has to be rejected."""
    if not EARLIEST <= event.order.timestamp <= LATEST:
        return None
    try:
        if event.value is None:
            return Judged(_tombstone(event.key, source, max_bytes), event.order, None)
        if len(event.value) > max_bytes:
            return None
        fields = _object(event.value)
        key = tuple(_key(fields, column, column.path) for column in source.key_columns)
        return Judged(key, event.order, tuple(_field(fields, column) for column in source.fields))
    except (ValueError, KeyError, TypeError, OverflowError):
        return None


def tables(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> Tables:
    """The rows of every table after these events, in whatever order they were read."""
    declaration = request.declaration
    kept = {side: _by_key(events, request, side, max_bytes) for side in Side}
    result: Tables = {name: Counter() for name in (declaration.left.table, declaration.right.table, JOINED_TABLE)}
    for key in kept[Side.LEFT].keys() | kept[Side.RIGHT].keys():
        left, right = (sorted(kept[side].get(key, []), key=lambda e: e.order)[-request.keep_limit :] for side in Side)
        left_rows, right_rows = _rows(left, declaration.left.keep), _rows(right, declaration.right.keep)
        for source, rows in zip(declaration.sources, (left_rows, right_rows), strict=True):
            result[source.table].update(_shown(source, key, row) for row in rows)
        pairs: list[tuple[Row | None, Row | None]]
        if request.join is JoinType.ASOF:
            pairs = _asof(left, right)
        else:
            partners: list[Row | None] = [*right_rows]
            if not partners and request.join is JoinType.LEFT:
                partners = [None]
            pairs = [(row, partner) for row in left_rows for partner in partners]
        result[JOINED_TABLE].update(_joined(request, key, *pair) for pair in pairs)
    return result


def cut(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> int:
    """How many events the limit cuts off, of the sources of which more than the newest event is needed."""
    if not request.keep_limit:
        return 0
    needed = [
        side for side in Side if request.declaration.source(side).keep is Keep.ALL or request.join is JoinType.ASOF
    ]
    seen = (len(found) for side in needed for found in _by_key(events, request, side, max_bytes).values())
    return sum(max(0, count - request.keep_limit) for count in seen)


def valid_keys(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> int:
    """How many keys have an event that is not rejected."""
    return len({key for side in Side for key in _by_key(events, request, side, max_bytes)})


def valid_events(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> int:
    """How many events are not rejected; those of a topic that is both sources count twice."""
    return sum(len(found) for side in Side for found in _by_key(events, request, side, max_bytes).values())


def _by_key(events: list[Event], request: Request, side: Side, max_bytes: int) -> dict[Row, list[Judged]]:
    found: dict[Row, list[Judged]] = {}
    for event in events:
        judged = None
        if event.topic == request.topic_of(side):
            judged = judge(event, request.declaration.source(side), max_bytes)
        if judged:
            found.setdefault(judged.key, []).append(judged)
    return found


def _rows(events: list[Judged], keep: Keep) -> list[Row]:
    alive: list[Row] = []
    for event in events:
        if event.row is None or keep is Keep.LATEST:
            alive.clear()
        if event.row is not None:
            alive.append(event.row)
    return alive


def _asof(left: list[Judged], right: list[Judged]) -> list[tuple[Row | None, Row | None]]:
    joined: list[tuple[Row | None, Row | None]] = []
    for event in right:
        if event.row is None:
            joined.clear()
            continue
        known = [one for one in left if one.order.timestamp <= event.order.timestamp]
        joined.append((known[-1].row if known else None, event.row))
    return joined


def _shown(source: Source, key: Row, row: Row) -> Row:
    return tuple(_cell(source, column.name, key, row) for column in source.columns)


def _joined(request: Request, key: Row, left: Row | None, right: Row | None) -> Row:
    declaration = request.declaration
    cells = []
    for column in declaration.joined:
        source = declaration.source(column.side)
        row = left if column.side is Side.LEFT else right
        # The key of the left is the key of the join, whether the left is there or not.
        is_join_key = column.side is Side.LEFT and column.column in source.key
        cells.append(_cell(source, column.column, key, row or ()) if row is not None or is_join_key else None)
    return tuple(cells)


def _cell(source: Source, name: str, key: Row, row: Row) -> Any:
    if name in source.key:
        return key[source.key.index(name)]
    return row[[field.name for field in source.fields].index(name)]


def _tombstone(key: bytes | None, source: Source, max_bytes: int) -> Row:
    text = (key or b"").decode()
    if not source.has_text_key:
        if len(key or b"") > max_bytes:
            raise ValueError("too long")
        fields = _object(key or b"")
        return tuple(_key(fields, column, (column.name,)) for column in source.key_columns)
    smallest_event = json.dumps({source.key[0]: text}, ensure_ascii=False, separators=(",", ":"))
    if not text or len(smallest_event.encode()) > max_bytes:
        raise ValueError("empty or too long")
    return (text,)


def _object(text: bytes) -> dict[str, Any]:
    found = json.loads(
        text.decode(),
        object_pairs_hook=_without_duplicates,
        parse_constant=_refuse,
        parse_int=Number,
        parse_float=Number,
    )
    if not isinstance(found, dict):
        raise TypeError("not an object")
    # Half of a surrogate pair is no text.
    json.dumps(found, ensure_ascii=False).encode()
    return found


def _key(fields: dict[str, Any], column: Column, path: tuple[str, ...]) -> Any:
    value = _at(fields, path)
    if value in (None, ""):
        raise ValueError(f"{column.name}: none")
    return _held(column, value)


def _field(fields: dict[str, Any], column: Column) -> Any:
    value = _at(fields, column.path)
    if value is None:
        return None if column.null_becomes is None else column.type.hold(column.null_becomes)
    return _held(column, value)


def _at(fields: dict[str, Any], path: tuple[str, ...]) -> Any:
    found: Any = fields
    for name in path:
        if found is None:
            return None
        if not isinstance(found, dict):
            raise TypeError(f"{name} of no object")
        found = found.get(name)
    return found


def _held(column: Column, value: Any) -> Any:
    kind = column.type.kind
    if isinstance(value, Number) != (
        kind in (Kind.LONG, Kind.DOUBLE, Kind.DECIMAL) or (kind is Kind.TIMESTAMP and column.type.millis)
    ):
        raise TypeError(f"{column.name}: {value!r}")
    read = _NUMBERS[kind](value) if isinstance(value, Number) else value
    if not column.type.accepts(read):
        raise ValueError(f"{column.name}: {value!r}")
    return column.type.hold(read)


def _integer(written: Number) -> int:
    if not re.fullmatch(r"-?\d+", written):
        raise ValueError(written)
    return int(written)


def _double(written: Number) -> float:
    number = float(written)
    # The lowest double stands for a null in the table server.
    if not math.isfinite(number) or number == -sys.float_info.max:
        raise ValueError(written)
    return number


def _decimal(written: Number) -> str:
    found = re.fullmatch(r"-?0*(?P<before>\d*)(\.(?P<after>\d+))?", written)
    after = (found and found["after"]) or ""
    # Zeros before the first other digit are digits behind the point only.
    if not found or len(after) > MOST_DIGITS or len((found["before"] + after).lstrip("0")) > MOST_DIGITS:
        raise ValueError(written)
    return str(written)


_NUMBERS: dict[Kind, Callable[[Number], Any]] = {
    Kind.LONG: _integer,
    Kind.DOUBLE: _double,
    Kind.DECIMAL: _decimal,
    Kind.TIMESTAMP: _integer,
}


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a field appears twice")
    return dict(pairs)


def _refuse(constant: str) -> None:
    raise ValueError(constant)

"""What each table must be, computed from a plain list of events: the specification as a few lines of Python.

It shares nothing with the pipeline but the schema. A row is a tuple of its table's columns; a table is a Counter, so
that equal rows count.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from livejoin.generation import JoinType, Keep, Request
from livejoin.schema import ACCOUNTS, ACCOUNTS_UI, FINAL_UI, SOURCES, USERS, USERS_UI, ColumnType, Source

Row = tuple[Any, ...]
Tables = dict[str, Counter[Row]]


@dataclass(frozen=True, order=True)
class Order:
    """What decides between two events of one userId."""

    timestamp: int
    partition: int
    offset: int


@dataclass(frozen=True)
class Event:
    """A record of a source topic."""

    source: str
    order: Order
    key: bytes | None
    value: bytes | None


@dataclass(frozen=True)
class Judged:
    """A valid event: its row without the key, or None for a tombstone."""

    user_id: str
    order: Order
    row: Row | None


def judge(event: Event, max_bytes: int) -> Judged | None:
    """The event as a row or a tombstone; None if it has to be rejected."""
    source = next(source for source in SOURCES if source.name == event.source)
    try:
        if event.value is None:
            user_id = (event.key or b"").decode()
            smallest_event = json.dumps({source.key.name: user_id}, ensure_ascii=False, separators=(",", ":"))
            right = user_id and len(smallest_event.encode()) <= max_bytes
            return Judged(user_id, event.order, None) if right else None
        if len(event.value) > max_bytes:
            return None
        fields = json.loads(event.value.decode(), object_pairs_hook=_without_duplicates, parse_constant=_refuse)
        _refuse_lone_surrogates(fields)
        user_id = fields[source.key.name]
        if not isinstance(user_id, str) or not user_id:
            return None
        return Judged(user_id, event.order, tuple(_field(fields, source, i) for i in range(len(source.fields))))
    except (ValueError, KeyError, TypeError, OverflowError):
        return None


def tables(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> Tables:
    """The rows of every table after these events, in whatever order they were read."""
    kept: dict[str, dict[str, list[Judged]]] = {source.name: {} for source in SOURCES}
    for event in events:
        judged = judge(event, max_bytes)
        if judged:
            kept[event.source].setdefault(judged.user_id, []).append(judged)
    result: Tables = {table.name: Counter() for table in (USERS_UI, ACCOUNTS_UI, FINAL_UI)}
    for user_id in kept[USERS.name].keys() | kept[ACCOUNTS.name].keys():
        users, accounts = (
            sorted(kept[source.name].get(user_id, []), key=lambda e: e.order)[-request.keep_limit :]
            for source in SOURCES
        )
        user_rows = _rows(users, request.keep_users)
        account_rows = _rows(accounts, request.keep_accounts)
        result[USERS_UI.name].update((user_id, *row) for row in user_rows)
        result[ACCOUNTS_UI.name].update((user_id, *row) for row in account_rows)
        if request.join is JoinType.ASOF:
            joined = _asof(users, accounts)
        else:
            partners = account_rows
            if not partners and request.join is JoinType.LEFT:
                partners = [(None,) * len(ACCOUNTS.fields)]
            joined = [(*user, *account) for user in user_rows for account in partners]
        result[FINAL_UI.name].update((user_id, *row) for row in joined)
    return result


def cut(events: list[Event], request: Request, max_bytes: int = 1_000_000) -> int:
    """How many events the limit cuts off, of the sources of which more than the newest event is needed."""
    needed = [
        source.name for source in SOURCES if request.keep_of(source.name) is Keep.ALL or request.join is JoinType.ASOF
    ]
    judged = ((event.source, judge(event, max_bytes)) for event in events if event.source in needed)
    seen = Counter((source, event.user_id) for source, event in judged if event)
    return sum(max(0, count - request.keep_limit) for count in seen.values()) if request.keep_limit else 0


def _rows(events: list[Judged], keep: Keep) -> list[Row]:
    alive: list[Row] = []
    for event in events:
        if event.row is None or keep is Keep.LATEST:
            alive.clear()
        if event.row is not None:
            alive.append(event.row)
    return alive


def _asof(users: list[Judged], accounts: list[Judged]) -> list[Row]:
    joined: list[Row] = []
    for account in accounts:
        if account.row is None:
            joined.clear()
            continue
        known = [user for user in users if user.order.timestamp <= account.order.timestamp]
        user = known[-1].row if known else None
        joined.append((*(user or (None,) * len(USERS.fields)), *account.row))
    return joined


def _field(fields: dict[str, Any], source: Source, index: int) -> Any:
    column = source.fields[index]
    value = fields.get(column.name)
    if value is None:
        return column.null_becomes
    if column.type is ColumnType.STRING and isinstance(value, str):
        return value
    if column.type is ColumnType.LONG and type(value) is int and -(2**63) <= value < 2**63:
        return value
    if column.type is ColumnType.DOUBLE and type(value) in (int, float):
        number = float(value)
        if math.isfinite(number):
            return number
    raise ValueError(f"{column.name}: {value!r}")


def _refuse_lone_surrogates(fields: Any) -> None:
    json.dumps(fields, ensure_ascii=False).encode()


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a field appears twice")
    return dict(pairs)


def _refuse(constant: str) -> None:
    raise ValueError(constant)

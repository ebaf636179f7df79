"""The tables by Deephaven's own operations: a second opinion that shares no join logic with Spark or with the model.

A process of its own, because Deephaven takes over the standard streams. Reads a JSON file with valid events per source
and with requests, and writes a JSON file with a list of rows per request and table.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from deephaven_server import Server

from livejoin.model.column import Kind
from livejoin.model.declaration import Keep, Source
from livejoin.model.default_declaration import ACCOUNTS, USERS
from livejoin.model.generation import JoinType, Request
from livejoin.model.table import Table, Tables
from livejoin.wire.records import from_json

ARROW = {Kind.STRING: pa.string(), Kind.LONG: pa.int64(), Kind.DOUBLE: pa.float64()}


def main(given: Path, answer: Path) -> None:
    """Answer with what each table must be."""
    Server(port=0, jvm_args=["-Xmx1g", "-Dauthentication.psk=unused", "-Dhttp.host=127.0.0.1"])
    asked = json.loads(given.read_text())
    tables = [answer_of(asked, from_json(Request, request)) for request in asked["requests"]]
    answer.write_text(json.dumps(tables))


def answer_of(asked: dict[str, Any], request: Request) -> dict[str, list[Any]]:
    """The rows of each table for one request."""
    from deephaven.experimental.outer_joins import left_outer_join

    users, accounts = (_events(asked[source.name], source) for source in (USERS, ACCOUNTS))
    users_kept, accounts_kept = (
        _kept(users, request.declaration.left.keep),
        _kept(accounts, request.declaration.right.keep),
    )
    if request.join is JoinType.ASOF:
        fields = [field.name for field in USERS.fields]
        final = _kept(accounts, Keep.ALL).aj(users, on=["userId", "ts >= ts"], joins=fields)
    else:
        fields = [field.name for field in ACCOUNTS.fields]
        shown = accounts_kept.view(["userId", *fields])
        if request.join is JoinType.LEFT:
            final = left_outer_join(users_kept, shown, on="userId", joins=fields)
        else:
            final = users_kept.join(shown, on="userId", joins=fields)
    views = Tables(request.declaration).views
    return {
        table.name: _rows(found, table) for table, found in zip(views, (users_kept, accounts_kept, final), strict=True)
    }


def _events(events: list[Any], source: Source) -> Any:
    """All events in their order, tombstones included, numbered."""
    from deephaven import arrow

    columns = {
        "userId": pa.array([event[0] for event in events], pa.string()),
        **{
            name: pa.array([event[1][i] for event in events], pa.int64())
            for i, name in enumerate(("ts", "partition", "offset"))
        },
        "gone": pa.array([event[2] is None for event in events], pa.bool_()),
        **{
            field.name: pa.array([event[2] and event[2][i] for event in events], ARROW[field.type.kind])
            for i, field in enumerate(source.fields)
        },
    }
    ordered = arrow.to_table(pa.table(columns)).sort(["ts", "partition", "offset"])
    return ordered.update("number = ii")


def _kept(events: Any, keep: Keep) -> Any:
    if keep is Keep.LATEST:
        return events.last_by("userId").where("!gone")
    ended = events.where("gone").last_by("userId").view(["userId", "ended = number"])
    return events.natural_join(ended, on="userId").where(["!gone", "isNull(ended) || number > ended"])


def _rows(found: Any, table: Table) -> list[Any]:
    from deephaven import arrow

    return [list(row.values()) for row in arrow.to_arrow(found.view(table.column_names)).to_pylist()]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

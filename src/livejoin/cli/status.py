"""`livejoin status`: what is live, and how far it is."""

import json
from typing import TYPE_CHECKING

import typer

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.schema import ACCOUNTING, ORCHESTRATOR_STATUS, SOURCE_PROGRESS, VIEWS

if TYPE_CHECKING:
    from livejoin.table_client import TableClient

PARTITIONS = 10_000
"""More source partitions than anybody has."""


def status(*, as_json: AsJson = False, config: Config = None, set_: Set = None) -> None:
    """Show generation, state, topics, join, rows, lag and what was accounted for."""
    from livejoin.table_client import connect

    with connect(settings_from(config, set_)) as client:
        found = read_status(client)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for name, value in found.items():
        lines = value.items() if isinstance(value, dict) else [("", value)]
        for key, text in lines:
            label = f"{name} {key}".strip()
            typer.echo(f"{label:<24} {'-' if text is None or text == '' else text}")


def read_status(client: "TableClient") -> dict[str, object]:
    """The status row, and what the other tables say about it."""
    row = client.newest(ORCHESTRATOR_STATUS.name, 1).rows[0]
    progress = client.newest(SOURCE_PROGRESS.name, PARTITIONS).rows
    accounting = (client.newest(ACCOUNTING.name, 1).rows or [dict.fromkeys(ACCOUNTING.column_names, 0)])[0]
    read = sum(place["position"] - place["begin"] for place in progress)
    return {
        **{name: row[name] for name in ("generation", "state", "message")},
        **{name: row[name] for name in ("usersTopic", "accountsTopic", "joinType", "lastApplied")},
        "rows": {view.name: client.size(view.name) for view in VIEWS},
        "lag": sum(max(0, place["end"] - place["position"]) for place in progress),
        # Nothing is lost without a trace: what was read is a valid event or a dead letter. Offsets without a record,
        # as compaction and transactions leave them, stay unaccounted for.
        "accounting": {
            "read": read,
            **accounting,
            "unaccounted": read - accounting["events"] - accounting["deadLetters"],
        },
    }

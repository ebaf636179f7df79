"""`livejoin status`: what is live, how far it is, and what is on its way to replace it."""

import signal
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.errors import TableServerGone
from livejoin.model.generation import Progress
from livejoin.model.table import ACCOUNTING, GENERATIONS, SOURCE_PROGRESS, STATUS
from livejoin.process.worker import begin
from livejoin.settings.settings import Settings
from livejoin.visible import visible, visible_json

if TYPE_CHECKING:
    from livejoin.client.tables import TableClient

PARTITIONS = 10_000
"""More source partitions than anybody has."""
WATCH_SECONDS = 0.5
END_SECONDS = 3.0

Watch = Annotated[bool, typer.Option("--watch", help="Go on showing it until Ctrl-C, also through restarts.")]


def status(*, as_json: AsJson = False, watch: Watch = False, config: Config = None, set_: Set = None) -> None:
    """Show generation, state, topics, join, rows, lag, what was accounted for, and every generation there is."""
    from livejoin.client.tables import connect

    settings = settings_from(config, set_)
    if watch:
        _watch(settings)
        return
    with connect(settings) as client:
        found = read_status(client)
    typer.echo(visible_json(found) if as_json else told(found))


def read_status(client: "TableClient") -> dict[str, Any]:
    """The status row, and what the other tables say about it."""
    declared = client.declared()
    row = client.newest(STATUS, 1).rows[0]
    progress = client.newest(SOURCE_PROGRESS.name, PARTITIONS).rows
    accounting = (client.newest(ACCOUNTING.name, 1).rows or [dict.fromkeys(ACCOUNTING.column_names, 0)])[0]
    read = sum(place["position"] - place["begin"] - place["absent"] for place in progress)
    return {
        **{name: row[name] for name in ("generation", "state", "message")},
        **{name: row[name] for name in (*declared.topic_fields, "joinType", "lastApplied")},
        "rows": {view: client.size(view) for view in declared.views},
        "lag": sum(max(0, place["end"] - place["position"]) for place in progress),
        # Nothing is lost without a trace: what was read is a valid event or a dead letter. Offsets without a record
        # that compaction leaves stay unaccounted for.
        "accounting": {
            "read": read,
            **accounting,
            "unaccounted": read - accounting["events"] - accounting["deadLetters"],
        },
        GENERATIONS: client.newest(GENERATIONS, PARTITIONS).rows,
    }


def _watch(settings: Settings) -> None:
    """Draw until Ctrl-C."""
    stop = Event()
    # Not by the exception: raised inside of the libraries that read, it may never come out of them.
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    with Live(console=Console(), auto_refresh=False) as screen:
        drawing = begin(lambda: _draw(settings, screen, stop))
        drawing.add_done_callback(lambda _: stop.set())
        stop.wait()
        with suppress(TimeoutError):
            drawing.result(END_SECONDS)


def _draw(settings: Settings, screen: Live, stop: Event) -> None:
    """Draw the same lines again and again; a table server that is gone is waited for."""
    from livejoin.client.tables import connect

    while not stop.is_set():
        try:
            with connect(settings) as client:
                while not stop.is_set():
                    screen.update(Text(told(read_status(client))), refresh=True)
                    stop.wait(WATCH_SECONDS)
        except TableServerGone as gone:
            screen.update(Text(f"{visible(gone.what)}; waiting for it"), refresh=True)
            stop.wait(WATCH_SECONDS)


def told(found: dict[str, Any]) -> str:
    """The status in lines for people."""
    lines = []
    for name, value in found.items():
        if name == GENERATIONS:
            pairs = [(str(row["generation"]), _stage(row)) for row in value]
        else:
            pairs = list(value.items()) if isinstance(value, dict) else [("", value)]
        for key, text in pairs:
            label = f"{name} {key}".strip()
            lines.append(f"{label:<24} {'-' if text is None or text == '' else visible(str(text))}")
    return "\n".join(lines)


def _stage(row: dict[str, Any]) -> str:
    left, right = (row[name] for name in row if name.endswith("Topic"))
    asked = f"{left} and {right}, {row['joinType']}"
    progress = Progress(done=row["done"], total=row["total"], rate=row["rate"]) if row["total"] is not None else ""
    return "; ".join(filter(None, (f"{row['state']}: {asked}", str(progress), row["message"])))

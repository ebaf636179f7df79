"""`livejoin rows`: the newest rows of a served table."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.visible import visible, visible_json

Limit = Annotated[int, typer.Option("--limit", min=1, help="How many rows, counted from the end of the table.")]


def rows(
    table: Annotated[str, typer.Argument(help="Name of the table, for example final_ui.")],
    limit: Limit = 20,
    *,
    as_json: AsJson = False,
    config: Config = None,
    set_: Set = None,
) -> None:
    """Show the last rows of a table."""
    from livejoin.client.tables import connect

    with connect(settings_from(config, set_)) as client:
        found = client.newest(table, limit)
    if as_json:
        typer.echo(visible_json(found.rows))
        return
    title = f"{table}: {len(found.rows)} of {found.size} rows"
    # A pipe has no width of its own: nothing is cut there.
    Console(width=None if sys.stdout.isatty() else 400).print(drawn(title, found.columns, found.rows))


def drawn(title: str, columns: list[str], rows: list[dict[str, Any]]) -> Table:
    """Rows as a table of texts: what looks like a terminal's command, or like rich's markup, is neither."""
    shown = Table(title=_cell(title), title_justify="left")
    for name in columns:
        shown.add_column(_cell(name))
    for row in rows:
        shown.add_row(*(_cell(_text(row.get(name))) for name in columns))
    return shown


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _cell(text: str) -> Text:
    return Text(visible(text))

"""`livejoin rows`: the newest rows of a served table."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from livejoin.cli.options import AsJson, Config, Set, settings_from

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
    from livejoin.table_client import connect

    with connect(settings_from(config, set_)) as client:
        found = client.newest(table, limit)
    if as_json:
        typer.echo(json.dumps(found.rows, indent=2, ensure_ascii=False))
        return
    shown = Table(title=f"{table}: {len(found.rows)} of {found.size} rows", title_justify="left")
    for name in found.columns:
        shown.add_column(name)
    for row in found.rows:
        shown.add_row(*("" if value is None else str(value) for value in row.values()))
    # A pipe has no width of its own: nothing is cut there.
    Console(width=None if sys.stdout.isatty() else 400).print(shown, markup=False)

"""`livejoin jars`: have the jars before they are needed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.jvm.jars import fetch_jars, take_jars

From = Annotated[
    Path | None,
    typer.Option("--from", metavar="DIR", help="Take them from this folder, where there is no network.", exists=True),
]


def jars(config: Config = None, set_: Set = None, from_: From = None) -> None:
    """Fetch the jars of Spark's Kafka connector and of the embedded broker, once, and check them."""
    settings = settings_from(config, set_)
    number = fetch_jars(settings, on_progress=show_progress) if from_ is None else take_jars(settings, from_)
    done = f"{number} {'fetched' if from_ is None else 'taken'}" if number else "up to date"
    typer.echo(f"jars: {done}, checked, in {settings.jars.folder}")


def show_progress(done: int, total: int) -> None:
    """One line that is drawn again on a terminal, and a few lines elsewhere."""
    if sys.stderr.isatty():
        typer.echo(f"\rjars: {done} of {total}", err=True, nl=done == total)
    elif done % 10 == 0 or done == total:
        typer.echo(f"jars: {done} of {total}", err=True)

"""`livejoin jars`: fetch the jars before they are needed."""

import sys

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.jvm.jars import fetch_jars


def jars(config: Config = None, set_: Set = None) -> None:
    """Fetch the jars of Spark's Kafka connector and of the embedded broker, once, and check them."""
    settings = settings_from(config, set_)
    fetched = fetch_jars(settings, on_progress=show_progress)
    typer.echo(f"jars: {f'{fetched} fetched' if fetched else 'up to date'}, checked, in {settings.jars.folder}")


def show_progress(done: int, total: int) -> None:
    """One line that is drawn again on a terminal, and a few lines elsewhere."""
    if sys.stderr.isatty():
        typer.echo(f"\rjars: {done} of {total}", err=True, nl=done == total)
    elif done % 10 == 0 or done == total:
        typer.echo(f"jars: {done} of {total}", err=True)

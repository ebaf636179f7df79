"""`livejoin archive`: make every later start quicker."""

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.jvm.class_archive import NoArchive
from livejoin.jvm.jars import fetch_jars
from livejoin.local.archiving import StackFailed, make_archives


def archive(config: Config = None, set_: Set = None) -> None:
    """Run everything for a moment, on data of its own, and keep what Java has loaded: later starts take less time."""
    settings = settings_from(config, set_)
    fetch_jars(settings)
    try:
        make_archives(settings, typer.echo)
    except (NoArchive, StackFailed) as problem:
        typer.echo(f"no class archives: {problem}; everything works without them, and starts some seconds later")

"""`livejoin config`: the effective settings, secrets masked."""

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.visible import visible_json


def config(config: Config = None, set_: Set = None) -> None:
    """Print the effective settings as JSON; secrets are masked."""
    typer.echo(visible_json(settings_from(config, set_).masked()))

"""`livejoin config`: the effective settings, secrets masked."""

import json

import typer

from livejoin.cli.options import Config, Set, settings_from


def config(config: Config = None, set_: Set = None) -> None:
    """Print the effective settings as JSON; secrets are masked."""
    typer.echo(json.dumps(settings_from(config, set_).masked(), indent=2))

"""`livejoin config`: the effective settings, secrets masked."""

import typer

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.settings.toml import settings_toml
from livejoin.visible import visible_json


def config(*, as_json: AsJson = False, config: Config = None, set_: Set = None) -> None:
    """Print the effective settings as livejoin.toml has them; secrets are masked, in comments."""
    settings = settings_from(config, set_)
    typer.echo(visible_json(settings.masked()) if as_json else settings_toml(settings), nl=as_json)

"""Options that every command shares."""

from pathlib import Path
from typing import Annotated

import structlog
import typer

from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.settings import Settings

Config = Annotated[Path | None, typer.Option("--config", help="Settings file; default: livejoin.toml, if it is there.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any setting, for example --set web.port=8090. Repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]

log = structlog.get_logger()


def settings_from(config: Path | None, pairs: list[str] | None) -> Settings:
    """The effective settings for a command's options."""
    return load_settings(config, overrides_from(pairs or []))


def tell_remarks(settings: Settings) -> None:
    """Say once what somebody may not expect; for a process whose log is set up."""
    for remark in settings.file_remarks:
        log.warning("settings", remark=remark)
    for remark in settings.kafka_remarks:
        log.warning("client properties", remark=remark)

"""What is delivered below deploy/, and what livejoin itself says of commands, settings, ports and paths."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
import typer.main
import yaml  # type: ignore[import-untyped]

from livejoin.checkout import checkout
from livejoin.cli.main import app
from livejoin.http.health import Health, health_routes
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

_ROOT = checkout()
assert _ROOT is not None
ROOT = _ROOT
DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "prometheus" / "livejoin.rules.yml"
KEYS = '[viewer]\nprometheus = "sixteen characters"\n'
PROPERTIES = "bootstrap.servers=broker:9092\n"

VARIABLE = re.compile(r"\bLIVEJOIN_[A-Z][A-Z0-9_]*\b")
PATHS = frozenset(route.path for route in health_routes(lambda: Health())) | {"/metrics"}
"""What both processes answer; each adds /metrics itself."""


def documents(text: str) -> list[Any]:
    """Every document of a YAML text."""
    return [document for document in yaml.safe_load_all(text) if document is not None]


def document(file: Path) -> Any:
    """The one document of a YAML file."""
    [found] = documents(file.read_text(encoding="utf-8"))
    return found


def commands() -> Mapping[str, click.Command]:
    """What `livejoin` can be told, by its names."""
    group = typer.main.get_command(app)
    assert hasattr(group, "commands")
    return group.commands  # type: ignore[no-any-return]


def understood(arguments: list[str]) -> None:
    """Fail unless `livejoin` with these arguments would run a command that there is, with options that it has."""
    name, *rest = arguments
    assert name in commands(), f"livejoin {name} is no command"
    options = {option for parameter in commands()[name].params for option in parameter.opts}
    assert not {argument.partition("=")[0] for argument in rest if argument.startswith("-")} - options


def settings_of(
    monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str], toml: str, folder: Path, files: Mapping[str, str]
) -> Settings:
    """The settings of a process with these variables and this livejoin.toml, as the loader reads them.

    `files` are what stands where variables point to: each such path is put below `folder`. Among variables the loader
    ignores what it does not know, so each of them is looked for in the settings too.
    """
    for path, text in files.items():
        file = folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o600)
    for name, value in variables.items():
        monkeypatch.setenv(name, str(folder / value.lstrip("/")) if value in files else value)
    (folder / "livejoin.toml").write_text(toml, encoding="utf-8")
    unknown(variables)
    settings = load_settings(folder / "livejoin.toml")
    for name in variables:
        monkeypatch.delenv(name)
    return settings


def unknown(variables: Iterable[str]) -> None:
    """Fail where a variable that begins as livejoin's do is no setting: it would change nothing, and nobody is told."""
    for name in variables:
        if not name.startswith("LIVEJOIN_"):
            continue
        model: Any = Settings
        for part in name.removeprefix("LIVEJOIN_").lower().split("__"):
            fields = getattr(model, "model_fields", None)
            if fields is None:
                break
            assert part in fields, f"{name} is no setting"
            annotation = fields[part].annotation
            inner = [each for each in getattr(annotation, "__args__", ()) if hasattr(each, "model_fields")]
            model = inner[0] if inner else annotation

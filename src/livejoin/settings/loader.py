"""Where settings come from: the command line, the environment, a file; and what is said where they are wrong."""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource
from pydantic_settings import SettingsError as Unreadable

from livejoin.errors import SettingsError
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.secrecy.masked import holds_secret
from livejoin.secrecy.private_file import everybody_reads
from livejoin.settings.settings import Settings, flattened

DEFAULT_FILE = Path("livejoin.toml")
MOVED = {
    "server.host": "web.host",
    "server.port": "web.port: page and tables have one address",
    "server.url": "web.url",
    "server.key": "access.operator.keys, or access.key for what a command presents",
    "server.control_key": "access.operator.keys, beside access.viewer.keys",
    **{f"topics.{source.name}": f"{side}.topic" for side, source in zip(Side, DEFAULT.sources, strict=True)},
    **{f"keep.{source.name}": f"{side}.keep" for side, source in zip(Side, DEFAULT.sources, strict=True)},
}
"""Settings of before, and where what they decided is decided now."""
WITH_SECRETS = frozenset({"access", "jars", "kafka", "spark", "web"})
"""Sections that may hold a secret: the names of others, such as those of columns, say nothing."""
NAMES_IN_VARIABLES = ("LIVEJOIN_LEFT__COLUMNS", "LIVEJOIN_RIGHT__COLUMNS", "LIVEJOIN_JOIN__ON")
"""Sections whose names somebody chooses: those of variables know no small letters."""
_FIELD = re.compile(r'field "(?P<name>\w+)"')


def load_settings(file: Path | None = None, overrides: dict[str, Any] | None = None) -> Settings:
    """Read the settings; a mistake becomes a SettingsError that names the setting."""
    chosen = file or Path(os.environ.get("LIVEJOIN_CONFIG", DEFAULT_FILE))
    from_file = _read_file(chosen)
    _refuse_names_in_variables()

    class Layered(Settings):
        """Settings with this file as their lowest layer: pydantic-settings takes sources from a class only."""

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the name is pydantic's
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the name is pydantic's
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, from_file)

        @property
        def file_remarks(self) -> tuple[str, ...]:
            return tuple(_told_to_others(chosen, from_file))

    try:
        return Layered(**(overrides or {}))
    except UnicodeEncodeError as error:
        raise SettingsError("settings are not right: half of a character is no text", do="correct the file") from error
    except Unreadable as error:
        raise _unreadable(error) from error
    except ValidationError as error:
        lines = [_mistake(".".join(str(part) for part in e["loc"]), e["msg"]) for e in error.errors()]
        raise SettingsError(
            "settings are not right: " + "; ".join(lines), do="`livejoin config` prints what is in force"
        ) from error


def _refuse_names_in_variables() -> None:
    for variable in os.environ:
        section = next((each for each in NAMES_IN_VARIABLES if variable.upper().startswith(f"{each}__")), None)
        if section is not None:
            raise SettingsError(
                f"{variable}: the name of a variable has no small letters, so that it cannot name a column",
                do=f"write {section} as JSON, or declare columns in livejoin.toml",
            )


def _unreadable(error: Unreadable) -> SettingsError:
    found = _FIELD.search(str(error))
    name = found["name"] if found else ""
    moved = ": the type of the join has moved to join.type, LIVEJOIN_JOIN__TYPE" if name == "join" else ""
    return SettingsError(
        f"settings are not right: LIVEJOIN_{name.upper()}, or a variable that begins so, is not JSON{moved}",
        do="a variable that stands for a whole section is JSON: name one of its settings instead, after __",
    )


def _mistake(name: str, problem: str) -> str:
    if name in MOVED:
        return f"{name} has moved to {MOVED[name]}"
    said = problem.removeprefix("Value error, ")
    return f"{name}: {said}" if name else said


def overrides_from(pairs: list[str]) -> dict[str, Any]:
    """Turn `section.name=value` pairs into nested data; everything after `kafka.` is one dotted property name."""
    nested: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise SettingsError(f"--set {pair}: expected name=value, for example --set spark.master=local[8]")
        section, dot, rest = name.partition(".")
        if not dot:
            nested[section] = value
        elif section == "kafka":
            nested.setdefault(section, {})[rest] = value
        else:
            place = nested.setdefault(section, {})
            *parents, last = rest.split(".", 1) if rest.startswith("conf.") else rest.split(".")
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = value
    return nested


def _told_to_others(file: Path, given: dict[str, Any]) -> Iterator[str]:
    """That everybody can read what is secret in a file of settings."""
    within = [(name, text) for name, text in flattened(given) if name.partition(".")[0] in WITH_SECRETS]
    secret = [name for name, text in within if holds_secret(name, str(text))]
    if secret and everybody_reads(file):
        yield f"every user of this machine can read {file}, which holds {', '.join(secret)}: chmod 600 {file}"


def _read_file(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file)
    except FileNotFoundError:
        if file == DEFAULT_FILE:
            return {}
        raise SettingsError(f"{file} does not exist", do="correct --config or LIVEJOIN_CONFIG") from None


def read_toml(file: Path) -> dict[str, Any]:
    """What is in a file of settings, as plain data; raises SettingsError where it is not TOML."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}", do="correct the file") from error

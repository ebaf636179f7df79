"""docs/settings.md, written from what is declared.

python -m livejoin.cli.settings_reference > docs/settings.md
"""

import inspect
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from livejoin.settings.section import Section
from livejoin.settings.settings import Settings

HEAD = """# Settings

Every setting that there is. Written by
`python -m livejoin.cli.settings_reference > docs/settings.md` from what the code declares. A flag of the command line
(`--set web.port=8090`) wins over a variable (`LIVEJOIN_WEB__PORT=8090`), which wins over `livejoin.toml` (`port = 8090`
below `[web]`), which wins over the default. `livejoin config` prints what holds, and `livejoin doctor` tries it. On the
command line and in variables, several texts are separated by commas.

`data_dir` is where everything is kept: `.livejoin` in the folder that livejoin is started in. What is joined is
declared in `[left]`, `[right]` and `[join]` ([declaration.md](declaration.md)); how the broker is reached stands in
`[kafka]` ([kafka.md](kafka.md)).
"""
ELSEWHERE = ("data_dir", "kafka", "left", "right", "join")
BOUNDS = {
    "gt": "more than {}",
    "ge": "at least {}",
    "le": "at most {}",
    "min_length": "at least {} characters",
    "max_length": "at most {} characters",
}
KINDS: dict[Any, str] = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    float: "number",
    Path: "path",
    SecretStr: "secret",
}


def reference() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, field in Settings.model_fields.items():
        if name not in ELSEWHERE:
            parts += _sections(name, _section_of(field))
    return "\n".join(parts)


def _sections(name: str, section: type[Section]) -> Iterator[str]:
    """A section, and those below it; several of one kind are told once."""
    plain = {each: field for each, field in section.model_fields.items() if not _is_section(field)}
    rows = "".join(
        f"| `{each}` | {_kind(field)}{_bounds(field)} | {_default(field)} |\n" for each, field in plain.items()
    )
    table = f"\n| name | what | default |\n| --- | --- | --- |\n{rows}" if rows else ""
    yield f"## `[{name}]`\n\n{inspect.cleandoc(section.__doc__ or '')}\n{table}"
    below: dict[type[Section], list[str]] = {}
    for each, field in section.model_fields.items():
        if _is_section(field):
            below.setdefault(_section_of(field), []).append(f"{name}.{each}")
    for kind, names in below.items():
        yield from _sections("]`, `[".join(names), kind)


def _alternatives(field: FieldInfo) -> list[Any]:
    """What it may be, besides nothing."""
    kind = field.annotation
    return [each for each in get_args(kind) if each is not NoneType] if isinstance(kind, UnionType) else [kind]


def _is_section(field: FieldInfo) -> bool:
    return any(isinstance(kind, type) and issubclass(kind, Section) for kind in _alternatives(field))


def _section_of(field: FieldInfo) -> type[Section]:
    kind: type[Section]
    [kind] = _alternatives(field)
    return kind


def _kind(field: FieldInfo) -> str:
    [kind] = _alternatives(field)
    if get_origin(kind) is list:
        return "texts"
    if get_origin(kind) is dict:
        return f"a {KINDS[get_args(kind)[1]]} for each name"
    if issubclass(kind, StrEnum):
        return ", ".join(f"`{value}`" for value in kind)
    return KINDS[kind]


def _bounds(field: FieldInfo) -> str:
    found = ((says, getattr(bound, name, None)) for bound in field.metadata for name, says in BOUNDS.items())
    return "".join(", " + says.format(value) for says, value in found if value is not None)


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return "has to be said"
    if value is None or value in ("", [], {}):
        return ""
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


if __name__ == "__main__":
    sys.stdout.write(reference())

"""Settings as TOML that can be read again: what `livejoin config` prints and `livejoin init` writes."""

import json
import re
from collections.abc import Iterator
from typing import Any

from livejoin.secrecy.masked import MASK
from livejoin.settings.settings import Settings
from livejoin.visible import visible_json

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_PAIR = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)


class Inline(dict[str, Any]):
    """A table that is written in one line."""


def settings_toml(settings: Settings) -> str:
    """Everything that is in force; secrets are masked, in comments."""
    shown = settings.masked()
    left, right = settings.declaration.sources
    for side, of_side in (("left", settings.left), ("right", settings.right)):
        shown[side]["topic"] = of_side.topic_name
        shown[side]["columns"] = {name: short_column(column) for name, column in shown[side]["columns"].items()}
    shown["join"]["on"] = Inline(zip(left.key, right.key, strict=True))
    return toml(shown)


def short_column(column: dict[str, Any]) -> str | Inline:
    """A column as a person would declare it: by its type alone where there is nothing else to say."""
    given = {name: value for name, value in column.items() if value is not None}
    return str(given["type"]) if given.keys() == {"type"} else Inline(given)


def toml(data: dict[str, Any]) -> str:
    """Nested data as TOML; what is None is left out, and what is masked is a comment."""
    return "\n".join(_table(data, ())).strip("\n") + "\n"


def _table(data: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    tables = {name: value for name, value in data.items() if isinstance(value, dict) and not isinstance(value, Inline)}
    plain = {name: value for name, value in data.items() if name not in tables and value is not None}
    if path and (plain or not tables):
        yield ""
        yield f"[{'.'.join(map(key, path))}]"
    for name, value in plain.items():
        yield f"{'# ' if _is_masked(value) else ''}{key(name)} = {text(value)}"
    for name, table in tables.items():
        yield from _table(table, (*path, name))


def key(name: str) -> str:
    """A name as TOML has it: quoted where it has to be."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: Any) -> str:
    """A value as TOML has it, in one line."""
    if isinstance(value, dict):
        inside = ", ".join(f"{key(name)} = {text(each)}" for name, each in value.items() if each is not None)
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(text(each) for each in value)}]"
    if isinstance(value, str):
        return _string(value)
    return json.dumps(value) if isinstance(value, bool | int) else repr(value)


def _string(value: str) -> str:
    # JSON's escapes are TOML's, but for characters beyond U+FFFF, which JSON writes as two.
    told = visible_json(value).replace("\x7f", "\\u007f")
    return _PAIR.sub(lambda found: f"\\U{_code(found[1], found[2]):08x}", told)


def _code(high: str, low: str) -> int:
    return 0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00)


def _is_masked(value: Any) -> bool:
    return MASK in str(value)

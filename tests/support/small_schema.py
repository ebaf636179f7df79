"""JSON Schema as far as the chart's needs it: what it does not know is an error, so that nothing passes by mistake."""

import re
from collections.abc import Iterator
from typing import Any

_TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
_SAID = {"$schema", "definitions", "description"}


def problems(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, at: str = "") -> Iterator[str]:
    """What is not as the schema wants it, and where."""
    root = schema if root is None else root
    for keyword, wanted in schema.items():
        if keyword in _SAID or keyword == "additionalProperties":
            continue
        if keyword == "$ref":
            yield from problems(value, root["definitions"][wanted.removeprefix("#/definitions/")], root, at)
        elif keyword == "properties" and isinstance(value, dict):
            for name in value.keys() & wanted.keys():
                yield from problems(value[name], wanted[name], root, f"{at}.{name}")
        elif keyword == "items" and isinstance(value, list):
            for number, each in enumerate(value):
                yield from problems(each, wanted, root, f"{at}[{number}]")
        elif keyword not in ("properties", "items") and not _is(value, keyword, wanted):
            yield f"{at or '.'}: {value!r} is not {keyword} {wanted!r}"
    if isinstance(value, dict):
        yield from _others(value, schema, root, at)


def _others(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[str]:
    allowed = schema.get("additionalProperties", True)
    for name in value.keys() - schema.get("properties", {}).keys():
        if allowed is False:
            yield f"{at}.{name} is not known"
        elif isinstance(allowed, dict):
            yield from problems(value[name], allowed, root, f"{at}.{name}")


def _is(value: Any, keyword: str, wanted: Any) -> bool:
    match keyword:
        case "type":
            return isinstance(value, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
        case "enum":
            return value in wanted
        case "required":
            return not isinstance(value, dict) or set(wanted) <= value.keys()
        case "pattern":
            return not isinstance(value, str) or re.search(wanted, value) is not None
        case "minLength" | "minItems":
            return not isinstance(value, str | list) or len(value) >= wanted
        case "maxLength":
            return not isinstance(value, str) or len(value) <= wanted
        case "minimum":
            return not isinstance(value, int) or value >= wanted
        case "maximum":
            return not isinstance(value, int) or value <= wanted
    raise NotImplementedError(keyword)

"""A control message as JSON.

Its fields are named after the sources that are declared. Nothing that a message contains raises here: what is wrong
with it becomes the reason of its rejection.
"""

import json
import re
from typing import Any

from livejoin.model.control_message import ControlMessage
from livejoin.model.declaration import Declaration
from livejoin.model.generation import JoinType

JOIN_TYPE, ROLLBACK = "joinType", "rollback"
ID, BY = "id", "by"
"""A name for the message, and for who asked: what the page sends has the name of the key there."""
LEGAL_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
RAW_CHARACTERS = 16_384


class _Wrong(Exception):
    """What is wrong with a message, and how to correct it."""


def parse(value: bytes | None, declaration: Declaration) -> ControlMessage:
    """Read a message; it never raises."""
    raw = (value or b"").decode(errors="replace")
    shown = raw if len(raw) <= RAW_CHARACTERS else f"{raw[:RAW_CHARACTERS]}… ({len(raw)} characters)"
    left, right = declaration.left.topic_field, declaration.right.topic_field
    given: dict[str, Any] = {}
    try:
        given = _object(value, declaration)
        _check_fields(given, (left, right, JOIN_TYPE, ROLLBACK, ID, BY))
        if ROLLBACK in given:
            _check_rollback(given)
            return ControlMessage(shown, rollback=True)
        return ControlMessage(shown, _topic(given, left), _topic(given, right), _join(given.get(JOIN_TYPE)))
    except _Wrong as wrong:
        return ControlMessage(shown, _printable(given.get(left)), _printable(given.get(right)), problem=str(wrong))


def _object(value: bytes | None, declaration: Declaration) -> dict[str, Any]:
    if not value:
        left, right = declaration.sources
        raise _Wrong(f"the message is empty: send a JSON object with {left.topic_field} and {right.topic_field}")
    try:
        found = json.loads(value.decode("utf-8"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise _Wrong("the message is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise _Wrong(f"malformed JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _Wrong("malformed JSON: it is nested too deeply") from None
    except ValueError as error:
        raise _Wrong(f"malformed JSON: {error}") from None
    if not isinstance(found, dict):
        raise _Wrong("the message is not a JSON object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("a field is given twice")
    return found


def _check_fields(given: dict[str, Any], fields: tuple[str, ...]) -> None:
    unknown = [_printable(field) for field in sorted(set(given) - set(fields))]
    if unknown:
        raise _Wrong(f"unknown field {', '.join(map(repr, unknown))}: the fields are {', '.join(fields)}")
    for field in (ID, BY):
        if not isinstance(given.get(field), str | None):
            raise _Wrong(f"{field} is not a string")
        if _printable(given.get(field)) != given.get(field):
            raise _Wrong(f"{field} is not a text: it has half of a character in it, or more than {RAW_CHARACTERS}")


def _topic(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if value is None:
        raise _Wrong(f"{field} is missing")
    if not isinstance(value, str):
        raise _Wrong(f"{field} is not a string")
    name = value.strip()
    if not name:
        raise _Wrong(f"{field} is empty")
    if not LEGAL_TOPIC.fullmatch(name) or name in (".", ".."):
        raise _Wrong(f"{field} is no name that a topic can have: letters, digits, dots, '_' and '-', at most 249")
    return name


def _join(value: Any) -> JoinType:
    if value is None:
        return JoinType.LEFT
    choices = ", ".join(JoinType)
    if not isinstance(value, str):
        raise _Wrong(f"{JOIN_TYPE} is not a string: it is one of {choices}")
    try:
        return JoinType(value.strip().lower())
    except ValueError:
        raise _Wrong(f"unknown {JOIN_TYPE} {_printable(value)!r}: it is one of {choices}") from None


def _check_rollback(given: dict[str, Any]) -> None:
    if given[ROLLBACK] is not True:
        raise _Wrong(f"{ROLLBACK} can only be true")
    if set(given) - {ROLLBACK, ID, BY}:
        raise _Wrong(f"{ROLLBACK} goes without topics and {JOIN_TYPE}: it brings back the generation that lingers")


def _printable(value: Any) -> str | None:
    """A text that can be shown and stored: half of a surrogate pair can not."""
    return value.encode(errors="replace").decode()[:RAW_CHARACTERS] if isinstance(value, str) else None

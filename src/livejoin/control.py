"""A control message: what it asks for, or why it cannot be understood, and its verdict.

Nothing that a message contains raises here: what is wrong with it becomes the reason of its rejection.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from livejoin.generation import JoinType

USERS_TOPIC, ACCOUNTS_TOPIC, JOIN_TYPE, ROLLBACK = "usersTopic", "accountsTopic", "joinType", "rollback"
ID, BY = "id", "by"
"""A name for the message, and for who asked: what the page sends has the name of the key there."""
FIELDS = (USERS_TOPIC, ACCOUNTS_TOPIC, JOIN_TYPE, ROLLBACK, ID, BY)
LEGAL_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
RAW_CHARACTERS = 16_384


class Verdict(StrEnum):
    """What became of a control message; docs/generations.md tells what to do about each."""

    REJECTED = "rejected"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"
    APPLIED = "applied"
    FAILED = "failed"


class _Wrong(Exception):
    """What is wrong with a message, and how to correct it."""


@dataclass(frozen=True, slots=True)
class ControlMessage:
    """A message as far as it could be read. `problem` says why it is rejected; empty where it can be obeyed."""

    raw: str
    users_topic: str | None = None
    accounts_topic: str | None = None
    join: JoinType = JoinType.LEFT
    rollback: bool = False
    problem: str = ""


class ControlEntry(BaseModel):
    """One row of the control log: the columns of `control_raw`. Without a verdict it is still being worked on."""

    model_config = ConfigDict(frozen=True)

    usersTopic: str | None  # noqa: N815  the names of the columns
    accountsTopic: str | None  # noqa: N815
    joinType: str | None  # noqa: N815
    raw: str
    when: int
    verdict: Verdict | None = None
    reason: str = ""


def parse(value: bytes | None) -> ControlMessage:
    """Read a message; it never raises."""
    raw = (value or b"").decode(errors="replace")
    shown = raw if len(raw) <= RAW_CHARACTERS else f"{raw[:RAW_CHARACTERS]}… ({len(raw)} characters)"
    given: dict[str, Any] = {}
    try:
        given = _object(value)
        _check_fields(given)
        if ROLLBACK in given:
            _check_rollback(given)
            return ControlMessage(shown, rollback=True)
        users, accounts = _topic(given, USERS_TOPIC), _topic(given, ACCOUNTS_TOPIC)
        return ControlMessage(shown, users, accounts, _join(given.get(JOIN_TYPE)))
    except _Wrong as wrong:
        return ControlMessage(
            shown, _printable(given.get(USERS_TOPIC)), _printable(given.get(ACCOUNTS_TOPIC)), problem=str(wrong)
        )


def entry_of(message: ControlMessage, when: int) -> ControlEntry:
    """The row of a message that has no verdict yet."""
    asks = message.users_topic is not None and not message.problem
    return ControlEntry(
        usersTopic=message.users_topic,
        accountsTopic=message.accounts_topic,
        joinType=message.join.value if asks else None,
        raw=message.raw,
        when=when,
    )


def _object(value: bytes | None) -> dict[str, Any]:
    if not value:
        raise _Wrong("the message is empty: send a JSON object with usersTopic and accountsTopic")
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


def _check_fields(given: dict[str, Any]) -> None:
    unknown = [_printable(field) for field in sorted(set(given) - set(FIELDS))]
    if unknown:
        raise _Wrong(f"unknown field {', '.join(map(repr, unknown))}: the fields are {', '.join(FIELDS)}")
    for field in (ID, BY):
        if not isinstance(given.get(field), str | None):
            raise _Wrong(f"{field} is not a string")


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

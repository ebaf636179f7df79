"""The records of the state topic and of the control log: the model as JSON.

In the state topic a key names what the record is; a record without a value forgets what its key names.
"""

from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import from_json as parsed

from livejoin.model.control_message import ControlEntry
from livejoin.model.generation import Generation, Request
from livejoin.model.registry import Current, Epoch, Ledger, Pulse, Record, Registry, Standby

CURRENT_KEY = "current"
LEDGER_KEY = "ledger"
PULSE_KEY = "pulse"
EPOCH_KEY = "epoch"
STANDBY_KEY_PREFIX = "standby/"
GENERATION_KEY_PREFIX = "generation/"

T = TypeVar("T")

_ADAPTERS: dict[type, TypeAdapter[Any]] = {
    kind: TypeAdapter(kind) for kind in (Current, Ledger, Pulse, Epoch, Standby, Generation, ControlEntry, Request)
}


def generation_key(number: int) -> str:
    """The state topic's key of that generation's record."""
    return f"{GENERATION_KEY_PREFIX}{number}"


def standby_key(name: str) -> str:
    """The state topic's key of that standby's record."""
    return f"{STANDBY_KEY_PREFIX}{name}"


def key_of(record: Record) -> str:
    """The state topic's key of a record."""
    match record:
        case Current():
            return CURRENT_KEY
        case Ledger():
            return LEDGER_KEY
        case Pulse():
            return PULSE_KEY
        case Epoch():
            return EPOCH_KEY
        case Standby():
            return standby_key(record.name)
        case Generation():
            return generation_key(record.number)


def to_json(record: Record | ControlEntry | Request) -> bytes:
    """A record as it is written."""
    return _ADAPTERS[type(record)].dump_json(record)


def from_json(kind: type[T], value: bytes | str) -> T:
    """A record as it is read; raises ValueError where it is none."""
    found: T = _ADAPTERS[kind].validate_json(value)
    return found


def apply(registry: Registry, key: str, value: bytes | None) -> None:
    """Take one record of the state topic into the registry; raises ValueError where it cannot be read."""
    if key == CURRENT_KEY:
        if value:
            registry.take(from_json(Current, value))
    elif key == LEDGER_KEY:
        registry.take(_ledger(value) if value else Ledger())
    elif key == PULSE_KEY:
        registry.pulse = from_json(Pulse, value) if value else None
    elif key == EPOCH_KEY:
        registry.epoch = from_json(Epoch, value) if value else None
    elif key.startswith(STANDBY_KEY_PREFIX):
        if value is None:
            registry.standbys.pop(key.removeprefix(STANDBY_KEY_PREFIX), None)
        else:
            registry.take(from_json(Standby, value))
    elif key.startswith(GENERATION_KEY_PREFIX):
        if value is None:
            registry.forget(int(key.removeprefix(GENERATION_KEY_PREFIX)))
        else:
            registry.take(from_json(Generation, value))


def _ledger(value: bytes) -> Ledger:
    """Numbers must not be given twice, also where what another version of livejoin was asked for cannot be read."""
    try:
        return from_json(Ledger, value)
    except ValueError:
        found = parsed(value)
        if not isinstance(found, dict):
            raise
        ledger: Ledger = _ADAPTERS[Ledger].validate_python({**found, "settings": None})
        return ledger

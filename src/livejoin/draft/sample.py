"""The newest events of a topic, taken apart into their fields."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_newest
from livejoin.model.column import DEEPEST, LONGEST_NUMBER

Path = tuple[str, ...]


class Number(str):
    """A number as it is written: nothing is rounded, and a whole one is told from one with a fraction."""

    __slots__ = ()

    @property
    def is_whole(self) -> bool:
        """Whether it has neither a fraction nor an exponent."""
        return self.lstrip("-").isdigit()


class Array:
    """Values in a list, which are no column."""


class Nested:
    """Fields in an object, which are columns of their own."""


Leaf = str | Number | bool | None | Array | Nested


@dataclass
class Event:
    """An event that is an object: its fields by their paths, and its record's key."""

    fields: dict[Path, Leaf]
    key: bytes | None


@dataclass
class Sample:
    """What was read of a topic. `there` is how many events it has at the most; `unread` counts those that are none."""

    topic: str
    there: int
    max_bytes: int
    compacted: bool = False
    events: list[Event] = field(default_factory=list)
    tombstones: int = 0
    unread: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """How many events were read."""
        return len(self.events) + self.tombstones + self.unread.total()


class _Unreadable(ValueError):
    """Why an event has no fields, in the words of a dead letter."""


def read_sample(cluster: Cluster, topic: str, count: int, max_bytes: int, *, compacted: bool) -> Sample:
    """Read about so many of the newest events, of which larger ones do not fit; raises KafkaTrouble."""
    there = sum(high - low for low, high in cluster.watermarks(topic).values())
    sample = Sample(topic, there, max_bytes, compacted)
    for record in read_newest(cluster, topic, count):
        take(sample, record.key(), record.value())
    return sample


def take(sample: Sample, key: bytes | None, value: bytes | None) -> None:
    """Take one record in."""
    if value is None:
        sample.tombstones += 1
        return
    if len(value) > sample.max_bytes:
        sample.unread[f"more than the {sample.max_bytes} of events.max_bytes"] += 1
        return
    try:
        sample.events.append(Event(dict(_fields(_object(value), ())), key))
    except _Unreadable as problem:
        sample.unread[str(problem)] += 1


def _object(value: bytes) -> dict[str, Any]:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        raise _Unreadable("not UTF-8") from None
    if not text.strip():
        raise _Unreadable("empty: neither JSON nor a tombstone")
    try:
        found = json.loads(
            text, parse_int=_number, parse_float=_number, parse_constant=_no_constant, object_pairs_hook=_once
        )
        # Half of a character is no text, in any field.
        json.dumps(found, ensure_ascii=False).encode()
    except _Unreadable:
        raise
    except (ValueError, RecursionError):
        raise _Unreadable("not valid JSON") from None
    if not isinstance(found, dict):
        raise _Unreadable("the value is not an object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Unreadable("the same field twice")
    return found


def _number(written: str) -> Number:
    if len(written.lstrip("-")) > LONGEST_NUMBER:
        raise _Unreadable(f"a number of more than {LONGEST_NUMBER} digits")
    return Number(written)


def _no_constant(_: str) -> None:
    raise _Unreadable("not valid JSON")


def _fields(value: dict[str, Any], at: Path) -> Iterator[tuple[Path, Leaf]]:
    for name, inner in value.items():
        path = (*at, name)
        if isinstance(inner, dict):
            yield path, Nested()
            if len(path) < DEEPEST:
                yield from _fields(inner, path)
        else:
            yield path, Array() if isinstance(inner, list) else inner

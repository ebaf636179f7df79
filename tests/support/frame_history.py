"""What was sent, and what of it the broker has: the one side of every comparison with what was shown.

A pair is the name of two topics, and the beginning of every key in them. Every event carries a mark, a number that no
other event has, in every column that it fills: so a row tells which events it was made of.
"""

import threading
from dataclasses import dataclass, field
from typing import Any

import orjson

from join_model import Event, Order, judge
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType, Request
from livejoin.settings.generation import EventSettings, KeepSettings

MAX_BYTES = EventSettings().max_bytes
KEY = DEFAULT.left.key[0]


def topic_of(pair: str, side: Side) -> str:
    """The topic of one side of a pair."""
    return f"{pair}-{DEFAULT.source(side).name}"


def pair_of(key: str) -> str:
    """The pair that a key, or a topic, belongs to."""
    return key.split("-", maxsplit=1)[0]


def request_of(pair: str) -> Request:
    """What is asked for when a pair is shown."""
    left, right = (topic_of(pair, side) for side in Side)
    return Request(DEFAULT, left, right, JoinType.LEFT, KeepSettings().limit)


def cells_of(side: Side, mark: int) -> dict[str, Any]:
    """What an event with that mark says: each of its columns tells the mark."""
    if side is Side.LEFT:
        return {"name": f"Name {mark}", "email": f"{mark}@example.org", "age": mark}
    return {"accountType": f"type {mark}", "balance": float(mark)}


@dataclass(frozen=True, slots=True)
class Sent:
    """An event on its way to a place, which is a partition of a topic in one of its lives."""

    side: Side
    key: str
    mark: int
    topic: str
    life: int
    """How often the topic had been deleted and created again before."""
    partition: int
    time: int
    number: int
    """How many were sent to that place before it."""
    value: bytes | None

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it stands in one order with others."""
        return self.topic, self.life, self.partition

    def as_event(self, offset: int | None = None) -> Event:
        """For the model; before the broker has told the offset, with a number that orders in the same way."""
        order = Order(self.time, self.partition, self.number if offset is None else offset)
        return Event(self.topic, order, self.key.encode(), self.value)


@dataclass
class History:
    """Any thread may add to it; one that sends holds `lock` until the producer has the event."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    _by_mark: dict[tuple[Side, int], Sent] = field(default_factory=dict)
    _of_key: dict[tuple[Side, str], list[Sent]] = field(default_factory=dict)
    _counts: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _lives: dict[str, int] = field(default_factory=dict)
    _acknowledged: dict[str, list[Event]] = field(default_factory=dict)

    def send(
        self, side: Side, key: str, mark: int, *, partition: int = 0, time: int = 0, tombstone: bool = False
    ) -> Sent:
        """An event is on its way."""
        value = None if tombstone else orjson.dumps({KEY: key, **cells_of(side, mark)})
        topic = topic_of(pair_of(key), side)
        place = (topic, self._lives.get(topic, 0), partition)
        number = self._counts.get(place, 0)
        self._counts[place] = number + 1
        sent = Sent(side, key, mark, topic, place[1], partition, time, number, value)
        self._by_mark[side, mark] = sent
        self._of_key.setdefault((side, key), []).append(sent)
        return sent

    def acknowledge(self, event: Event) -> None:
        """The broker has it, be it valid or not."""
        self._acknowledged.setdefault(event.topic, []).append(event)

    def begin_life(self, topic: str) -> None:
        """It was deleted and created again: nothing of what was sent before is in it."""
        self._lives[topic] = self._lives.get(topic, 0) + 1
        self._acknowledged.pop(topic, None)

    def life(self, topic: str) -> int:
        """How often it was deleted and created again."""
        return self._lives.get(topic, 0)

    def find(self, side: Side, mark: int) -> Sent | None:
        """The event with that mark, if there is one."""
        return self._by_mark.get((side, mark))

    def up_to(self, last: list[Sent]) -> list[Event]:
        """The shortest prefixes of the places of these events, all of one key, that hold them; events of that key."""
        ends: dict[tuple[str, int, int], int] = {}
        for sent in last:
            ends[sent.place] = max(sent.number, ends.get(sent.place, 0))
        sides_and_keys = {(sent.side, sent.key) for sent in last}
        return [
            sent.as_event()
            for found in sides_and_keys
            for sent in [*self._of_key[found]]
            if sent.number <= ends.get(sent.place, -1)
        ]

    def ended_by(self, sent: Sent) -> Sent | None:
        """The first tombstone that is ordered after it, was sent to the same life of its topic, and is valid."""
        source, order = DEFAULT.source(sent.side), sent.as_event().order
        tombstones = (one for one in self._of(sent) if one.value is None and one.as_event().order > order)
        valid = (one for one in tombstones if judge(one.as_event(), source, MAX_BYTES) is not None)
        return min(valid, key=lambda one: one.as_event().order, default=None)

    def newer(self, sent: Sent) -> int:
        """How many events of its key are ordered after it, in the same life of its topic."""
        return sum(one.as_event().order > sent.as_event().order for one in self._of(sent))

    def _of(self, sent: Sent) -> list[Sent]:
        return [one for one in [*self._of_key.get((sent.side, sent.key), ())] if one.life == sent.life]

    def has(self, pair: str) -> list[Event]:
        """Everything that the topics of a pair have."""
        return [event for side in Side for event in self._acknowledged.get(topic_of(pair, side), [])]

    def bad(self) -> set[str]:
        """The places of all events that the topics have and that are not valid, as their dead letters name them."""
        sides = {DEFAULT.source(side).name: side for side in Side}
        return {
            f"{event.topic}/{event.order.partition}/{event.order.offset}"
            for topic, events in self._acknowledged.items()
            for event in events
            if judge(event, DEFAULT.source(sides[topic.split("-", maxsplit=1)[1]]), MAX_BYTES) is None
        }

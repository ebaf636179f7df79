"""Demo events about the declared sources, as two services that know nothing of each other would send them.

The same seed gives the same events, times aside. Time is counted in events at the given rate, not by the clock, so that
a replay does not depend on how fast the machine is.

It can be left alone for months. A source of which the newest event is kept goes on telling for ever; one of which every
event is kept tells of each key some times, and then more and more rarely, or the rows of a key would become thousands
and each of its events as slow as they are many.
"""

import heapq
import itertools
import math
import random
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from livejoin.local.demo.anything import Anything
from livejoin.local.demo.people import People
from livejoin.local.demo.row import Row, Subject, record_key, record_value
from livejoin.model.declaration import Declaration, Keep, Side

RECENT = 50
SOON = 12
"""How often a key is told of where every event is kept, before it becomes rare."""
DOUBLING_SECONDS = 600.0
"""After this time it is told of once more, and then each time after twice as long."""


class Kind(StrEnum):
    """Why an event is sent."""

    ARRIVAL = "arrival"
    LATE_MATCH = "late match"
    LEFT_UPDATE = "left update"
    RIGHT_UPDATE = "right update"
    DUPLICATE = "duplicate"
    BAD = "bad"


UPDATES = {Kind.LEFT_UPDATE: Side.LEFT, Kind.RIGHT_UPDATE: Side.RIGHT}
WEIGHTS = {Kind.ARRIVAL: 25, Kind.LEFT_UPDATE: 10, Kind.RIGHT_UPDATE: 57, Kind.DUPLICATE: 5, Kind.BAD: 3}
KEPT_WEIGHTS = {Keep.ALL: 45, Keep.LATEST: 22}
"""How often a source of any other declaration tells something new."""


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """One record for the topic of one of the two sources."""

    kind: Kind
    side: Side
    key: bytes
    value: bytes


class Demo:
    """An endless stream of demo events about a limited number of people, or of whatever else the sources are about."""

    def __init__(
        self,
        declaration: Declaration,
        *,
        people: int,
        rate: float,
        seed: int | None = None,
        now: datetime | None = None,
        looks_back: bool = False,
    ) -> None:
        """`looks_back` says that the join keeps every event, whatever is shown."""
        self._declaration = declaration
        self._people = people
        self._rate = rate
        self._began = now or datetime.now(UTC)
        self._random = random.Random(seed)  # noqa: S311 - demo data, not secrets
        self._arrived = 0
        self._rows: dict[Side, dict[int, Row]] = {side: {} for side in Side}
        self._late: list[tuple[float, int, Side]] = []
        self._recent: deque[tuple[int, DemoEvent]] = deque(maxlen=RECENT)
        self._told: Counter[tuple[Side, int]] = Counter()
        """How often each key was told of."""
        self._open: dict[Side, set[int]] = {side: set() for side in Side}
        """What may be told of now, by its number."""
        self._most = SOON
        """How often a key may have been told of where every event is kept."""
        self._kept = {side for side in Side if looks_back or declaration.source(side).keep is Keep.ALL}
        known = People.knows(declaration)
        self._subject: Subject = People(self._random) if known else Anything(declaration, self._random)
        kept = {kind: KEPT_WEIGHTS[declaration.source(side).keep] for kind, side in UPDATES.items()}
        self._weights = WEIGHTS if known else {**WEIGHTS, **kept}

    def events(self) -> Iterator[DemoEvent]:
        """The events, in the order in which they are sent."""
        return (event for event in self.ticks() if event is not None)

    def ticks(self) -> Iterator[DemoEvent | None]:
        """An event every 1/rate seconds, or None where there is nothing to tell."""
        for count in itertools.count():
            yield self._next(count / self._rate)

    def _next(self, now: float) -> DemoEvent | None:
        if self._late and self._late[0][0] <= now:
            _, number, side = heapq.heappop(self._late)
            return self._first_event(Kind.LATE_MATCH, side, number, now)
        match self._possible_kind(now):
            case Kind.LEFT_UPDATE | Kind.RIGHT_UPDATE as kind:
                return self._update(kind, UPDATES[kind], now)
            case Kind.DUPLICATE:
                number, original = self._random.choice(self._repeatable())
                return self._sent(number, replace(original, kind=Kind.DUPLICATE))
            case Kind.BAD:
                number = self._random.randrange(self._arrived)
                return DemoEvent(Kind.BAD, *self._subject.bad(number, self._at(now)))
            case Kind.ARRIVAL:
                return self._arrival(now)
            case _:
                return None

    def _possible_kind(self, now: float) -> Kind | None:
        self._reopen(now)
        possible = {
            Kind.ARRIVAL: self._arrived < self._people,
            Kind.LEFT_UPDATE: bool(self._open[Side.LEFT]),
            Kind.RIGHT_UPDATE: bool(self._open[Side.RIGHT]),
            Kind.DUPLICATE: bool(self._repeatable()),
        }
        # Where there is nothing good to tell, nothing bad is told either.
        possible[Kind.BAD] = any(possible.values()) and self._arrived > 0
        kinds = [kind for kind, is_possible in possible.items() if is_possible]
        return self._random.choices(kinds, [self._weights[kind] for kind in kinds])[0] if kinds else None

    def _arrival(self, now: float) -> DemoEvent:
        """The first event of a key; the other source tells seconds later, and of some keys never."""
        number, self._arrived = self._arrived, self._arrived + 1
        if self._random.random() < 0.1:
            return self._first_event(Kind.ARRIVAL, Side.LEFT, number, now)
        first, second = (Side.LEFT, Side.RIGHT) if self._random.random() < 0.75 else (Side.RIGHT, Side.LEFT)
        heapq.heappush(self._late, (now + self._random.uniform(1.0, 12.0), number, second))
        return self._first_event(Kind.ARRIVAL, first, number, now)

    def _first_event(self, kind: Kind, side: Side, number: int, now: float) -> DemoEvent:
        row = self._rows[side][number] = self._subject.first(side, number, self._at(now))
        self._open[side].add(number)
        return self._sent(number, self._event(kind, side, row))

    def _update(self, kind: Kind, side: Side, now: float) -> DemoEvent:
        rows = self._rows[side]
        number = self._random.choice(sorted(self._open[side]))
        rows[number] = self._subject.changed(side, rows[number], self._at(now))
        return self._sent(number, self._event(kind, side, rows[number]))

    def _event(self, kind: Kind, side: Side, row: Row) -> DemoEvent:
        source = self._declaration.source(side)
        return DemoEvent(kind, side, record_key(source, row), record_value(source, row))

    def _sent(self, number: int, event: DemoEvent) -> DemoEvent:
        self._recent.append((number, event))
        self._told[event.side, number] += 1
        if event.side in self._kept and self._told[event.side, number] >= self._most:
            self._open[event.side].discard(number)
        return event

    def _repeatable(self) -> list[tuple[int, DemoEvent]]:
        return [(number, event) for number, event in self._recent if number in self._open[event.side]]

    def _reopen(self, now: float) -> None:
        most = SOON + int(math.log2(1 + now / DOUBLING_SECONDS))
        if most > self._most:
            self._most = most
            for side, rows in self._rows.items():
                self._open[side].update(rows)

    def _at(self, now: float) -> datetime:
        return self._began + timedelta(seconds=now)


def count_kinds(events: Counter[Kind], declaration: Declaration) -> str:
    """How many events of each kind, in words."""
    updates = {kind: f"{declaration.source(side).name} update" for kind, side in UPDATES.items()}
    words = {kind: updates.get(kind, kind.value) for kind in Kind}
    return ", ".join(f"{events[kind]} {words[kind]}" for kind in Kind if events[kind])

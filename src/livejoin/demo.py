"""Demo events: people and their accounts, as two services that know nothing of each other would send them.

The same seed gives the same events. Time is counted in events at the given rate, not by the clock, so that a replay
does not depend on how fast the machine is.
"""

import heapq
import itertools
import random
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import orjson

from livejoin.schema import ACCOUNTS, KEY, USERS, Source

FIRST_NAMES = (
    "Amara Anton Beatriz Chiara Daniel Elif Emil Farah Greta Hannah Ines Ivan Jonas Kaito Katya Leila Liam Lucia Malik "
    "Marta Mateo Mei Nadia Noah Olga Omar Paula Priya Quentin Rosa Samir Sofia Tariq Tomas Ursula Victor Wanda Xin Zoe"
)
LAST_NAMES = (
    "Adeyemi Almeida Andersen Bauer Bianchi Brandt Castro Chen Costa Dubois Eriksen Fischer Garcia Haddad Horvat Ito "
    "Jansen Kaya Kim Kowalski Larsen Lopez Mancini Meyer Moreau Nakamura Novak Okafor Patel Petrov Rossi Santos "
    "Schmidt Silva Singh Tanaka Vargas Weber Yilmaz Zhang"
)
MAIL_HOSTS = ("example.com", "example.net", "example.org", "mail.example.com")
ACCOUNT_TYPES = {"checking": 50, "savings": 30, "credit": 15, "brokerage": 5}
RECENT = 50


class Kind(StrEnum):
    """Why an event is sent."""

    ARRIVAL = "arrival"
    LATE_MATCH = "late match"
    USER_UPDATE = "user update"
    ACCOUNT_UPDATE = "account update"
    DUPLICATE = "duplicate"
    BAD = "bad"


WEIGHTS = {Kind.ARRIVAL: 25, Kind.USER_UPDATE: 10, Kind.ACCOUNT_UPDATE: 57, Kind.DUPLICATE: 5, Kind.BAD: 3}


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """One record for one of the two source topics."""

    kind: Kind
    source: str
    key: bytes
    value: bytes


class Demo:
    """An endless stream of demo events about a limited number of people."""

    def __init__(self, *, people: int, rate: float, seed: int | None = None) -> None:
        self._people = people
        self._rate = rate
        self._random = random.Random(seed)  # noqa: S311 - demo data, not secrets
        self._arrived = 0
        self._users: dict[int, dict[str, Any]] = {}
        self._accounts: dict[int, dict[str, Any]] = {}
        self._late: list[tuple[float, int, Source]] = []
        self._recent: deque[DemoEvent] = deque(maxlen=RECENT)

    def events(self) -> Iterator[DemoEvent]:
        """The events, in the order in which they are sent, one every 1/rate seconds."""
        for count in itertools.count():
            event = self._next(count / self._rate)
            if event.kind is not Kind.BAD:
                self._recent.append(event)
            yield event

    def _next(self, now: float) -> DemoEvent:
        if self._late and self._late[0][0] <= now:
            _, number, source = heapq.heappop(self._late)
            return self._first_event(Kind.LATE_MATCH, source, number)
        match self._possible_kind():
            case Kind.USER_UPDATE:
                return self._user_update()
            case Kind.ACCOUNT_UPDATE:
                return self._account_update()
            case Kind.DUPLICATE:
                original = self._random.choice(self._recent)
                return replace(original, kind=Kind.DUPLICATE)
            case Kind.BAD:
                return self._bad()
            case _:
                return self._arrival(now)

    def _possible_kind(self) -> Kind:
        possible = {
            Kind.ARRIVAL: self._arrived < self._people,
            Kind.USER_UPDATE: bool(self._users),
            Kind.ACCOUNT_UPDATE: bool(self._accounts),
            Kind.DUPLICATE: bool(self._recent),
            Kind.BAD: bool(self._recent),
        }
        kinds = [kind for kind, is_possible in possible.items() if is_possible]
        return self._random.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]

    def _arrival(self, now: float) -> DemoEvent:
        """A person's first event; the other source tells seconds later, and of some people never."""
        number, self._arrived = self._arrived, self._arrived + 1
        if self._random.random() < 0.1:
            return self._first_event(Kind.ARRIVAL, USERS, number)
        first, second = (USERS, ACCOUNTS) if self._random.random() < 0.75 else (ACCOUNTS, USERS)
        heapq.heappush(self._late, (now + self._random.uniform(1.0, 12.0), number, second))
        return self._first_event(Kind.ARRIVAL, first, number)

    def _first_event(self, kind: Kind, source: Source, number: int) -> DemoEvent:
        if source is USERS:
            row = self._users[number] = _person(number)
        else:
            row = self._accounts[number] = self._new_account(number)
        return _event(kind, source, row)

    def _new_account(self, number: int) -> dict[str, Any]:
        kind = self._random.choices(list(ACCOUNT_TYPES), list(ACCOUNT_TYPES.values()))[0]
        balance = round(self._random.lognormvariate(7.5, 1.2), 2)
        return _row(ACCOUNTS, _user_id(number), [kind, balance])

    def _user_update(self) -> DemoEvent:
        user = self._users[self._random.choice(list(self._users))]
        if self._random.random() < 0.5:
            user["age"] = self._random.randint(18, 84)
        else:
            user["email"] = f"{user['email'].partition('@')[0]}@{self._random.choice(MAIL_HOSTS)}"
        return _event(Kind.USER_UPDATE, USERS, user)

    def _account_update(self) -> DemoEvent:
        account = self._accounts[self._random.choice(list(self._accounts))]
        account["balance"] = round(account["balance"] + self._random.gauss(0, 120), 2)
        return _event(Kind.ACCOUNT_UPDATE, ACCOUNTS, account)

    def _bad(self) -> DemoEvent:
        user = _person(self._random.randrange(self._arrived))
        user_id = user[KEY.name]
        source, value = self._random.choice(
            [
                (USERS, orjson.dumps(user)[:-8]),
                (USERS, orjson.dumps({name: user[name] for name in user if name != KEY.name})),
                (USERS, orjson.dumps({**user, "age": "forty"})),
                (ACCOUNTS, orjson.dumps(_row(ACCOUNTS, user_id, ["checking", "a lot"]))),
                (ACCOUNTS, b"balance: 12.50"),
                (ACCOUNTS, orjson.dumps([user_id, "savings", 12.5])),
            ]
        )
        return DemoEvent(Kind.BAD, source.name, user_id.encode(), value)


def count_kinds(events: Counter[Kind]) -> str:
    """How many events of each kind, in words."""
    return ", ".join(f"{events[kind]} {kind}" for kind in Kind if events[kind])


def _person(number: int) -> dict[str, Any]:
    """The same number is the same person in every run, so that a later run updates the rows of an earlier one."""
    fate = random.Random(number)  # noqa: S311 - demo data, not secrets
    first, last = fate.choice(FIRST_NAMES.split()), fate.choice(LAST_NAMES.split())
    email = f"{first}.{last}{number}@{fate.choice(MAIL_HOSTS)}".lower()
    return _row(USERS, _user_id(number), [f"{first} {last}", email, fate.randint(18, 84)])


def _user_id(number: int) -> str:
    return f"u-{number + 1:05d}"


def _row(source: Source, user_id: str, values: list[Any]) -> dict[str, Any]:
    return dict(zip([column.name for column in source.columns], [user_id, *values], strict=True))


def _event(kind: Kind, source: Source, row: dict[str, Any]) -> DemoEvent:
    return DemoEvent(kind, source.name, str(row[KEY.name]).encode(), orjson.dumps(row))

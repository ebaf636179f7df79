"""Plausible values for columns, by type and name."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from livejoin.local.demo.words import (
    CITIES,
    COLOURS,
    COMPANIES,
    COUNTRIES,
    CURRENCIES,
    KINDS,
    LAST_NAMES,
    MAIL_HOSTS,
    REGIONS,
    REMARKS,
    STATES,
    STREETS,
    THINGS,
    person,
)
from livejoin.model.column import Column, Kind
from livejoin.words import words_of

Text = Callable[[random.Random], str]

_IDS = frozenset({"id", "uuid", "guid", "number", "no", "nr", "ref", "reference"})
_NO_IDS = frozenset({"phone", "mobile", "tel", "house", "street"})
_LASTING = frozenset(
    {"name", "first", "last", "born", "birth", "birthday", "created", "placed", "ordered", "country", "currency"}
)
"""What does not change once it is told."""
_SMALL = frozenset({"quantity", "qty", "count", "items", "pieces", "amount", "units", "stock", "level"})
_LATER = frozenset({"due", "until", "expires", "expiry", "end", "ends", "valid"})


def _one_of(words: str) -> Text:
    return lambda fate: fate.choice(words.split())


def _mail(fate: random.Random) -> str:
    first, last = person(fate)
    return f"{first}.{last}{fate.randrange(100)}@{fate.choice(MAIL_HOSTS)}".lower()


_TEXTS: list[tuple[frozenset[str], Text]] = [
    (frozenset({"email", "mail"}), _mail),
    (frozenset({"first"}), lambda fate: person(fate)[0]),
    (frozenset({"last", "surname"}), lambda fate: person(fate)[1]),
    (
        frozenset({"company", "shop", "firm", "supplier", "vendor"}),
        lambda fate: f"{fate.choice(LAST_NAMES.split())} {fate.choice(COMPANIES.split())}",
    ),
    (
        frozenset({"product", "item", "article", "thing"}),
        lambda fate: f"{fate.choice(COLOURS.split())} {fate.choice(THINGS.split()).lower()}",
    ),
    (frozenset({"name", "person", "contact", "owner", "author"}), lambda fate: " ".join(person(fate))),
    (frozenset({"phone", "mobile", "tel"}), lambda fate: f"+00 555 {fate.randrange(10**6):06d}"),
    (frozenset({"city", "town", "place"}), _one_of(CITIES)),
    (frozenset({"country", "nation"}), _one_of(COUNTRIES)),
    (frozenset({"region", "area", "zone"}), _one_of(REGIONS)),
    (
        frozenset({"street", "address"}),
        lambda fate: f"{fate.choice(STREETS.split())} Street {fate.randint(1, 120)}",
    ),
    (frozenset({"status", "state", "stage"}), _one_of(STATES)),
    (frozenset({"type", "kind", "category", "tier", "plan", "class", "segment"}), _one_of(KINDS)),
    (frozenset({"currency"}), _one_of(CURRENCIES)),
    (frozenset({"colour", "color"}), _one_of(COLOURS)),
    (frozenset({"url", "link", "site"}), lambda fate: f"https://{fate.choice(MAIL_HOSTS)}/{fate.randrange(10_000)}"),
    (frozenset({"zip", "postcode", "postal"}), lambda fate: f"{fate.randrange(100_000):05d}"),
    (
        frozenset({"note", "notes", "comment", "remark", "description", "text", "message", "order"}),
        lambda fate: fate.choice(REMARKS),
    ),
    (frozenset({"sku", "code"}), lambda fate: f"{fate.choice('ABCDEFGH')}{fate.randrange(1000):03d}"),
]


def is_id(column: Column) -> bool:
    """Whether a column numbers its rows, by its name."""
    words = words_of(column.name)
    numbers = bool(words) and words[-1] in _IDS and _NO_IDS.isdisjoint(words)
    return numbers and column.type.kind in (Kind.STRING, Kind.LONG)


def is_lasting(column: Column) -> bool:
    """Whether a value stays what it is, by its name."""
    return is_id(column) or not _LASTING.isdisjoint(words_of(column.name))


def numbered(column: Column, number: int) -> Any:
    """The id of that number."""
    if column.type.kind is Kind.LONG:
        return 100_000 + number
    initial = next(iter("".join(words_of(column.name))), "r")
    return f"{initial}-{number:06d}"


def value_of(column: Column, fate: random.Random, at: datetime) -> Any:
    """A value as JSON has it."""
    words, kind = frozenset(words_of(column.name)), column.type
    match kind.kind:
        case Kind.STRING:
            found = next((text for names, text in _TEXTS if not names.isdisjoint(words)), _one_of(THINGS))
            return found(fate)
        case Kind.LONG:
            return _whole(words, fate, at)
        case Kind.DOUBLE:
            return _fractional(words, fate)
        case Kind.BOOLEAN:
            return fate.random() < 0.7
        case Kind.DECIMAL:
            most = 10 ** (kind.precision - kind.scale)
            units = int(fate.lognormvariate(4.5, 1.1) * 10**kind.scale) % (most * 10**kind.scale)
            return digits(units, kind.scale)
        case Kind.TIMESTAMP:
            return instant(_moment(words, fate, at), millis=kind.millis)
        case Kind.DATE:
            return _moment(words, fate, at, days=True).date().isoformat()


def instant(moment: datetime, *, millis: bool) -> int | str:
    """A point in time as an event writes it."""
    if millis:
        return int(moment.timestamp() * 1000)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def digits(units: int, scale: int) -> int | orjson.Fragment:
    """A number with all of its digits after the point, which no number of Python's would write."""
    if scale == 0:
        return units
    return orjson.Fragment(f"{units // 10**scale}.{units % 10**scale:0{scale}d}")


def _whole(words: frozenset[str], fate: random.Random, at: datetime) -> int:
    if "age" in words:
        return fate.randint(18, 84)
    if "year" in words:
        return at.year - fate.randrange(10)
    if not _SMALL.isdisjoint(words):
        return fate.randint(1, 9)
    if not {"percent", "score", "rating"}.isdisjoint(words):
        return fate.randint(0, 100)
    return fate.randint(0, 9_999)


def _fractional(words: frozenset[str], fate: random.Random) -> float:
    if not {"lat", "latitude"}.isdisjoint(words):
        return round(fate.uniform(-60, 60), 5)
    if not {"lon", "lng", "longitude"}.isdisjoint(words):
        return round(fate.uniform(-180, 180), 5)
    if not {"temperature", "temp", "celsius"}.isdisjoint(words):
        return round(fate.gauss(19, 4), 1)
    if not {"share", "ratio", "rate", "probability"}.isdisjoint(words):
        return round(fate.random(), 4)
    return round(fate.lognormvariate(4.5, 1.1), 2)


def _moment(words: frozenset[str], fate: random.Random, at: datetime, *, days: bool = False) -> datetime:
    if not {"born", "birth", "birthday", "birthdate"}.isdisjoint(words):
        return at - timedelta(days=fate.randint(18 * 365, 84 * 365))
    away = timedelta(days=fate.randint(0, 30)) if days else timedelta(seconds=round(fate.expovariate(1 / 20), 3))
    return at + (away if days else timedelta(days=7)) if not _LATER.isdisjoint(words) else at - away

"""Names: what a topic, a field or a column tells by being called so."""

import re

from livejoin.model.column import Column, ColumnType, DeclarationProblem, Kind
from livejoin.words import words_of

_TELLS_NOTHING = re.compile(r"v?\d+|json|avro|events?|topic|raw|stream|prod|production|test", re.IGNORECASE)
_TIMES = frozenset(
    {
        "at", "time", "timestamp", "ts", "date", "when", "created", "updated", "modified", "changed", "placed",
        "ordered", "paid", "shipped", "sent", "received", "started", "ended", "expires", "since", "until",
        "epoch", "millis", "ms",
    }
)  # fmt: skip
_OWN_IDS = ("id", "key", "uuid", "guid")
"""What rows of any source may be numbered by: equal names of that kind mean nothing."""
_IDS = ("id", "key", "code", "no", "nr", "number", "uuid", "guid", "ref")
LONGEST_SOURCE = 48
_ANY = ColumnType(Kind.STRING)


def suggests_time(name: str) -> bool:
    """Whether a field of that name may be a point in time."""
    return not _TIMES.isdisjoint(words_of(name))


def suggests_identity(name: str) -> bool:
    """Whether a field of that name may say which row it is about."""
    return not frozenset(_IDS).isdisjoint(words_of(name)[-1:])


def source_names(left_topic: str, right_topic: str) -> tuple[str, str]:
    """What the sources of two topics are called: after the part of a topic that tells most, and differently."""
    left, right = legal(_telling(left_topic), "left"), legal(_telling(right_topic), "right")
    if left.lower() == right.lower():
        left, right = legal(left_topic, "left"), legal(right_topic, "right")
    if left.lower() == right.lower():
        left, right = f"{left[: LONGEST_SOURCE - 6]}_left", f"{right[: LONGEST_SOURCE - 6]}_right"
    return left, right


def legal(text: str, side: str) -> str:
    """A text as the name of a source."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    name = name if name[:1].isalpha() else f"source_{name}".strip("_")
    taken = {"final", "left", "right"}
    return f"{name}_{side}"[:LONGEST_SOURCE] if name.lower() in taken else name[:LONGEST_SOURCE]


def _telling(topic: str) -> str:
    parts = [part for part in topic.split(".") if part]
    return next((part for part in reversed(parts) if not _TELLS_NOTHING.fullmatch(part)), topic)


def column_name(path: tuple[str, ...], taken: set[str]) -> str | None:
    """What the column of a field is called, differently from those that are taken; None where it can be no column."""
    inner = "".join(part[:1].upper() + part[1:] for part in path[1:])
    for name in (path[0] + inner, ".".join(path), *(f"{'.'.join(path)} {number}" for number in range(2, 5))):
        try:
            Column(name, _ANY, path)
        except DeclarationProblem:
            continue
        if name not in taken:
            return name
    return None


def singular(name: str) -> str:
    """What one of them is called: `companies` are more than one company."""
    last = "".join(words_of(name)[-1:])
    if last.endswith("ies"):
        return f"{last[:-3]}y"
    return last[:-1] if last.endswith("s") and not last.endswith("ss") else last


def likeness(left: tuple[str, Column], right: tuple[str, Column]) -> float:
    """How likely two columns mean the same by their names, from 0 to 1; each with the name of its source."""
    one, other = _plain(left[1]), _plain(right[1])
    if one == other and one not in _OWN_IDS:
        return 1.0
    if not _meanings(*left).isdisjoint(_meanings(*right)):
        return 0.9
    return 0.3 if one == other else 0.0


def _plain(column: Column) -> str:
    return "".join(words_of(column.name))


def _meanings(source: str, column: Column) -> set[str]:
    """What a column may be about: `id` of customers, `customer`, `customerId` and `customer.id` are of a customer."""
    found = set()
    for name in (column.name, " ".join(column.path)):
        parts = words_of(name)
        about = "".join(parts[:-1]) if parts and parts[-1] in _IDS else "".join(parts)
        if parts and parts[-1] in _IDS:
            found.add(about or singular(source))
        else:
            found.add(about)
    return found - {""}

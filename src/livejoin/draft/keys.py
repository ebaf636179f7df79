"""Which columns the sources are likely to be joined by, from names, types and values."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from livejoin.draft.kind import accepted, held
from livejoin.draft.names import likeness
from livejoin.draft.source import DraftedSource
from livejoin.model.column import Column, Kind

WEAK = frozenset({Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP})
"""Types that seldom say what a row is about."""
SURE = 2.0
"""A score that no two columns have which neither share values nor are called alike."""
COUNTED = 1_000
"""How many events tell whether one column more tells rows apart: it is asked of every pair that is called alike."""
MORE_KEYS = 1.3
"""By how much another column has to tell rows apart better."""


@dataclass(frozen=True)
class Pair:
    """Two columns that may be equal: how likely, and what was measured."""

    left: Column
    right: Column
    score: float
    shared: int
    """How many different values both have."""
    left_values: int
    right_values: int


def likely_key(left: DraftedSource, right: DraftedSource) -> list[Pair]:
    """The pairs of columns to join by, the likeliest first; empty where no two columns have the same type."""
    pairs = [
        _measured(left, right, one, other)
        for one, other in product(left.columns, right.columns)
        if one.type.held == other.type.held and one.type.kind is not Kind.DOUBLE
    ]
    if not pairs:
        return []
    best = max(pairs, key=lambda pair: pair.score)
    key = [best]
    for pair in sorted(pairs, key=lambda each: -each.score):
        used = {each.left for each in key} | {each.right for each in key}
        named_alike = likeness((left.name, pair.left), (right.name, pair.right)) == 1.0
        if named_alike and not {pair.left, pair.right} & used and _tells_apart(left, right, key, pair):
            key.append(pair)
    return key


def _measured(left: DraftedSource, right: DraftedSource, one: Column, other: Column) -> Pair:
    lefts, rights = left.different[one], right.different[other]
    shared = len(lefts & rights)
    overlap = shared / max(1, min(len(lefts), len(rights)))
    unique = len(rights) / max(1, len(right.values[other]))
    score = 2 * likeness((left.name, one), (right.name, other)) + 2 * overlap + unique
    score += _is_record_key(left, one) + _is_record_key(right, other)
    if one.type.kind in WEAK:
        score -= 2
    return Pair(one, other, score, shared, len(lefts), len(rights))


def known_by_record_key(source: DraftedSource, other: DraftedSource) -> Column | None:
    """The column of the other source whose values are the record keys of this one, where nobody reads them."""
    keys = {event.key for event in source.sample.events if event.key}
    shared = {
        column: len(keys & {str(value).encode() for value in found}) / len(keys)
        for column, found in other.values.items()
        if keys
    }
    best = max(shared, key=lambda column: shared[column], default=None)
    return best if best is not None and shared[best] > 0.5 else None


def _is_record_key(source: DraftedSource, column: Column) -> float:
    """Whether records have this column's values as their keys, or among the fields of their keys."""
    pairs = [(event.key, event.fields.get(column.path)) for event in source.sample.events[-200:] if event.key]
    if not pairs:
        return 0.0
    same = sum(
        value is not None and (key == str(value).encode() or _in_key(key, column.name, value)) for key, value in pairs
    )
    return 0.5 * (same / len(pairs) > 0.9)


def _in_key(key: bytes, name: str, value: Any) -> bool:
    try:
        found = json.loads(key)
    except ValueError:
        return False
    return isinstance(found, dict) and name in found and str(found[name]) == str(value)


def _tells_apart(left: DraftedSource, right: DraftedSource, key: Sequence[Pair], more: Pair) -> bool:
    """Whether rows of the right are told apart better by one column more, and those of the left still find theirs."""
    before, after = list(key), [*key, more]
    rights, more_rights = _tuples(right, [p.right for p in before]), _tuples(right, [p.right for p in after])
    lefts, more_lefts = _tuples(left, [p.left for p in before]), _tuples(left, [p.left for p in after])
    found, still = _share(lefts, rights), _share(more_lefts, more_rights)
    return len(set(more_rights)) >= MORE_KEYS * len(set(rights)) and found > 0 and still >= 0.8 * found


def _tuples(source: DraftedSource, columns: Sequence[Column]) -> list[tuple[object, ...]]:
    return [
        tuple(held(column.type, event.fields[column.path]) for column in columns)
        for event in source.sample.events[-COUNTED:]
        if all(accepted(column.type, event.fields.get(column.path)) for column in columns)
    ]


def _share(of: list[tuple[object, ...]], among: list[tuple[object, ...]]) -> float:
    there = set(among)
    return sum(each in there for each in of) / max(1, len(of))

"""Declarations that nobody would think of, found by hypothesis: names, types, keys, keep, join and columns."""

from typing import Any

from hypothesis import strategies as st

from drawn import drawn
from livejoin.model.column import Column, ColumnType, Kind
from livejoin.model.declaration import Declaration, Keep, Source
from livejoin.model.generation import JoinType, Request

NAMES = (
    "key",
    "value",
    "order",
    "row",
    "event",
    "topic",
    "select",
    "id",
    "gone",
    "v",
    "k0",
    "l0",
    "left",
    "joined",
    "two words",
    "a.b",
    "it's",
    'say "yes"',
    """both ' and " .[""",
    "Größe",
    "名前",
    "${env:HOME}",
    "back\\slash",
    "`tick`",
    "$[0]",
    "userId",
    "__proto__",
    "count(1)",
    "😀",
)
FIRST_KEY_TYPES = ("string", "long", "decimal(20,3)", "timestamp", "timestamp(millis)", "date")
"""Of which there are enough values for every history to have one of its own."""
KEY_TYPES = (*FIRST_KEY_TYPES, "boolean")
TYPES = (*KEY_TYPES, "double", "decimal(38,38)", "decimal(1,0)", "decimal(18,2)")
KEEP_LIMITS = (0, 0, 1, 2, 3)
"""Fewer events than a key of a history has, or all of them."""
NULLS: dict[Kind, Any] = {
    Kind.STRING: "it's ${x}",
    Kind.LONG: -1,
    Kind.DOUBLE: 0.5,
    Kind.BOOLEAN: True,
    Kind.DECIMAL: 0,
    Kind.DATE: "1969-12-31",
    Kind.TIMESTAMP: "1969-12-31T23:59:59.999999999Z",
}


def collect_requests(count: int, seed: int) -> list[Request]:
    """That many, each with topics of its own."""
    asked = st.tuples(declarations(), st.sampled_from(JoinType), st.sampled_from(KEEP_LIMITS))
    return [
        Request(declaration, f"declared-{number}-left", f"declared-{number}-right", join, limit)
        for number, (declaration, join, limit) in enumerate(drawn(count, seed, lambda _: asked))
    ]


@st.composite
def declarations(draw: st.DrawFn) -> Declaration:
    """Any declaration that is allowed."""
    keys = [draw(st.sampled_from(FIRST_KEY_TYPES)), *draw(st.lists(st.sampled_from(KEY_TYPES), max_size=2))]
    # What is held alike can be joined, however it is written.
    pairs = [
        (key, draw(st.sampled_from(["timestamp", "timestamp(millis)"])) if key.startswith("timestamp") else key)
        for key in keys
    ]
    left = draw(_source("orders", [one for one, _ in pairs]))
    right = draw(_source("select", [other for _, other in pairs]))
    return Declaration.of(left, right, draw(st.one_of(st.none(), _columns(left, right))))


@st.composite
def _source(draw: st.DrawFn, name: str, keys: list[str]) -> Source:
    types = [*keys, *draw(st.lists(st.sampled_from(TYPES), max_size=4))]
    names = draw(st.lists(st.sampled_from(NAMES), min_size=len(types), max_size=len(types), unique=True))
    columns = [
        draw(_column(column, ColumnType.named(of), place, is_key=place < len(keys)))
        for place, (column, of) in enumerate(zip(names, types, strict=True))
    ]
    return Source(name, tuple(draw(st.permutations(columns))), tuple(names[: len(keys)]), draw(st.sampled_from(Keep)))


@st.composite
def _column(draw: st.DrawFn, name: str, of: ColumnType, place: int, *, is_key: bool) -> Column:
    path = draw(st.sampled_from([(), (f"parent {place}", "it's", name)]))
    becomes = (-1 if of.millis else NULLS[of.kind]) if not is_key and draw(st.booleans()) else None
    return Column(name, of, path, becomes)


@st.composite
def _columns(draw: st.DrawFn, left: Source, right: Source) -> list[str]:
    found = [f"{source.name}.{column.name}" for source in (left, right) for column in source.columns]
    chosen = draw(st.lists(st.sampled_from(found), min_size=1, max_size=len(found), unique=True))
    return [f"{text} as {place} renamed" if draw(st.booleans()) else text for place, text in enumerate(chosen)]

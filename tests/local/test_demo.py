"""Demo events: deterministic, plausible, and with everything that real topics have."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from livejoin.local.demo.stream import SOON, Demo, DemoEvent, Kind
from livejoin.model.column import Kind as Type
from livejoin.model.declaration import Keep, Side
from livejoin.model.default_declaration import DEFAULT

PYTHON_TYPES = {Type.STRING: str, Type.LONG: int, Type.DOUBLE: float}
KEY = "userId"


def first_events(count: int = 3000, *, people: int = 100, seed: int | None = 7) -> list[DemoEvent]:
    """The first events of a demo at 20 events per second."""
    return list(islice(Demo(DEFAULT, people=people, rate=20.0, seed=seed).events(), count))


def test_the_same_seed_sends_the_same_events() -> None:
    """A seed decides every event; another seed tells another story about the same people."""
    assert first_events(seed=1) == first_events(seed=1)
    assert first_events(seed=1) != first_events(seed=2)


def test_every_kind_of_event_occurs() -> None:
    """Arrivals, late matches, updates, duplicates and some bad events are all there, bad ones being few."""
    kinds = Counter(event.kind for event in first_events())
    assert set(kinds) == set(Kind)
    assert kinds[Kind.BAD] < 0.06 * kinds.total()


def test_good_events_fit_the_schema() -> None:
    """Every event that is not meant to be bad has exactly its source's columns, of their types, and its own key."""
    for event in first_events():
        if event.kind is not Kind.BAD:
            row = json.loads(event.value)
            assert {name: type(value) for name, value in row.items()} == {
                column.name: PYTHON_TYPES[column.type.kind] for column in DEFAULT.source(event.side).columns
            }
            assert row[KEY].encode() == event.key


def test_bad_events_are_bad_in_several_ways() -> None:
    """Bad events are malformed, are no object, have no userId, or have a value of the wrong type."""
    ways = set()
    for event in first_events():
        if event.kind is Kind.BAD:
            ways.add(way_of(event.value))
    assert ways == {"malformed", "not an object", "no userId", "wrong type"}


def way_of(value: bytes) -> str:
    """In which way a value is bad."""
    try:
        row = json.loads(value)
    except ValueError:
        return "malformed"
    if not isinstance(row, dict):
        return "not an object"
    if KEY not in row:
        return "no userId"
    wrong = isinstance(row.get("age"), str) or isinstance(row.get("balance"), str)
    return "wrong type" if wrong else "good"


def test_matches_come_late_in_both_directions() -> None:
    """Some accounts arrive after their user and some users after their account, seconds apart."""
    seen: dict[tuple[Side, bytes], int] = {}
    for number, event in enumerate(first_events()):
        if event.kind in (Kind.ARRIVAL, Kind.LATE_MATCH):
            seen.setdefault((event.side, event.key), number)
    delays = [
        (seen[Side.RIGHT, key] - number) / 20.0
        for (side, key), number in seen.items()
        if side is Side.LEFT and (Side.RIGHT, key) in seen
    ]
    assert any(delay > 1.0 for delay in delays)
    assert any(delay < -1.0 for delay in delays)


def test_people_are_limited_and_stay_the_same() -> None:
    """No more people than asked for appear, and a second run with another seed is about the same ones."""
    runs = [first_events(people=10, seed=seed) for seed in (1, 2)]
    names = [
        {row["name"] for event in run if event.kind is not Kind.BAD and "name" in (row := json.loads(event.value))}
        for run in runs
    ]
    assert names[0] == names[1]
    assert 5 <= len(names[0]) <= 10


def test_some_people_have_no_account() -> None:
    """A left join has something to show: some people never get an account."""
    events = [event for event in first_events() if event.kind is not Kind.BAD]
    keys = {side: {event.key for event in events if event.side is side} for side in Side}
    assert 0 < len(keys[Side.LEFT] - keys[Side.RIGHT]) < 0.5 * len(keys[Side.LEFT])


def test_one_person_is_enough() -> None:
    """A demo about a single person goes on for ever too."""
    assert {event.key for event in first_events(people=1)} == {b"u-00001"}


MONTH = 30 * 86_400
KEPT = {"all": Keep.ALL, "latest": Keep.LATEST}


@pytest.mark.parametrize(
    ("left", "right", "looks_back"), [("all", "latest", False), ("all", "all", False), ("latest", "latest", True)]
)
def test_a_month_later_it_is_as_quick_as_on_the_first_day(left: str, right: str, *, looks_back: bool) -> None:
    """However long it runs, there are no more keys, and where every event is kept, no more than some of each key.

    Events are counted for time, so that few of them are a month; what is allowed depends on the time alone.
    """
    rate, people = 0.01, 20
    kept = {Side.LEFT: KEPT[left], Side.RIGHT: KEPT[right]}
    declaration = replace(
        DEFAULT,
        left=replace(DEFAULT.left, keep=kept[Side.LEFT]),
        right=replace(DEFAULT.right, keep=kept[Side.RIGHT]),
    )
    story = Demo(declaration, people=people, rate=rate, seed=7, looks_back=looks_back)
    month = [event for event in islice(story.ticks(), int(MONTH * rate)) if event and event.kind is not Kind.BAD]
    told = Counter((event.side, event.key) for event in month)
    for side in Side:
        of_side = [count for (found, _), count in told.items() if found is side]
        assert len(of_side) <= people
        if looks_back or kept[side] is Keep.ALL:
            assert SOON <= max(of_side) <= SOON + 12
        else:
            assert max(of_side) > 1_000

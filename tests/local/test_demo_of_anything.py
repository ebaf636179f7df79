"""Demo events for declarations that nobody has thought of: plausible, matching, and with what real topics have."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as of_hypothesis

from declarations import declarations
from livejoin.local.demo.stream import Demo, DemoEvent, Kind, count_kinds
from livejoin.model.column import Column
from livejoin.model.column import Kind as Type
from livejoin.model.declaration import Declaration, Keep, Side, Source
from livejoin.settings.declaration import JoinSettings, LeftSettings, RightSettings, declared

NOW = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
SHOP = declared(
    LeftSettings.model_validate(
        {
            "name": "orders",
            "keep": "all",
            "columns": {
                "orderId": "string",
                "customer": {"type": "string", "path": "buyer.id"},
                "mail": {"type": "string", "path": "buyer.contact.email"},
                "total": "decimal(18,2)",
                "exact": "decimal(38,10)",
                "placed": "timestamp",
                "placedMillis": "timestamp(millis)",
                "due": "date",
                "paid": "boolean",
                "pieces": "long",
                "order": {"type": "string", "null": ""},
            },
        }
    ),
    RightSettings.model_validate(
        {"name": "customers", "keep": "latest", "columns": {"id": "string", "region": "string", "name": "string"}}
    ),
    JoinSettings(on={"customer": "id"}),
)


def events(declaration: Declaration, count: int = 2000, seed: int = 7, people: int = 60) -> list[DemoEvent]:
    """The first events of a demo at 20 events per second."""
    return list(islice(Demo(declaration, people=people, rate=20.0, seed=seed, now=NOW).events(), count))


def value_at(event: dict[str, Any], column: Column) -> Any:
    """What an event has for a column; None where it has nothing."""
    found: Any = event
    for name in column.path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def key_of(source: Source, event: DemoEvent) -> tuple[Any, ...]:
    """The key of a good event, as it is held."""
    row = json.loads(event.value, parse_float=Decimal)
    return tuple(column.type.hold(value_at(row, column)) for column in source.key_columns)


def fits(source: Source, value: bytes) -> bool:
    """Whether an event is valid by the rules of the declaration."""
    try:
        row = json.loads(value, parse_float=Decimal)
    except ValueError:
        return False
    if not isinstance(row, dict):
        return False
    for column in source.columns:
        found = value_at(row, column)
        if found is None:
            if column.name in source.key:
                return False
        elif (column.type.kind is Type.DECIMAL and isinstance(found, str)) or not column.type.accepts(found):
            return False
    return True


def test_good_events_fit_and_bad_ones_do_not() -> None:
    """By the rules that real events are judged by."""
    for event in events(SHOP):
        assert fits(SHOP.source(event.side), event.value) == (event.kind is not Kind.BAD), event


def test_every_kind_of_event_occurs() -> None:
    """Late matches, updates of both sides, duplicates, and a few bad ones."""
    found = events(SHOP)
    kinds = Counter(event.kind for event in found)
    assert set(kinds) == set(Kind)
    assert kinds[Kind.BAD] < 0.06 * kinds.total()
    assert "orders update" in count_kinds(kinds, SHOP)


def test_the_same_seed_sends_the_same_events() -> None:
    """To the byte, where it begins at the same moment."""
    assert events(SHOP, seed=1) == events(SHOP, seed=1)
    assert events(SHOP, seed=1) != events(SHOP, seed=2)


def test_keys_match_and_some_do_not() -> None:
    """A join has something to show, and a left join more than an inner one."""
    keys = {
        side: {key_of(SHOP.source(side), e) for e in events(SHOP) if e.side is side and e.kind is not Kind.BAD}
        for side in Side
    }
    assert len(keys[Side.LEFT] & keys[Side.RIGHT]) > 30
    assert keys[Side.LEFT] - keys[Side.RIGHT]


def test_values_are_plausible() -> None:
    """By their names and types: times are near now, and a customer has several orders."""
    rows = [json.loads(event.value) for event in events(SHOP) if event.side is Side.LEFT and event.kind is not Kind.BAD]
    placed = [datetime.fromisoformat(row["placed"]) for row in rows if "placed" in row]
    assert all(NOW - timedelta(minutes=10) < at <= NOW + timedelta(seconds=101) for at in placed)
    assert all("@" in row["buyer"]["contact"]["email"] for row in rows if "contact" in row["buyer"])
    assert all(1 <= row["pieces"] <= 9 for row in rows if "pieces" in row)
    assert any("total" not in row for row in rows)
    by_customer: dict[str, set[str]] = {}
    for row in rows:
        by_customer.setdefault(row["buyer"]["id"], set()).add(row["orderId"])
    assert max(map(len, by_customer.values())) > 3


def test_the_record_key_is_that_of_a_tombstone() -> None:
    """One string is itself; anything else is an object."""
    assert {event.key for event in events(SHOP, people=1)} == {b"c-00001"}
    columns = {"tenant": "string", "number": "long"}
    two = declared(
        LeftSettings.model_validate({"name": "a", "columns": columns}),
        RightSettings.model_validate({"name": "b", "columns": columns}),
        JoinSettings(on={"tenant": "tenant", "number": "number"}),
    )
    assert {event.key for event in events(two, people=1)} == {b'{"tenant":"t1","number":1000}'}


@of_hypothesis(max_examples=40, deadline=None)
@given(declarations())
def test_any_declaration_has_a_demo(declaration: Declaration) -> None:
    """Whose good events are good, and whose keys are on both sides."""
    found = events(declaration, count=400, people=20)
    keys: dict[Side, set[Any]] = {side: set() for side in Side}
    for event in found:
        source = declaration.source(event.side)
        assert fits(source, event.value) == (event.kind is not Kind.BAD), event
        if event.kind is not Kind.BAD:
            keys[event.side].add(key_of(source, event))
    assert keys[Side.LEFT] & keys[Side.RIGHT]


@pytest.mark.parametrize("keep", Keep)
def test_what_is_kept_of_the_default_does_not_change_its_people(keep: Keep) -> None:
    """They are people whatever is kept of them."""
    left = LeftSettings(keep=keep)
    people = declared(left, RightSettings(), JoinSettings())
    assert {event.key for event in events(people, people=1)} == {b"u-00001"}

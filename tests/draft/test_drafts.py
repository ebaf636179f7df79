"""Which types, names and keys the newest events of two topics suggest."""

import json
import tomllib
from typing import Any

import pytest

from livejoin.draft.declaration import Draft, NothingToDraft, draft
from livejoin.draft.names import source_names
from livejoin.draft.sample import Sample, take
from livejoin.draft.source import DraftedSource, draft_source
from livejoin.draft.text import drafted, kafka_section, replaced
from livejoin.errors import SettingsError
from livejoin.model.column import Column, ColumnType, Kind
from livejoin.model.declaration import Keep
from livejoin.settings.loader import load_settings

MOST_BYTES = 6_000
"""Larger events are dead letters."""


def sample(topic: str, *values: Any, keys: list[bytes | None] | None = None, compacted: bool = False) -> Sample:
    """A topic with these events; a text is sent as it is."""
    found = Sample(topic, len(values), MOST_BYTES, compacted)
    for place, value in enumerate(values):
        written = value if isinstance(value, bytes | None) else json.dumps(value).encode()
        take(found, keys[place] if keys else None, written)
    return found


def types(*values: Any) -> dict[str, str]:
    """The types that events suggest, by column."""
    return {column.name: str(column.type) for column in draft_source("s", sample("s", *values)).columns}


def of_field(name: str, *written: str) -> str | None:
    """The type that values of a field suggest, given as JSON."""
    return types(*(f'{{"{name}": {value}}}'.encode() for value in written)).get(name)


@pytest.mark.parametrize(
    ("name", "written", "wanted"),
    [
        ("a", ['"x"', '"1"', "null"], "string"),
        ("a", ["1", "-2", "9223372036854775807"], "long"),
        ("a", ["1", "9223372036854775808"], "decimal(38,0)"),
        ("a", ["1" * 40], "double"),
        ("a", ["1.5", "2", "12.25"], "decimal(18,2)"),
        ("a", ["1.5", "1234567890123.25"], "decimal(18,2)"),
        ("a", ["123456789012345.25"], "decimal(38,2)"),
        ("a", ["1.123456"], "double"),
        ("a", ["1.5", "1e3"], "double"),
        ("a", ["true", "false"], "boolean"),
        ("a", ["true", "false", '"maybe"'], "boolean"),
        ("a", ['"2024-05-17T08:30:00Z"', '"2024-05-17T10:30:00.123456789+02:00"'], "timestamp"),
        ("a", ['"2024-05-17T08:30:00Z"', '"2024-05-17T08:30:00"'], "string"),
        ("a", ['"2024-05-17T08:30:00Z"', '"soon"'], "string"),
        ("a", ['"2024-05-17"', '"1999-12-31"'], "date"),
        ("a", ['"2024-05-17"', '"2024-02-30"'], "string"),
        ("placedAt", ["1715934600000", "1715934600001"], "timestamp(millis)"),
        ("created_ts", ["1715934600000"], "timestamp(millis)"),
        ("total", ["1715934600000"], "long"),
        ("placedAt", ["1715934600000", "17"], "long"),
        ("a", ["1", "2", '"three"'], "long"),
        ("a", ["null"], None),
        ("a", ["[1]", "[2]"], None),
    ],
)
def test_types_are_the_strictest_that_take_all_values(name: str, written: list[str], wanted: str | None) -> None:
    """Of most events: what is of another kind is counted, and not made fit."""
    assert of_field(name, *written) == wanted


def test_nested_fields_become_columns_with_a_path() -> None:
    """Named after their way, and differently from what has that name."""
    found = draft_source("s", sample("s", {"buyer": {"id": "c", "name": {"first": "A"}}, "buyerId": 7, "a.b": 1}))
    assert {column.name: column.path for column in found.columns} == {
        "buyer.id": ("buyer", "id"),
        "buyerNameFirst": ("buyer", "name", "first"),
        "buyerId": ("buyerId",),
        "a.b": ("a.b",),
    }


def test_what_is_no_column_is_told() -> None:
    """Arrays, nulls and names that could not be seen."""
    found = draft_source("s", sample("s", {"tags": [1], "nothing": None, " x": 1, "id": "a"}))
    assert [column.name for column in found.columns] == ["id"]
    assert {field.path[0]: field.why for field in found.left_out} == {
        "tags": "an array",
        "nothing": "null in all of its 1 events",
        " x": "its name cannot be that of a column",
    }


def test_a_map_with_many_keys_does_not_become_many_columns() -> None:
    """Those that are there most often stay."""
    events = [{"id": str(number), "by": {f"key {number}": number}} for number in range(300)]
    found = draft_source("s", sample("s", *events))
    assert len(found.columns) < 100
    assert found.columns[0].name == "id"


def test_what_may_be_a_key_is_kept_of_many_columns() -> None:
    """Wherever it stands: without it there would be nothing to join by."""
    wide = {**{f"c{number}": number for number in range(300)}, "customerId": "a"}
    assert on(draft(sample("orders", wide), sample("customers", {"id": "a"}))) == {"customerId": "id"}


@pytest.mark.parametrize(
    ("topics", "names"),
    [
        (("shop.orders", "crm.customers"), ("orders", "customers")),
        (("orders", "customers"), ("orders", "customers")),
        (("shop.orders.v2", "shop.customers.v2"), ("orders", "customers")),
        (("a.events", "b.events"), ("a", "b")),
        (("eu.orders", "us.orders"), ("eu_orders", "us_orders")),
        (("orders", "orders"), ("orders_left", "orders_right")),
        (("1-2", "final"), ("source_1_2", "final_right")),
        (("my-orders", "right"), ("my_orders", "right_right")),
    ],
)
def test_sources_are_named_after_their_topics(topics: tuple[str, str], names: tuple[str, str]) -> None:
    """By what tells most, legally and differently."""
    assert source_names(*topics) == names


def shop(orders: int = 40) -> tuple[Sample, Sample]:
    """Orders of customers, some of which would not fit."""
    left = [
        {"orderId": f"o-{n}", "buyer": {"id": f"c-{n % 9}"}, "total": 1.25 * n, "placed": f"2024-05-17T08:{n:02}:00Z"}
        for n in range(orders)
    ]
    right = [{"id": f"c-{n}", "region": "north", "name": f"N {n}", "since": "2020-01-01"} for n in range(9)]
    bad = [{"orderId": "x", "total": 1}, {**left[0], "total": "much"}, b"{", b"\xff", b"[1]", None]
    return sample("shop.orders", *left, *bad), sample("crm.customers", *right)


def on(found: Draft) -> dict[str, str]:
    """What is joined by what."""
    return {pair.left.name: pair.right.name for pair in found.key}


def test_the_key_is_found_by_names_types_and_values() -> None:
    """`id` of customers and the buyer's `id` of orders; and what is kept follows from how often a key occurs."""
    found = draft(*shop())
    assert on(found) == {"buyerId": "id"}
    assert (found.left_kept.keep, found.right_kept.keep) == (Keep.ALL, Keep.LATEST)
    assert found.is_sure


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ([{"customerId": "a", "id": "1"}], [{"id": "a", "name": "A"}], {"customerId": "id"}),
        ([{"customer": 7, "id": 1}], [{"id": 7, "other": 1}], {"customer": "id"}),
        ([{"customer": 7}], [{"id": "7", "customer": 7}], {"customer": "customer"}),
        ([{"user_id": "a", "x": "b"}], [{"userId": "a", "y": "c"}], {"user_id": "userId"}),
        ([{"day": "2024-01-01", "sku": "a"}], [{"day": "2024-01-01", "sku": "a"}], {"sku": "sku"}),
    ],
)
def test_names_decide_where_values_agree(left: list[Any], right: list[Any], wanted: dict[str, str]) -> None:
    """Also where a column of the same type is nearer."""
    assert on(draft(sample("orders", *left), sample("customers", *right))) == wanted


def test_several_columns_are_the_key_where_one_does_not_tell_rows_apart() -> None:
    """A tenant and a number in it."""
    right = [{"tenant": f"t{t}", "number": n, "name": f"{t} {n}"} for t in range(4) for n in range(6)]
    left = [{"tenant": f"t{n % 4}", "number": n % 6, "sum": n} for n in range(60)]
    found = draft(sample("orders", *left), sample("customers", *right))
    assert on(found) == {"number": "number", "tenant": "tenant"}


def test_a_guess_is_called_one() -> None:
    """Where neither names nor values speak for a key."""
    found = draft(sample("a", {"x": "1"}, {"x": "1"}), sample("b", {"y": "2"}, {"y": "2"}))
    assert not found.is_sure
    assert "# A guess" in drafted(found)


def test_a_compacted_topic_keeps_the_latest() -> None:
    """Because the broker does."""
    left, right = shop()
    left.compacted = True
    assert draft(left, right).left_kept.keep is Keep.LATEST


def test_what_is_keyed_by_the_key_is_replaced_by_newer_events() -> None:
    """Of the right: a customer is told again and again."""
    keys = [b"c-1", b"c-1", b"c-2"]
    right = sample("crm.customers", *({"id": key.decode(), "name": "A"} for key in keys), keys=list(keys))
    assert draft(shop()[0], right).right_kept.keep is Keep.LATEST


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ([], [{"a": 1}], "'l' has no events yet"),
        (
            [b"no JSON", b"\x00\x00\x00\x00\x05\xff", b"\x00\xff", None],
            [{"a": 1}],
            "none of the newest 4 events of 'l' has a field that could be a column: 2 x not UTF-8, 1 x not valid JSON, "
            "1 x a tombstone",
        ),
        ([{"a": [1]}], [{"a": 1}], "1 x an object without a field that could be a column"),
        ([{"x": 1.123456}], [{"y": 1.123456}], "no column of l has the type of one of r: there is nothing to join"),
        ([{"a": "x"}], [{"a": 1}], r"no column of l .* join them by \(l.a is string and r.a is long\)"),
    ],
)
def test_where_nothing_can_be_drafted_it_says_why(left: list[Any], right: list[Any], said: str) -> None:
    """And nothing is written."""
    with pytest.raises(NothingToDraft, match=said):
        draft(sample("l", *left), sample("r", *right))


def test_the_file_declares_what_was_found_and_counts_what_would_not_fit(tmp_path: Any) -> None:
    """With reasons; and it is a file that livejoin reads."""
    found = draft(*shop())
    file = tmp_path / "livejoin.toml"
    file.write_text(drafted(found), encoding="utf-8")
    assert load_settings(file).declaration == found.declaration
    said = drafted(found)
    assert "shop.orders: the newest 46 events were read, 1 tombstones." in said
    assert "40 would fit, 5 would be dead letters:" in said
    for reason in (
        "total is a string, not a decimal(18,2)",
        "buyerId is missing",
        "not valid JSON",
        "not UTF-8",
        "the value is not an object",
    ):
        assert f"1    2.2 %  {reason}" in said
    assert 'buyerId = { type = "string", path = "buyer.id" }' in said
    assert "both have 9 of them" in said


def test_a_strangers_names_are_shown_and_not_obeyed(tmp_path: Any) -> None:
    """Neither a comment nor a key is broken by what is in a name."""
    hostile = {'"] \n[kafka]\nx = "': 1, "\x1b[2J": 2, 'quote"d': "a", "back\\slash": "b", "id": "c"}
    found = draft(sample("orders", hostile), sample("customers", {"id": "c"}))
    file = tmp_path / "livejoin.toml"
    file.write_text(drafted(found), encoding="utf-8")
    assert [column.name for column in load_settings(file).declaration.left.columns] == ['quote"d', "back\\slash", "id"]
    assert "\x1b" not in drafted(found)


def test_the_way_to_kafka_is_kept_and_no_secret_is_written() -> None:
    """What is secret is named with the variable that can hold it."""
    said = kafka_section({"bootstrap.servers": "b:1", "sasl.password": "hunter2", "file": "client.properties"})
    assert tomllib.loads(said) == {"kafka": {"bootstrap.servers": "b:1", "file": "client.properties"}}
    assert "hunter2" not in said
    assert "LIVEJOIN_KAFKA__SASL_PASSWORD" in said
    assert kafka_section({}) == ""


def test_another_declaration_leaves_the_rest_of_a_file_as_it_was() -> None:
    """Its comments and its secrets among it."""
    before = (
        '# mine\ndata_dir = "d"\n[left]\nname = "x"\n[left.columns]\na = "long"\n[kafka]  # ours\n"a.password" = "p"\n'
    )
    after = replaced(before, drafted(draft(*shop())))
    found = tomllib.loads(after)
    assert (found["data_dir"], found["kafka"]) == ("d", {"a.password": "p"})
    assert found["left"]["name"] == "orders"
    assert after.startswith('# mine\ndata_dir = "d"\n[kafka]  # ours\n')
    again = replaced(after, drafted(draft(*shop())))
    assert again.count("Drafted by") == 1


def test_a_file_that_cannot_be_replaced_in_part_is_left_alone() -> None:
    """What looks like a section may stand in a text."""
    before = 'left.name = "x"\n[web]\nurl = """\n[left]\n"""\n'
    with pytest.raises(SettingsError, match="cannot be replaced"):
        replaced(before, drafted(draft(*shop())))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (b'{"id":"\\ud800","n":1,"x":1.5e0}', "not valid JSON"),
        (b'{"id":"a","n":1,"x":1e400}', "x is out of range for a number"),
        (b'{"id":"a","n":%b,"x":1}' % (b"1" * 1001), "a number of more than 1000 digits"),
        (b'{"id":"a","n":1,"x":1,"more":"%b"}' % (b"x" * MOST_BYTES), "more than the 6000 of events.max_bytes"),
        (b'{"id":"a","n":1.0,"x":1}', "n is a number with a fraction or an exponent, not epoch milliseconds"),
        (b'{"id":"a","n":1,"n":1}', "the same field twice"),
    ],
)
def test_what_would_not_fit_is_told_in_the_words_of_a_dead_letter(wrong: bytes, reason: str) -> None:
    """And never ends the command, whatever is in an event."""
    columns = {
        "id": ColumnType(Kind.STRING),
        "n": ColumnType(Kind.TIMESTAMP, millis=True),
        "x": ColumnType(Kind.DOUBLE),
    }
    found = DraftedSource("s", sample("s", wrong), [Column(name, of) for name, of in columns.items()], [])
    assert dict(found.misfits(["id"])) == {reason: 1}


def test_half_of_a_character_is_no_key() -> None:
    """Record keys are compared with texts that have bytes only."""
    left = sample("orders", b'{"id":"\\ud800"}', {"id": "a"}, keys=[b"a", b"a"])
    assert on(draft(left, sample("customers", {"id": "a"}))) == {"id": "id"}


def test_a_key_that_only_records_have_is_named() -> None:
    """It is not read; who writes the topic can put it into the value."""
    left = sample("orders", *({"sum": n, "unit": "EUR"} for n in range(4)), keys=[b"a", b"b", b"a", b"c"])
    right = sample("customers", {"id": "a", "name": "A"}, {"id": "b", "name": "B"})
    advice = "the record keys of orders are values of customers.id, but only the value of an event is read"
    assert f"# {advice}" in drafted(draft(left, right))
    assert advice in draft(left, right).advice[0]
    assert draft(*shop()).advice == []


def test_misfits_are_judged_once_each() -> None:
    """An event that is wrong in two ways is one dead letter."""
    found: DraftedSource = draft_source("s", sample("s", {"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": "x", "b": "y"}))
    assert dict(found.misfits(["a"])) == {"a is a string, not a 64-bit integer": 1}

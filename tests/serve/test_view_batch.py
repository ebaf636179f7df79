"""Bytes of a view topic become columns of the declared types."""

from decimal import Decimal
from typing import Any

import orjson
import pytest

from default_tables import ACCOUNTS_UI, FINAL_UI, TABLES
from kafka_record import Record
from livejoin.model.column import Column, ColumnType
from livejoin.model.declaration import Declaration, Keep, Side, Source
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Request
from livejoin.serve.decode.batch import decode
from livejoin.serve.decode.view_batch import TABLE_CODES, VERSION_BITS, ViewFormat, positions_of
from view_records import Keyed, deletion, everything, progress, row

FORMAT = ViewFormat(Request(DEFAULT, "users", "accounts"))
NAMES = {column.field: column.name for table in TABLES.views for column in table.columns}
ANNA = {"userId": "u1", "name": "Anna", "email": "a@example.org", "age": 30}


def as_record(keyed: Keyed) -> Record:
    """What the broker hands over."""
    key, value = keyed
    return Record(key.encode(), value)


def valued(value: Any) -> Record:
    """A record with that value, as JSON or as it is."""
    return Record(b"left/u1", value if isinstance(value, bytes) or value is None else orjson.dumps(value))


def decoded(*records: Keyed) -> list[dict[str, Any]]:
    """The rows of records of which none is broken."""
    batch = decode([as_record(record) for record in records], FORMAT.parse)
    assert batch.skipped == []
    return named(batch.rows)


def named(rows: Any) -> list[dict[str, Any]]:
    """Rows with the names of their columns."""
    return [{NAMES.get(name, name): value for name, value in one.items()} for one in rows.to_pylist()]


def version(found: dict[str, Any]) -> int:
    """The version of a row that the first start has written."""
    order: int = found["row_order"]
    assert order >> VERSION_BITS == 1
    return order - (1 << VERSION_BITS)


def test_of_two_starts_the_later_one_counts_more_than_any_version() -> None:
    """Epoch and version are one number, by which the engine finds the newest."""
    before = decoded(row("users_ui", "u1", 1_000_000, ANNA, epoch=41))
    after = decoded(row("users_ui", "u1", 1, ANNA, epoch=42))

    assert before[0]["row_order"] < after[0]["row_order"]


def test_a_row_keeps_its_values_and_lacks_nothing_but_nulls() -> None:
    """Columns that a record leaves out, or that belong to other tables, are null."""
    [found] = decoded(row(ACCOUNTS_UI.name, "r1", 4, {"userId": "u1", "balance": 1.5}))

    assert found["row_table"] == TABLE_CODES["right"]
    assert (found["row_id"], version(found), found["row_gone"]) == ("r1", 4, 0)
    assert (found["userId"], found["balance"], found["accountType"], found["age"]) == ("u1", 1.5, None, None)


def test_the_columns_are_those_of_the_schema() -> None:
    """A batch has every column of every view, and what says which row it is."""
    names = decode([], FORMAT.parse).rows.column_names

    assert {column.field for column in FORMAT.columns} <= set(names)
    assert set(FINAL_UI.fields) <= set(names)


def test_a_delete_is_a_row_that_is_gone() -> None:
    """It is versioned like any other change."""
    [found] = decoded(deletion("users_ui", "u1", 12))

    assert (version(found), found["row_gone"], found["name"]) == (12, 1, None)


def test_a_record_holds_rows_of_all_tables_and_the_progress() -> None:
    """Each row has the version and the userId of its record, and keeps its own id, place and columns."""
    both = everything(
        "u1",
        7,
        final_ui=[{"id": "a", "name": "Anna"}, {"id": "b", "gone": True}],
        accounts_ui=[{"id": "u1", "balance": 2.5}],
        users_ui=[],
        s="right",
        p=1,
        o=4,
        c=3,
    )
    rows = decode([as_record(both), as_record(row("final_ui", "c", 1, {"userId": "u2"}))], FORMAT.parse).rows

    shown = ("row_gone", "userId", "name", "balance")
    final, accounts, far = (TABLE_CODES[name] for name in ("joined", "right", "progress"))
    assert [
        (found["row_table"], found["row_id"], version(found), *(found[name] for name in shown)) for found in named(rows)
    ] == [
        (accounts, "u1", 7, 0, "u1", None, 2.5),
        (final, "a", 7, 0, "u1", "Anna", None),
        (final, "b", 7, 1, "u1", None, None),
        (final, "c", 1, 0, "u2", None, None),
        (far, "u1", 7, None, None, None, None),
    ]
    assert rows.column("row_cut").to_pylist()[-1] == 3
    assert positions_of(rows) == {(Side.RIGHT, 1): 5}


def test_of_equal_versions_the_last_stays_the_last() -> None:
    """The rows of one table stand in the order of their records."""
    first = everything("u1", 2, users_ui=[{"id": "a", "name": "first"}])
    found = decoded(first, row("users_ui", "a", 2, {"name": "second"}), row("users_ui", "a", 2, {"name": "third"}))

    assert [one["name"] for one in found] == ["first", "second", "third"]


def test_progress_tells_the_next_offset_of_each_source_partition() -> None:
    """The highest offset counts, whatever the order, and the version is kept for the accounting."""
    records = [
        progress("u1", 3, "users", 0, 41),
        progress("u2", 1, "users", 0, 17),
        row("users_ui", "u2", 1, ANNA),
        progress("u3", 1, "accounts", 2, 0),
    ]
    rows = decode([as_record(record) for record in records], FORMAT.parse).rows

    assert positions_of(rows) == {(Side.LEFT, 0): 42, (Side.RIGHT, 2): 1}
    assert [version(found) for found in rows.to_pylist()] == [1, 3, 1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        valued(None),
        valued(b""),
        valued(b"not json"),
        valued(b"[1]"),
        valued(b'{"k0": "u1", "e": 1, "v": 1}{"k0": "u1", "e": 1, "v": 1}'),
        valued(b'{"k0": "u1", "e": 1, "v": 1}\n{"k0": "u1", "e": 1, "v": 1}'),
        valued(b'{"k0": "u1", "e": 1, "v": 1, "left": [{"id": "a", "l1": "}]}'),
        valued(b'{"k0": "u1", "e": 1, "v": 1, "left": [{"id": "a", "l1": "\xff"}]}'),
        valued(b'{"k0": "u1", "e": 1, "v": 1, "left": [{"id": "a", "l1": "\\ud800"}]}'),
        valued({"k0": "u1", "left": [{"id": "a"}]}),
        valued({"e": 1, "v": 1, "left": [{"id": "a"}]}),
        valued({"k0": "u1", "e": 1, "v": 1, "left": [{"l1": "without an id"}]}),
        valued({"k0": "u1", "e": 1, "v": 1, "left": [None]}),
        valued({"k0": "u1", "e": 1, "v": 1, "left": {"id": "a"}}),
        valued({"k0": "u1", "e": 1, "v": 1, "left": [{"id": "a", "gone": "yes"}]}),
        as_record(row("users_ui", "u1", "1", {})),
        as_record(row("users_ui", "u1", 2**64 - 1, {})),
        as_record(row("users_ui", "u1", 1, {"userId": 5})),
        as_record(row("users_ui", "u1", 1, {"age": "thirty"})),
        as_record(row("users_ui", "u1", 1, {"age": 1.5})),
        as_record(row("users_ui", "u1", 1, {"age": 2**63})),
        as_record(row("accounts_ui", "u1", 1, {"balance": {}})),
        valued({"k0": "u1", "e": 1, "v": 1, "s": "left", "p": 0}),
        valued({"k0": "u1", "e": 1, "v": 1, "s": "users", "p": 0, "o": 0}),
    ],
)
def test_a_broken_record_is_left_out_and_its_neighbours_stay(bad: Record) -> None:
    """What cannot be decoded is described by its place; the rows before and after it are untouched."""
    before, after = (as_record(row("users_ui", row_id, 1, ANNA)) for row_id in ("u1", "u2"))
    batch = decode([before, bad, after], FORMAT.parse)

    assert batch.rows.column("row_id").to_pylist() == ["u1", "u2"]
    assert [one["name"] for one in named(batch.rows)] == ["Anna", "Anna"]
    [skipped] = batch.skipped
    assert (skipped.partition, skipped.offset) == (3, 7)
    assert skipped.reason


def test_a_written_null_is_a_null() -> None:
    """A null that is spelled out means the same as one that is left out."""
    [found] = decoded(row("final_ui", "u1", 1, dict.fromkeys(("age", "balance", "accountType", "gone"))))

    assert (found["age"], found["balance"], found["accountType"], found["row_gone"]) == (None, None, None, 0)


def test_two_broken_records_that_make_up_for_each_other_do_not_shift_rows() -> None:
    """A value with no object and one with two make as many rows as records; each row still belongs to its record."""
    twice = valued(b'{"k0": "x", "e": 1, "v": 1}{"k0": "y", "e": 1, "v": 1}')
    batch = decode([twice, as_record(row("users_ui", "u1", 1, ANNA)), valued(b" ")], FORMAT.parse)

    assert [(found["row_id"], found["name"]) for found in named(batch.rows)] == [("u1", "Anna")]
    assert len(batch.skipped) == 2


def test_whole_numbers_and_texts_arrive_exactly() -> None:
    """The largest integers, fractions without a fraction, and characters beyond 16 bits are not rounded or cut."""
    columns = {"userId": "\U0001f600", "name": 'a "quoted"\nline', "age": 2**63 - 1, "balance": 3}
    [found] = decoded(row("final_ui", "u1", 2**39 + 1, columns))

    assert {name: found[name] for name in columns} == columns
    assert version(found) == 2**39 + 1


def test_unknown_fields_are_ignored() -> None:
    """A later livejoin may say more."""
    [found] = decoded(everything("u1", 1, users_ui=[{"id": "a", "more": [1]}], elsewhere=[{"id": "b"}]))

    assert (found["row_table"], found["row_id"]) == (TABLE_CODES["left"], "a")


def column(name: str, of: str) -> Column:
    """A column of that type."""
    return Column(name, ColumnType.named(of))


KEY = (column("a", "string"), column("b", "decimal(38,2)"))
TYPED = Declaration.of(
    Source(
        "orders",
        (
            *KEY,
            column("exact", "decimal(38,38)"),
            column("small", "decimal(1,0)"),
            column("at", "timestamp"),
            column("day", "date"),
            column("yes", "boolean"),
            column("count", "long"),
        ),
        ("a", "b"),
        Keep.ALL,
    ),
    Source("others", KEY, ("a", "b"), Keep.ALL),
)
OF_TYPED = ViewFormat(Request(TYPED, "o", "p"))


def typed(**changed: Any) -> Record:
    """A record of the typed declaration, in the words of the wire."""
    values = {
        "l2": "-0." + "9" * 38,
        "l3": "7",
        "l4": -(2**63) + 1,
        "l5": -719_162,
        "l6": False,
        "l7": 2**63 - 1,
    }
    record = {"k0": "x", "k1": "999999999999999999999999999999999999.99", "e": 1, "v": 1}
    return valued({**record, "left": [{"id": "1", **values}], "s": "left", "p": 0, "o": 0} | changed)


def test_every_type_arrives_exactly() -> None:
    """To the last digit, nanosecond and day."""
    found, far = decode([typed()], OF_TYPED.parse).rows.to_pylist()

    assert (found["k1"], found["l2"]) == (Decimal("9" * 36 + ".99"), Decimal("-0." + "9" * 38))
    assert (found["l3"], found["l4"], found["l5"]) == (7, -(2**63) + 1, -719_162)
    assert (found["l6"], found["l7"]) == (False, 2**63 - 1)
    assert far["row_table"] == TABLE_CODES["progress"]


@pytest.mark.parametrize(
    "bad",
    [
        typed(k1="1.234"),
        typed(k1="1000000000000000000000000000000000000"),
        typed(k1="ten"),
        typed(k1=None),
        *(
            typed(left=[{"id": "1", **one}])
            for one in ({"l3": "10"}, {"l4": "now"}, {"l5": 1.5}, {"l5": 2**31}, {"l6": 1})
        ),
    ],
)
def test_a_value_that_its_type_cannot_hold_is_not_rounded_but_left_out(bad: Record) -> None:
    """Nobody of ours writes it."""
    assert len(decode([bad], OF_TYPED.parse).skipped) == 1


def test_different_keys_of_several_columns_are_different_rows_of_the_progress() -> None:
    """Wherever one column ends and the next one begins; and equal ones are the same."""
    keys = [("a", "1"), ("a:1:1", "1"), ("a", "1.00"), ("", "1")]
    records = [typed(k0=first, k1=second, left=[]) for first, second in keys]
    ids = decode(records, OF_TYPED.parse).rows.column("row_id").to_pylist()

    assert (len(set(ids)), ids[0]) == (3, ids[2])

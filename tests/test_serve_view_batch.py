"""Bytes of a view topic become columns of the declared types."""

from typing import Any, cast

import orjson
import pytest

from kafka_record import Record
from livejoin.schema import ACCOUNTS_UI, FINAL_UI, USERS_UI
from livejoin.serve.decode import decode
from livejoin.serve.view_batch import TABLE_CODES, VIEW_BATCH, parse_view, positions_of
from view_records import Keyed, deletion, everything, progress, row

ANNA = {"userId": "u1", "name": "Anna", "email": "a@example.org", "age": 30}


def as_record(keyed: Keyed) -> Record:
    """What the broker hands over."""
    key, value = keyed
    return Record(key.encode(), value)


def valued(value: Any) -> Record:
    """A record with that value, as JSON or as it is."""
    return Record(b"users_ui/u1", value if isinstance(value, bytes) or value is None else orjson.dumps(value))


def decoded(*records: Keyed) -> list[dict[str, Any]]:
    """The rows of records of which none is broken."""
    batch = decode([as_record(record) for record in records], parse_view)
    assert batch.skipped == []
    return cast("list[dict[str, Any]]", batch.rows.to_pylist())


def test_a_row_keeps_its_values_and_lacks_nothing_but_nulls() -> None:
    """Columns that a record leaves out, or that belong to other tables, are null."""
    [found] = decoded(row(ACCOUNTS_UI.name, "r1", 4, userId="u1", balance=1.5))

    assert found["row_table"] == TABLE_CODES[ACCOUNTS_UI.name]
    assert (found["row_id"], found["row_version"], found["row_gone"]) == ("r1", 4, 0)
    assert (found["userId"], found["balance"], found["accountType"], found["age"]) == ("u1", 1.5, None, None)


def test_the_columns_are_those_of_the_schema() -> None:
    """A batch has every column of every view, and what says which row it is."""
    names = decode([], parse_view).rows.column_names

    assert {column.name for column in VIEW_BATCH} <= set(names)
    assert set(FINAL_UI.column_names) <= set(names)


def test_a_delete_is_a_row_that_is_gone() -> None:
    """It is versioned like any other change."""
    [found] = decoded(deletion("users_ui", "u1", 12))

    assert (found["row_version"], found["row_gone"], found["name"]) == (12, 1, None)


def test_a_record_holds_rows_of_all_tables_and_the_progress() -> None:
    """Each row has the version and the userId of its record, and keeps its own id, place and columns."""
    both = everything(
        "u1",
        7,
        final_ui=[{"id": "a", "name": "Anna"}, {"id": "b", "gone": True}],
        accounts_ui=[{"id": "u1", "balance": 2.5}],
        users_ui=[],
        s="accounts",
        p=1,
        o=4,
        c=3,
    )
    rows = decode([as_record(both), as_record(row("final_ui", "c", 1, userId="u2"))], parse_view).rows

    shown = ("row_table", "row_id", "row_version", "row_gone", "userId", "name", "balance")
    final, accounts, far = (TABLE_CODES[name] for name in (FINAL_UI.name, ACCOUNTS_UI.name, "progress"))
    assert [tuple(found[name] for name in shown) for found in rows.to_pylist()] == [
        (accounts, "u1", 7, 0, "u1", None, 2.5),
        (final, "a", 7, 0, "u1", "Anna", None),
        (final, "b", 7, 1, "u1", None, None),
        (final, "c", 1, 0, "u2", None, None),
        (far, "u1", 7, None, None, None, None),
    ]
    assert rows.column("row_cut").to_pylist()[-1] == 3
    assert positions_of(rows) == {("accounts", 1): 5}


def test_of_equal_versions_the_last_stays_the_last() -> None:
    """The rows of one table stand in the order of their records."""
    first = everything("u1", 2, users_ui=[{"id": "a", "name": "first"}])
    found = decoded(first, row("users_ui", "a", 2, name="second"), row("users_ui", "a", 2, name="third"))

    assert [one["name"] for one in found] == ["first", "second", "third"]


def test_progress_tells_the_next_offset_of_each_source_partition() -> None:
    """The highest offset counts, whatever the order, and the version is kept for the accounting."""
    records = [
        progress("u1", 3, "users", 0, 41),
        progress("u2", 1, "users", 0, 17),
        row("users_ui", "u2", 1, **ANNA),
        progress("u3", 1, "accounts", 2, 0),
    ]
    rows = decode([as_record(record) for record in records], parse_view).rows

    assert positions_of(rows) == {("users", 0): 42, ("accounts", 2): 1}
    assert rows.column("row_version").to_pylist() == [1, 3, 1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        valued(None),
        valued(b""),
        valued(b"not json"),
        valued(b"[1]"),
        valued(b'{"userId": "u1", "v": 1}{"userId": "u1", "v": 1}'),
        valued(b'{"userId": "u1", "v": 1}\n{"userId": "u1", "v": 1}'),
        valued(b'{"userId": "u1", "v": 1, "users_ui": [{"id": "a", "name": "}]}'),
        valued(b'{"userId": "u1", "v": 1, "users_ui": [{"id": "a", "name": "\xff"}]}'),
        valued(b'{"userId": "u1", "v": 1, "users_ui": [{"id": "a", "name": "\\ud800"}]}'),
        valued({"userId": "u1", "users_ui": [{"id": "a"}]}),
        valued({"v": 1, "users_ui": [{"id": "a"}]}),
        valued({"userId": "u1", "v": 1, "users_ui": [{"name": "without an id"}]}),
        valued({"userId": "u1", "v": 1, "users_ui": [None]}),
        valued({"userId": "u1", "v": 1, "users_ui": {"id": "a"}}),
        valued({"userId": "u1", "v": 1, "users_ui": [{"id": "a", "gone": "yes"}]}),
        as_record(row("users_ui", "u1", "1")),
        as_record(row("users_ui", "u1", 2**64 - 1)),
        as_record(row("users_ui", "u1", 1, userId=5)),
        as_record(row("users_ui", "u1", 1, age="thirty")),
        as_record(row("users_ui", "u1", 1, age=1.5)),
        as_record(row("users_ui", "u1", 1, age=2**63)),
        as_record(row("accounts_ui", "u1", 1, balance={})),
        valued({"userId": "u1", "v": 1, "s": "users", "p": 0}),
    ],
)
def test_a_broken_record_is_left_out_and_its_neighbours_stay(bad: Record) -> None:
    """What cannot be decoded is described by its place; the rows before and after it are untouched."""
    before, after = (as_record(row("users_ui", row_id, 1, **ANNA)) for row_id in ("u1", "u2"))
    batch = decode([before, bad, after], parse_view)

    assert batch.rows.column("row_id").to_pylist() == ["u1", "u2"]
    assert batch.rows.column("name").to_pylist() == ["Anna", "Anna"]
    [skipped] = batch.skipped
    assert (skipped.partition, skipped.offset) == (3, 7)
    assert skipped.reason


def test_a_written_null_is_a_null() -> None:
    """A null that is spelled out means the same as one that is left out."""
    [found] = decoded(row("final_ui", "u1", 1, age=None, balance=None, accountType=None, gone=None))

    assert (found["age"], found["balance"], found["accountType"], found["row_gone"]) == (None, None, None, 0)


def test_two_broken_records_that_make_up_for_each_other_do_not_shift_rows() -> None:
    """A value with no object and one with two make as many rows as records; each row still belongs to its record."""
    twice = valued(b'{"userId": "x", "v": 1}{"userId": "y", "v": 1}')
    batch = decode([twice, as_record(row("users_ui", "u1", 1, **ANNA)), valued(b" ")], parse_view)

    assert [(found["row_id"], found["name"]) for found in batch.rows.to_pylist()] == [("u1", "Anna")]
    assert len(batch.skipped) == 2


def test_whole_numbers_and_texts_arrive_exactly() -> None:
    """The largest integers, fractions without a fraction, and characters beyond 16 bits are not rounded or cut."""
    columns = {"userId": "\U0001f600", "name": 'a "quoted"\nline', "age": 2**63 - 1, "balance": 3}
    [found] = decoded(row("final_ui", "u1", 2**53 + 1, **columns))

    assert {name: found[name] for name in columns} == columns
    assert found["row_version"] == 2**53 + 1


def test_unknown_fields_are_ignored() -> None:
    """A later livejoin may say more."""
    [found] = decoded(everything("u1", 1, users_ui=[{"id": "a", "more": [1]}], elsewhere=[{"id": "b"}]))

    assert (found["row_table"], found["row_id"]) == (TABLE_CODES[USERS_UI.name], "a")

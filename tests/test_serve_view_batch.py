"""Bytes of a view topic become columns of the declared types."""

from typing import Any, cast

import orjson
import pytest

from kafka_record import Record
from livejoin.schema import ACCOUNTS_UI, FINAL_UI, USERS_UI
from livejoin.serve.decode import decode
from livejoin.serve.view_batch import TABLE_CODES, VIEW_BATCH, parse_view, positions_of

ANNA = {"userId": "u1", "name": "Anna", "email": "a@example.org", "age": 30}


def upsert(table: str, row_id: str, version: Any, **row: Any) -> Record:
    """A record that sets a row."""
    return Record(f"{table}/{row_id}".encode(), orjson.dumps({**row, "v": version}))


def decoded(*records: Record) -> list[dict[str, Any]]:
    """The rows of records of which none is broken."""
    batch = decode(records, parse_view)
    assert batch.skipped == []
    return cast("list[dict[str, Any]]", batch.rows.to_pylist())


def test_a_row_keeps_its_values_and_lacks_nothing_but_nulls() -> None:
    """Columns that a record leaves out, or that belong to other tables, are null."""
    [row] = decoded(upsert(ACCOUNTS_UI.name, "u1", 4, userId="u1", balance=1.5))

    assert row["row_table"] == TABLE_CODES[ACCOUNTS_UI.name]
    assert (row["row_id"], row["row_version"], row["row_gone"]) == ("u1", 4, 0)
    assert (row["userId"], row["balance"], row["accountType"], row["age"]) == ("u1", 1.5, None, None)


def test_the_columns_are_those_of_the_schema() -> None:
    """A batch has every column of every view, and what says which row it is."""
    names = decode([], parse_view).rows.column_names

    assert {column.name for column in VIEW_BATCH} <= set(names)
    assert set(FINAL_UI.column_names) <= set(names)


def test_a_row_id_may_contain_slashes() -> None:
    """Only the first slash of a key separates the table from the row."""
    [row] = decoded(upsert(USERS_UI.name, "u/1/2", 1, **ANNA))

    assert row["row_id"] == "u/1/2"


def test_a_record_without_a_value_deletes_with_the_version_of_its_header() -> None:
    """A delete is versioned like any other change."""
    [row] = decoded(Record(b"users_ui/u1", None, [("v", b"12")]))

    assert (row["row_version"], row["row_gone"], row["userId"]) == (12, 1, None)


def test_progress_tells_the_next_offset_of_each_source_partition() -> None:
    """The highest offset counts, whatever the order, and the version is kept for the accounting."""
    records = [
        upsert("progress", "u1", 3, s="users", p=0, o=41, t=1),
        upsert("progress", "u2", 1, s="users", p=0, o=17, t=1),
        upsert("users_ui", "u2", 1, **ANNA),
        upsert("progress", "u3", 1, s="accounts", p=2, o=0, t=1),
    ]
    rows = decode(records, parse_view).rows

    assert positions_of(rows) == {("users", 0): 42, ("accounts", 2): 1}
    assert rows.column("row_version").to_pylist() == [3, 1, 1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        Record(None, b"{}"),
        Record(b"\xff/u1", b'{"v": 1}'),
        Record(b"users_ui/u1", b"not json"),
        Record(b"users_ui/u1", b"[1]"),
        Record(b"users_ui/u1", b'{"userId": "u1"}'),
        Record(b"users_ui/u1", b'{"v": 1}{"v": 1}'),
        Record(b"users_ui/u1", b'{"v": 1}\n{"v": 1}'),
        Record(b"users_ui/u1", b'{"v": 1, "name": "}'),
        Record(b"users_ui/u1", b'{"v": 1, "name": "\xff"}'),
        Record(b"users_ui/u1", b'{"v": 1, "name": "\\ud800"}'),
        Record(b"users_ui/u1", b""),
        Record(b"user", b'{"v": 1}'),
        Record(b"users_ui/u1", None),
        Record(b"users_ui/u1", None, [("v", b"x")]),
        Record(b"elsewhere/u1", b'{"v": 1}'),
        upsert("users_ui", "u1", "1"),
        upsert("users_ui", "u1", 2**64 - 1),
        upsert("users_ui", "u1", 1, userId=5),
        upsert("users_ui", "u1", 1, userId="u1", age="thirty"),
        upsert("users_ui", "u1", 1, userId="u1", age=1.5),
        upsert("users_ui", "u1", 1, userId="u1", age=2**63),
        upsert("accounts_ui", "u1", 1, userId="u1", balance={}),
        upsert("progress", "u1", 1, s="users", p=0),
    ],
)
def test_a_broken_record_is_left_out_and_its_neighbours_stay(bad: Record) -> None:
    """What cannot be decoded is described by its place; the rows before and after it are untouched."""
    batch = decode([upsert("users_ui", "u1", 1, **ANNA), bad, upsert("users_ui", "u2", 1, **ANNA)], parse_view)

    assert batch.rows.column("row_id").to_pylist() == ["u1", "u2"]
    assert batch.rows.column("name").to_pylist() == ["Anna", "Anna"]
    [skipped] = batch.skipped
    assert (skipped.partition, skipped.offset) == (3, 7)
    assert skipped.reason


def test_a_written_null_is_a_null() -> None:
    """A null that is spelled out means the same as one that is left out."""
    [row] = decoded(upsert("final_ui", "u1", 1, userId="u1", age=None, balance=None, accountType=None))

    assert (row["age"], row["balance"], row["accountType"]) == (None, None, None)


def test_two_broken_records_that_make_up_for_each_other_do_not_shift_rows() -> None:
    """A value with no object and one with two make as many rows as records; each row still belongs to its key."""
    twice = Record(b"users_ui/x", b'{"v": 1}{"v": 1}')
    batch = decode([twice, upsert("users_ui", "u1", 1, **ANNA), Record(b"users_ui/y", b" ")], parse_view)

    assert [(row["row_id"], row["name"]) for row in batch.rows.to_pylist()] == [("u1", "Anna")]
    assert len(batch.skipped) == 2


def test_a_position_in_the_wrong_record_does_not_stand_for_one_that_is_missing() -> None:
    """Progress without a position is left out, whatever the record beside it says."""
    misplaced = upsert("users_ui", "u1", 1, **ANNA, s="users", p=0, o=5)
    batch = decode([upsert("progress", "u1", 1), misplaced], parse_view)

    assert batch.rows.column("row_table").to_pylist() == [TABLE_CODES[USERS_UI.name]]
    assert positions_of(batch.rows) == {}
    assert len(batch.skipped) == 1


def test_whole_numbers_and_texts_arrive_exactly() -> None:
    """The largest integers, fractions without a fraction, and characters beyond 16 bits are not rounded or cut."""
    row = {"userId": "\U0001f600", "name": 'a "quoted"\nline', "age": 2**63 - 1, "balance": 3}
    [found] = decoded(upsert("final_ui", "u1", 2**53 + 1, **row))

    assert {name: found[name] for name in row} == row
    assert found["row_version"] == 2**53 + 1

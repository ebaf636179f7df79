"""Bytes of view topics and logs become columns of the declared types."""

from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from livejoin.schema import ACCOUNTS_UI, CONTROL_RAW, FINAL_UI, USERS_UI
from livejoin.serve.decode import (
    NULL_DOUBLE,
    NULL_LONG,
    TABLE_CODES,
    VIEW_BATCH,
    Batch,
    decode_control_log,
    decode_dead_letters,
    decode_view,
)

ANNA = {"userId": "u1", "name": "Anna", "email": "a@example.org", "age": 30}


@dataclass
class Record:
    """A Kafka message with a key, a value and headers."""

    the_key: bytes | None
    the_value: bytes | None
    the_headers: list[tuple[str, bytes]] | None = None
    the_offset: int = 7

    def key(self) -> bytes | None:
        """Its key."""
        return self.the_key

    def value(self) -> bytes | None:
        """Its value."""
        return self.the_value

    def headers(self) -> list[tuple[str, bytes]] | None:
        """Its headers."""
        return self.the_headers

    def partition(self) -> int:
        """Where it is."""
        return 3

    def offset(self) -> int:
        """Where it is."""
        return self.the_offset


def upsert(table: str, row_id: str, version: Any, **row: Any) -> Record:
    """A record that sets a row."""
    return Record(f"{table}/{row_id}".encode(), orjson.dumps({**row, "v": version}))


def rows(batch: Batch) -> list[dict[str, Any]]:
    """The batch, row by row."""
    return [{name: values[index] for name, values in batch.columns.items()} for index in range(batch.size)]


def test_a_row_keeps_its_values_and_lacks_nothing_but_nulls() -> None:
    """Columns that a record leaves out, or that belong to other tables, are null in the engine's spelling."""
    batch = decode_view([upsert(ACCOUNTS_UI.name, "u1", 4, userId="u1", balance=1.5)])

    assert batch.skipped == []
    [row] = rows(batch)
    assert row["row_table"] == TABLE_CODES[ACCOUNTS_UI.name]
    assert (row["row_id"], row["row_version"], row["row_gone"]) == ("u1", 4, 0)
    assert (row["userId"], row["balance"], row["accountType"], row["age"]) == ("u1", 1.5, None, NULL_LONG)


def test_the_columns_are_those_of_the_schema() -> None:
    """A batch has every column of every view, and what says which row it is."""
    names = list(decode_view([]).columns)

    assert names == [column.name for column in VIEW_BATCH]
    assert set(FINAL_UI.column_names) <= set(names)


def test_a_row_id_may_contain_slashes() -> None:
    """Only the first slash of a key separates the table from the row."""
    [row] = rows(decode_view([upsert(USERS_UI.name, "u/1/2", 1, **ANNA)]))

    assert row["row_id"] == "u/1/2"


def test_a_record_without_a_value_deletes_with_the_version_of_its_header() -> None:
    """A delete is versioned like any other change."""
    [row] = rows(decode_view([Record(b"users_ui/u1", None, [("v", b"12")])]))

    assert (row["row_version"], row["row_gone"], row["userId"]) == (12, 1, None)


def test_progress_tells_the_next_offset_of_each_source_partition() -> None:
    """The highest offset counts, whatever the order, and the version is kept for the accounting."""
    batch = decode_view(
        [
            upsert("progress", "u1", 3, s="users", p=0, o=41, t=1),
            upsert("progress", "u2", 1, s="users", p=0, o=17, t=1),
            upsert("progress", "u3", 1, s="accounts", p=2, o=0, t=1),
        ]
    )

    assert batch.positions == {("users", 0): 42, ("accounts", 2): 1}
    assert list(batch.columns["row_version"]) == [3, 1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        Record(None, b"{}"),
        Record(b"\xff/u1", b'{"v": 1}'),
        Record(b"users_ui/u1", b"not json"),
        Record(b"users_ui/u1", b"[1]"),
        Record(b"users_ui/u1", b'{"userId": "u1"}'),
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
    batch = decode_view([upsert("users_ui", "u1", 1, **ANNA), bad, upsert("users_ui", "u2", 1, **ANNA)])

    assert [row["row_id"] for row in rows(batch)] == ["u1", "u2"]
    [skipped] = batch.skipped
    assert (skipped.partition, skipped.offset) == (3, 7)
    assert skipped.reason


def test_a_written_null_is_a_null() -> None:
    """A null that is spelled out means the same as one that is left out."""
    [row] = rows(decode_view([upsert("final_ui", "u1", 1, userId="u1", age=None, balance=None, accountType=None)]))

    assert (row["age"], row["balance"], row["accountType"]) == (NULL_LONG, NULL_DOUBLE, None)


def test_a_dead_letter_shows_its_bytes_as_text_whatever_they_are() -> None:
    """Bytes that are not UTF-8 are shown with replacement characters; an empty value is an empty text."""
    headers = [
        ("topic", b"users"),
        ("partition", b"1"),
        ("offset", b"5"),
        ("timestamp", b"1700000000000"),
        ("reason", b"not JSON"),
        ("generation", b"3"),
    ]
    batch = decode_dead_letters([Record(b"users/1/5", b"\xffoops", headers), Record(b"users/1/5", None, headers)])

    first, second = rows(batch)
    assert first["text"] == "�oops"
    assert second["text"] == ""
    assert {name: first[name] for name in ("when", "topic", "partition", "offset", "reason", "generation")} == {
        "when": 1700000000000,
        "topic": "users",
        "partition": 1,
        "offset": 5,
        "reason": "not JSON",
        "generation": 3,
    }


def test_a_dead_letter_without_headers_is_left_out() -> None:
    """A record that nobody of ours wrote stops nothing."""
    batch = decode_dead_letters([Record(b"x", b"y")])

    assert (batch.size, len(batch.skipped)) == (0, 1)


def test_the_control_log_has_the_columns_of_its_table() -> None:
    """A record is JSON with exactly these columns, `when` is epoch milliseconds, and its key names the message."""
    entry = {"usersTopic": "users", "raw": "{}", "when": 5, "verdict": "applied", "reason": ""}
    broken = [Record(b"k", b"7"), Record(b"k", None), Record(None, orjson.dumps(entry))]
    batch = decode_control_log([Record(b"id/0/3", orjson.dumps(entry)), *broken])

    assert list(batch.columns) == [*CONTROL_RAW.column_names, "message"]
    assert [(row["when"], row["message"]) for row in rows(batch)] == [(5, "id/0/3")]
    assert len(batch.skipped) == 3

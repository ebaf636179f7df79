"""Dead letters and the control log become columns of the declared types."""

import orjson

from default_tables import TABLES
from kafka_record import Record
from livejoin.serve.decode.batch import decode
from livejoin.serve.decode.log_batch import parse_control_log, parse_dead_letters
from livejoin.wire.dead_letter import place_of


def test_a_dead_letter_shows_its_bytes_as_text_whatever_they_are() -> None:
    """Bytes that are not UTF-8 are shown with replacement characters; an empty value is an empty text."""
    headers = [
        ("topic", b"users"),
        ("partition", b"1"),
        ("offset", b"5"),
        ("timestamp", b"1700000000000"),
        ("reason", b"not JSON"),
        ("judgement", b"3a"),
    ]
    records = [Record(b"users/1/5", b"\xffoops", headers), Record(b"users/1/5", None, headers)]
    first, second = decode(records, parse_dead_letters).rows.to_pylist()

    assert first["text"] == "�oops"
    assert second["text"] == ""
    assert {name: first[name] for name in ("when", "topic", "partition", "offset", "reason", "judgement")} == {
        "when": 1_700_000_000_000_000_000,
        "topic": "users",
        "partition": 1,
        "offset": 5,
        "reason": "not JSON",
        "judgement": "3a",
    }


def test_an_event_is_known_by_its_place_in_a_topic_and_by_which_topic_that_is() -> None:
    """Whoever has judged it; letters of earlier versions tell the place alone."""
    keys = ["users/1/5/id-of_1/3a", "users/1/5/id-of_1/7f", "users/1/5/id-of_2/3a", "users/1/5"]
    headers = [
        ("topic", b"users"),
        ("partition", b"1"),
        ("offset", b"5"),
        ("timestamp", b"1700000000000"),
        ("reason", b"not JSON"),
    ]
    batch = decode([Record(key.encode(), b"", headers) for key in keys], parse_dead_letters)

    assert [row["event"] for row in batch.rows.to_pylist()] == [
        "users/1/5/id-of_1",
        "users/1/5/id-of_1",
        "users/1/5/id-of_2",
        "users/1/5",
    ]
    assert {place_of(key) for key in keys} == {"users/1/5"}


def test_a_record_of_a_time_that_no_table_can_hold_is_shown() -> None:
    """Kafka takes any number for a time; nanoseconds that do not fit into 64 bits become the first or the last."""
    times = (2**63 - 1, 253_402_300_800_000, -(2**63))
    entries = [Record(b"id/0/3", orjson.dumps({"when": when})) for when in times]
    batch = decode(entries, parse_control_log)

    assert [row["when"] for row in batch.rows.to_pylist()] == [
        9_223_372_035_000_000_000,
        9_223_372_035_000_000_000,
        -9_223_372_035_000_000_000,
    ]
    assert batch.skipped == []


def test_a_dead_letter_without_headers_is_left_out() -> None:
    """A record that nobody of ours wrote stops nothing."""
    batch = decode([Record(b"x", b"y")], parse_dead_letters)

    assert (batch.rows.num_rows, len(batch.skipped)) == (0, 1)


def test_the_control_log_has_the_columns_of_its_table() -> None:
    """A record is JSON with exactly these columns, `when` is epoch milliseconds, and its key names the message."""
    entry = {"left_topic": "users", "raw": "{}", "when": 5, "verdict": "applied", "reason": ""}
    broken = [Record(b"k", b"7"), Record(b"k", None), Record(None, orjson.dumps(entry))]
    batch = decode([Record(b"id/0/3", orjson.dumps(entry)), *broken], parse_control_log)

    assert batch.rows.column_names == [*TABLES.control_raw.fields, "message"]
    assert [(row["when"], row["leftTopic"], row["message"]) for row in batch.rows.to_pylist()] == [
        (5_000_000, "users", "id/0/3")
    ]
    assert len(batch.skipped) == 3

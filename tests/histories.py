"""Histories of single userIds, found by hypothesis: updates, late and equal timestamps, tombstones, bad input.

Histories of different userIds do not touch each other, so hundreds of them run through one start of Spark.
"""

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from livejoin.schema import SOURCES, Column, ColumnType, Source

PHASES = 3
PARTITIONS = 2


@dataclass(frozen=True)
class Move:
    """One record to be produced: in which phase of the test, where, when, and what."""

    phase: int
    source: str
    partition: int
    timestamp: int
    key: bytes | None
    value: bytes | None


BAD_VALUES = (
    b"{not json",
    b"",
    b"   ",
    b"null",
    b"[]",
    b'"text"',
    b"42",
    b'{"userId":""}',
    b'{"userId":null}',
    b'{"name":"no key","balance":1}',
    b'{"userId":42}',
    b'{"userId":{"a":1}}',
    b'{"userId":["x"]}',
    b'{"userId":"x"} trailing',
    b'{"userId":"x"}]',
    b'{"userId":"x"}] more',
    b'{"userId":"x"}}',
    b'{"userId":"x"},{"userId":"y"}',
    b'{"userId":"x"}{"userId":"y"}',
    b'{"userId":"x","userId":"y"}',
    b'{"userId":"x","extra":{"a":1,"a":2}}',
    b'{"userId":"x","age":NaN,"balance":NaN}',
    b'{"userId":"x","age":Infinity,"balance":-Infinity}',
    b'{"userId":"x","age":1e400,"balance":1e400}',
    b'{"userId":"x","age":"12","balance":"12"}',
    b'{"userId":"x","age":true,"balance":true}',
    b'{"userId":"x","name":7,"accountType":7}',
    b"{'userId':'x'}",
    b'{"userId":"x",}',
    b'{"userId":"\\ud800"}',
    b'{"userId":"\xff\xfe"}',
    b"\xff",
    b'\xef\xbb\xbf{"userId":"x"}',
    b'{"userId":"x"}\x00',
    b'{"userId":"' + b"x" * 2_000 + b'"}',
)
"""Rejected whatever the source."""

BAD_FOR: dict[str, tuple[bytes, ...]] = {
    "users": (
        b'{"userId":"x","age":1.5}',
        b'{"userId":"x","age":1.0}',
        b'{"userId":"x","age":1e3}',
        b'{"userId":"x","age":9223372036854775808}',
        b'{"userId":"x","age":-9223372036854775809}',
        b'{"userId":"x","email":{}}',
    ),
    "accounts": (
        b'{"userId":"x","balance":[]}',
        b'{"userId":"x","accountType":{}}',
        b'{"userId":"x","balance":-1e309}',
    ),
}
REASONS = {
    b"{not json": "not valid JSON",
    b"": "empty: neither JSON nor a tombstone",
    b"null": "the value is null, not an object",
    b"[]": "the value is an array, not an object",
    b'{"userId":""}': "userId is empty",
    b'{"userId":null}': "userId is missing",
    b'{"userId":42}': "userId is a number, not a string",
    b'{"userId":{"a":1}}': "userId is an object, not a string",
    b'{"userId":"x"} trailing': "text after the JSON value",
    b'{"userId":"x"}] more': "text after the JSON value",
    b'{"userId":"x"},{"userId":"y"}': "text after the JSON value",
    b'{"userId":"x","userId":"y"}': "the same field twice",
    b'{"userId":"x","age":NaN,"balance":NaN}': "not valid JSON",
    b'{"userId":"x","age":1.5}': "age is a number with a fraction or an exponent, not a 64-bit integer",
    b'{"userId":"x","age":9223372036854775808}': "age is out of range for a 64-bit integer",
    b'{"userId":"x","balance":-1e309}': "balance is out of range for a number",
    b"\xff": "not UTF-8",
    b'{"userId":"' + b"x" * 2_000 + b'"}': "2013 bytes: more than the 1000 of events.max_bytes",
}
"""What a person is told about some of them."""

MAX_BYTES = 1_000
"""The limit on a value's size that makes the long one of BAD_VALUES bad."""

TOO_LONG = b"\x01" * (MAX_BYTES // 6)
"""No key of a tombstone: written as JSON, each of its characters takes six bytes."""

TEXTS = st.one_of(
    st.text(max_size=6), st.sampled_from(["", "Ann", "Zoë", 'quote"', "back\\slash", "[brackets]", "日本"])
)
VALUES: dict[ColumnType, st.SearchStrategy[Any]] = {
    ColumnType.STRING: TEXTS,
    ColumnType.LONG: st.one_of(st.integers(0, 99), st.sampled_from([-(2**63), 2**63 - 1])),
    ColumnType.DOUBLE: st.one_of(
        st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**20), 10**20), st.just(0.1)
    ),
}


def collect_histories(count: int, prefix: str) -> list[list[Move]]:
    """That many histories, each with a userId of its own."""
    collected: list[list[Move]] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        collected.append(data.draw(_history(f"{prefix}{len(collected)}")))

    collect()
    return collected


def large_history(user_id: str, users_of_phases: tuple[int, int, int], ended: int) -> list[Move]:
    """A userId with so many large rows; a tombstone in the second phase ends the first ones."""

    def move(number: int, phase: int, source: str, row: dict[str, Any] | None) -> Move:
        value = None if row is None else json.dumps({"userId": user_id, **row}).encode()
        return Move(phase, source, number % PARTITIONS, 1 + number, user_id.encode(), value)

    name = "x" * (MAX_BYTES - 200)
    phases = [phase for phase, users in enumerate(users_of_phases) for _ in range(users)]
    users = [move(n, phase, "users", {"name": f"{n} {name}"}) for n, phase in enumerate(phases)]
    accounts = [move(n, phases[n], "accounts", {"balance": n}) for n in range(0, len(phases), 60)]
    return [*users, *accounts, move(ended, 1, "users", None)]


@st.composite
def _history(draw: st.DrawFn, name: str) -> list[Move]:
    user_id = draw(st.sampled_from(["", "a/b/", "ü ", '"', "]"])) + name
    return draw(st.lists(_move(user_id), min_size=1, max_size=12))


@st.composite
def _move(draw: st.DrawFn, user_id: str) -> Move:
    source = draw(st.sampled_from(SOURCES))
    kind = draw(st.sampled_from(["row"] * 7 + ["tombstone", "bad", "nothing"]))
    key: bytes | None = user_id.encode()
    value: bytes | None = None
    if kind == "row":
        value = draw(_value(source, user_id))
    elif kind == "bad":
        value = draw(st.sampled_from(BAD_VALUES + BAD_FOR[source.name]))
    elif kind == "nothing":
        key = draw(st.sampled_from([None, b"", b"\xff", TOO_LONG]))
    return Move(
        phase=draw(st.integers(0, PHASES - 1)),
        source=source.name,
        partition=draw(st.integers(0, PARTITIONS - 1)),
        # Few values, so that equal timestamps and late events are common.
        timestamp=draw(st.integers(1, 6)),
        key=key,
        value=value,
    )


@st.composite
def _value(draw: st.DrawFn, source: Source, user_id: str) -> bytes:
    fields: dict[str, Any] = {source.key.name: user_id}
    for column in source.fields:
        if draw(st.booleans()) or draw(st.booleans()):
            fields[column.name] = draw(_field(column))
    if draw(st.integers(0, 9)) == 0:
        fields["unknown"] = {"nested": [1, "two", None]}
    return json.dumps(fields, ensure_ascii=draw(st.booleans())).encode()


def _field(column: Column) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), VALUES[column.type], VALUES[column.type])

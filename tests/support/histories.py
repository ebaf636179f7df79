"""Histories of single keys, found by hypothesis: updates, late and equal timestamps, tombstones, bad input.

And whatever else Kafka allows: records of any time, with any key and any headers, and transactions.

Histories of different keys do not touch each other, so hundreds of them run through one start of Spark. The same
seed gives the same histories: that of a run is printed by a test that fails, and `--hypothesis-seed=N` replays it.
"""

import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from enum import StrEnum
from typing import Any

from hypothesis import strategies as st

from drawn import drawn
from join_model import EARLIEST, LATEST
from livejoin.model.column import Column, ColumnType, Kind
from livejoin.model.declaration import Declaration, Side, Source
from livejoin.model.default_declaration import DEFAULT

PHASES = 4
PARTITIONS = 2


class Fate(StrEnum):
    """Whether a record is sent in a transaction, and what becomes of that."""

    PLAIN = "plain"
    COMMITTED = "committed"
    ABORTED = "aborted"


Headers = list[tuple[str, str | bytes | None]]


@dataclass(frozen=True)
class Move:
    """One record to be produced: in which phase of the test, where, when, and what.

    Its timestamp is counted from a moment of the test's, unless it has a time, which is counted from 1970.
    """

    phase: int
    side: Side
    partition: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    time: int | None = None
    headers: Headers = field(default_factory=list)
    fate: Fate = Fate.PLAIN
    compression: str = "none"
    """Of a record that is sent in no transaction."""


COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd")
TIMES = (1, -1, 10**13, 253_402_300_800_000, LATEST, LATEST + 1, 10**18, 2**63 - 1, EARLIEST, EARLIEST - 1, -(2**63))
"""As some clocks have them: about 1970, beyond nanoseconds, beyond four digits of a year, and beyond what is held."""
# Whoever sends 0 means now, to librdkafka.
ANY_TIME = st.one_of(st.sampled_from(TIMES), st.integers(-(2**63), 2**63 - 1).filter(bool))
HEADERS: tuple[Headers, ...] = (
    [("trace", b"1")],
    [("trace", b"1"), ("trace", b"2"), ("", b"")],
    [("nothing", None), ("bytes", b"\xff\x00"), ("long", b"x" * 3_000), ("ü", "ü".encode())],
)
HEADER_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
ANY_HEADERS: st.SearchStrategy[Headers] = st.one_of(
    st.sampled_from([[], *HEADERS]),
    st.lists(st.tuples(HEADER_NAMES, st.one_of(st.none(), st.binary(max_size=40))), max_size=6),
)
KEYS = (None, b"", b"\xff\x00", b"{}", b"k" * 3_000, b"7")
ANY_KEY = st.one_of(st.sampled_from(KEYS), st.binary(max_size=60))
"""Of records with a value, where they do not matter."""
SIZES = (900_000, 70_000)
"""Of values that nobody can want: near to what a broker takes, and more than is kept of a dead letter."""


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

BAD_FOR: dict[Side, tuple[bytes, ...]] = {
    Side.LEFT: (
        b'{"userId":"x","age":1.5}',
        b'{"userId":"x","age":1.0}',
        b'{"userId":"x","age":1e3}',
        b'{"userId":"x","age":9223372036854775808}',
        b'{"userId":"x","age":-9223372036854775809}',
        b'{"userId":"x","age":-9223372036854775808}',
        b'{"userId":"x","email":{}}',
    ),
    Side.RIGHT: (
        b'{"userId":"x","balance":[]}',
        b'{"userId":"x","accountType":{}}',
        b'{"userId":"x","balance":-1e309}',
        b'{"userId":"x","balance":-1.7976931348623157e308}',
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
    b'{"userId":"x","age":-9223372036854775808}': "age is out of range for a 64-bit integer",
    b'{"userId":"x","balance":-1e309}': "balance is out of range for a number",
    b'{"userId":"x","balance":-1.7976931348623157e308}': "balance is out of range for a number",
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
ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)
"""Also what is no JSON although Python writes it: NaN, infinite numbers, halves of surrogate pairs."""
BAD_OF_ANY = (b"{not json", b"", b"[]", b"7", b"{}", b'{"a":1} more', b"\xff", b'{"a":1,"a":1}')
"""Rejected whatever is declared."""
WRONG: tuple[Any, ...] = ("no such thing", 7, 1.5, True, [1], {"a": 1}, "2024-02-30", "2024-01-01T25:00:00Z", -(2**63))
"""Each is wrong for most types."""


def values(column: ColumnType) -> st.SearchStrategy[Any]:
    """Values of a type as JSON has them; a Decimal is written digit by digit."""
    match column.kind:
        case Kind.STRING:
            return TEXTS
        case Kind.LONG:
            return st.one_of(st.integers(0, 99), st.sampled_from([1 - 2**63, 2**63 - 1]))
        case Kind.DOUBLE:
            return st.one_of(
                st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**20), 10**20), st.just(0.1)
            ).filter(lambda number: float(number) > -sys.float_info.max)
        case Kind.BOOLEAN:
            return st.booleans()
        case Kind.DECIMAL:
            largest = 10**column.precision - 1
            return st.integers(-largest, largest).map(lambda digits: _scaled(digits, column.scale))
        case Kind.TIMESTAMP if column.millis:
            return st.integers(-9_223_372_035_000, 9_223_372_035_000)
        case Kind.TIMESTAMP:
            return st.builds(_iso, st.integers(-(10**9), 10**10 // 2), st.integers(0, 10**9), st.sampled_from(ZONES))
        case Kind.DATE:
            return st.dates().map(date.isoformat)


ZONES = ("Z", "+02:00", "-0930", "z")


def _scaled(digits: int, scale: int) -> Decimal:
    return Decimal(digits).scaleb(-scale, Context(prec=100))


def _iso(seconds: int, nanos: int, zone: str) -> str:
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    fraction = f".{nanos:09d}".rstrip("0").rstrip(".") if nanos < 10**9 else ""
    return f"{at:%Y-%m-%dT%H:%M:%S}".rjust(19, "0") + fraction + zone


def collect_histories(count: int, prefix: str, seed: int, declaration: Declaration = DEFAULT) -> list[list[Move]]:
    """That many histories, each with a key of its own."""
    return drawn(count, seed, lambda number: _history(declaration, prefix, number))


def large_history(user_id: str, users_of_phases: tuple[int, int, int, int], ended: int) -> list[Move]:
    """A userId with so many large rows; a tombstone in the second phase ends the first ones."""

    def move(number: int, phase: int, side: Side, row: dict[str, Any] | None) -> Move:
        value = None if row is None else json.dumps({"userId": user_id, **row}).encode()
        return Move(phase, side, number % PARTITIONS, 1 + number, user_id.encode(), value)

    name = "x" * (MAX_BYTES - 200)
    phases = [phase for phase, users in enumerate(users_of_phases) for _ in range(users)]
    users = [move(n, phase, Side.LEFT, {"name": f"{n} {name}"}) for n, phase in enumerate(phases)]
    accounts = [move(n, phases[n], Side.RIGHT, {"balance": n}) for n in range(0, len(phases), 60)]
    return [*users, *accounts, move(ended, 1, Side.LEFT, None)]


@st.composite
def _history(draw: st.DrawFn, declaration: Declaration, prefix: str, number: int) -> list[Move]:
    key = [draw(_own_key(column.type, prefix, number)) for column in declaration.left.key_columns[:1]]
    key += [draw(values(column.type).filter(lambda value: value != "")) for column in declaration.left.key_columns[1:]]
    return draw(st.lists(_move(declaration, key), min_size=1, max_size=12))


def _own_key(of: ColumnType, prefix: str, number: int) -> st.SearchStrategy[Any]:
    """A value that no other history has in the first column of its key."""
    match of.kind:
        case Kind.STRING:
            return st.sampled_from(["", "a/b/", "ü ", '"', "]"]).map(lambda begin: f"{begin}{prefix}{number}")
        case Kind.DECIMAL:
            return st.just(_scaled(number, of.scale))
        case Kind.TIMESTAMP if not of.millis:
            return st.just(_iso(number, number, "Z"))
        case Kind.DATE:
            return st.just((date(2000, 1, 1) + timedelta(days=number)).isoformat())
        case _:
            return st.just(number)


@st.composite
def _move(draw: st.DrawFn, declaration: Declaration, key_values: list[Any]) -> Move:
    side = draw(st.sampled_from(Side))
    source = declaration.source(side)
    kind = draw(st.sampled_from(["row"] * 14 + ["tombstone", "bad", "nothing"] * 2 + ["anything"]))
    key: bytes | None = _record_key(source, key_values)
    value: bytes | None = None
    if kind == "row":
        key = draw(st.one_of(st.just(key), ANY_KEY))
        value = _padded(draw(_value(source, key_values)), draw(st.integers(0, 30)))
    elif kind == "bad":
        value = draw(_bad_value(declaration, side, key_values))
    elif kind == "anything":
        key, value = draw(ANY_KEY), draw(_anything(source, key_values))
    elif kind == "nothing":
        key = draw(st.sampled_from([None, b"", b"\xff", TOO_LONG, *([] if source.has_text_key else [b"x", b"{}"])]))
    return Move(
        phase=draw(st.integers(0, PHASES - 1)),
        side=side,
        partition=draw(st.integers(0, PARTITIONS - 1)),
        # Few values, so that equal timestamps and late events are common.
        timestamp=draw(st.integers(1, 6)),
        key=key,
        value=value,
        time=draw(ANY_TIME) if draw(st.integers(0, 4)) == 0 else None,
        headers=draw(ANY_HEADERS),
        fate=draw(st.sampled_from([Fate.PLAIN, Fate.PLAIN, *Fate])),
        compression=draw(st.sampled_from(COMPRESSIONS)),
    )


def _padded(value: bytes, drawn: int) -> bytes:
    """Now and then a value is as long as it may be, or by one byte longer."""
    return value.ljust({0: MAX_BYTES, 1: MAX_BYTES + 1}.get(drawn, 0))


@st.composite
def _anything(draw: st.DrawFn, source: Source, key_values: list[Any]) -> bytes:
    """Bytes, JSON of any shape, a row with anything in it besides; and what is far too large."""
    other = draw(ANY_JSON)
    fields: dict[str, Any] = {"other": other}
    for column, key_value in zip(source.key_columns, key_values, strict=True):
        _put(fields, column, key_value)
    found = draw(
        st.one_of(
            st.binary(max_size=2 * MAX_BYTES),
            st.just(json.dumps(other).encode()),
            st.just(_json(fields, ascii_only=True)),
            st.just(_json(fields, ascii_only=True)),
        )
    )
    return found.ljust({0: SIZES[0], 1: SIZES[1]}.get(draw(st.integers(0, 20)), 0))


def _record_key(source: Source, key_values: list[Any]) -> bytes:
    if source.has_text_key:
        return str(key_values[0]).encode()
    return _json(dict(zip(source.key, key_values, strict=True)), ascii_only=False)


@st.composite
def _value(draw: st.DrawFn, source: Source, key_values: list[Any]) -> bytes:
    fields: dict[str, Any] = {}
    for column, key_value in zip(source.key_columns, key_values, strict=True):
        _put(fields, column, key_value)
    for column in source.fields:
        if draw(st.booleans()) or draw(st.booleans()):
            _put(fields, column, draw(st.one_of(st.none(), values(column.type), values(column.type))))
    if draw(st.integers(0, 9)) == 0:
        fields["unknown"] = {"nested": [1, "two", None]}
    return _json(fields, ascii_only=draw(st.booleans()))


@st.composite
def _bad_value(draw: st.DrawFn, declaration: Declaration, side: Side, key_values: list[Any]) -> bytes:
    """What is nearly always wrong; the model decides."""
    if declaration == DEFAULT:
        return draw(st.sampled_from(BAD_VALUES + BAD_FOR[side]))
    source = declaration.source(side)
    fields: dict[str, Any] = {}
    for column, key_value in zip(source.key_columns, key_values, strict=True):
        _put(fields, column, key_value)
    _put(fields, draw(st.sampled_from(source.columns)), draw(st.sampled_from(WRONG)))
    return draw(st.one_of(st.sampled_from(BAD_OF_ANY), st.just(_json(fields, ascii_only=True))))


def _put(fields: dict[str, Any], column: Column, value: Any) -> None:
    *parents, last = column.path
    for name in parents:
        fields = fields.setdefault(name, {})
    fields[last] = value


def _json(value: Any, *, ascii_only: bool) -> bytes:
    """JSON in which a Decimal is a number with all of its digits."""
    match value:
        case dict():
            pairs = (
                _json(name, ascii_only=ascii_only) + b":" + _json(one, ascii_only=ascii_only)
                for name, one in value.items()
            )
            return b"{" + b",".join(pairs) + b"}"
        case Decimal():
            return f"{value:f}".encode()
        case _:
            return json.dumps(value, ensure_ascii=ascii_only).encode()

"""What is wrong with an event is said in words, for every type and for every form of a key."""

import json
from typing import Any

import pytest

from answered import answered
from livejoin.wire.dead_letter import Kind

DECLARED: dict[str, Any] = {
    "left": {
        "name": "orders",
        "columns": {
            "customer": {"type": "string", "path": "buyer.id"},
            "line": "long",
            "it's ${env:HOME}": "decimal(5,2)",
            "placed": "timestamp",
            "sent": "timestamp(millis)",
            "day": {"type": "date", "null": "2000-01-01"},
            "paid": "boolean",
            "weight": {"type": "double", "path": "it's.`heavy`"},
        },
    },
    "right": {"name": "customers", "columns": {"id": "string", "number": "long"}},
    "join": {"on": {"customer": "id", "line": "number"}},
}
GOOD: dict[str, Any] = {"buyer": {"id": "c"}, "line": 1}
ODD = "it's ${env:HOME}"
NOT_A_TIME = "placed is a string, but not an ISO-8601 time with a zone from 1677-09-22 to 2262-04-11"

CASES: dict[str, tuple[str | None, str | None, tuple[Kind, str] | None]] = {
    "a good one": (None, json.dumps(GOOD), None),
    "everything": (
        None,
        '{"buyer":{"id":"c"},"line":-9223372036854775807,"it\'s ${env:HOME}":-999.990,"paid":false,"day":"9999-12-31",'
        '"placed":"2262-04-11T23:47:14.999999999+00:00","sent":9223372035000}',
        None,
    ),
    "no parent": (None, '{"line":1}', (Kind.NO_KEY, "customer is missing")),
    "a null as parent": (None, '{"buyer":null,"line":1}', (Kind.NO_KEY, "customer is missing")),
    "no object as parent": (None, '{"buyer":"c","line":1}', (Kind.WRONG_TYPE, "buyer is a string, not an object")),
    "an empty key": (None, '{"buyer":{"id":""},"line":1}', (Kind.NO_KEY, "customer is empty")),
    "half a key": (None, '{"buyer":{"id":"c"}}', (Kind.NO_KEY, "line is missing")),
    "a key of another type": (
        None,
        '{"buyer":{"id":"c"},"line":"1"}',
        (Kind.WRONG_TYPE, "line is a string, not a 64-bit integer"),
    ),
    "the number that is a null": (
        None,
        '{"buyer":{"id":"c"},"line":-9223372036854775808}',
        (Kind.OUT_OF_RANGE, "line is out of range for a 64-bit integer"),
    ),
    "too many digits behind the point": (
        None,
        json.dumps({**GOOD, ODD: 1.234}),
        (Kind.OUT_OF_RANGE, f"{ODD} does not fit into a decimal(5,2)"),
    ),
    "too many digits before it": (
        None,
        json.dumps({**GOOD, ODD: 1000}),
        (Kind.OUT_OF_RANGE, f"{ODD} does not fit into a decimal(5,2)"),
    ),
    "a decimal with an exponent": (
        None,
        '{"buyer":{"id":"c"},"line":1,"it\'s ${env:HOME}":1e1}',
        (Kind.WRONG_TYPE, f"{ODD} is a number with a fraction or an exponent, not a decimal(5,2)"),
    ),
    "a decimal as text": (
        None,
        json.dumps({**GOOD, ODD: "1.5"}),
        (Kind.WRONG_TYPE, f"{ODD} is a string, not a decimal(5,2)"),
    ),
    "a time without a zone": (
        None,
        json.dumps({**GOOD, "placed": "2024-01-01T00:00:00"}),
        (Kind.WRONG_TYPE, NOT_A_TIME),
    ),
    "a day that is none": (
        None,
        json.dumps({**GOOD, "placed": "2024-02-30T00:00:00Z"}),
        (Kind.WRONG_TYPE, NOT_A_TIME),
    ),
    "a time that nanoseconds do not reach": (
        None,
        json.dumps({**GOOD, "placed": "9999-12-31T00:00:00Z"}),
        (Kind.WRONG_TYPE, NOT_A_TIME),
    ),
    "ten digits of a second": (
        None,
        json.dumps({**GOOD, "placed": "2024-01-01T00:00:00.0123456789Z"}),
        (Kind.WRONG_TYPE, NOT_A_TIME),
    ),
    "a time as a number": (
        None,
        json.dumps({**GOOD, "placed": 7}),
        (Kind.WRONG_TYPE, "placed is a number, not an ISO-8601 time with a zone"),
    ),
    "milliseconds as text": (
        None,
        json.dumps({**GOOD, "sent": "7"}),
        (Kind.WRONG_TYPE, "sent is a string, not epoch milliseconds"),
    ),
    "milliseconds that nanoseconds do not reach": (
        None,
        json.dumps({**GOOD, "sent": 9_223_372_036_000}),
        (Kind.OUT_OF_RANGE, "sent is out of range for epoch milliseconds"),
    ),
    "the smallest long as milliseconds": (
        None,
        json.dumps({**GOOD, "sent": -9223372036854775808}),
        (Kind.OUT_OF_RANGE, "sent is out of range for epoch milliseconds"),
    ),
    "a date that is none": (
        None,
        json.dumps({**GOOD, "day": "2023-02-29"}),
        (Kind.WRONG_TYPE, "day is a string, but not a date like 2024-12-31"),
    ),
    "a date with a time": (
        None,
        json.dumps({**GOOD, "day": "2024-02-29T00:00:00Z"}),
        (Kind.WRONG_TYPE, "day is a string, but not a date like 2024-12-31"),
    ),
    "a boolean as a number": (
        None,
        json.dumps({**GOOD, "paid": 1}),
        (Kind.WRONG_TYPE, "paid is a number, not a boolean"),
    ),
    "an unknown number that is too long": (
        None,
        '{"buyer":{"id":"c"},"line":1,"more":[{"pi":3.' + 1_500 * "1" + "}]}",
        (Kind.TOO_LARGE, "a number of more than 1000 digits"),
    ),
    "an unknown name that is too long": (
        None,
        '{"buyer":{"id":"c"},"line":1,"' + 60_000 * "n" + '":1}',
        (Kind.TOO_LARGE, "the name of a field has more than 50000 characters"),
    ),
    "as long as they may be": (
        None,
        '{"buyer":{"id":"c"},"line":1,"more":' + 1_000 * "1" + ',"' + 50_000 * "n" + '":1}',
        None,
    ),
    "too deep": (
        None,
        '{"buyer":{"id":"c"},"line":1,"more":' + 1_100 * "[" + 1_100 * "]" + "}",
        (Kind.NOT_JSON, "not valid JSON, or more than 1000 arrays and objects in each other"),
    ),
    "digits, and not JSON": (None, "{" + 1_500 * "1", (Kind.NOT_JSON, "not valid JSON")),
    "nearly as large as it may be": (None, '{"buyer":{"id":"c"},"line":1,"more":"' + 999_000 * "x" + '"}', None),
    "a large number of digits": (
        None,
        '{"buyer":{"id":"c"},"line":' + 999_000 * "7" + "}",
        (Kind.TOO_LARGE, "a number of more than 1000 digits"),
    ),
    "much that is not JSON": (None, 499_000 * ':"', (Kind.NOT_JSON, "not valid JSON")),
    "a deep hole": (
        None,
        499_000 * "[{",
        (Kind.NOT_JSON, "not valid JSON, or more than 1000 arrays and objects in each other"),
    ),
    "a tombstone": ('{"customer":"c","line":1,"more":true}', None, None),
    "a tombstone with a text": (
        "c",
        None,
        (Kind.TOMBSTONE, "no value, and a key that is not a JSON object with customer, line"),
    ),
    "a tombstone with half a key": (
        '{"customer":"c"}',
        None,
        (Kind.TOMBSTONE, "no value, and in its key line is missing"),
    ),
    "a tombstone with a wrong key": (
        '{"customer":"c","line":"1"}',
        None,
        (Kind.TOMBSTONE, "no value, and in its key line is a string, not a 64-bit integer"),
    ),
    "a tombstone without a key": (
        None,
        None,
        (Kind.TOMBSTONE, "no value and no key: the key of a tombstone is a JSON object with customer, line"),
    ),
    "a tombstone with an empty key": ("", None, (Kind.TOMBSTONE, "no value and an empty key")),
}


WEIGHTS = {"-0.0": "-0.0", "0.0": "0.0", "-0": "0.0", "-0e-3": "-0.0", "-0.5": "-0.5", "0": "0.0"}
"""Numbers as they are written and as they are held."""

Found = list[tuple[list[str] | None, str | None]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What Spark says of each case, and of each weight."""
    events = [(key, value) for key, value, _ in CASES.values()]
    events += [(None, json.dumps({**GOOD, "it's": {"`heavy`": 77}}).replace("77", weight)) for weight in WEIGHTS]
    question = {"settings": DECLARED, "side": "left", "events": events}
    answer: Found = answered("spark_judge.py", question, tmp_path_factory.mktemp("reasons"))
    return answer


@pytest.mark.parametrize("case", CASES)
def test_every_reason_is_said(found: Found, case: str) -> None:
    """Its kind, and a sentence in the names that are declared."""
    reason, _ = found[list(CASES).index(case)]
    assert (reason and tuple(reason)) == CASES[case][2]


def test_a_zero_keeps_its_sign(found: Found) -> None:
    """As a double has one; an integer has none."""
    rows = [row or "" for _, row in found[len(CASES) :]]
    assert [row.partition('"l7":')[2].rstrip("}") for row in rows] == list(WEIGHTS.values())

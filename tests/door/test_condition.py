"""What is asked of cells, compared with what Python says of the same values."""

import math
import operator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livejoin.model.column import ColumnType
from livejoin.model.table import TableColumn
from livejoin.serve.door.condition import GREATEST_LONG, LEAST_LONG, NotThatWay, Questions
from livejoin.serve.door.message import FilterBy
from predicates import Holds, Predicates

TYPES = {
    "text": "string",
    "integer": "long",
    "double": "double",
    "decimal": "decimal(38,2)",
    "flag": "boolean",
    "at": "timestamp",
    "day": "date",
}
COLUMNS = {name: TableColumn(name, ColumnType.named(of), f"l{at}") for at, (name, of) in enumerate(TYPES.items())}
ORDER = {
    "less": operator.lt,
    "lessOrEqual": operator.le,
    "greater": operator.gt,
    "greaterOrEqual": operator.ge,
    "equal": operator.eq,
}


QUESTIONS = Questions(COLUMNS, Predicates())


def asked(column: str, **condition: Any) -> Holds:
    """The filter of a condition."""
    holds: Holds = QUESTIONS.filter(FilterBy.model_validate({"column": column, **condition}))
    return holds


longs = st.integers(LEAST_LONG, GREATEST_LONG)
near = st.integers(-5, 5)


@given(longs | near, near | longs | st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(sorted(ORDER)))
def test_integers_are_compared_as_numbers_are(cell: int, operand: float, is_: str) -> None:
    """Also with fractions, with numbers beyond 64 bits, and with more digits than a float has."""
    expected = ORDER[is_](cell, operand)

    assert asked("integer", **{"is": is_, "to": operand})(cell) == expected
    assert not asked("integer", **{"is": is_, "to": operand})(None)
    if isinstance(operand, int):
        assert asked("integer", **{"is": is_, "to": str(operand)})(cell) == expected
        assert asked("at", **{"is": is_, "to": str(operand)})(cell) == expected


@pytest.mark.parametrize("operand", [10**400, -(10**400), 2**63, -(2**63) - 1, GREATEST_LONG, LEAST_LONG, 1e300])
@pytest.mark.parametrize("is_", sorted(ORDER))
def test_what_is_asked_of_the_engine_fits_into_a_long(operand: float, is_: str) -> None:
    """However large the number is, which may be too large for a float, the engine is asked for numbers that it has."""
    assert asked("integer", **{"is": is_, "to": operand})(7) == ORDER[is_](7, operand)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.sampled_from(sorted(ORDER)))
def test_doubles_are_compared_as_numbers_are(cell: float, operand: float, is_: str) -> None:
    """Infinity, written as a word, included."""
    to = operand if math.isfinite(operand) else ("Infinity" if operand > 0 else "-Infinity")

    assert asked("double", **{"is": is_, "to": to})(cell) == ORDER[is_](cell, operand)
    assert not asked("double", **{"is": is_, "to": to})(None)


cents = st.decimals(-(10**36) + 1, 10**36 - 1, places=2)
any_decimal = st.decimals(-(10**40), 10**40, allow_nan=False, places=9).map(lambda number: f"{number:f}")


@given(cents, any_decimal | cents.map(str) | near | st.integers(), st.sampled_from(sorted(ORDER)))
def test_decimals_are_compared_to_the_last_digit(cell: Decimal, operand: str | int, is_: str) -> None:
    """However many digits the other number has, before the point or behind it."""
    assert asked("decimal", **{"is": is_, "to": operand})(cell) == ORDER[is_](cell, Decimal(operand))
    assert asked("decimal", **{"is": "oneOf", "to": [operand, "0.001"]})(cell) == (cell == Decimal(operand))
    assert not asked("decimal", **{"is": is_, "to": operand})(None)


def test_a_number_means_what_is_written_there() -> None:
    """And not what a float makes of it; how many zeros it ends with says nothing."""
    assert asked("decimal", **{"is": "equal", "to": 0.1})(Decimal("0.10"))
    assert asked("decimal", **{"is": "oneOf", "to": [1e-7, "12.300"]})(Decimal("12.3"))
    assert not asked("decimal", **{"is": "less", "to": "12.29999999999999999999999999999"})(Decimal("12.30"))
    assert asked("decimal", **{"is": "less", "to": 10**400})(Decimal(10**37))


@given(st.dates(), st.dates(), st.sampled_from(sorted(ORDER)))
def test_dates_are_compared_as_days(cell: date, operand: date, is_: str) -> None:
    """A day is a text like 2024-12-31."""
    days = (cell - date(1970, 1, 1)).days
    assert asked("day", **{"is": is_, "to": operand.isoformat()})(days) == ORDER[is_](cell, operand)
    assert not asked("day", **{"is": is_, "to": operand.isoformat()})(None)


@given(st.booleans(), st.booleans(), st.sampled_from(sorted(ORDER)))
def test_true_is_greater_than_false(cell: bool, operand: bool, is_: str) -> None:  # noqa: FBT001  they are the values
    """And null is neither."""
    assert asked("flag", **{"is": is_, "to": operand})(cell) == ORDER[is_](cell, operand)
    assert not asked("flag", **{"is": is_, "to": operand})(None)


def test_what_is_not_equal_may_be_null_and_what_is_blank_may_be_empty() -> None:
    """Null compares with nothing, and so differs from everything."""
    assert asked("text", **{"is": "notEqual", "to": "a"})(None)
    assert asked("text", **{"is": "notContaining", "to": "a"})(None)
    assert [asked("text", **{"is": "blank"})(cell) for cell in (None, "", " ")] == [True, True, False]
    assert [asked("integer", **{"is": "notBlank"})(cell) for cell in (None, 0)] == [False, True]
    assert asked("integer", **{"is": "oneOf", "to": [1.5, "2", 3]})(2)
    assert not asked("integer", **{"is": "oneOf", "to": [1.5, "2", 3]})(1)


@pytest.mark.parametrize(
    ("column", "condition"),
    [
        ("nothing", {"is": "null"}),
        ("i", {"is": "null"}),
        ("text; System.exit(0)", {"is": "null"}),
        ("text", {"is": "equal", "to": 1}),
        ("text", {"is": "oneOf", "to": ["a", 1]}),
        ("integer", {"is": "equal", "to": "1e3"}),
        ("integer", {"is": "equal", "to": "0x10"}),
        ("integer", {"is": "equal", "to": " 1"}),
        ("integer", {"is": "less", "to": True}),
        ("integer", {"is": "containing", "to": "1"}),
        ("at", {"is": "less", "to": 1}),
        ("at", {"is": "less", "to": "2024-05-17"}),
        ("double", {"is": "equal", "to": "new java.io.File()"}),
        ("decimal", {"is": "equal", "to": "new java.io.File()"}),
        ("decimal", {"is": "equal", "to": "1e3"}),
        ("decimal", {"is": "equal", "to": "NaN"}),
        ("decimal", {"is": "less", "to": math.inf}),
        ("decimal", {"is": "less", "to": ""}),
        ("decimal", {"is": "less", "to": True}),
        ("day", {"is": "equal", "to": "2024-02-30"}),
        ("day", {"is": "less", "to": "tomorrow"}),
        ("day", {"is": "less", "to": "20241231"}),
        ("day", {"is": "less", "to": "2024-12-31T00:00"}),
        ("day", {"is": "less", "to": 19860}),
        ("day", {"is": "containing", "to": "2024"}),
        ("flag", {"is": "equal", "to": "true"}),
    ],
)
def test_a_question_that_does_not_fit_its_column_is_refused(column: str, condition: dict[str, Any]) -> None:
    """Names are columns of the table, and values of its types; the words are for the person who asked."""
    with pytest.raises(NotThatWay) as refused:
        asked(column, **condition)
    assert column in str(refused.value)


def test_a_search_asks_every_text_and_nothing_else() -> None:
    """In upper or lower case."""
    assert QUESTIONS.search("A")("xax")
    with pytest.raises(NotThatWay):
        Questions({"n": COLUMNS["integer"]}, Predicates()).search("a")

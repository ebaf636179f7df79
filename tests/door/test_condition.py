"""What is asked of cells, compared with what Python says of the same values."""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livejoin.serve.door.condition import GREATEST_LONG, LEAST_LONG, NotThatWay, Questions
from livejoin.serve.door.message import FilterBy
from livejoin.serve.door.sight import Kind

Cell = Any
Holds = Callable[[Cell], bool]
COLUMNS = {
    "text": Kind.TEXT,
    "integer": Kind.INTEGER,
    "decimal": Kind.DECIMAL,
    "flag": Kind.BOOLEAN,
    "at": Kind.INSTANT,
}
ORDER = {
    "less": operator.lt,
    "lessOrEqual": operator.le,
    "greater": operator.gt,
    "greaterOrEqual": operator.ge,
    "equal": operator.eq,
}


class Predicates:
    """Filters of one cell, in Python."""

    def long_between(self, _: str, first: int, last: int) -> Holds:
        """Both ends belong to it, and fit into a long."""
        assert LEAST_LONG <= first <= GREATEST_LONG
        assert LEAST_LONG <= last <= GREATEST_LONG
        return lambda cell: cell is not None and first <= cell <= last

    def long_in(self, _: str, values: Sequence[int]) -> Holds:
        """One of them."""
        assert all(LEAST_LONG <= value <= GREATEST_LONG for value in values)
        return lambda cell: cell in values

    def double_between(self, _: str, low: float, high: float, *, with_low: bool, with_high: bool) -> Holds:
        """The ends belong to it where that is said."""
        return lambda cell: (
            cell is not None
            and (cell >= low if with_low else cell > low)
            and (cell <= high if with_high else cell < high)
        )

    def double_in(self, _: str, values: Sequence[float]) -> Holds:
        """One of them."""
        return lambda cell: cell in values

    def boolean_in(self, _: str, values: Sequence[bool]) -> Holds:
        """One of them."""
        return lambda cell: cell in values

    def text_in(self, _: str, values: Sequence[str]) -> Holds:
        """One of them."""
        return lambda cell: cell in values

    def text_beyond(self, _: str, value: str, *, is_above: bool, with_value: bool) -> Holds:
        """Sorted after the value, or before it."""
        return lambda cell: (
            cell is not None and ((cell > value if is_above else cell < value) or (with_value and cell == value))
        )

    def text_like(self, _: str, text: str, *, at_begin: bool = False, at_end: bool = False) -> Holds:
        """Has the text in it."""
        found: Callable[[str, str], bool] = (
            str.startswith if at_begin else str.endswith if at_end else lambda cell, part: part in cell
        )
        return lambda cell: cell is not None and found(cell.lower(), text.lower())

    def null(self, _: str, __: Kind) -> Holds:
        """Has no value."""
        return lambda cell: cell is None

    def negated(self, one: Holds) -> Holds:
        """Holds where the other does not."""
        return lambda cell: not one(cell)

    def all_of(self, filters: Sequence[Holds]) -> Holds:
        """Holds where all do."""
        return lambda cell: all(one(cell) for one in filters)

    def any_of(self, filters: Sequence[Holds]) -> Holds:
        """Holds where one does."""
        return lambda cell: any(one(cell) for one in filters)


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
def test_decimals_are_compared_as_numbers_are(cell: float, operand: float, is_: str) -> None:
    """Infinity, written as a word, included."""
    to = operand if math.isfinite(operand) else ("Infinity" if operand > 0 else "-Infinity")

    assert asked("decimal", **{"is": is_, "to": to})(cell) == ORDER[is_](cell, operand)
    assert not asked("decimal", **{"is": is_, "to": to})(None)


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
        ("decimal", {"is": "equal", "to": "new java.io.File()"}),
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
        Questions({"n": Kind.INTEGER}, Predicates()).search("a")

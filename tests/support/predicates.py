"""The filters that the door asks an engine for, as functions of one cell."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from livejoin.serve.door.condition import GREATEST_LONG, LEAST_LONG
from livejoin.serve.door.sight import Kind

Cell = Any
Holds = Callable[[Cell], bool]


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

    def decimal_beyond(self, _: str, value: Decimal, *, is_above: bool, with_value: bool) -> Holds:
        """Greater than the value, or less."""
        return lambda cell: (
            cell is not None and ((cell > value if is_above else cell < value) or (with_value and cell == value))
        )

    def decimal_in(self, _: str, values: Sequence[Decimal]) -> Holds:
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

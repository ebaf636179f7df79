"""Conditions as the engine's filters: every name is a column of the table, every value a value of its type.

Nothing here is text that anybody would parse. Numbers are compared as numbers are, not as they can be stored: an
integer that is greater than 2.5 is at least 3.
"""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from livejoin.model.column import DATE_TEXT, MOST_DIGITS
from livejoin.model.table import TableColumn
from livejoin.serve.door.message import LIKENESSES, Condition, FilterBy, Is, Operand
from livejoin.serve.door.refusal import Refusal, Refused
from livejoin.serve.door.sight import Filter, Filters, Kind, kind_of

LEAST_LONG = -(2**63) + 1
"""The one below stands for null."""
GREATEST_LONG = 2**63 - 1
NON_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})
BEYOND_DECIMALS = Decimal(10**MOST_DIGITS)
"""No decimal is as large as that."""
_DIGITS = re.compile(r"-?[0-9]{1,40}")
_DECIMAL = re.compile(r"-?[0-9]{1,80}(\.[0-9]{1,80})?")
_FIRST_DAY = date(1970, 1, 1)


class NotThatWay(Refused):
    """The question does not fit the table; the text says why, for the person who asked."""

    kind = Refusal.QUESTIONS


class Questions:
    """Turns what is asked of the columns of one table into filters."""

    def __init__(self, columns: Mapping[str, TableColumn], filters: Filters) -> None:
        """The columns by the names that they are asked for by."""
        self._columns = columns
        self._filters = filters

    def filter(self, by: FilterBy) -> Filter:
        """The filter of a condition; raises NotThatWay."""
        column = self._columns.get(by.column)
        if column is None:
            raise NotThatWay(f"There is no column {by.column} to filter by.")
        return self._condition(column, kind_of(column), by)

    def search(self, text: str) -> Filter:
        """Any text of a row has it in it."""
        fields = {column.field: None for column in self._columns.values() if kind_of(column) is Kind.TEXT}
        if not fields:
            raise NotThatWay("There is no text in this table to search.")
        return self._filters.any_of([self._filters.text_like(field, text) for field in fields])

    def _condition(self, column: TableColumn, kind: Kind, asked: Condition) -> Filter:
        filters = self._filters
        match asked.is_:
            case Is.ANY_OF:
                return filters.any_of([self._condition(column, kind, one) for one in asked.of or ()])
            case Is.ALL_OF:
                return filters.all_of([self._condition(column, kind, one) for one in asked.of or ()])
            case Is.NULL:
                return filters.null(column.field, kind)
            case Is.NOT_NULL:
                return filters.negated(filters.null(column.field, kind))
            case Is.BLANK:
                return self._blank(column, kind)
            case Is.NOT_BLANK:
                return filters.negated(self._blank(column, kind))
            case Is.ONE_OF if isinstance(asked.to, tuple):
                return self._equal(column, kind, asked.to)
        if asked.is_ in LIKENESSES:
            return self._like(column, kind, asked)
        if asked.to is None or isinstance(asked.to, tuple):
            raise NotThatWay(f"{asked.is_.value} compares with one value.")
        if asked.is_ is Is.EQUAL:
            return self._equal(column, kind, (asked.to,))
        if asked.is_ is Is.NOT_EQUAL:
            return filters.negated(self._equal(column, kind, (asked.to,)))
        return self._ordered(column, kind, asked.is_, asked.to)

    def _blank(self, column: TableColumn, kind: Kind) -> Filter:
        null = self._filters.null(column.field, kind)
        return self._filters.any_of([null, self._filters.text_in(column.field, [""])]) if kind is Kind.TEXT else null

    def _like(self, column: TableColumn, kind: Kind, asked: Condition) -> Filter:
        if kind is not Kind.TEXT:
            raise NotThatWay(f"{column.name} has no texts: {asked.is_.value} is for texts.")
        text = _text(column.name, asked.to)
        found = self._filters.text_like(
            column.field, text, at_begin=asked.is_ is Is.STARTING_WITH, at_end=asked.is_ is Is.ENDING_WITH
        )
        return self._filters.negated(found) if asked.is_ is Is.NOT_CONTAINING else found

    def _equal(self, column: TableColumn, kind: Kind, operands: Sequence[Operand]) -> Filter:
        filters = self._filters
        match kind:
            case Kind.TEXT:
                return filters.text_in(column.field, [_text(column.name, operand) for operand in operands])
            case Kind.BOOLEAN:
                return filters.boolean_in(column.field, [_boolean(column.name, operand) for operand in operands])
            case Kind.DOUBLE:
                return filters.double_in(column.field, [_double(column.name, operand) for operand in operands])
            case Kind.DECIMAL:
                exact = [_decimal(column.name, operand) for operand in operands]
                return filters.decimal_in(column.field, [one for one in exact if one.copy_abs() < BEYOND_DECIMALS])
            case Kind.DATE:
                return filters.long_in(column.field, [_day(column.name, operand) for operand in operands])
            case Kind.INTEGER | Kind.INSTANT:
                numbers = [_exact(column.name, kind, operand) for operand in operands]
                whole = [int(number) for number in numbers if number == math.floor(number)]
                return filters.long_in(column.field, [n for n in whole if LEAST_LONG <= n <= GREATEST_LONG])

    def _ordered(self, column: TableColumn, kind: Kind, is_: Is, operand: Operand) -> Filter:
        is_above = is_ in (Is.GREATER, Is.GREATER_OR_EQUAL)
        with_value = is_ in (Is.LESS_OR_EQUAL, Is.GREATER_OR_EQUAL)
        filters = self._filters
        match kind:
            case Kind.TEXT:
                return filters.text_beyond(
                    column.field, _text(column.name, operand), is_above=is_above, with_value=with_value
                )
            case Kind.BOOLEAN:
                value = _boolean(column.name, operand)
                beyond = [one for one in (False, True) if (one > value if is_above else one < value)]
                return filters.boolean_in(column.field, [*beyond, value] if with_value else beyond)
            case Kind.DOUBLE:
                number = _double(column.name, operand)
                low, high = (number, math.inf) if is_above else (-math.inf, number)
                return filters.double_between(
                    column.field, low, high, with_low=with_value or not is_above, with_high=with_value or is_above
                )
            case Kind.DECIMAL:
                end = min(max(_decimal(column.name, operand), -BEYOND_DECIMALS), BEYOND_DECIMALS)
                return filters.decimal_beyond(column.field, end, is_above=is_above, with_value=with_value)
            case Kind.DATE:
                first, last = _range(_day(column.name, operand), is_above=is_above, with_value=with_value)
                return filters.long_between(column.field, first, last)
            case Kind.INTEGER | Kind.INSTANT:
                first, last = _range(_exact(column.name, kind, operand), is_above=is_above, with_value=with_value)
                if first > GREATEST_LONG or last < LEAST_LONG:
                    return filters.long_in(column.field, [])
                return filters.long_between(column.field, max(first, LEAST_LONG), min(last, GREATEST_LONG))


def _range(number: int | float, *, is_above: bool, with_value: bool) -> tuple[int, int]:
    """The integers beyond a number, which may be a fraction."""
    if is_above:
        return (math.ceil(number) if with_value else math.floor(number) + 1), GREATEST_LONG
    return LEAST_LONG, (math.floor(number) if with_value else math.ceil(number) - 1)


def _text(column: str, operand: object) -> str:
    if isinstance(operand, str):
        return operand
    raise NotThatWay(f"{column} has texts: it is compared with a text.")


def _boolean(column: str, operand: object) -> bool:
    if isinstance(operand, bool):
        return operand
    raise NotThatWay(f"{column} is true or false, and is compared with that.")


def _double(column: str, operand: Operand) -> float:
    try:
        if isinstance(operand, str) and operand in NON_FINITE:
            return float(operand)
        if not isinstance(operand, bool):
            return float(_whole(operand) if isinstance(operand, str) else operand)
    except (ValueError, OverflowError):
        pass
    raise NotThatWay(f"{column} has numbers: it is compared with a number.")


def _decimal(column: str, operand: Operand) -> Decimal:
    """The number that is written there: that of a float is the shortest one that means the same float."""
    if isinstance(operand, str) and _DECIMAL.fullmatch(operand):
        return Decimal(operand)
    if isinstance(operand, float) and math.isfinite(operand):
        return Decimal(repr(operand))
    if isinstance(operand, int) and not isinstance(operand, bool):
        return Decimal(operand)
    raise NotThatWay(f"{column} has decimals: it is compared with a number, or a text of its digits like 12.30.")


def _day(column: str, operand: Operand) -> int:
    """Days since 1970."""
    try:
        if isinstance(operand, str) and DATE_TEXT.fullmatch(operand):
            return (date.fromisoformat(operand) - _FIRST_DAY).days
    except ValueError:
        pass
    raise NotThatWay(f"{column} has dates: it is compared with one like 2024-12-31.")


def _exact(column: str, kind: Kind, operand: Operand) -> int | float:
    """An integer as it is, also one of more digits than a float has."""
    try:
        if isinstance(operand, str):
            return _whole(operand)
    except ValueError:
        pass
    else:
        # An integer is finite, also one that is too large to be asked whether it is.
        is_number = not isinstance(operand, bool) and (isinstance(operand, int) or math.isfinite(operand))
        if kind is Kind.INTEGER and is_number:
            return operand
    what = "a number" if kind is Kind.INTEGER else "a point in time, in nanoseconds as text"
    raise NotThatWay(f"{column} is compared with {what}.")


def _whole(digits: str) -> int:
    """Beyond a number of JavaScript, an integer is written as its digits."""
    if not _DIGITS.fullmatch(digits):
        raise ValueError(digits)
    return int(digits)

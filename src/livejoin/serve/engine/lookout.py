"""The way into the engine: the Java class Lookout and its filters, in Python's words. Nothing else calls them.

It can be imported only after the engine was started.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import jpy  # type: ignore[import-not-found]  # a C module without stubs
from deephaven.table import Table

from livejoin.serve.door.sight import Arrangement, EngineView, Filter, Kind, News, TooLarge, kind_of
from livejoin.serve.engine.engine import Engine

_FAILED = -1
_TOO_LARGE = -2
_HEAD = struct.Struct(">iii")


class JavaStatus:
    """Which generation some tables show. Who asked for it closes it when nobody looks at these tables any more."""

    def __init__(self, j_status: Any) -> None:
        self.handle: Any = j_status

    def close(self) -> None:
        """Follow it no longer."""
        self.handle.close()


@dataclass(frozen=True, eq=False, slots=True)
class LookedAt:
    """A table of the engine that can be looked at, with the status that tells which generation it shows."""

    table: Table
    status: JavaStatus


class JavaView:
    """A view of the engine. Who opened it closes it."""

    def __init__(self, j_view: Any) -> None:
        self.handle: Any = j_view

    @property
    def size(self) -> int:
        """How many rows it has."""
        return int(self.handle.size())

    @property
    def whole_size(self) -> int:
        """How many rows it would have if it were not cut to the newest."""
        return int(self.handle.wholeSize())

    @property
    def generation(self) -> int | None:
        """Of a copy, the generation of its moment."""
        found = self.handle.generation()
        return None if found is None else int(found)

    def lines(self, first: int, end: int) -> bytes:
        """Rows of a copy as lines of JSON."""
        return bytes(memoryview(self.handle.lines(first, end)))

    def close(self) -> None:
        """Free it, and let go of it: Python may keep this object for long after it was of any use."""
        handle, self.handle = self.handle, None
        if handle is not None:
            handle.close()


class JavaLookout:
    """Everything that is looked at. One for the life of the server; one thread calls `news`, any thread the rest."""

    def __init__(self, engine: Engine) -> None:
        self._j = jpy.get_type("livejoin.Lookout")(engine.j_graph, engine.j_initializer)

    @property
    def cycle_age(self) -> float:
        """Seconds since the engine has begun an update cycle."""
        return int(self._j.cycleAgeMillis()) / 1000

    def follow(self, status: Table, column: str) -> JavaStatus:
        """The table of one row that says in a column which generation some tables show."""
        return JavaStatus(self._j.follow(status.j_table, column))

    def open(self, table: LookedAt, wanted: Arrangement) -> JavaView:
        """A view that follows its table."""
        return JavaView(self._j.open(*_arguments(table, wanted)))

    def copy(self, view: EngineView, newest: int, most: int) -> JavaView:
        """A copy of a view at this moment, of that many rows at its end; raises TooLarge where it has over `most`."""
        made = self._j.copy(view.handle, newest, most)
        if made is None:
            raise TooLarge
        return JavaView(made)

    def look(self, view: EngineView, first: int, last: int) -> int:
        """Look at rows; the number of the window. The next news have all of its rows."""
        return int(self._j.look(view.handle, first, last))

    def want_whole(self, window: int) -> None:
        """The next news of that window are to have all of its rows."""
        self._j.wantWhole(window)

    def leave(self, window: int) -> None:
        """Look no more."""
        self._j.leave(window)

    def news(self, within: float) -> Iterator[News]:
        """Wait for what has changed in one moment; nothing where nothing has in time."""
        told = bytes(memoryview(self._j.news(int(within * 1000))))
        at = 0
        while at < len(told):
            window, changed, whole = _HEAD.unpack_from(told, at)
            at += _HEAD.size
            if changed == _TOO_LARGE:
                yield News(window, is_too_large=True)
            elif changed == _FAILED:
                yield News(window, failure=told[at : at + whole].decode())
                at += whole
            else:
                middle, end = at + changed, at + changed + whole
                yield News(window, told[at:middle], told[middle:end])
                at = end


class JavaFilters:
    """Filters of the engine, made from values."""

    def __init__(self) -> None:
        self._j = jpy.get_type("livejoin.CellFilter")

    def long_between(self, column: str, first: int, last: int) -> Filter:
        """Both ends belong to it."""
        return self._j.longBetween(column, first, last)

    def long_in(self, column: str, values: Sequence[int]) -> Filter:
        """One of them."""
        return self._j.longIn(column, jpy.array("long", list(values)))

    def double_between(self, column: str, low: float, high: float, *, with_low: bool, with_high: bool) -> Filter:
        """The ends belong to it where that is said."""
        return self._j.doubleBetween(column, low, with_low, high, with_high)

    def double_in(self, column: str, values: Sequence[float]) -> Filter:
        """One of them."""
        return self._j.doubleIn(column, jpy.array("double", list(values)))

    def decimal_beyond(self, column: str, value: Decimal, *, is_above: bool, with_value: bool) -> Filter:
        """Greater than the value, or less."""
        return self._j.decimalBeyond(column, f"{value:f}", is_above, with_value)

    def decimal_in(self, column: str, values: Sequence[Decimal]) -> Filter:
        """One of them, however many zeros it ends with."""
        return self._j.decimalIn(column, jpy.array("java.lang.String", [f"{value:f}" for value in values]))

    def boolean_in(self, column: str, values: Sequence[bool]) -> Filter:
        """One of them."""
        return self._j.booleanIn(column, True in values, False in values)

    def text_in(self, column: str, values: Sequence[str]) -> Filter:
        """One of them."""
        return self._j.textIn(column, jpy.array("java.lang.String", [_hex(value) for value in values]))

    def text_beyond(self, column: str, value: str, *, is_above: bool, with_value: bool) -> Filter:
        """Sorted after the value, or before it."""
        return self._j.textBeyond(column, _hex(value), is_above, with_value)

    def text_like(self, column: str, text: str, *, at_begin: bool = False, at_end: bool = False) -> Filter:
        """Has the text in it, in upper or lower case."""
        return self._j.textLike(column, _hex(text), at_begin, at_end)

    def null(self, column: str, kind: Kind) -> Filter:
        """Has no value."""
        return self._j.isNull(column, kind.name)

    def negated(self, one: Filter) -> Filter:
        """Holds where the other does not."""
        return self._j.negated(one)

    def all_of(self, filters: Sequence[Filter]) -> Filter:
        """Holds where all do."""
        return self._j.all(_filter_array(filters))

    def any_of(self, filters: Sequence[Filter]) -> Filter:
        """Holds where one does."""
        return self._j.any(_filter_array(filters))


def _arguments(table: LookedAt, wanted: Arrangement) -> tuple[Any, ...]:
    return (
        table.table.j_table,
        table.status.handle,
        _texts(column.field for column in wanted.columns),
        _texts(kind_of(column).name for column in wanted.columns),
        _texts(_hex(column.name) for column in wanted.columns),
        _filter_array(wanted.filters),
        _texts(field for field, _ in wanted.sort),
        jpy.array("boolean", [is_descending for _, is_descending in wanted.sort]),
    )


def _texts(found: Iterable[str]) -> Any:
    return jpy.array("java.lang.String", list(found))


def _hex(text: str) -> str:
    """The digits of its UTF-16 units: the bridge to Java cuts characters beyond U+FFFF."""
    return text.encode("utf-16-be", "surrogatepass").hex()


def _filter_array(filters: Sequence[Filter]) -> Any:
    return jpy.array("io.deephaven.engine.table.impl.select.WhereFilter", list(filters))

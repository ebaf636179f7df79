"""What the door needs of the engine: filters, views and news of them. The real ones are in `engine/lookout.py`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

from livejoin.model.column import Kind as Declared
from livejoin.model.table import TableColumn

Filter = Any
"""A filter of the engine."""
EngineTable = Any
"""A table of the engine."""


class Kind(StrEnum):
    """The types of columns, as clients know them."""

    TEXT = "text"
    INTEGER = "integer"
    DOUBLE = "double"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    INSTANT = "instant"
    DATE = "date"


_KINDS: Mapping[Declared, Kind] = {
    Declared.STRING: Kind.TEXT,
    Declared.LONG: Kind.INTEGER,
    Declared.DOUBLE: Kind.DOUBLE,
    Declared.DECIMAL: Kind.DECIMAL,
    Declared.BOOLEAN: Kind.BOOLEAN,
    Declared.TIMESTAMP: Kind.INSTANT,
    Declared.DATE: Kind.DATE,
}


def kind_of(column: TableColumn) -> Kind:
    """How clients know the type of a column."""
    return _KINDS[column.type.kind]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What a view is made of, with everything in it checked."""

    columns: tuple[TableColumn, ...]
    filters: tuple[Filter, ...]
    sort: tuple[tuple[str, bool], ...]
    """Fields of columns, and whether each is descending."""


@dataclass(frozen=True, slots=True)
class News:
    """What a window has to tell: what has changed, all of its rows, or that no more will come; each may be empty."""

    window: int
    changed: bytes = b""
    whole: bytes = b""
    is_too_large: bool = False
    """The rows have more bytes than are written at once."""
    failure: str = ""
    """What the engine says of a view that has failed."""


class Filters(Protocol):
    """What the engine can ask of a cell; a null holds for none but `null`. Columns are named by their fields."""

    def long_between(self, column: str, first: int, last: int) -> Filter:
        """Both ends belong to it."""

    def long_in(self, column: str, values: Sequence[int]) -> Filter:
        """One of them."""

    def double_between(self, column: str, low: float, high: float, *, with_low: bool, with_high: bool) -> Filter:
        """The ends belong to it where that is said."""

    def double_in(self, column: str, values: Sequence[float]) -> Filter:
        """One of them."""

    def decimal_beyond(self, column: str, value: Decimal, *, is_above: bool, with_value: bool) -> Filter:
        """Greater than the value, or less."""

    def decimal_in(self, column: str, values: Sequence[Decimal]) -> Filter:
        """One of them, however many zeros it ends with."""

    def boolean_in(self, column: str, values: Sequence[bool]) -> Filter:
        """One of them."""

    def text_in(self, column: str, values: Sequence[str]) -> Filter:
        """One of them."""

    def text_beyond(self, column: str, value: str, *, is_above: bool, with_value: bool) -> Filter:
        """Sorted after the value, or before it."""

    def text_like(self, column: str, text: str, *, at_begin: bool = False, at_end: bool = False) -> Filter:
        """Has the text in it, in upper or lower case."""

    def null(self, column: str, kind: Kind) -> Filter:
        """Has no value."""

    def negated(self, one: Filter) -> Filter:
        """Holds where the other does not."""

    def all_of(self, filters: Sequence[Filter]) -> Filter:
        """Holds where all do."""

    def any_of(self, filters: Sequence[Filter]) -> Filter:
        """Holds where one does."""


class TooLarge(Exception):
    """A copy would have more rows than it may."""


class EngineView(Protocol):
    """A view of the engine. Who opened it closes it."""

    @property
    def handle(self) -> Any:
        """The engine's own."""

    @property
    def size(self) -> int:
        """How many rows it has."""

    @property
    def whole_size(self) -> int:
        """How many rows it would have if it were not cut to the newest."""

    @property
    def generation(self) -> int | None:
        """Of a copy, the generation of its moment."""

    def lines(self, first: int, end: int) -> bytes:
        """Rows of a copy as lines of JSON; fewer where they are large, at least one."""

    def close(self) -> None:
        """Free it."""


class Lookout(Protocol):
    """Everything that is looked at. One thread calls `news`, any thread the rest."""

    def open(self, table: EngineTable, wanted: Arrangement) -> EngineView:
        """A view that follows its table. May take long."""

    def copy(self, view: EngineView, newest: int, most: int) -> EngineView:
        """A copy of a view at this moment, of that many rows at its end; raises TooLarge where it has over `most`."""

    def look(self, view: EngineView, first: int, last: int) -> int:
        """Look at rows; the number of the window. The next news have all of its rows."""

    def want_whole(self, window: int) -> None:
        """The next news of that window are to have all of its rows."""

    def leave(self, window: int) -> None:
        """Look no more."""

    def news(self, within: float) -> Iterable[News]:
        """Wait for what has changed in one moment; nothing where nothing has in time."""

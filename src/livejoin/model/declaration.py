"""What is joined: two sources, their columns and keys, and which columns the joined table has.

One typed place says it, and everything else reads it: judging, the join, the wire, the tables, the page, the command
line. `default_declaration.py` is what holds where nobody declares anything.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from livejoin.model.column import Column, DeclarationProblem, Kind, looks

JOINED_TABLE = "final_ui"
MOST_COLUMNS = 150
"""Of a source."""
MOST_NAME_BYTES = 24_000
"""Of all names of a table together, as JSON writes them: they travel in one header of an answer."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,47}", re.ASCII)
_TAKEN = frozenset({"final"})
"""Sources whose table would have the name of another one."""


def table_name(source: str) -> str:
    """The name of the table that shows a source."""
    return f"{source}_ui"


class Keep(StrEnum):
    """Which events of a source are rows: every one, or the newest of each key."""

    ALL = "all"
    LATEST = "latest"


class Side(StrEnum):
    """Which of the two sources."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Source:
    """One of the two topics that are joined: its columns, and which of them are the key, in the order of the join."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    keep: Keep

    def __post_init__(self) -> None:
        """Refuse a source that could not be judged, named or joined."""
        if not _NAME.fullmatch(self.name) or self.name.lower() in _TAKEN:
            raise DeclarationProblem(
                f"{self.name!r} cannot be the name of a source: it names a table, so it is made of letters, digits and "
                f"_, begins with a letter, has at most 48 of them, and is not {', '.join(sorted(_TAKEN))!r}"
            )
        if len(self.columns) > MOST_COLUMNS:
            raise DeclarationProblem(
                f"{self.name} has {len(self.columns)} columns: at most {MOST_COLUMNS} can be shown; leave some out"
            )
        same = _looking_the_same(column.name for column in self.columns)
        if same:
            raise DeclarationProblem(f"{self.name} has two columns {same!r}, which cannot be told apart")
        self._refuse_crossing_paths()
        for name in self.key:
            column = self._named(name)
            if column is None:
                raise DeclarationProblem(
                    f"{self.name} has no column {name!r} to be joined by: it has {self._column_list}"
                )
            if column.type.kind is Kind.DOUBLE:
                raise DeclarationProblem(
                    f"{self.name}.{name} is a double, which is not exact enough for a key: declare it as long, decimal "
                    "or string"
                )
            if column.null_becomes is not None:
                raise DeclarationProblem(f"{self.name}.{name} is a key, and a key is never null: leave out its `null`")

    def _refuse_crossing_paths(self) -> None:
        by_path: dict[tuple[str, ...], Column] = {}
        for column in self.columns:
            same = by_path.setdefault(column.path, column)
            if same.type.written_as.isdisjoint(column.type.written_as):
                raise DeclarationProblem(
                    f"{self.name}.{same.name} and {self.name}.{column.name} are both read from {column.place}, which "
                    f"cannot be {same.type.words} and {column.type.words}"
                )
        for column in self.columns:
            for length in range(1, len(column.path)):
                crossed = by_path.get(column.path[:length])
                if crossed is not None:
                    raise DeclarationProblem(
                        f"{self.name}.{column.name} is read from {column.place}, through {crossed.place}, which "
                        f"{self.name}.{crossed.name} reads as {crossed.type.words}: it cannot be that and an object"
                    )

    def _named(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)

    def column(self, name: str) -> Column:
        """The column of that name."""
        found = self._named(name)
        if found is None:
            raise DeclarationProblem(f"{self.name} has no column {name!r}: it has {self._column_list}")
        return found

    @property
    def _column_list(self) -> str:
        return ", ".join(column.name for column in self.columns)

    @property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns of the key, in the order of the join."""
        return tuple(self.column(name) for name in self.key)

    @property
    def fields(self) -> tuple[Column, ...]:
        """The other columns."""
        return tuple(column for column in self.columns if column.name not in self.key)

    @property
    def table(self) -> str:
        """The name of the table that shows it."""
        return table_name(self.name)

    @property
    def topic_field(self) -> str:
        """The field of a control message, and the column of a table, that has its topic."""
        return f"{self.name}Topic"

    @property
    def has_text_key(self) -> bool:
        """Whether a record key is the key itself: where it is one string. Else it is a JSON object of the columns."""
        return len(self.key) == 1 and self.key_columns[0].type.kind is Kind.STRING


@dataclass(frozen=True, slots=True)
class JoinedColumn:
    """A column of the joined table: which column of which side, and its name there."""

    side: Side
    column: str
    name: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """Both sources and the columns of the joined table."""

    left: Source
    right: Source
    joined: tuple[JoinedColumn, ...]

    def __post_init__(self) -> None:
        """Refuse two sources that cannot be joined or told apart."""
        if self.left.name.lower() == self.right.name.lower():
            raise DeclarationProblem(f"both sources are called {self.left.name!r}: give them different names")
        for source, opposite in ((self.left, Side.RIGHT), (self.right, Side.LEFT)):
            if source.name.lower() == opposite:
                raise DeclarationProblem(f"{source.name!r} is what the other source is called by its side: rename it")
        if not self.left.key or len(self.left.key) != len(self.right.key):
            raise DeclarationProblem("join.on names at least one column of each source, in pairs")
        for one, other in zip(self.left.key_columns, self.right.key_columns, strict=True):
            if one.type.held != other.type.held:
                raise DeclarationProblem(
                    f"{self.left.name}.{one.name} is {one.type} and {self.right.name}.{other.name} is {other.type}: "
                    "what is joined has the same type on both sides"
                )
        for key in (self.left.key, self.right.key):
            if len(set(key)) < len(key):
                raise DeclarationProblem("join.on names a column twice")
        if not self.joined:
            raise DeclarationProblem("the joined table has no columns: name some in join.columns, or leave it out")
        for joined in self.joined:
            self.source(joined.side).column(joined.column)
        same = _looking_the_same(joined.name for joined in self.joined)
        if same:
            raise DeclarationProblem(
                f"the joined table has two columns {same!r}: name one otherwise, by `as` in join.columns"
            )
        if len(self.joined) > 2 * MOST_COLUMNS:
            raise DeclarationProblem(f"the joined table has {len(self.joined)} columns: at most {2 * MOST_COLUMNS} fit")
        tables = (self.left.table, self.right.table, JOINED_TABLE)
        names = [[column.name for column in source.columns] for source in self.sources]
        for table, of_table in zip(tables, (*names, self._joined_names), strict=True):
            length = sum(_length(name) for name in of_table)
            if length > MOST_NAME_BYTES:
                raise DeclarationProblem(
                    f"the names of the columns of {table} have {length:,} characters together, as JSON writes them: at "
                    f"most {MOST_NAME_BYTES:,} can be told; take shorter ones, or fewer columns"
                )

    @classmethod
    def of(cls, left: Source, right: Source, chosen: list[str] | None = None) -> "Declaration":
        """With the chosen columns of the joined table, as `source.column`, `source.*` or either with `as name`.

        Without a choice: all of the left, then those of the right that are not its key.
        """
        return cls(left, right, _chosen(left, right, chosen) if chosen is not None else _usual(left, right))

    @property
    def _joined_names(self) -> list[str]:
        return [joined.name for joined in self.joined]

    @property
    def sources(self) -> tuple[Source, Source]:
        """Left, then right."""
        return self.left, self.right

    def source(self, side: Side) -> Source:
        """The source of that side."""
        return self.left if side is Side.LEFT else self.right

    def side_of(self, name: str) -> Side:
        """The side of the source of that name."""
        return Side.LEFT if name == self.left.name else Side.RIGHT


def _looking_the_same(names: Iterable[str]) -> str | None:
    counted = Counter(looks(name) for name in names)
    return next((name for name, count in counted.items() if count > 1), None)


def _length(name: str) -> int:
    """Of a name in JSON that is ASCII alone."""
    return sum(1 if character.isascii() else 6 * (1 + (ord(character) > 0xFFFF)) for character in name)


def _usual(left: Source, right: Source) -> tuple[JoinedColumn, ...]:
    found = [(Side.LEFT, column.name) for column in left.columns]
    found += [(Side.RIGHT, column.name) for column in right.fields]
    return _told_apart(left, right, found)


def _told_apart(left: Source, right: Source, found: list[tuple[Side, str]]) -> tuple[JoinedColumn, ...]:
    """Where both sides have a column of the same name, each is called after its source: `orders.name`."""
    names = Counter(name for _, name in found)
    sources = {Side.LEFT: left.name, Side.RIGHT: right.name}
    return tuple(
        JoinedColumn(side, name, f"{sources[side]}.{name}" if names[name] > 1 else name) for side, name in found
    )


def _chosen(left: Source, right: Source, chosen: list[str]) -> tuple[JoinedColumn, ...]:
    plain: list[tuple[Side, str]] = []
    renamed: dict[int, str] = {}
    for text in chosen:
        side, source, rest = _source_of(left, right, text)
        if rest == "*":
            plain += [(side, column.name) for column in source.columns]
            continue
        column, name = _column_and_name(source, rest)
        if name is not None:
            renamed[len(plain)] = name
        plain.append((side, column))
    apart = _told_apart(left, right, [one for at, one in enumerate(plain) if at not in renamed])
    others = iter(apart)
    return tuple(
        JoinedColumn(side, column, renamed[at]) if at in renamed else next(others)
        for at, (side, column) in enumerate(plain)
    )


def _source_of(left: Source, right: Source, text: str) -> tuple[Side, Source, str]:
    for side, source in ((Side.LEFT, left), (Side.RIGHT, right)):
        if text.startswith(f"{source.name}."):
            return side, source, text.removeprefix(f"{source.name}.").strip()
    raise DeclarationProblem(
        f"join.columns: {text!r} is of no source: write {left.name}.column or {right.name}.column, * for all, and "
        "`as name` for another name"
    )


def _column_and_name(source: Source, text: str) -> tuple[str, str | None]:
    names = {column.name for column in source.columns}
    if text in names:
        return text, None
    column, separator, name = text.rpartition(" as ")
    if separator and column.strip() in names and name.strip():
        return column.strip(), Column(name.strip(), source.column(column.strip()).type).name
    raise DeclarationProblem(f"join.columns: {source.name} has no column {text!r}: it has {', '.join(sorted(names))}")

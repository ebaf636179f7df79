"""Every table that is served, under its public name, and what is known of its columns.

A column of a source may have any name; in the engine and on the wire it has a plain one, its `field`, so that no text
of a declaration is ever an identifier there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from livejoin.model.column import Column, ColumnType, Kind
from livejoin.model.declaration import JOINED_TABLE, Declaration, JoinedColumn, Side, Source


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column as it is served.

    `source` is the source that it comes from and `origin` its name there; a column of livejoin's own has neither.
    """

    name: str
    type: ColumnType
    field: str
    source: str | None = None
    origin: str | None = None
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table under its public name, which never changes."""

    name: str
    columns: tuple[TableColumn, ...]

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return [column.name for column in self.columns]

    @property
    def fields(self) -> list[str]:
        """What the columns are called in the engine and on the wire, in order."""
        return [column.field for column in self.columns]


def key_field(at: int) -> str:
    """The plain name of a column of the key."""
    return f"k{at}"


def field_of(declaration: Declaration, side: Side, column: str) -> str:
    """The plain name of a column of a side, by its place in the declaration."""
    names = [one.name for one in declaration.source(side).columns]
    return f"{side.value[0]}{names.index(column)}"


def _own(name: str, kind: Kind) -> TableColumn:
    return TableColumn(name, ColumnType(kind), name)


def _own_table(name: str, **columns: Kind) -> Table:
    return Table(name, tuple(_own(column, kind) for column, kind in columns.items()))


DEAD_LETTERS = _own_table(
    "dead_letters",
    when=Kind.TIMESTAMP,
    topic=Kind.STRING,
    partition=Kind.LONG,
    offset=Kind.LONG,
    reason=Kind.STRING,
    text=Kind.STRING,
)
SOURCE_PROGRESS = _own_table(
    "source_progress",
    source=Kind.STRING,
    topic=Kind.STRING,
    partition=Kind.LONG,
    begin=Kind.LONG,
    position=Kind.LONG,
    end=Kind.LONG,
    absent=Kind.LONG,
    newest=Kind.TIMESTAMP,
    arrived=Kind.TIMESTAMP,
    waitingSince=Kind.TIMESTAMP,
)
"""`absent` counts offsets before the position that hold no record, of a source with transactions.

`newest` is the time of the newest event, as the event says it, and `arrived` when it came, as far as that is known;
`waitingSince` is when the oldest one came that is not in the tables yet, null where none waits.
"""
ACCOUNTING = _own_table("accounting", events=Kind.LONG, deadLetters=Kind.LONG, cut=Kind.LONG)

STATUS = "orchestrator_status"
CONTROL_RAW = "control_raw"
GENERATIONS = "generations"
LEFT_TOPIC, RIGHT_TOPIC = "leftTopic", "rightTopic"
"""The fields of the columns with the topics, whatever the sources are called."""


class Tables:
    """The tables of a declaration."""

    def __init__(self, declaration: Declaration) -> None:
        self.declaration = declaration

    @cached_property
    def of_left(self) -> Table:
        """What is kept of the left source."""
        return self._of_source(Side.LEFT)

    @cached_property
    def of_right(self) -> Table:
        """What is kept of the right source."""
        return self._of_source(Side.RIGHT)

    @cached_property
    def joined(self) -> Table:
        """The join."""
        return Table(JOINED_TABLE, tuple(self._of_joined(column) for column in self.declaration.joined))

    @cached_property
    def views(self) -> tuple[Table, Table, Table]:
        """The tables whose rows come from a view topic."""
        return self.of_left, self.of_right, self.joined

    @cached_property
    def status(self) -> Table:
        """One row: what is live."""
        columns = {"lastApplied": Kind.STRING, "generation": Kind.LONG, "state": Kind.STRING, "message": Kind.STRING}
        return Table(STATUS, (*self._asked, *(_own(name, kind) for name, kind in columns.items())))

    @cached_property
    def control_raw(self) -> Table:
        """Every control message, with its verdict."""
        columns = {"raw": Kind.STRING, "when": Kind.TIMESTAMP, "verdict": Kind.STRING, "reason": Kind.STRING}
        return Table(CONTROL_RAW, (*self._asked, *(_own(name, kind) for name, kind in columns.items())))

    @cached_property
    def generations(self) -> Table:
        """Every generation that the registry knows, with its stage and progress.

        `trouble` is why the rows of the one that is shown may stand still although it is live.
        """
        columns = {
            "since": Kind.TIMESTAMP,
            "until": Kind.TIMESTAMP,
            "message": Kind.STRING,
            "done": Kind.LONG,
            "total": Kind.LONG,
            "rate": Kind.DOUBLE,
            "secondsLeft": Kind.DOUBLE,
            "trouble": Kind.STRING,
        }
        first = (_own("generation", Kind.LONG), _own("state", Kind.STRING))
        return Table(GENERATIONS, (*first, *self._asked, *(_own(name, kind) for name, kind in columns.items())))

    @cached_property
    def all(self) -> tuple[Table, ...]:
        """Every table."""
        return *self.views, self.status, self.generations, self.control_raw, DEAD_LETTERS, SOURCE_PROGRESS, ACCOUNTING

    @property
    def _asked(self) -> Iterable[TableColumn]:
        """What a control message asks for, in the words of the declaration."""
        text = ColumnType(Kind.STRING)
        left, right = self.declaration.sources
        yield TableColumn(left.topic_field, text, LEFT_TOPIC)
        yield TableColumn(right.topic_field, text, RIGHT_TOPIC)
        yield TableColumn("joinType", text, "joinType")

    def _of_source(self, side: Side) -> Table:
        source = self.declaration.source(side)
        return Table(source.table, tuple(self._column(source, side, column) for column in source.columns))

    def _column(self, source: Source, side: Side, column: Column) -> TableColumn:
        is_key = column.name in source.key
        field = key_field(source.key.index(column.name)) if is_key else field_of(self.declaration, side, column.name)
        return TableColumn(column.name, column.type.held, field, source.name, column.name, is_key)

    def _of_joined(self, joined: JoinedColumn) -> TableColumn:
        source = self.declaration.source(joined.side)
        column = self._column(source, joined.side, source.column(joined.column))
        # The key of the right is null where there is no right row; that of the left is the key of the join itself.
        if column.is_key and joined.side is Side.RIGHT:
            column = replace(column, field=field_of(self.declaration, joined.side, joined.column))
        return replace(column, name=joined.name)

"""Which tables there are, and what of them a visitor may see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from livejoin.access.roles import Rights, Visitor
from livejoin.model.declaration import Declaration, Source
from livejoin.model.generation import JoinType
from livejoin.model.table import Table, TableColumn, Tables, key_field
from livejoin.serve.door.condition import NotThatWay, Questions
from livejoin.serve.door.message import Description, Direction
from livejoin.serve.door.refusal import Refusal, Refused
from livejoin.serve.door.sight import Arrangement, EngineTable, Filters, kind_of


@dataclass(frozen=True, slots=True)
class Served:
    """A table as it is declared, and what it is in the engine."""

    declared: Table
    table: EngineTable


@dataclass(frozen=True, slots=True)
class Wanted:
    """A description that fits its table: what the engine is asked for, and the columns that are told."""

    name: str
    table: EngineTable
    arrangement: Arrangement
    key: tuple[object, ...]
    """The same for descriptions that mean the same."""
    searches: int = 0
    """How often it looks through the texts of a row that changes."""

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The columns, as they are told."""
        return [told(column) for column in self.arrangement.columns]


class NotServed(Refused):
    """There is no such table, or not yet."""

    kind = Refusal.TABLES


class Catalogue:
    """The served tables of a declaration. Never changes: other tables are another catalogue."""

    def __init__(self, filters: Filters, declaration: Declaration, tables: Mapping[str, Served]) -> None:
        self.declaration = declaration
        self._filters = filters
        self._tables = tables

    def serves(self, wanted: Wanted) -> bool:
        """Whether what was wanted is still what the table of that name is."""
        served = self._tables.get(wanted.name)
        return served is not None and served.table is wanted.table

    def columns(self, visitor: Visitor, name: str) -> Mapping[str, TableColumn]:
        """The columns of a table that this visitor may see, by their names; raises NotServed."""
        served = self._tables.get(name)
        columns = served.declared.columns if served is not None else ()
        seen = {column.name: column for column in columns if visitor.rights.may_see(name, column)}
        if not seen:
            raise NotServed(f"The table server has no {name} yet.")
        return seen

    def wanted(self, visitor: Visitor, asked: Description) -> Wanted:
        """What a visitor asks for, with every name in it checked; raises NotServed or NotThatWay."""
        seen = self.columns(visitor, asked.table)
        chosen = tuple(asked.columns) if asked.columns is not None else tuple(seen)
        for name in (*chosen, *(by.column for by in asked.sort)):
            if name not in seen:
                raise NotThatWay(f"There is no column {name} in {asked.table}.")
        # A masked column must not be found by a filter or a search either, so only those that are seen are asked.
        questions = Questions(seen, self._filters)
        filters = [questions.filter(by) for by in asked.filter]
        if asked.search:
            filters.append(questions.search(asked.search))
        sort = tuple((seen[by.column].field, by.direction is Direction.DESCENDING) for by in asked.sort)
        table = self._tables[asked.table].table
        return Wanted(
            name=asked.table,
            table=table,
            arrangement=Arrangement(tuple(seen[name] for name in chosen), tuple(filters), sort),
            key=(table, chosen, sort, asked.filter, asked.search, tuple(seen) if asked.search else ()),
            searches=asked.searches,
        )

    def declared(self, visitor: Visitor) -> dict[str, Any]:
        """What is joined, in the words of the protocol, without names that are hidden from the visitor."""
        left, right = self.declaration.sources
        return {
            "left": _told_source(left),
            "right": _told_source(right),
            "joined": {"table": Tables(self.declaration).joined.name},
            "on": self._seen_pairs(visitor.rights),
            "joins": [join.value for join in JoinType],
        }

    def tables(self, visitor: Visitor) -> dict[str, list[dict[str, Any]]]:
        """The columns of every table that this visitor may see."""
        found = {}
        for name, served in self._tables.items():
            seen = [told(column) for column in served.declared.columns if visitor.rights.may_see(name, column)]
            if seen:
                found[name] = seen
        return found

    def _seen_pairs(self, rights: Rights) -> list[tuple[str, str]]:
        tables = Tables(self.declaration)
        left, right = (
            {column.field: column.name for column in table.columns if rights.may_see(table.name, column)}
            for table in (tables.of_left, tables.of_right)
        )
        keys = [key_field(at) for at in range(len(self.declaration.left.key))]
        return [(left[key], right[key]) for key in keys if key in left and key in right]


def told(column: TableColumn) -> dict[str, Any]:
    """A column in the words of the protocol."""
    about: dict[str, Any] = {"name": column.name, "type": kind_of(column).value}
    if column.is_key:
        about["key"] = True
    if column.source is not None:
        about["source"] = column.source
    return about


def _told_source(source: Source) -> dict[str, str]:
    return {
        "name": source.name,
        "table": source.table,
        "topicField": source.topic_field,
        "keep": source.keep.value,
    }

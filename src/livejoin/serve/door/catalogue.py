"""Which tables there are, and what of them a visitor may see."""

from collections.abc import Mapping
from dataclasses import dataclass

from livejoin.access import Visitor
from livejoin.serve.door.condition import NotThatWay, Questions
from livejoin.serve.door.message import Description, Direction
from livejoin.serve.door.sight import Arrangement, EngineTable, Filters, Kind


@dataclass(frozen=True, slots=True)
class Served:
    """A table under its name, with all of its columns."""

    name: str
    table: EngineTable
    columns: Mapping[str, Kind]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A description that fits its table: what the engine is asked for, and the columns that are told."""

    table: EngineTable
    arrangement: Arrangement
    columns: Mapping[str, Kind]
    key: tuple[object, ...]
    """The same for descriptions that mean the same."""


class NotServed(Exception):
    """There is no such table, or not yet."""


class Catalogue:
    """The served tables. One thread writes it, any thread reads."""

    def __init__(self, filters: Filters) -> None:
        self._filters = filters
        self._tables: Mapping[str, Served] = {}

    def serve(self, tables: Mapping[str, Served]) -> None:
        """From now on there are these tables too, instead of those of the same names."""
        self._tables = {**self._tables, **tables}

    def columns(self, visitor: Visitor, name: str) -> Mapping[str, Kind]:
        """The columns of a table that this visitor may see; raises NotServed."""
        served = self._tables.get(name)
        columns = served.columns if served is not None else {}
        seen = {column: kind for column, kind in columns.items() if visitor.rights.may_see(name, column)}
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
        sort = tuple((by.column, by.direction is Direction.DESCENDING) for by in asked.sort)
        table = self._tables[asked.table].table
        return Wanted(
            table=table,
            arrangement=Arrangement(chosen, tuple(filters), sort),
            columns={name: seen[name] for name in chosen},
            key=(id(table), chosen, sort, asked.filter, asked.search, tuple(seen) if asked.search else ()),
        )

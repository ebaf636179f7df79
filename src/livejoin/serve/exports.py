"""The tables of the engine at the door, under their names."""

from collections.abc import Mapping

from deephaven.table import Table

from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.door import Door
from livejoin.serve.engine import Engine
from livejoin.serve.lookout import JavaFilters, JavaLookout, columns_of


class Exports:
    """What is served at a door. Lives as long as the engine."""

    def __init__(self, engine: Engine, door: Door, status: Table) -> None:
        """The one row of `status` has the generation that all tables show."""
        self._door = door
        self._filters = JavaFilters()
        with engine.context():
            self._lookout = JavaLookout(engine, status, "generation")

    @property
    def cycle_age(self) -> float:
        """Seconds since the engine has begun an update cycle."""
        return self._lookout.cycle_age

    def add(self, tables: Mapping[str, Table]) -> None:
        """Serve these tables too, instead of those of the same names."""
        served = {name: Served(name, table, columns_of(table)) for name, table in tables.items()}
        self._door.serve(self._lookout, self._filters, served)

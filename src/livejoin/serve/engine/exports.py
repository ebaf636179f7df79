"""The tables of the engine at the door."""

from collections.abc import Iterable

from deephaven.table import Table

from livejoin.model.declaration import Declaration
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.door import Door
from livejoin.serve.engine.engine import Engine
from livejoin.serve.engine.lookout import JavaFilters, JavaLookout, JavaStatus


class Exports:
    """What is served at a door. Lives as long as the engine."""

    def __init__(self, engine: Engine, door: Door) -> None:
        self._door = door
        self._filters = JavaFilters()
        self._lookout = JavaLookout(engine)

    @property
    def cycle_age(self) -> float:
        """Seconds since the engine has begun an update cycle."""
        return self._lookout.cycle_age

    def follow(self, status: Table) -> JavaStatus:
        """The status by whose one row some tables show a generation; who asks closes it."""
        return self._lookout.follow(status, "generation")

    def serve(self, declaration: Declaration, tables: Iterable[Served]) -> None:
        """Serve these tables, and no others any more; returns when everybody has been told."""
        self._door.serve(self._lookout, self._filters, declaration, tables)

"""The exports for declarations with the same tables: an edition of what is served."""

from collections.abc import Callable, Mapping
from typing import Any

from deephaven import input_table
from deephaven.liveness_scope import LivenessScope
from deephaven.table import Table

from livejoin.model.table import STATUS
from livejoin.serve.door.catalogue import Served
from livejoin.serve.engine.columns import definition, fields_of, table_of
from livejoin.serve.engine.flip import NOTHING, Flip
from livejoin.serve.engine.layout import Layout
from livejoin.serve.engine.lookout import JavaStatus, LookedAt


class Edition:
    """A flip of its own, and its exports as they are served. Who makes it closes it, when it is not at the door."""

    def __init__(self, layout: Layout, shared: Mapping[str, Table], follow: Callable[[Table], JavaStatus]) -> None:
        """The shared tables are the same in every edition. By `follow` the door learns which generation it shows."""
        self.layout = layout
        self._scope = LivenessScope()  # type: ignore[no-untyped-call]
        with self._scope.open():
            self._starting = _Starting(layout)
            self.flip = Flip({**self._starting.tables, **shared})
        self._status = follow(self.flip.exports[STATUS])
        self.served = [
            Served(table, LookedAt(self.flip.exports[table_id], self._status)) for table_id, table in layout.tables
        ]

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many rows each table has, read without waiting for an update cycle."""
        return {one.declared.name: int(one.table.table.j_table.size()) for one in self.served}

    @property
    def failed(self) -> list[str]:
        """The tables that the engine has given up."""
        return [self.layout.table(table_id).name for table_id in self.flip.failed()]

    def explain(self, waiting_for: str) -> None:
        """Say in the status row why no generation is shown."""
        if self.flip.shown == NOTHING:
            self._starting.tell(waiting_for)

    def close(self) -> None:
        """Free the memory; no generation is in it any more."""
        self._status.close()
        self._scope.release()


class _Starting:
    """The tables that are served before there is a generation: empty, and a status row that says why."""

    def __init__(self, layout: Layout) -> None:
        self._columns = layout.table(STATUS).columns
        self._status = input_table(col_defs=definition(self._columns), key_cols=["generation"])
        self._told = ""
        self.tables: dict[str, Table] = {
            **{table_id: input_table(col_defs=definition(table.columns)) for table_id, table in layout.tables},
            STATUS: self._status.view(fields_of(self._columns)),
        }
        self.tell("the table server is starting")

    def tell(self, message: str) -> None:
        """Write the message, if it is another one; returns when the row is there."""
        if message != self._told:
            nulls: dict[str, list[Any]] = {field: [None] for field in fields_of(self._columns)}
            row = {**nulls, "generation": [NOTHING], "state": ["starting"], "message": [message]}
            self._status.add(table_of(self._columns, row))
            self._told = message

"""The tables of the engine at the door, under their names."""

from collections.abc import Mapping

from deephaven.table import Table

from livejoin.schema import ORCHESTRATOR_STATUS
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.door import Door
from livejoin.serve.engine import Engine
from livejoin.serve.lookout import JavaFilters, JavaLookout, columns_of


def serve_tables(engine: Engine, door: Door, tables: Mapping[str, Table]) -> JavaLookout:
    """Serve these tables, of which the status says which generation all of them show."""
    with engine.context():
        lookout = JavaLookout(engine, tables[ORCHESTRATOR_STATUS.name], "generation")
    served = {name: Served(name, table, columns_of(table)) for name, table in tables.items()}
    door.serve(lookout, JavaFilters(), served)
    return lookout

"""The table `generations`: every generation that the registry knows, with its stage and progress."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from deephaven import input_table, new_table
from deephaven.column import long_col

from livejoin.model.generation import Generation
from livejoin.model.registry import Registry
from livejoin.model.table import LEFT_TOPIC, RIGHT_TOPIC, TableColumn
from livejoin.serve.engine.columns import definition, fields_of, table_of

KEY = "generation"


class Roster:
    """One row for each generation. Lives as long as the server; one thread calls it."""

    def __init__(self, columns: Sequence[TableColumn]) -> None:
        self._rows: dict[int, dict[str, Any]] = {}
        self._columns = columns
        self._table = input_table(col_defs=definition(columns), key_cols=[KEY])
        self.table = self._table.view(fields_of(columns))

    def tell(self, registry: Registry, troubles: Mapping[int, str]) -> None:
        """Write the rows that have changed; returns when they are there. `troubles` are by generation."""
        rows = {
            number: {**_row(generation), "trouble": troubles.get(number) or None}
            for number, generation in registry.generations.items()
        }
        changed = [row for number, row in rows.items() if self._rows.get(number) != row]
        if changed:
            values = {name: [row[name] for row in changed] for name in fields_of(self._columns)}
            self._table.add(table_of(self._columns, values))
        gone = sorted(self._rows.keys() - rows.keys())
        if gone:
            self._table.delete(new_table([long_col(KEY, gone)]))
        self._rows = rows


def _row(generation: Generation) -> dict[str, Any]:
    request, progress = generation.request, generation.progress
    return {
        KEY: generation.number,
        "state": generation.state.value,
        LEFT_TOPIC: request.left_topic,
        RIGHT_TOPIC: request.right_topic,
        "joinType": request.join.value,
        "since": _millis(generation.since),
        "until": _millis(generation.until),
        "message": generation.message,
        "done": progress.done if progress else None,
        "total": progress.total if progress else None,
        "rate": progress.rate if progress else None,
        "secondsLeft": progress.seconds_left if progress else None,
    }


def _millis(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp() * 1000)

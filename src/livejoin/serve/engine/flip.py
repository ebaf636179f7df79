"""The exports and the flip: which generation every table shows is decided by one row.

Constituent tables of all generations lie in the slots. Each export merges those of its name that belong to the current
generation. Writing the one current row moves every export in the same update cycle, and the exported handles stay.
"""

from collections.abc import Mapping

from deephaven import dtypes, input_table, new_table
from deephaven.column import InputColumn, long_col, string_col
from deephaven.table import PartitionedTable, Table

_TABLE = dtypes.DType("io.deephaven.engine.table.Table")
NOTHING = 0
"""The generation that is shown before there is one."""


class Flip:
    """The slots, the current row and the exports, by the ids of the tables.

    Lives as long as the liveness scope that it is made in.
    """

    def __init__(self, starting: Mapping[str, Table]) -> None:
        self.shown = NOTHING
        self._ids = list(starting)
        self._slots = input_table(
            col_defs={"table": dtypes.string, "generation": dtypes.int64, "constituent": _TABLE},
            key_cols=["table", "generation"],
        )
        self._pulse = input_table(col_defs={"one": dtypes.int64}, key_cols="one")
        self._current = input_table(col_defs={"one": dtypes.int64, "generation": dtypes.int64}, key_cols="one")
        self.put(NOTHING, starting)
        self.show(NOTHING)
        self.exports = {table_id: self._export(table_id, like) for table_id, like in starting.items()}

    def put(self, generation: int, tables: Mapping[str, Table]) -> None:
        """Lay a generation's tables into the slots. Nothing is seen of them; the caller keeps them alive."""
        constituents = [tables[table_id].j_table for table_id in self._ids]
        self._slots.add(
            new_table(
                [
                    string_col("table", self._ids),
                    long_col("generation", [generation] * len(self._ids)),
                    InputColumn("constituent", _TABLE, input_data=constituents),
                ]
            )
        )

    def show(self, generation: int) -> None:
        """Flip every export to that generation, in one update cycle; returns when it has happened."""
        # Rows that were published before this call are in their tables once a cycle has passed.
        self._pulse.add(new_table([long_col("one", [1])]))
        self._current.add(new_table([long_col("one", [1]), long_col("generation", [generation])]))
        self.shown = generation

    def remove(self, generation: int) -> None:
        """Take a generation's tables out of the slots; after that the caller may release them."""
        numbers = [generation] * len(self._ids)
        self._slots.delete(new_table([string_col("table", self._ids), long_col("generation", numbers)]))

    def failed(self) -> list[str]:
        """The exports that the engine has given up."""
        return [table_id for table_id, table in self.exports.items() if table.j_table.isFailed()]

    def _export(self, table_id: str, like: Table) -> Table:
        return PartitionedTable.from_partitioned_table(
            table=self._slots.where(f"table = `{table_id}`").where_in(self._current, "generation"),
            key_cols=["generation"],
            unique_keys=True,
            constituent_column="constituent",
            constituent_table_columns=like.definition,
            constituent_changes_permitted=True,
        ).merge()

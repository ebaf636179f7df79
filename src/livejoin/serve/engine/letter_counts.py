"""How many events of each topic were rejected, as a table: `dead_letters` shows the newest of them only."""

from collections.abc import Mapping

from deephaven import dtypes, input_table, new_table
from deephaven.column import long_col, string_col

TOPIC, COUNT = "topic", "letters"


class LetterCounts:
    """One row for each topic. Lives as long as the server; one thread calls `tell`."""

    def __init__(self) -> None:
        self.table = input_table(col_defs={TOPIC: dtypes.string, COUNT: dtypes.int64}, key_cols=[TOPIC])
        self._told: dict[str, int] = {}

    def tell(self, counts: Mapping[str, int]) -> None:
        """Write what has changed, and forget topics that are not counted any more; returns when that is there."""
        changed = {topic: count for topic, count in counts.items() if self._told.get(topic) != count}
        if changed:
            self.table.add(new_table([string_col(TOPIC, list(changed)), long_col(COUNT, list(changed.values()))]))
            self._told |= changed
        gone = self._told.keys() - counts.keys()
        if gone:
            self.table.delete(new_table([string_col(TOPIC, sorted(gone))]))
            self._told = {topic: count for topic, count in self._told.items() if topic not in gone}

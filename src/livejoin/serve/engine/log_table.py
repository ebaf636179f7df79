"""A log topic becomes a table of its newest records: the same way for the dead letters and for the control log."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pyarrow as pa  # type: ignore[import-untyped]
from deephaven import input_table, new_table
from deephaven.column import long_col

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.model.column import ColumnType, Kind
from livejoin.model.table import DEAD_LETTERS, TableColumn
from livejoin.serve.decode.batch import Record, decode
from livejoin.serve.decode.log_batch import (
    CONTROL_COLUMNS,
    EVENT,
    MESSAGE,
    parse_control_log,
    parse_dead_letters,
)
from livejoin.serve.decode.shelf import Shelf
from livejoin.serve.decode.skips import Skips
from livejoin.serve.engine.columns import definition, fed, fields_of
from livejoin.serve.engine.engine import Engine
from livejoin.settings.settings import Settings

SLOT = TableColumn("log_slot", ColumnType(Kind.LONG), "log_slot")
NUMBER = TableColumn("log_number", ColumnType(Kind.LONG), "log_number")
ROW_BYTES = 200
"""What a row takes besides its texts, about."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """How the records of a topic are read, which columns are shown, and which fields name a record."""

    parse: Callable[[Sequence[Record]], pa.Table]
    shown: Sequence[TableColumn]
    name: tuple[str, ...]
    texts: tuple[str, ...]
    """The fields whose texts may be large."""


LETTERS = LogFormat(parse_dead_letters, DEAD_LETTERS.columns, (EVENT.field,), ("text", "reason"))
CONTROL = LogFormat(parse_control_log, CONTROL_COLUMNS, (MESSAGE.field,), ("raw", "reason"))


class LogTable:
    """A table that follows a log topic. Lives as long as the server, which stops `tail`."""

    def __init__(
        self,
        engine: Engine,
        cluster: Cluster,
        topic: str,
        log_format: LogFormat,
        shelf: Shelf,
        seen: Callable[[pa.Table], None] = lambda _: None,
    ) -> None:
        self.skips = Skips(topic)
        self.tail = TopicTail(cluster, topic, self._take)
        self._format = log_format
        self._shelf = shelf
        self._seen = seen
        self._context: Callable[[], AbstractContextManager[object]] = engine.context
        self._columns = (SLOT, NUMBER, *log_format.shown)
        self._rows = input_table(col_defs=definition(self._columns), key_cols=[SLOT.field])
        self.table = self._rows.sort(NUMBER.field).view(fields_of(log_format.shown))

    def _take(self, records: list[Message]) -> None:
        batch = decode(records, self._format.parse)
        self.skips.add(batch.skipped)
        if batch.rows.num_rows:
            with self._context():
                self._show(batch.rows)
        self._seen(batch.rows)

    def _show(self, rows: pa.Table) -> None:
        change = self._shelf.take(zip(self._names(rows), self._sizes(rows), strict=True))
        if change.put:
            placed = change.put.values()
            there = rows.take(pa.array(change.put, pa.int64()))
            there = there.append_column(SLOT.field, pa.array([one.slot for one in placed], pa.int64()))
            there = there.append_column(NUMBER.field, pa.array([one.number for one in placed], pa.int64()))
            self._rows.add(fed(self._columns, there))
        if change.emptied:
            self._rows.delete(new_table([long_col(SLOT.field, change.emptied)]))

    def _names(self, rows: pa.Table) -> list[tuple[object, ...]]:
        return list(zip(*(rows.column(field).to_pylist() for field in self._format.name), strict=True))

    def _sizes(self, rows: pa.Table) -> list[int]:
        texts = zip(*(rows.column(field).to_pylist() for field in self._format.texts), strict=True)
        # As many bytes as a text has at the most in the engine.
        return [ROW_BYTES + sum(2 * len(text or "") for text in found) for found in texts]


def dead_letters(engine: Engine, cluster: Cluster, settings: Settings, seen: Callable[[pa.Table], None]) -> LogTable:
    """The newest rejected events, one row for each."""
    server, topic = settings.server, settings.own_topics.dead_letters
    return LogTable(engine, cluster, topic, LETTERS, Shelf(server.dead_letters, server.dead_letters_bytes), seen)


def control_raw(engine: Engine, cluster: Cluster, settings: Settings) -> LogTable:
    """The newest control messages with their verdicts, in order."""
    server, topic = settings.server, settings.own_topics.control_log
    return LogTable(engine, cluster, topic, CONTROL, Shelf(server.control_messages, server.control_messages_bytes))

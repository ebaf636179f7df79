"""A log topic becomes a table: the same way for the dead letters and for the control log."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import pyarrow as pa  # type: ignore[import-untyped]
from confluent_kafka import Message
from deephaven import update_graph
from deephaven.stream.table_publisher import table_publisher
from deephaven.table import Table

from livejoin import schema
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.tail import TopicTail
from livejoin.schema import Column
from livejoin.serve.columns import fed, from_wire, wire_definition
from livejoin.serve.decode import Record, decode
from livejoin.serve.engine import Engine
from livejoin.serve.log_batch import CONTROL_BATCH, DEAD_LETTER_BATCH, MESSAGE, parse_control_log, parse_dead_letters
from livejoin.serve.skips import Skips
from livejoin.topics import Topics


class LogTable:
    """A table that follows a log topic. Lives as long as the server, which stops `tail`."""

    def __init__(
        self,
        engine: Engine,
        cluster: Cluster,
        topic: str,
        *,
        columns: Sequence[Column],
        parse: Callable[[Sequence[Record]], pa.Table],
        shape: Callable[[Table], Table],
        seen: Callable[[pa.Table], None] = lambda _: None,
    ) -> None:
        self.skips = Skips(topic)
        self.tail = TopicTail(cluster, topic, self._take)
        self._columns = columns
        self._parse = parse
        self._seen = seen
        self._context: Callable[[], AbstractContextManager[object]] = engine.context
        # No cycle may run between the two, or the rows of that cycle are lost.
        with update_graph.shared_lock(engine.update_graph):
            blink, self._publisher = table_publisher(topic, wire_definition(columns))
            self.table = shape(blink)

    def _take(self, records: list[Message]) -> None:
        batch = decode(records, self._parse)
        self.skips.add(batch.skipped)
        if batch.rows.num_rows:
            with self._context():
                self._publisher.add(fed(self._columns, batch.rows))
        self._seen(batch.rows)


def dead_letters(engine: Engine, cluster: Cluster, topics: Topics, seen: Callable[[pa.Table], None]) -> LogTable:
    """The rejected events, exactly one row for each."""
    table = schema.DEAD_LETTERS
    return LogTable(
        engine,
        cluster,
        topics.dead_letters,
        columns=DEAD_LETTER_BATCH,
        parse=parse_dead_letters,
        shape=lambda blink: (
            blink.view(from_wire(table.columns)).last_by(["topic", "partition", "offset"]).view(table.column_names)
        ),
        seen=seen,
    )


def control_raw(engine: Engine, cluster: Cluster, topics: Topics) -> LogTable:
    """The control messages with their verdicts, in order."""
    table = schema.CONTROL_RAW
    return LogTable(
        engine,
        cluster,
        topics.control_log,
        columns=CONTROL_BATCH,
        parse=parse_control_log,
        shape=lambda blink: (
            blink.view([*from_wire(table.columns), MESSAGE.name]).last_by(MESSAGE.name).view(table.column_names)
        ),
    )

"""The tables of one generation, fed from its view topic through one publisher.

One publisher, because then the rows of all tables that came in one batch change in the same update cycle.
"""

import threading
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

import structlog
from confluent_kafka import Message
from deephaven import agg, empty_table, input_table, new_table, update_graph
from deephaven.column import string_col
from deephaven.liveness_scope import LivenessScope
from deephaven.stream.table_publisher import table_publisher
from deephaven.table import Table
from deephaven.table_factory import InputTable

from livejoin.generation import Generation, Request
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.tail import TopicTail
from livejoin.schema import ACCOUNTING, DEAD_LETTERS, FINAL_UI, ORCHESTRATOR_STATUS, SOURCE_PROGRESS, SOURCES, VIEWS
from livejoin.schema import Table as TableSchema
from livejoin.serve.columns import definition, fed, wire_definition, wire_table
from livejoin.serve.decode import decode
from livejoin.serve.engine import Engine
from livejoin.serve.skips import Skips
from livejoin.serve.source_meter import SourceMeter
from livejoin.serve.view_batch import (
    ROW_CUT,
    ROW_GONE,
    ROW_ID,
    ROW_TABLE,
    ROW_VERSION,
    TABLE_CODES,
    VIEW_BATCH,
    parse_view,
    positions_of,
)
from livejoin.view_record import PROGRESS, TAKEN

TAKEN_KEY = TAKEN.encode()

log = structlog.get_logger()


class GenerationView:
    """One generation, loaded or loading. Who makes it closes it, after its tables are out of the slots."""

    def __init__(self, engine: Engine, cluster: Cluster, generation: Generation, logs: Mapping[str, Table]) -> None:
        self.generation = generation
        """As it was last told."""
        self.positions: dict[tuple[str, int], int] = {}
        """The next offset to be accounted, for each (source, partition)."""
        self.meter = SourceMeter()
        self.skips = Skips(generation.view_topic)
        # By the name of its thread, lines of the log say which generation they are about.
        named = f"generation-{generation.number}"
        # Every batch costs the engine, however small it is, and rows are shown once in an update cycle.
        pace = engine.update_interval / 2
        self.tail = TopicTail(cluster, generation.view_topic, self._take, pace=pace, thread=named)
        self._engine = engine
        self._closed = False
        self._is_over = False
        self._lock = threading.Lock()
        self._reach: Mapping[str, Sequence[Any]] = {}
        self._scope = LivenessScope()  # type: ignore[no-untyped-call]
        # No cycle may run between publisher and aggregation, or the rows of that cycle are lost.
        with self._scope.open(), update_graph.shared_lock(engine.update_graph):
            blink, self._publisher = table_publisher(generation.view_topic, wire_definition(VIEW_BATCH))
            self._status = _keyed(ORCHESTRATOR_STATUS, ["generation"])
            self._progress = _keyed(SOURCE_PROGRESS, ["source", "partition"])
            self.tables = {
                **_views(blink, generation.request),
                **logs,
                ORCHESTRATOR_STATUS.name: self._status.view(ORCHESTRATOR_STATUS.column_names),
                SOURCE_PROGRESS.name: self._progress.view(SOURCE_PROGRESS.column_names),
                ACCOUNTING.name: _accounting(blink, logs[DEAD_LETTERS.name], generation),
            }
        self._told: dict[str, object] = {}
        self.tell(generation)
        self.tail.start()

    def tell(self, generation: Generation, swap_story: str = "") -> None:
        """Update the status row, if there is anything to update; returns when the row is there."""
        before, self.generation = self.generation, generation
        if generation.source_ends != before.source_ends:
            with self._lock:
                self._write_progress()
        row = status_row(generation, swap_story)
        if row == self._told:
            return
        self._status.add(
            wire_table(ORCHESTRATOR_STATUS.columns, {name: [row[name]] for name in ORCHESTRATOR_STATUS.column_names})
        )
        self._told = row

    def tell_progress(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Update the rows of source_progress; may be called by any thread, also when it is closed."""
        with self._lock:
            self._reach = rows
            self._write_progress()

    def loaded(self, generation: Generation) -> bool:
        """Whether everything is in that the topic held when loading began and when the backfill was complete."""
        return self.tail.reached(generation.view_ends)

    def close(self) -> None:
        """Stop reading and free the memory."""
        self.tail.stop()
        # A write into a released table would wait for ever for the cycle that takes it.
        with self._lock:
            self._closed = True
            self.tables = {}
            self._scope.release()

    def _write_progress(self) -> None:
        """What the backfill has read is accounted for, also where no progress record names its last event."""
        if self._closed or not self._reach:
            return
        rows = {name: list(values) for name, values in self._reach.items()}
        for index, place in enumerate(zip(rows["source"], rows["partition"], strict=True)):
            source, partition = place
            backfilled = self.generation.source_ends.get(source, {}).get(partition, 0)
            rows["position"][index] = max(rows["position"][index], backfilled)
            rows["end"][index] = max(rows["end"][index], backfilled)
        self.meter.note(rows)
        self._progress.add(wire_table(SOURCE_PROGRESS.columns, rows))

    def _take(self, records: list[Message]) -> None:
        batch = decode(self._own(records), parse_view)
        self.skips.add(batch.skipped)
        if batch.rows.num_rows:
            with self._engine.context():
                self._publisher.add(fed(VIEW_BATCH, batch.rows))
        positions = positions_of(batch.rows)
        self.positions = {**self.positions, **{k: max(v, self.positions.get(k, 0)) for k, v in positions.items()}}

    def _own(self, records: list[Message]) -> list[Message]:
        """The records of this generation: what follows the word of another one that the topic is taken is not shown."""
        own: list[Message] = []
        for record in records:
            if self._is_over:
                break
            if record.key() != TAKEN_KEY:
                own.append(record)
            elif record.value() != str(self.generation.number).encode():
                self._is_over = True
                log.warning("view topic has gone to another generation", generation=self.generation.number)
        return own


def status_row(generation: Generation, swap_story: str) -> dict[str, object]:
    """The row of orchestrator_status for a generation, with what is on its way to replace it."""
    request, applied = generation.request, generation.applied
    return {
        "usersTopic": request.users_topic,
        "accountsTopic": request.accounts_topic,
        "joinType": request.join.value,
        "lastApplied": applied.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if applied
        else None,
        "generation": generation.number,
        "state": generation.state.value,
        "message": "; ".join(filter(None, (generation.message, swap_story))),
    }


def _keyed(table: TableSchema, keys: list[str]) -> InputTable:
    return input_table(col_defs=definition(table.columns), key_cols=keys)


def _views(blink: Table, request: Request) -> dict[str, Table]:
    written = {view.name: _newest(blink, view) for view in VIEWS if view != request.mirrored}
    if request.mirrored is None:
        return written
    return {**written, request.mirrored.name: written[FINAL_UI.name].view(request.mirrored.column_names)}


def _newest(blink: Table, view: TableSchema) -> Table:
    """The newest row of each id: a lower version is dropped, and of equal versions the last is taken."""
    columns = view.column_names
    newest = agg.sorted_last(ROW_VERSION.name, [*columns, ROW_VERSION.name, ROW_GONE.name])
    rows = blink.where(f"{ROW_TABLE.name} = {TABLE_CODES[view.name]}").agg_by([newest], by=[ROW_ID.name])
    return rows.where(f"{ROW_GONE.name} = 0").view(columns)


def _accounting(blink: Table, dead_letters: Table, generation: Generation) -> Table:
    """One row: the valid events, which are the versions of all keys added up, those cut by a limit, the rejected."""
    newest = blink.where(f"{ROW_TABLE.name} = {TABLE_CODES[PROGRESS]}").agg_by(
        [agg.max_([ROW_VERSION.name, ROW_CUT.name])], by=[ROW_ID.name]
    )
    topics = new_table([string_col("topic", [generation.request.topic_of(source.name) for source in SOURCES])])
    events = newest.agg_by([agg.sum_([f"events = {ROW_VERSION.name}", f"cut = {ROW_CUT.name}"])])
    rejected = dead_letters.where_in(topics, "topic").agg_by([agg.count_("deadLetters")])
    # Both are without a row while there is nothing to add up.
    counts = empty_table(1).natural_join(events, on=[]).natural_join(rejected, on=[])
    return counts.view([f"{name} = isNull({name}) ? 0L : {name}" for name in ACCOUNTING.column_names])

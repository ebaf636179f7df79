"""The tables of one generation, fed from its view topic through one publisher.

One publisher, because then the rows of all tables that came in one batch change in the same update cycle.
"""

import threading
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

from deephaven import agg, empty_table, input_table, new_table, update_graph
from deephaven.column import string_col
from deephaven.liveness_scope import LivenessScope
from deephaven.stream.table_publisher import table_publisher
from deephaven.table import Table
from deephaven.table_factory import InputTable

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.model.declaration import Side
from livejoin.model.generation import BUILDING, Generation, Request, State
from livejoin.model.table import (
    ACCOUNTING,
    LEFT_TOPIC,
    RIGHT_TOPIC,
    SOURCE_PROGRESS,
    STATUS,
    TableColumn,
)
from livejoin.serve.decode.batch import decode
from livejoin.serve.decode.never_back import NeverBack
from livejoin.serve.decode.own_records import OwnRecords
from livejoin.serve.decode.skips import Skips
from livejoin.serve.decode.view_batch import (
    ROW_CUT,
    ROW_GONE,
    ROW_ID,
    ROW_ORDER,
    ROW_TABLE,
    ROWS,
    TABLE_CODES,
    VERSION_BITS,
    Positions,
    ViewFormat,
    positions_of,
)
from livejoin.serve.decode.whole_events import WholeEvents
from livejoin.serve.engine.columns import definition, fed, fields_of, table_of
from livejoin.serve.engine.engine import Engine
from livejoin.serve.engine.layout import Layout
from livejoin.serve.engine.letter_counts import COUNT, TOPIC
from livejoin.serve.engine.source_meter import SourceMeter
from livejoin.wire.view_record import JOINED, PROGRESS


class GenerationView:
    """One generation, loaded or loading. Who makes it closes it, after its tables are out of the slots."""

    def __init__(
        self,
        engine: Engine,
        cluster: Cluster,
        generation: Generation,
        layout: Layout,
        shared: Mapping[str, Table],
        letter_counts: Table,
    ) -> None:
        self.generation = generation
        """As it was last told."""
        self.layout = layout
        self.positions: Positions = {}
        self.meter = SourceMeter()
        self.skips = Skips(generation.view_topic)
        # By the name of its thread, lines of the log say which generation they are about.
        named = f"generation-{generation.number}"
        # Every batch costs the engine an update cycle, however small it is.
        pace = engine.update_interval
        self.tail = TopicTail(cluster, generation.view_topic, self._take, pace=pace, thread=named, rest=self._rest)
        self._own, self._events, self._never_back = OwnRecords(generation), WholeEvents(), NeverBack()
        self._engine = engine
        self._format = ViewFormat(generation.request)
        self._status_columns = layout.table(STATUS).columns
        self._closed = False
        self._lock = threading.Lock()
        self._reach: Mapping[str, Sequence[Any]] = {}
        self._scope = LivenessScope()  # type: ignore[no-untyped-call]
        # No cycle may run between publisher and aggregation, or the rows of that cycle are lost.
        with self._scope.open(), update_graph.shared_lock(engine.update_graph):
            blink, self._publisher = table_publisher(generation.view_topic, definition(self._format.columns))
            self._status = _keyed(self._status_columns, ["generation"])
            self._progress = _keyed(SOURCE_PROGRESS.columns, ["source", "partition"])
            self.tables = {
                **_views(blink, layout, generation.request),
                **shared,
                STATUS: self._status.view(fields_of(self._status_columns)),
                SOURCE_PROGRESS.name: self._progress.view(fields_of(SOURCE_PROGRESS.columns)),
                ACCOUNTING.name: _accounting(blink, letter_counts, generation),
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
        self._status.add(table_of(self._status_columns, {field: [value] for field, value in row.items()}))
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
        rows["waitingSince"] = [
            self.meter.waiting_since(*place) for place in zip(rows["source"], rows["partition"], strict=True)
        ]
        self._progress.add(table_of(SOURCE_PROGRESS.columns, rows))

    def _rest(self) -> None:
        """What was held back is shown where nothing comes that it has waited for."""
        self._take([])

    def _take(self, records: list[Message]) -> None:
        own = self._own.of(records)
        # Nobody looks while it is built or loaded, so nothing can go back.
        state = self.generation.state
        is_shown = state not in BUILDING and self.tail.reached()
        shown = self._never_back.add(own, is_live=state is not State.RECOVERING) if is_shown else own
        self._show(self._events.add(shown, is_shown=is_shown))

    def _show(self, records: list[Message]) -> None:
        batch = decode(records, self._format.parse)
        self.skips.add(batch.skipped)
        if batch.rows.num_rows:
            with self._engine.context():
                self._publisher.add(fed(self._format.columns, batch.rows))
            self._engine.update()
        positions = positions_of(batch.rows)
        self.positions = {**self.positions, **{k: max(v, self.positions.get(k, 0)) for k, v in positions.items()}}


def status_row(generation: Generation, swap_story: str) -> dict[str, object]:
    """The row of orchestrator_status for a generation, with what is on its way to replace it."""
    request, applied = generation.request, generation.applied
    return {
        LEFT_TOPIC: request.left_topic,
        RIGHT_TOPIC: request.right_topic,
        "joinType": request.join.value,
        "lastApplied": applied.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if applied
        else None,
        "generation": generation.number,
        "state": generation.state.value,
        "message": "; ".join(filter(None, (generation.message, swap_story))),
    }


def _keyed(columns: Sequence[TableColumn], keys: list[str]) -> InputTable:
    return input_table(col_defs=definition(columns), key_cols=keys)


def _views(blink: Table, layout: Layout, request: Request) -> dict[str, Table]:
    """The mirrored table is read from the rows of the joined one, which have its columns too."""
    fields = {kind: fields_of(layout.table(kind).columns) for kind in ROWS}
    read_from = {kind: JOINED if kind == request.mirrored else kind for kind in ROWS}
    needed = {kind: [field for one in ROWS if read_from[one] == kind for field in fields[one]] for kind in ROWS}
    rows = {kind: _newest(blink, kind, list(dict.fromkeys(found))) for kind, found in needed.items() if found}
    return {kind: rows[read_from[kind]].view(fields[kind]) for kind in ROWS}


def _newest(blink: Table, kind: str, fields: list[str]) -> Table:
    """The newest row of each id: one of a lower epoch or version is dropped, and of equal ones the last is taken."""
    newest = agg.sorted_last(ROW_ORDER.field, [*fields, ROW_ORDER.field, ROW_GONE.field])
    rows = blink.where(f"{ROW_TABLE.field} = {TABLE_CODES[kind]}").agg_by([newest], by=[ROW_ID.field])
    return rows.where(f"{ROW_GONE.field} = 0")


def _accounting(blink: Table, letter_counts: Table, generation: Generation) -> Table:
    """One row: the valid events, which are the versions of all keys added up, those cut by a limit, the rejected."""
    newest = blink.where(f"{ROW_TABLE.field} = {TABLE_CODES[PROGRESS]}").agg_by(
        [agg.sorted_last(ROW_ORDER.field, [ROW_ORDER.field, ROW_CUT.field])], by=[ROW_ID.field]
    )
    version = f"version = {ROW_ORDER.field} & {(1 << VERSION_BITS) - 1}L"
    topics = new_table([string_col(TOPIC, [generation.request.topic_of(side) for side in Side])])
    events = newest.view([version, ROW_CUT.field]).agg_by([agg.sum_(["events = version", f"cut = {ROW_CUT.field}"])])
    rejected = letter_counts.where_in(topics, TOPIC).agg_by([agg.sum_(f"deadLetters = {COUNT}")])
    # Both are without a row while there is nothing to add up.
    counts = empty_table(1).natural_join(events, on=[]).natural_join(rejected, on=[])
    return counts.view([f"{name} = isNull({name}) ? 0L : {name}" for name in fields_of(ACCOUNTING.columns)])

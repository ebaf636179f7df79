"""The join, as an aggregation of the union of both sources by their key.

Real-Time Mode has no stream-stream join, but it runs an aggregation with one output per input event. The aggregates
hold what each side keeps; a projection over them expands rows:

    live       what the triggering event changed
    backfill   everything (a micro-batch emits once per key and batch, so there is no one triggering event)

Both read every aggregate, or Spark would leave one out of the state and could not go on from backfill to live on the
same checkpoint.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame
from pyspark.sql.functions import expr

from livejoin.model.declaration import Keep, Side
from livejoin.model.generation import JoinType, Request
from livejoin.pipeline.sql.kept import EVENT, Kept, row_column
from livejoin.pipeline.sql.source import key_fields, row_type
from livejoin.wire.view_record import JOINED

VERSION = "version"

Emit = Callable[[str, str, str, dict[Side, str]], str]
"""Makes one emission for `left`, `right` or `joined` from a row id, whether the row is there, and the row of each side
that has part in it."""


def aggregate(events: Mapping[Side, DataFrame], request: Request) -> DataFrame:
    """Union the valid events of both sources and keep, per key, what the join needs."""
    declaration = request.declaration
    keys = key_fields(declaration)
    sides = []
    for side in Side:
        rows = [
            f"row as {row_column(other)}"
            if other is side
            else f"cast(null as {row_type(declaration, other)}) as {row_column(other)}"
            for other in Side
        ]
        sides.append(events[side].selectExpr(*keys, f"'{side}' as side", "order", *rows))
    rows_of_event = ", ".join(row_column(side) for side in Side)
    aggregates = [
        *(aggregate for side in Side for aggregate in _shown(request, side).aggregates),
        f"count(1) as {VERSION}",
        f"last(struct(side, order, {rows_of_event})) as {EVENT}",
    ]
    return sides[0].unionByName(sides[1]).groupBy(*keys).agg(*map(expr, aggregates))


def expand(state: DataFrame, request: Request, emit: Emit, *, live: bool) -> tuple[DataFrame, dict[str, str]]:
    """The state with what the emissions need, and an array of emissions for each kind of row that has any."""
    left, right = _shown(request, Side.LEFT), _shown(request, Side.RIGHT)
    asof = request.join is JoinType.ASOF
    joined_right = replace(right, keep=Keep.ALL) if asof else right
    for side in dict.fromkeys((left, right, joined_right)):
        state = side.unfold(state)
    join = _Join(left, joined_right, emit, live=live, inner=request.join is JoinType.INNER)
    emissions = {
        side.side.value: _source_rows(side, emit, live=live) for side in (left, right) if side.side != request.mirrored
    }
    joined = join.asof() if asof else join.with_newest() if right.keep is Keep.LATEST else join.with_all()
    return state, {**emissions, JOINED: joined}


def cut(request: Request) -> str | None:
    """How many events of a key the limit has cut off; None without a limit."""
    sides = [side for side in (_shown(request, side) for side in Side) if side.history and side.limit]
    return " + ".join(side.cut for side in sides) if sides else None


def _shown(request: Request, side: Side) -> Kept:
    keep = request.declaration.source(side).keep
    # An as-of join looks back, so it needs the history whatever is shown.
    history = keep is Keep.ALL or request.join is JoinType.ASOF
    return Kept(request.declaration, side, keep, history, request.keep_limit)


def _source_rows(kept: Kept, emit: Emit, *, live: bool) -> str:
    emission = emit(kept.side, "entry.id", "entry.alive", {kept.side: "entry.row"})
    return f"transform({kept.changed if live else kept.entries}, entry -> {emission})"


@dataclass(frozen=True)
class _Join:
    """The rows of the joined table, by join type and by what is kept of the right."""

    left: Kept
    right: Kept
    emit: Emit
    live: bool
    inner: bool

    def with_newest(self) -> str:
        """One row per kept row of the left; the newest of the right, or its absence, is part of it."""
        missing = f"size({self.right.rows}) = 0"
        alive = f"l.alive and not ({missing})" if self.inner else "l.alive"
        row = self._emit("l.id", alive, "l.row", f"get({self.right.rows}, 0).row")
        if self.live:
            by_left = self.left.changed
            if self.inner:
                by_left = f"case when {missing} then {self.left.no_entries} else {by_left} end"
            affected = f"case when size({self.right.changed}) > 0 then {self.left.rows} else {by_left} end"
        else:
            affected = self.left.entries
        return f"transform({affected}, l -> {row})"

    def with_all(self) -> str:
        """One row per pair of kept rows; for a left join also rows of the left without any of the right."""
        row_id = "concat(l.id, '/', r.id)"
        pair = self._emit(row_id, "l.alive and r.alive", "l.row", "r.row")
        if self.live:
            crossed = [(self.left.changed, self.right.rows), (self.left.rows, self.right.changed)]
        else:
            crossed = [(self.left.entries, self.right.entries)]
        pairs = [f"flatten(transform({left}, l -> transform({right}, r -> {pair})))" for left, right in crossed]
        return f"concat({', '.join(pairs if self.inner else [*pairs, self._unmatched()])})"

    def _unmatched(self) -> str:
        """Rows of the left without any of the right: they go when the first one comes, and come back with the last."""
        none = f"size({self.right.rows}) = 0"
        nothing = f"cast(null as {row_type(self.right.declaration, Side.RIGHT)})"
        row = self._emit("concat(l.id, '/')", f"l.alive and {none}", "l.row", nothing)
        if self.live:
            first = f"{EVENT}.{row_column(Side.RIGHT)} is not null and size({self.right.rows}) = 1"
            turned = f"size({self.right.changed}) > 0 and ({none} or {first})"
            affected = (
                f"case when {turned} then {self.left.rows} when {none} then {self.left.changed}"
                f" else {self.left.no_entries} end"
            )
        else:
            affected = self.left.entries
        return f"transform({affected}, l -> {row})"

    def asof(self) -> str:
        """One row per event of the right, with the newest event of the left at or before its timestamp."""
        known = f"array_max(filter({self.left.history_events}, l -> l.order.timestamp <= r.order.timestamp))"
        row = self._emit("r.id", "r.alive", f"{known}.row", "r.row")
        if self.live:
            learned = f"filter({self.right.rows}, r -> {known}.order = {EVENT}.order)"
            if self.left.limit:
                # Also those may have changed that knew the event which the limit has cut off.
                learned = f"case when {self.left.is_cut} then {self.right.rows} else {learned} end"
            affected = f"case when {EVENT}.side = '{Side.LEFT}' then {learned} else {self.right.changed} end"
        else:
            affected = self.right.entries
        return f"transform({affected}, r -> {row})"

    def _emit(self, row_id: str, alive: str, left: str, right: str) -> str:
        return self.emit(JOINED, row_id, alive, {Side.LEFT: left, Side.RIGHT: right})

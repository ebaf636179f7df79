"""Which events of a source are rows, however many there were and in whatever order they came.

One side of the join keeps, per userId, either every event (a list) or the newest one. Both become arrays of entries
`struct<order, row, alive>`, so that the join does not need to know which it was:

    entries   all that are rows, or were rows and are gone (alive = false): what a backfill emits
    rows      those that are rows at this moment
    changed   those that the triggering event changed: what live emits

A tombstone is an event whose row is null. Events ordered before the newest tombstone are gone; an event with a later
order is a row again.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame

from livejoin.generation import Keep
from livejoin.pipeline.source import ORDER_TYPE, row_type
from livejoin.schema import Source

EVENT = "event"
"""The column with the event that caused an output row: struct<source, order, and a row column per source>."""


@dataclass(frozen=True)
class Kept:
    """One source's side of the state, and what is a row in it.

    `history` says that the state is a list of all events; without it the state is the newest event alone. An as-of
    join needs the history of a source even where only its newest row is shown.
    """

    source: Source
    keep: Keep
    history: bool

    @property
    def aggregate(self) -> str:
        """The aggregate that holds this side's state."""
        function = "collect_list" if self.history else "max"
        name = self.source.name
        return f"{function}(case when source = '{name}' then named_struct('order', order, 'row', {name}) end) as {name}"

    def row_id(self, entry: str) -> str:
        """What names an entry's row: its position where every event is a row, else the userId."""
        if self.keep is Keep.LATEST:
            return self.source.key.name
        return f"concat({entry}.order.partition, '.', {entry}.order.offset)"

    @property
    def history_events(self) -> str:
        """Every event, tombstones included; only where the state is a list."""
        return self.source.name

    @property
    def entries(self) -> str:
        """All entries that are or were rows."""
        return self._named("entries")

    @property
    def rows(self) -> str:
        """The entries that are rows at this moment."""
        return self._named("rows")

    @property
    def changed(self) -> str:
        """The entries that the triggering event changed; empty where it came from the other source."""
        return self._named("changed")

    @property
    def no_entries(self) -> str:
        """An empty array of entries."""
        return f"cast(array() as array<struct<order:{ORDER_TYPE},row:{row_type(self.source)},alive:boolean>>)"

    def unfold(self, state: DataFrame) -> DataFrame:
        """Add the columns `entries`, `rows` and `changed` of this side.

        In steps, so that what does not depend on an entry is not computed again for each entry.
        """
        unfolded = self._unfold_newest(state) if self.keep is Keep.LATEST else self._unfold_all(state)
        return unfolded.selectExpr("*", f"filter({self.entries}, entry -> entry.alive) as {self.rows}")

    def _unfold_newest(self, state: DataFrame) -> DataFrame:
        newest = self._named("newest")
        return (
            state.selectExpr("*", f"{f'array_max({self._state})' if self.history else self._state} as {newest}")
            .selectExpr(
                "*",
                f"case when {newest} is null then {self.no_entries}"
                f" else array({_entry(newest, f'{newest}.row is not null')}) end as {self.entries}",
            )
            .selectExpr(
                "*",
                f"case when {self._triggered} and {newest}.order = {EVENT}.order then {self.entries}"
                f" else {self.no_entries} end as {self.changed}",
            )
        )

    def _unfold_all(self, state: DataFrame) -> DataFrame:
        tombstones, ended, ended_before = (self._named(part) for part in ("tombstones", "ended", "ended_before"))
        # A row event changes itself, unless it came too late to live; a tombstone ends what the ones before it had
        # left alive.
        itself = f"filter({self.entries}, entry -> entry.order = {EVENT}.order and entry.alive)"
        ended_by_event = (
            f"filter({self.entries}, entry -> entry.order < {EVENT}.order and not entry.alive"
            f" and ({ended_before} is null or entry.order > {ended_before}))"
        )
        return (
            state.selectExpr("*", f"transform(filter({self._state}, e -> e.row is null), e -> e.order) as {tombstones}")
            .selectExpr(
                "*",
                f"array_max({tombstones}) as {ended}",
                f"array_max(filter({tombstones}, order -> order <> {EVENT}.order)) as {ended_before}",
            )
            .selectExpr(
                "*",
                f"transform(filter({self._state}, e -> e.row is not null),"
                f" e -> {_entry('e', f'{ended} is null or e.order > {ended}')}) as {self.entries}",
            )
            .selectExpr(
                "*",
                f"case when not {self._triggered} then {self.no_entries}"
                f" when {EVENT}.{self.source.name} is null then {ended_by_event} else {itself} end as {self.changed}",
            )
        )

    @property
    def _state(self) -> str:
        return self.source.name

    @property
    def _triggered(self) -> str:
        return f"({EVENT}.source = '{self.source.name}')"

    def _named(self, part: str) -> str:
        return f"{self.source.name}_{self.keep}_{part}"


def _entry(event: str, alive: str) -> str:
    return f"named_struct('order', {event}.order, 'row', {event}.row, 'alive', {alive})"

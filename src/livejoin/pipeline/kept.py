"""Which events of a source are rows, however many there were and in whatever order they came.

One side of the join keeps, per userId, either every event (a list) or the newest one. Both become arrays of entries
`struct<id, order, row, alive>`, so that the join does not need to know which it was:

    entries   all that are rows, or were rows and are gone (alive = false): what a backfill emits
    rows      those that are rows at this moment
    changed   those that the triggering event changed: what live emits

A tombstone is an event whose row is null. Events ordered before the newest tombstone are gone; an event with a later
order is a row again.

The id names a row: the position of its event where every event is a row, the userId where only the newest is. With a
limit on the list, the state forgets an event without anybody noticing, so a row could not be deleted by its position;
then rows are numbered from the newest on, and each event moves all of them.
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
    join needs the history of a source even where only its newest row is shown. `limit` bounds that list; 0 does not.
    """

    source: Source
    keep: Keep
    history: bool
    limit: int = 0

    @property
    def aggregates(self) -> list[str]:
        """The aggregates that hold this side's state: what is kept, and how many events there were."""
        mine = f"source = '{self.source.name}'"
        event = f"case when {mine} then named_struct('order', order, 'row', {self.source.name}) end"
        if not self.history:
            return [f"max({event}) as {self._state}"]
        if not self.limit:
            return [f"collect_list({event}) as {self._state}"]
        newest = f"max_by({event}, case when {mine} then order end, {self.limit})"
        return [f"{newest} as {self._state}", f"count_if({mine}) as {self._seen}"]

    @property
    def cut(self) -> str:
        """How many events the limit has cut off; only where there is one."""
        return f"greatest({self._seen} - {self.limit}, 0)"

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
        entry = f"struct<id:string,order:{ORDER_TYPE},row:{row_type(self.source)},alive:boolean>"
        return f"cast(array() as array<{entry}>)"

    def unfold(self, state: DataFrame) -> DataFrame:
        """Add the columns `entries`, `rows` and `changed` of this side.

        In steps, so that what does not depend on an entry is not computed again for each entry.
        """
        if self.keep is Keep.LATEST:
            unfolded = self._unfold_newest(state)
        elif self.limit:
            unfolded = self._unfold_limited(state)
        else:
            unfolded = self._unfold_all(state)
        return unfolded.selectExpr("*", f"filter({self.entries}, entry -> entry.alive) as {self.rows}")

    def _unfold_newest(self, state: DataFrame) -> DataFrame:
        newest = self._named("newest")
        return (
            state.selectExpr("*", f"{f'array_max({self._state})' if self.history else self._state} as {newest}")
            .selectExpr(
                "*",
                f"case when {newest} is null then {self.no_entries}"
                f" else array({_entry(self._key, newest, f'{newest}.row is not null')}) end as {self.entries}",
            )
            .selectExpr(
                "*",
                f"case when {self._triggered} and {newest}.order = {EVENT}.order then {self.entries}"
                f" else {self.no_entries} end as {self.changed}",
            )
        )

    def _unfold_limited(self, state: DataFrame) -> DataFrame:
        events, alive, ended = self._named("events"), self._named("alive"), self._named("ended")
        # Unlike a list, the newest few of nothing are null.
        none = f"cast(array() as array<struct<order:{ORDER_TYPE},row:{row_type(self.source)}>>)"
        tombstones = f"transform(filter({events}, e -> e.row is null), e -> e.order)"
        entry = _entry(f"concat({self._key}, '/', n)", f"get({alive}, n)", f"n < size({alive})")
        return (
            state.selectExpr("*", f"coalesce({self._state}, {none}) as {events}")
            .selectExpr("*", f"array_max({tombstones}) as {ended}")
            .selectExpr(
                "*",
                f"sort_array(filter({events}, e -> e.row is not null and ({ended} is null or e.order > {ended})),"
                f" false) as {alive}",
            )
            .selectExpr("*", f"transform(sequence(0, {self.limit - 1}), n -> {entry}) as {self.entries}")
            .selectExpr(
                "*", f"case when {self._triggered} then {self.entries} else {self.no_entries} end as {self.changed}"
            )
        )

    def _unfold_all(self, state: DataFrame) -> DataFrame:
        tombstones, ended, ended_before = (self._named(part) for part in ("tombstones", "ended", "ended_before"))
        position = "concat(e.order.partition, '.', e.order.offset)"
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
                f" e -> {_entry(position, 'e', f'{ended} is null or e.order > {ended}')}) as {self.entries}",
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
    def _seen(self) -> str:
        return f"{self.source.name}_seen"

    @property
    def _key(self) -> str:
        return self.source.key.name

    @property
    def _triggered(self) -> str:
        return f"({EVENT}.source = '{self.source.name}')"

    def _named(self, part: str) -> str:
        return f"{self.source.name}_{self.keep}_{part}"


def _entry(row_id: str, event: str, alive: str) -> str:
    return f"named_struct('id', {row_id}, 'order', {event}.order, 'row', {event}.row, 'alive', {alive})"

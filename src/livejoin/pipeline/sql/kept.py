"""Which events of a source are rows, however many there were and in whatever order they came.

One side of the join keeps, per key, either every event (a list) or the newest one. Both become arrays of entries
`struct<id, order, row, alive>`, so that the join does not need to know which it was:

    entries   all that are rows, or were rows and are gone (alive = false): what a backfill emits
    rows      those that are rows at this moment
    changed   those that the triggering event changed: what live emits

A tombstone is an event whose row is null. Events ordered before the newest tombstone are gone; an event with a later
order is a row again.

The id names a row: the position of its event where every event is a row, the key where only the newest is. With a
limit on the list, the state forgets an event without anybody noticing, so a row could not be deleted by its position.
Then as many places as there may be rows are given in turn, by the number of an event in the order of all that there
were: the event that is one too many has the place of the one that it cuts off. A late event moves those after it.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame

from livejoin.model.declaration import Declaration, Keep, Side
from livejoin.pipeline.sql.source import ORDER_TYPE, key_fields, row_type

COLLECT_NEWEST = "collect_newest"
"""A function of livejoin's own (livejoin.CollectNewest): a list of structs that keeps those of the greatest order."""
EVENT = "event"
"""The column with the event that caused an output row: struct<side, order, and a row column per side>."""


@dataclass(frozen=True)
class Kept:
    """One source's side of the state, and what is a row in it.

    `history` says that the state is a list of all events; without it the state is the newest event alone. An as-of
    join needs the history of a source even where only its newest row is shown. `limit` bounds that list; 0 does not.
    """

    declaration: Declaration
    side: Side
    keep: Keep
    history: bool
    limit: int = 0

    @property
    def aggregates(self) -> list[str]:
        """The aggregates that hold this side's state: what is kept, and how many events there were."""
        mine = f"side = '{self.side}'"
        event = f"case when {mine} then named_struct('order', order, 'row', {row_column(self.side)}) end"
        if not self.history:
            return [f"max({event}) as {self._state}"]
        if not self.limit:
            return [f"collect_list({event}) as {self._state}"]
        newest = f"{COLLECT_NEWEST}({event}, {self.limit})"
        return [f"{newest} as {self._state}", f"count_if({mine}) as {self._seen}"]

    @property
    def cut(self) -> str:
        """How many events the limit has cut off; only where there is one."""
        return f"greatest({self._seen} - {self.limit}, 0)"

    @property
    def is_cut(self) -> str:
        """Whether the limit has cut off any."""
        return f"{self._seen} > {self.limit}"

    @property
    def history_events(self) -> str:
        """Every event, tombstones included; only where the state is a list."""
        return self._state

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
        entry = f"struct<id:string,order:{ORDER_TYPE},row:{row_type(self.declaration, self.side)},alive:boolean>"
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
        events, ended = self._named("events"), self._named("ended")
        tombstones = f"transform(filter({events}, e -> e.row is null), e -> e.order)"
        place = f"concat({self._key}, '/', ({self._seen} - 1 - n) % {self.limit})"
        entry = _entry(place, "e", f"e.row is not null and ({ended} is null or e.order > {ended})")
        # An event has moved itself and what is ordered after it; a tombstone has ended whatever is before it.
        moved = f"filter({self.entries}, entry -> entry.order >= {EVENT}.order)"
        is_row = f"{EVENT}.{row_column(self.side)} is not null"
        return (
            state.selectExpr("*", f"sort_array({self._state}, false) as {events}")
            .selectExpr("*", f"array_max({tombstones}) as {ended}")
            .selectExpr("*", f"transform({events}, (e, n) -> {entry}) as {self.entries}")
            .selectExpr(
                "*",
                f"case when not {self._triggered} then {self.no_entries}"
                f" when {is_row} then {moved} else {self.entries} end as {self.changed}",
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
                f" when {EVENT}.{row_column(self.side)} is null then {ended_by_event}"
                f" else {itself} end as {self.changed}",
            )
        )

    @property
    def _state(self) -> str:
        return f"{self.side}_state"

    @property
    def _seen(self) -> str:
        return f"{self.side}_seen"

    @property
    def _key(self) -> str:
        return key_text(self.declaration)

    @property
    def _triggered(self) -> str:
        return f"({EVENT}.side = '{self.side}')"

    def _named(self, part: str) -> str:
        return f"{self.side}_{self.keep}_{part}"


def row_column(side: Side) -> str:
    """The column with the row of an event of that side."""
    return f"{side}_row"


def key_text(declaration: Declaration) -> str:
    """The key as a text: itself where it is one string, else JSON."""
    fields = key_fields(declaration)
    if declaration.left.has_text_key:
        return fields[0]
    pairs = ", ".join(f"'{field}', {field}" for field in fields)
    return f"to_json(named_struct({pairs}))"


def _entry(row_id: str, event: str, alive: str) -> str:
    return f"named_struct('id', {row_id}, 'order', {event}.order, 'row', {event}.row, 'alive', {alive})"

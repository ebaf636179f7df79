"""The join, as an aggregation of the union of both sources by userId.

Real-Time Mode has no stream-stream join, but it runs an aggregation with one output per input event. The aggregates
hold what each side keeps; a projection over them expands rows:

    live       what the triggering event changed
    backfill   everything (a micro-batch emits once per userId and batch, so there is no one triggering event)

Both read every aggregate, or Spark would leave one out of the state and could not go on from backfill to live on the
same checkpoint.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame
from pyspark.sql.functions import expr

from livejoin.generation import JoinType, Keep, Request
from livejoin.pipeline.kept import EVENT, Kept
from livejoin.pipeline.source import row_type
from livejoin.schema import ACCOUNTS, ACCOUNTS_UI, FINAL_UI, KEY, SOURCES, USERS, USERS_UI, Source

VERSION = "version"

Emit = Callable[[str, str, dict[str, str]], str]
"""Makes one emission from a row id, whether the row is there, and the row of each source that has part in it."""


def aggregate(events: dict[str, DataFrame], request: Request) -> DataFrame:
    """Union the valid events of both sources and keep, per userId, what the join needs."""
    sides = []
    for source in SOURCES:
        rows = [
            f"row as {other.name}" if other is source else f"cast(null as {row_type(other)}) as {other.name}"
            for other in SOURCES
        ]
        sides.append(events[source.name].selectExpr(KEY.name, f"'{source.name}' as source", "order", *rows))
    names = ", ".join(source.name for source in SOURCES)
    aggregates = [
        *(aggregate for source in SOURCES for aggregate in _shown(request, source).aggregates),
        f"count(1) as {VERSION}",
        f"last(struct(source, order, {names})) as {EVENT}",
    ]
    return sides[0].unionByName(sides[1]).groupBy(KEY.name).agg(*map(expr, aggregates))


def expand(state: DataFrame, request: Request, emit: Emit, *, live: bool) -> tuple[DataFrame, dict[str, str]]:
    """The state with what the emissions need, and an array of emissions for each table that has any."""
    users, accounts = _shown(request, USERS), _shown(request, ACCOUNTS)
    asof = request.join is JoinType.ASOF
    joined_accounts = replace(accounts, keep=Keep.ALL) if asof else accounts
    for side in dict.fromkeys((users, accounts, joined_accounts)):
        state = side.unfold(state)
    join = _Join(users, joined_accounts, emit, live=live, inner=request.join is JoinType.INNER)
    shown = ((USERS_UI, users), (ACCOUNTS_UI, accounts))
    emissions = {table.name: _table(side, emit, live=live) for table, side in shown if table != request.mirrored}
    joined = join.asof() if asof else join.with_newest() if accounts.keep is Keep.LATEST else join.with_all()
    return state, {**emissions, FINAL_UI.name: joined}


def cut(request: Request) -> str | None:
    """How many events of a userId the limit has cut off; None without a limit."""
    sides = [side for side in (_shown(request, source) for source in SOURCES) if side.history and side.limit]
    return " + ".join(side.cut for side in sides) if sides else None


def _shown(request: Request, source: Source) -> Kept:
    keep = request.keep_of(source.name)
    # An as-of join looks back, so it needs the history whatever is shown.
    history = keep is Keep.ALL or request.join is JoinType.ASOF
    return Kept(source, keep, history, request.keep_limit)


def _table(side: Kept, emit: Emit, *, live: bool) -> str:
    emission = emit("entry.id", "entry.alive", {side.source.name: "entry.row"})
    return f"transform({side.changed if live else side.entries}, entry -> {emission})"


@dataclass(frozen=True)
class _Join:
    """The rows of the joined table, by join type and by what is kept of the accounts."""

    users: Kept
    accounts: Kept
    emit: Emit
    live: bool
    inner: bool

    def with_newest(self) -> str:
        """One row per kept user; the newest account, or its absence, is part of it."""
        missing = f"size({self.accounts.rows}) = 0"
        alive = f"user.alive and not ({missing})" if self.inner else "user.alive"
        row = self._emit("user.id", alive, "user.row", f"get({self.accounts.rows}, 0).row")
        if self.live:
            by_user = self.users.changed
            if self.inner:
                by_user = f"case when {missing} then {self.users.no_entries} else {by_user} end"
            affected = f"case when size({self.accounts.changed}) > 0 then {self.users.rows} else {by_user} end"
        else:
            affected = self.users.entries
        return f"transform({affected}, user -> {row})"

    def with_all(self) -> str:
        """One row per pair of a kept user and a kept account; for a left join also users without any account."""
        row_id = "concat(user.id, '/', account.id)"
        pair = self._emit(row_id, "user.alive and account.alive", "user.row", "account.row")
        if self.live:
            crossed = [(self.users.changed, self.accounts.rows), (self.users.rows, self.accounts.changed)]
        else:
            crossed = [(self.users.entries, self.accounts.entries)]
        pairs = [
            f"flatten(transform({users}, user -> transform({accounts}, account -> {pair})))"
            for users, accounts in crossed
        ]
        return f"concat({', '.join(pairs if self.inner else [*pairs, self._unmatched()])})"

    def _unmatched(self) -> str:
        """Rows of users without any account: they go when the first account comes, and come back with the last gone."""
        none = f"size({self.accounts.rows}) = 0"
        row = self._emit(
            "concat(user.id, '/')",
            f"user.alive and {none}",
            "user.row",
            f"cast(null as {row_type(ACCOUNTS)})",
        )
        if self.live:
            first = f"{EVENT}.{ACCOUNTS.name} is not null and size({self.accounts.rows}) = 1"
            turned = f"size({self.accounts.changed}) > 0 and ({none} or {first})"
            affected = (
                f"case when {turned} then {self.users.rows} when {none} then {self.users.changed}"
                f" else {self.users.no_entries} end"
            )
        else:
            affected = self.users.entries
        return f"transform({affected}, user -> {row})"

    def asof(self) -> str:
        """One row per account event, with the newest user event at or before its timestamp."""
        known = (
            f"array_max(filter({self.users.history_events}, user -> user.order.timestamp <= account.order.timestamp))"
        )
        row = self._emit("account.id", "account.alive", f"{known}.row", "account.row")
        if self.live:
            learned = f"filter({self.accounts.rows}, account -> {known}.order = {EVENT}.order)"
            if self.users.limit:
                # Also those may have changed that knew the event which the limit has cut off.
                learned = self.accounts.rows
            affected = f"case when {EVENT}.source = '{USERS.name}' then {learned} else {self.accounts.changed} end"
        else:
            affected = self.accounts.entries
        return f"transform({affected}, account -> {row})"

    def _emit(self, row_id: str, alive: str, user: str, account: str) -> str:
        return self.emit(row_id, alive, {USERS.name: user, ACCOUNTS.name: account})

"""A generation: one build of the join, with its own queries, checkpoint and view topic.

Its life is data: the states, and the table of allowed moves with what each one means. docs/generations.md draws it and
tells an operator what to do in each state.
"""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from livejoin.schema import ACCOUNTS_UI, USERS_UI, Table
from livejoin.view_record import FORMAT


class JoinType(StrEnum):
    """How rows of the two sources are put together; docs/semantics.md explains each."""

    LEFT = "left"
    INNER = "inner"
    ASOF = "asof"


class Keep(StrEnum):
    """Which events of a source are rows: every one, or the newest of each key."""

    ALL = "all"
    LATEST = "latest"


class Start(StrEnum):
    """Where a generation begins to read its sources."""

    EARLIEST = "earliest"
    LATEST = "latest"


class State(StrEnum):
    """Where a generation is in its life."""

    REQUESTED = "requested"
    VALIDATED = "validated"
    BACKFILLING = "backfilling"
    LOADING = "loading"
    LIVE = "live"
    RECOVERING = "recovering"
    LINGERING = "lingering"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    FAILED = "failed"
    CLOSED = "closed"


_SUPERSEDED = {State.SUPERSEDED: "a newer request took its place"}
_FAILED = {State.FAILED: "it could not be built, or not in time"}
_CLOSED = {State.CLOSED: "nobody needs it any more"}

MOVES: dict[State, dict[State, str]] = {
    State.REQUESTED: {
        State.VALIDATED: "both topics are on the broker",
        State.REJECTED: "a topic is not on the broker, or no view topic became free in time",
        **_SUPERSEDED,
    },
    State.VALIDATED: {State.BACKFILLING: "its queries are started", **_SUPERSEDED, **_FAILED},
    State.BACKFILLING: {State.LOADING: "everything up to the noted ends is joined", **_SUPERSEDED, **_FAILED},
    State.LOADING: {State.LIVE: "its live queries run, and the tables flip to it", **_SUPERSEDED, **_FAILED},
    State.LIVE: {
        State.RECOVERING: "its queries have stopped and are being mended",
        State.LINGERING: "the tables flipped to another one",
        **_CLOSED,
    },
    State.RECOVERING: {
        State.LIVE: "its queries run again",
        State.LINGERING: "the tables flipped to another one",
        **_CLOSED,
    },
    State.LINGERING: {State.LIVE: "the tables flipped back to it", **_CLOSED},
    State.REJECTED: {},
    State.SUPERSEDED: {},
    State.FAILED: {},
    State.CLOSED: {},
}
"""Every allowed move, with what it means. A state without moves is the end: what is left of it is removed."""

BUILDING = frozenset({State.VALIDATED, State.BACKFILLING, State.LOADING})
"""It is being built beside the one that is shown."""
SHOWN = frozenset({State.LIVE, State.RECOVERING})
"""It is the one that the tables show."""
OVER = frozenset(state for state, moves in MOVES.items() if not moves)
"""Its queries are stopped; its topic and checkpoint are removed, and then its record."""


class IllegalMove(Exception):
    """A state change that the table of moves does not have: a defect of the caller, never of the input."""


class Request(BaseModel):
    """What a generation is asked to show. `keep_limit` bounds the events kept of a userId and source; 0 does not."""

    model_config = ConfigDict(frozen=True)

    users_topic: str
    accounts_topic: str
    join: JoinType = JoinType.LEFT
    keep_users: Keep = Keep.ALL
    keep_accounts: Keep = Keep.LATEST
    keep_limit: int = 0
    start: Start = Start.EARLIEST

    def topic_of(self, source: str) -> str:
        """The topic that carries the given source (`users` or `accounts`)."""
        return {"users": self.users_topic, "accounts": self.accounts_topic}[source]

    def keep_of(self, source: str) -> Keep:
        """What is kept of the given source (`users` or `accounts`)."""
        return {"users": self.keep_users, "accounts": self.keep_accounts}[source]

    @property
    def mirrored(self) -> Table | None:
        """The table whose rows are those of the joined one, with fewer columns: it is read there, and never written.

        A left join with the newest account has a row for each user row, and an as-of join one for each account event.
        """
        if self.join is JoinType.LEFT and self.keep_accounts is Keep.LATEST:
            return USERS_UI
        if self.join is JoinType.ASOF and self.keep_accounts is Keep.ALL:
            return ACCOUNTS_UI
        return None

    @property
    def choice(self) -> tuple[str, str, JoinType]:
        """The part that a control message chooses; the rest are settings."""
        return self.users_topic, self.accounts_topic, self.join

    def __str__(self) -> str:
        """For messages to people."""
        return f"{self.users_topic} and {self.accounts_topic}, {self.join}"


class Progress(BaseModel):
    """How far a backfill is: events done of the total, events per second, and the seconds that this leaves."""

    model_config = ConfigDict(frozen=True)

    done: int
    total: int
    rate: float = 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate; None while there is no rate to tell from."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None

    def __str__(self) -> str:
        """For messages to people."""
        text = f"{self.done:,} of {self.total:,} events"
        if self.seconds_left is not None:
            text += f", {self.rate:,.0f}/s, about {self.seconds_left:.0f} s left"
        return text


class Generation(BaseModel):
    """One record of the registry.

    `control` is the key in the control log of the message that asked for it; the settings ask for one without.
    `view_topic` is empty until one of the pool is taken for it. `view_format` tells how it is written
    (`view_record.FORMAT`); the first format had no number.
    `until` is when one that lingers is closed. `topic_ids` and `source_starts` are the topics that it was built from
    and where it began to read them. `source_ends` are the end offsets of each source that the last backfill has read up
    to, `view_ends` those of the view topic when it was complete: a table server that has loaded this far shows
    everything up to there.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    request: Request
    view_topic: str
    view_format: int = 1
    state: State = State.REQUESTED
    message: str = ""
    requested: datetime
    since: datetime
    until: datetime | None = None
    applied: datetime | None = None
    control: str | None = None
    topic_ids: dict[str, str] = {}
    source_starts: dict[str, dict[int, int]] = {}
    source_ends: dict[str, dict[int, int]] = {}
    view_ends: dict[int, int] = {}
    progress: Progress | None = None

    def move(self, to: State, *, why: str, now: datetime) -> "Generation":
        """The same generation in another state; whenever the tables flip to it, it counts as applied anew."""
        if to not in MOVES[self.state]:
            raise IllegalMove(f"generation {self.number}: {self.state} -> {to} ({why})")
        flipped = to is State.LIVE and self.state is not State.RECOVERING
        update = {"state": to, "message": why, "since": now, "until": None, "progress": None}
        return self.model_copy(update=update | ({"applied": now} if flipped else {}))

    @property
    def readable(self) -> bool:
        """Whether its view topic is written as this version of livejoin writes and reads them."""
        return self.view_format == FORMAT

    @property
    def story(self) -> str:
        """Its stage in words, for the person who waits for it."""
        detail = "; ".join(filter(None, (str(self.progress or ""), self.message)))
        return f"generation {self.number} ({self.request}) is {self.state}" + (f": {detail}" if detail else "")

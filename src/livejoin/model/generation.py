"""A generation: one build of the join, with its own queries, checkpoint and view topic.

Its life is data: the states, and the table of allowed moves with what each one means. docs/generations.md draws it and
tells an operator what to do in each state.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from livejoin.model.declaration import Declaration, Keep, Side


class JoinType(StrEnum):
    """How rows of the two sources are put together; docs/semantics.md explains each."""

    LEFT = "left"
    INNER = "inner"
    ASOF = "asof"


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
        State.REJECTED: "a topic is not on the broker, or no view topic or slots became free in time",
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


@dataclass(frozen=True, slots=True)
class Request:
    """What a generation is asked to show. `keep_limit` bounds the events kept of a key and source; 0 does not."""

    declaration: Declaration
    left_topic: str
    right_topic: str
    join: JoinType = JoinType.LEFT
    keep_limit: int = 0
    start: Start = Start.EARLIEST

    def topic_of(self, side: Side) -> str:
        """The topic that carries the source of that side."""
        return self.left_topic if side is Side.LEFT else self.right_topic

    @property
    def topics(self) -> dict[str, str]:
        """The topic of each source, by the name of the source."""
        return {self.declaration.source(side).name: self.topic_of(side) for side in Side}

    @property
    def mirrored(self) -> Side | None:
        """The source whose rows are those of the joined table: its table is read there, and never written.

        A left join with the newest of the right has a row for each row of the left, and an as-of join one for each
        event of the right.
        """
        right = self.declaration.right.keep
        if self.join is JoinType.LEFT and right is Keep.LATEST:
            return Side.LEFT
        if self.join is JoinType.ASOF and right is Keep.ALL:
            return Side.RIGHT
        return None

    @property
    def choice(self) -> tuple[str, str, JoinType]:
        """The part that a control message chooses; the rest are settings."""
        return self.left_topic, self.right_topic, self.join

    def __str__(self) -> str:
        """For messages to people."""
        return f"{self.left_topic} and {self.right_topic}, {self.join}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a backfill is: events done of the total, events per second, and the seconds that this leaves."""

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


@dataclass(frozen=True, slots=True)
class Generation:
    """One record of the registry.

    `control` is the key in the control log of the message that asked for it; the settings ask for one without.
    `view_topic` is empty until one of the pool is taken for it; `taken` is the epoch at which that was, and 0 where
    nobody else ever has the topic. `view_format` is the number of the format that it is
    written in; the first format had none. `state_format` is what its checkpoint keeps.
    `until` is when one that lingers is closed. `topic_ids` and `source_starts` are the topics that it was built from
    and where it began to read them. `source_ends` are the end offsets of each source that the last backfill has read up
    to, `view_ends` those of the view topic when it was complete: a table server that has loaded this far shows
    everything up to there.
    """

    number: int
    request: Request
    view_topic: str
    requested: datetime
    since: datetime
    view_format: int = 1
    state_format: str = ""
    taken: int = 0
    state: State = State.REQUESTED
    message: str = ""
    until: datetime | None = None
    applied: datetime | None = None
    control: str | None = None
    topic_ids: dict[str, str] = field(default_factory=dict)
    source_starts: dict[str, dict[int, int]] = field(default_factory=dict)
    source_ends: dict[str, dict[int, int]] = field(default_factory=dict)
    view_ends: dict[int, int] = field(default_factory=dict)
    progress: Progress | None = None

    def move(self, to: State, *, why: str, now: datetime) -> "Generation":
        """The same generation in another state; whenever the tables flip to it, it counts as applied anew."""
        if to not in MOVES[self.state]:
            raise IllegalMove(f"generation {self.number}: {self.state} -> {to} ({why})")
        flipped = to is State.LIVE and self.state is not State.RECOVERING
        applied = now if flipped else self.applied
        return replace(self, state=to, message=why, since=now, until=None, progress=None, applied=applied)

    @property
    def story(self) -> str:
        """Its stage in words, for the person who waits for it."""
        detail = "; ".join(filter(None, (str(self.progress or ""), self.message)))
        return f"generation {self.number} ({self.request}) is {self.state}" + (f": {detail}" if detail else "")

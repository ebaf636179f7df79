"""A generation: one build of the join, with its own query, checkpoint and view topic.

Its life is data: the states, and the table of allowed moves. Records of it are kept in the state topic, which is the
only truth about what is live; everything else is built from there after a crash.

    backfilling ──► live ◄──► recovering
         │           │            │
         └───────────┴────────────┴──► failed, closed
"""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

CURRENT_KEY = "current"
GENERATION_KEY_PREFIX = "generation/"


class JoinType(StrEnum):
    """How rows of the two sources are put together; docs/semantics.md explains each."""

    LEFT = "left"
    INNER = "inner"
    ASOF = "asof"


class Keep(StrEnum):
    """Which events of a source are rows: every one, or the newest of each key."""

    ALL = "all"
    LATEST = "latest"


class State(StrEnum):
    """Where a generation is in its life."""

    BACKFILLING = "backfilling"
    LIVE = "live"
    RECOVERING = "recovering"
    FAILED = "failed"
    CLOSED = "closed"


MOVES: dict[State, frozenset[State]] = {
    State.BACKFILLING: frozenset({State.LIVE, State.FAILED, State.CLOSED}),
    State.LIVE: frozenset({State.RECOVERING, State.FAILED, State.CLOSED}),
    State.RECOVERING: frozenset({State.LIVE, State.FAILED, State.CLOSED}),
    State.FAILED: frozenset({State.BACKFILLING, State.RECOVERING, State.CLOSED}),
    State.CLOSED: frozenset(),
}


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

    def topic_of(self, source: str) -> str:
        """The topic that carries the given source (`users` or `accounts`)."""
        return {"users": self.users_topic, "accounts": self.accounts_topic}[source]

    def keep_of(self, source: str) -> Keep:
        """What is kept of the given source (`users` or `accounts`)."""
        return {"users": self.keep_users, "accounts": self.keep_accounts}[source]


class Generation(BaseModel):
    """One record of the registry.

    `topic_ids` and `source_starts` are the topics that it was built from and their oldest offsets then. `source_ends`
    are the end offsets of each source that the last backfill has read up to, `view_ends` those of the view topic when
    it was complete: a table server that has loaded this far shows everything up to there.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    request: Request
    view_topic: str
    state: State = State.BACKFILLING
    message: str = ""
    since: datetime
    applied: datetime | None = None
    topic_ids: dict[str, str] = {}
    source_starts: dict[str, dict[int, int]] = {}
    source_ends: dict[str, dict[int, int]] = {}
    view_ends: dict[int, int] = {}

    def move(self, to: State, *, why: str, now: datetime) -> "Generation":
        """The same generation in another state; the first time it is live it counts as applied."""
        if to not in MOVES[self.state]:
            raise IllegalMove(f"generation {self.number}: {self.state} -> {to} ({why})")
        applied = now if to is State.LIVE and self.applied is None else self.applied
        return self.model_copy(update={"state": to, "message": why, "since": now, "applied": applied})


class Current(BaseModel):
    """The one record that decides which generation is shown: writing it is the flip."""

    model_config = ConfigDict(frozen=True)

    generation: int


class Registry:
    """The generations and the current one, as the records of the state topic tell, applied in order."""

    def __init__(self) -> None:
        self.generations: dict[int, Generation] = {}
        self.current: int | None = None

    def apply(self, key: str, value: bytes | None) -> None:
        """Take in one record; a record without a value forgets what its key names."""
        if key == CURRENT_KEY:
            self.current = Current.model_validate_json(value).generation if value else None
        elif key.startswith(GENERATION_KEY_PREFIX):
            number = int(key.removeprefix(GENERATION_KEY_PREFIX))
            if value is None:
                self.generations.pop(number, None)
            else:
                self.generations[number] = Generation.model_validate_json(value)

    @property
    def live(self) -> Generation | None:
        """The generation that the current record names."""
        return self.generations.get(self.current) if self.current is not None else None

    @property
    def next_number(self) -> int:
        """A number that no generation had before, as far as the registry remembers."""
        return max([*self.generations, self.current or 0]) + 1


def generation_key(number: int) -> str:
    """The state topic's key of that generation's record."""
    return f"{GENERATION_KEY_PREFIX}{number}"

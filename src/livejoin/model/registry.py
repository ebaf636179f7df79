"""The registry: which generations there are, and which one is shown.

Its records lie in the state topic, which is the only truth about swaps: whoever reads them in order, the pipeline after
a crash or any table server, comes to the same registry.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from livejoin.model.generation import BUILDING, Generation, Request, State


@dataclass(frozen=True, slots=True)
class Current:
    """Which generation is shown. Writing it is the flip, in one record, and the point of no return of a swap.

    `lingering` is the generation that was shown before and may be brought back until `until`; None where it is of no
    use any more.
    `control` is the key of the message that asked for a flip back, which no generation of its own remembers.
    """

    generation: int
    at: datetime
    lingering: int | None = None
    until: datetime | None = None
    why: str = ""
    control: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """What must outlive every generation.

    `last_number` is the highest number that was given: a number is never used twice, because topics, folders and
    table servers know a generation by it. `settings` is what the settings asked for when they were last obeyed.
    `control_id` and `control_next` tell which control topic was read, and where to go on. `control_topic` is its name
    as the settings have it, and `control_since` when they first had it: what was sent before that is not for livejoin.
    """

    last_number: int = 0
    settings: Request | None = None
    control_id: str = ""
    control_next: dict[int, int] = field(default_factory=dict)
    control_topic: str = ""
    control_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life of the pipeline, with what is wrong with it: component and words."""

    at: datetime
    problems: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Epoch:
    """Who writes, and the newest number that was given to something it runs.

    Numbers only rise, also from one writer to the next. Every start of a generation's queries takes one, and its rows
    carry it: of two rows, that of the later start counts, so what a pipeline writes that was replaced never wins.
    `released` tells that the writer has ended well, and nobody need wait whether it is heard of again.
    """

    number: int
    writer: str
    since: datetime
    released: bool = False


@dataclass(frozen=True, slots=True)
class Standby:
    """A sign of life of a pipeline that would take over from the one that writes."""

    name: str
    at: datetime


Record = Current | Ledger | Pulse | Epoch | Standby | Generation
"""What the registry is made of."""


class Registry:
    """The records of the state topic, applied in order."""

    def __init__(self) -> None:
        self.generations: dict[int, Generation] = {}
        self.current: Current | None = None
        self.ledger = Ledger()
        self.pulse: Pulse | None = None
        """The newest; None where the pipeline has never run."""
        self.epoch: Epoch | None = None
        """Who writes; None where nobody ever has."""
        self.standbys: dict[str, Standby] = {}
        """Who was heard of last as waiting, by name; some may be gone."""

    def take(self, record: Record) -> None:
        """Take in one record."""
        match record:
            case Current():
                self.flip(record)
            case Ledger():
                self.ledger = record
            case Pulse():
                self.pulse = record
            case Epoch():
                self.epoch = record
            case Standby():
                self.standbys[record.name] = record
            case Generation():
                self.generations[record.number] = record

    def forget(self, number: int) -> None:
        """There is no such generation any more."""
        self.generations.pop(number, None)

    def flip(self, current: Current) -> None:
        """Show another generation: both change their state by this one record, so no reader sees only half of it.

        After compaction the records before this one may be missing, so the states it starts from are not checked.
        """
        self.current = current
        shown = self.generations.get(current.generation)
        if shown is not None and shown.state is not State.LIVE:
            self.generations[shown.number] = replace(
                shown,
                state=State.LIVE,
                message=current.why,
                since=current.at,
                until=None,
                progress=None,
                applied=current.at,
            )
        before = self.generations.get(current.lingering) if current.lingering is not None else None
        if before is not None and before.state is not State.LINGERING:
            self.generations[before.number] = replace(
                before, state=State.LINGERING, message="", since=current.at, until=current.until
            )

    def copy(self) -> "Registry":
        """The registry as it is now; records are never changed, so they are shared."""
        copied = Registry()
        copied.generations, copied.current = dict(self.generations), self.current
        copied.ledger, copied.pulse, copied.epoch = self.ledger, self.pulse, self.epoch
        copied.standbys = dict(self.standbys)
        return copied

    @property
    def live(self) -> Generation | None:
        """The generation that is shown."""
        return self.generations.get(self.current.generation) if self.current is not None else None

    def in_state(self, *states: State) -> list[Generation]:
        """The generations in one of these states, by their number."""
        return [self.generations[number] for number in sorted(self.generations) if self.of(number).state in states]

    def of(self, number: int) -> Generation:
        """The generation of that number."""
        return self.generations[number]

    @property
    def building(self) -> Generation | None:
        """The generation that is being built; there is never more than one."""
        return next(iter(self.in_state(*BUILDING)), None)

    @property
    def next_number(self) -> int:
        """A number that no generation had before."""
        return max([self.ledger.last_number, *self.generations]) + 1

    @property
    def swap_story(self) -> str:
        """What is on its way beside the generation that is shown, in words; empty where nothing is."""
        coming = self.in_state(State.REQUESTED, *BUILDING)
        return "; ".join(generation.story for generation in coming)

"""The registry: which generations there are, and which one is shown.

Its records lie in the state topic, which is the only truth about swaps: whoever reads them in order, the pipeline after
a crash or any table server, comes to the same registry.
"""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from livejoin.generation import BUILDING, Generation, Request, State

CURRENT_KEY = "current"
LEDGER_KEY = "ledger"
PULSE_KEY = "pulse"
GENERATION_KEY_PREFIX = "generation/"


class Current(BaseModel):
    """Which generation is shown. Writing it is the flip, in one record, and the point of no return of a swap.

    `lingering` is the generation that was shown before and may be brought back until `until`; None where it is of no
    use any more.
    `control` is the key of the message that asked for a flip back, which no generation of its own remembers.
    """

    model_config = ConfigDict(frozen=True)

    generation: int
    lingering: int | None = None
    until: datetime | None = None
    at: datetime
    why: str = ""
    control: str | None = None


class Ledger(BaseModel):
    """What must outlive every generation.

    `last_number` is the highest number that was given: a number is never used twice, because topics, folders and
    table servers know a generation by it. `settings` is what the settings asked for when they were last obeyed.
    `control_id` and `control_next` tell which control topic was read, and where to go on. `control_topic` is its name
    as the settings have it, and `control_since` when they first had it: what was sent before that is not for livejoin.
    """

    model_config = ConfigDict(frozen=True)

    last_number: int = 0
    settings: Request | None = None
    control_id: str = ""
    control_next: dict[int, int] = {}
    control_topic: str = ""
    control_since: datetime | None = None


class Pulse(BaseModel):
    """A sign of life of the pipeline, with what is wrong with it: component and words."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    problems: dict[str, str] = {}


class Registry:
    """The records of the state topic, applied in order."""

    def __init__(self) -> None:
        self.generations: dict[int, Generation] = {}
        self.current: Current | None = None
        self.ledger = Ledger()
        self.pulse: Pulse | None = None
        """The newest; None where the pipeline has never run."""

    def apply(self, key: str, value: bytes | None) -> None:
        """Take in one record; a record without a value forgets what its key names."""
        if key == CURRENT_KEY:
            if value:
                self.flip(Current.model_validate_json(value))
        elif key == LEDGER_KEY:
            self.ledger = Ledger.model_validate_json(value) if value else Ledger()
        elif key == PULSE_KEY:
            self.pulse = Pulse.model_validate_json(value) if value else None
        elif key.startswith(GENERATION_KEY_PREFIX):
            number = int(key.removeprefix(GENERATION_KEY_PREFIX))
            if value is None:
                self.generations.pop(number, None)
            else:
                self.generations[number] = Generation.model_validate_json(value)

    def flip(self, current: Current) -> None:
        """Show another generation: both change their state by this one record, so no reader sees only half of it.

        After compaction the records before this one may be missing, so the states it starts from are not checked.
        """
        self.current = current
        shown = self.generations.get(current.generation)
        if shown is not None and shown.state is not State.LIVE:
            update = {"state": State.LIVE, "message": current.why, "since": current.at, "until": None, "progress": None}
            self.generations[shown.number] = shown.model_copy(update={**update, "applied": current.at})
        before = self.generations.get(current.lingering) if current.lingering is not None else None
        if before is not None and before.state is not State.LINGERING:
            update = {"state": State.LINGERING, "message": "", "since": current.at, "until": current.until}
            self.generations[before.number] = before.model_copy(update=update)

    def copy(self) -> "Registry":
        """The registry as it is now; records are never changed, so they are shared."""
        copied = Registry()
        copied.generations, copied.current = dict(self.generations), self.current
        copied.ledger, copied.pulse = self.ledger, self.pulse
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


def generation_key(number: int) -> str:
    """The state topic's key of that generation's record."""
    return f"{GENERATION_KEY_PREFIX}{number}"

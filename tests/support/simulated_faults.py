"""Which faults a simulated run has, and how likely each is: drawn from its seed."""

import random
from dataclasses import dataclass
from enum import Enum

from simulated_clients import Way


class Break(Enum):
    """What may happen to a process."""

    KILL = "killed"
    STOP = "told to stop"
    PAUSE = "paused"
    CUT = "cut off from the broker"
    CLOCK = "its clock is set"
    SPARK = "its Spark ends"


@dataclass(frozen=True)
class Faults:
    """Of one run. Many runs have few kinds of them, so that none hides the others.

    `crash` and `pause` are how likely either is at each step of a process that has a name; `query_death` that a query
    dies when it is looked at. With `share_data` all pipelines have one data folder. With `calm_beginning` faults wait
    for the first generation.
    """

    pipelines: int
    share_data: bool
    calm_beginning: bool
    seconds: float
    crash: float
    pause: float
    query_death: float
    breaks: tuple[Break, ...]
    break_topics: bool
    way: Way

    @classmethod
    def drawn(cls, chance: random.Random) -> "Faults":
        """Each of them none, rare or frequent."""
        return cls(
            pipelines=chance.choice((1, 1, 2, 2, 3)),
            share_data=chance.random() < 0.8,
            calm_beginning=chance.random() < 0.7,
            seconds=chance.choice((5.0, 15.0, 40.0)),
            crash=chance.choice((0.0, 0.01, 0.05)),
            pause=chance.choice((0.0, 0.01, 0.05)),
            query_death=chance.choice((0.0, 0.02, 0.2)),
            breaks=tuple(chance.sample([*Break], chance.choice((0, 1, 2, len(Break))))),
            break_topics=chance.random() < 0.5,
            way=Way(
                lost=chance.choice((0.0, 0.002, 0.01)),
                unanswered=chance.choice((0.0, 0.002, 0.02)),
                unanswered_commit=chance.choice((0.0, 0.01, 0.1)),
                late=chance.choice((0.0, 0.002, 0.01)),
                seconds=chance.choice((0.002, 0.02, 0.2, 0.5)),
            ),
        )

"""What everybody who takes part can do. Each is in a file of its own, with its settings shown in the results."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from contest.events import Pair, Row, Sent

COMPLETE_SECONDS = 600.0
POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Sighting:
    """Somebody has seen an event: when, in nanoseconds, and how many milliseconds after it was sent."""

    at: int
    delay: float


class WrongResult(AssertionError):
    """The joined table is not what was sent."""


class Contestant(ABC):
    """Joins a pair of topics. Who starts it stops it."""

    name: str
    seen_at: str
    """Where its rows are seen: what lies behind that place is not in its numbers."""
    settings: Mapping[str, str]

    @abstractmethod
    def start(self, bootstrap: str, pair: Pair, folder: Path) -> None:
        """Start what it needs, but for the broker; returns at once or when it can be asked for rows."""

    @abstractmethod
    def rows(self) -> dict[str, Row] | None:
        """The whole joined table; None while it cannot be asked yet."""

    @abstractmethod
    def watch(self, seconds: float) -> list[Sighting]:
        """Look at the keys that are looked at for so long, and return what was seen."""

    @abstractmethod
    def processes(self) -> list[psutil.Process]:
        """Its processes."""

    @abstractmethod
    def stop(self) -> None:
        """End everything."""

    def await_complete(self, sent: Sent) -> None:
        """Return when the table is what was sent; raises WrongResult where it does not become that."""
        wanted = sent.joined()
        deadline = time.monotonic() + COMPLETE_SECONDS
        while (found := self.rows()) != wanted:
            if time.monotonic() > deadline:
                raise WrongResult(f"{self.name}: {_difference(found or {}, wanted)}")
            time.sleep(POLL_SECONDS)

    def processor_seconds(self) -> float:
        """What its processes, and those that they had started, have used so far."""
        return sum(sum(process.cpu_times()[:4]) for process in self.processes())

    def memory(self) -> int:
        """The bytes that are its own, of all its processes: what they share counts once."""
        return sum(process.memory_full_info().pss for process in self.processes())


def below(*pids: int) -> list[psutil.Process]:
    """These processes and everything that they have started."""
    found = [psutil.Process(pid) for pid in pids]
    return [*found, *(child for one in found for child in one.children(recursive=True))]


def _difference(found: dict[str, Row], wanted: dict[str, Row]) -> str:
    wrong = [key for key in wanted if found.get(key) != wanted[key]]
    example = f"; {wrong[0]} is {found.get(wrong[0])}, not {wanted[wrong[0]]}" if wrong else ""
    return f"{len(wrong)} of {len(wanted)} rows are wrong, {len(found.keys() - wanted.keys())} too many{example}"

"""What one trial of the doctor has brought."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How it stands. Only a problem has to be dealt with before livejoin can run."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was tried, what was found and what to do, about one thing (`about`: a topic, an address, ...)."""

    verdict: Verdict
    about: str
    tried: str
    found: str
    do: str = ""
    check: str = ""
    """Which check it is of; whoever runs the checks fills it in."""

    def as_data(self) -> dict[str, str]:
        """For programs."""
        return {
            "check": self.check,
            "about": self.about,
            "verdict": self.verdict.value,
            "tried": self.tried,
            "found": self.found,
            "do": self.do,
        }


def ok(about: str, tried: str, found: str) -> Finding:
    """It is as it has to be."""
    return Finding(Verdict.OK, about, tried, found)


def warning(about: str, tried: str, found: str, do: str) -> Finding:
    """It works, and somebody should know."""
    return Finding(Verdict.WARNING, about, tried, found, do)


def problem(about: str, tried: str, found: str, do: str) -> Finding:
    """It does not work."""
    return Finding(Verdict.PROBLEM, about, tried, found, do)


def skipped(about: str, tried: str, found: str, do: str = "") -> Finding:
    """Nothing was found out, and `found` says why; `do` is what somebody may do all the same."""
    return Finding(Verdict.SKIPPED, about, tried, found, do)

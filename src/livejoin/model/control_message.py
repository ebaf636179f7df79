"""A control message: what it asks for, or why it cannot be understood, and its verdict."""

from dataclasses import dataclass
from enum import StrEnum

from livejoin.model.generation import JoinType


class Verdict(StrEnum):
    """What became of a control message; docs/generations.md tells what to do about each."""

    REJECTED = "rejected"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"
    APPLIED = "applied"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ControlMessage:
    """A message as far as it could be read. `problem` says why it is rejected; empty where it can be obeyed."""

    raw: str
    left_topic: str | None = None
    right_topic: str | None = None
    join: JoinType = JoinType.LEFT
    rollback: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ControlEntry:
    """One row of the control log. Without a verdict it is still being worked on."""

    left_topic: str | None
    right_topic: str | None
    join: str | None
    raw: str
    when: int
    verdict: Verdict | None = None
    reason: str = ""

    @classmethod
    def of(cls, message: ControlMessage, when: int) -> "ControlEntry":
        """The row of a message that has no verdict yet."""
        asks = message.left_topic is not None and not message.problem
        join = message.join.value if asks else None
        return cls(message.left_topic, message.right_topic, join, message.raw, when)

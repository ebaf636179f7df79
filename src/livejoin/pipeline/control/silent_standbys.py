"""Standbys that are not heard of any more: who was killed cannot take back what it has said of itself.

What counts is whether a record is another one than a while ago: the clocks of two machines are never compared.
"""

import time

import structlog

from livejoin.model.registry import Standby
from livejoin.pipeline.control.state_topic import StateTopic

LOOK_SECONDS = 60.0
"""A standby tells of itself every few seconds."""

log = structlog.get_logger()


class SilentStandbys:
    """Forgets them, now and then. Used by the writer's thread."""

    def __init__(self, state: StateTopic) -> None:
        self._state = state
        self._known: dict[str, Standby] = {}
        self._looked_at = time.monotonic()

    def forget(self) -> None:
        """Remove those that have said nothing since the last look; one that lives says so again in a moment."""
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        found = self._state.read().standbys
        for name, told in found.items():
            if self._known.get(name) == told:
                log.info("standby is not heard of any more", name=name)
                self._state.forget_standby(name)
        self._known, self._looked_at = found, time.monotonic()

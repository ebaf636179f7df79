"""When a table server, its engine and the pipeline behind it are not well."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from livejoin.model.registry import Pulse, Standby

STALLED_SECONDS = 5.0
"""How long an update cycle may take before the server is no longer healthy: rows stand still meanwhile."""
LOST_SECONDS = 60.0
"""How long it may take before only another process can help: one large sort takes many seconds, and then it goes on."""
SILENT_SECONDS = 15.0
"""How long nothing may be heard of the pipeline, which tells of itself every other second."""


def engine_problem(
    failed: Sequence[str], cycle_age: float, *, is_alive: bool, patience: float = STALLED_SECONDS
) -> str:
    """What is wrong with an engine, by the tables that it has given up and the age of its last update cycle."""
    if failed:
        return f"failed tables: {', '.join(failed)}"
    if cycle_age > patience:
        return f"the engine has not updated any table for {cycle_age:.0f} s"
    return "" if is_alive else "stopped"


class PipelineWatch:
    """Whether the pipeline is heard of. The registry's reader tells of heartbeats; any thread asks."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pulse: Pulse | None = None
        self._heard_at = clock()
        self._heard = datetime.now(UTC)
        self._standbys: dict[str, tuple[Standby, float]] = {}

    def hear(self, pulse: Pulse | None) -> None:
        """Take in the newest heartbeat that was read; one that was there before says nothing."""
        if pulse is not None and pulse != self._pulse:
            self._pulse, self._heard_at, self._heard = pulse, self._clock(), datetime.now(UTC)

    def hear_standbys(self, standbys: Mapping[str, Standby]) -> None:
        """Take in who was told of as standing by."""
        before, now = self._standbys, self._clock()
        self._standbys = {
            name: before[name] if name in before and before[name][0] == told else (told, now)
            for name, told in standbys.items()
        }

    @property
    def standbys(self) -> int:
        """How many pipelines stand by, of which was heard not long ago."""
        oldest = self._clock() - SILENT_SECONDS
        return sum(heard_at >= oldest for _, heard_at in self._standbys.values())

    @property
    def silence(self) -> str:
        """That it has not been heard of for too long, in words that stay the same meanwhile; else empty."""
        if self._clock() - self._heard_at < SILENT_SECONDS:
            return ""
        since = f"{self._heard.isoformat(timespec='seconds').replace('+00:00', 'Z')}"
        what_follows = "rows may stand still, and control messages are not obeyed"
        return f"the pipeline has not been heard of since {since}: {what_follows}"

    @property
    def problems(self) -> Mapping[str, str]:
        """What it said is wrong with it, each by the name of its component."""
        return self._pulse.problems if self._pulse is not None else {}

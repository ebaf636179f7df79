"""When an engine is not well."""

from collections.abc import Sequence

STALLED_SECONDS = 5.0
"""How long an update cycle may take before the server is no longer healthy: rows stand still meanwhile."""


def engine_problem(failed: Sequence[str], cycle_age: float, *, is_alive: bool) -> str:
    """What is wrong with an engine, by the tables that it has given up and the age of its last update cycle."""
    if failed:
        return f"failed tables: {', '.join(failed)}"
    if cycle_age > STALLED_SECONDS:
        return f"the engine has not updated any table for {cycle_age:.0f} s"
    return "" if is_alive else "stopped"

"""How long to wait before something is tried again."""

import random

JITTER = 0.2
"""By how much of itself a delay may be shorter, so that many who wait for the same do not come back at once."""


class Backoff:
    """Delays that double from the first to the longest, until `reset`."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = first
        self._longest = longest
        self._tries = 0

    def next(self) -> float:
        """The next delay in seconds."""
        delay = min(self._first * 2.0**self._tries, self._longest)
        # Beyond this the power only grows, and no delay with it.
        self._tries = min(self._tries + 1, 32)
        return delay * (1 - JITTER * random.random())  # noqa: S311  nothing secret depends on it

    def reset(self) -> None:
        """Begin with the first again: it went well."""
        self._tries = 0

"""Sessions: keys of people who have signed in, each for a while."""

import secrets
import time
from collections.abc import Callable

from livejoin.access.roles import Key, Visitor

MOST_SESSIONS = 10_000
"""At once. With one more, the oldest ends."""


class Sessions:
    """Makes session keys and knows them, by their digests, until they expire or somebody logs out.

    Lives on the event loop of the door. They are in memory: after a restart of the server, people sign in again.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._open: dict[bytes, tuple[float, Key]] = {}

    def open(self, visitor: Visitor) -> str:
        """A secret that lets this visitor in from now on. It is nowhere but in what this returns."""
        secret = secrets.token_urlsafe(32)
        key = Key.of(secret, visitor)
        self._forget()
        self._open[key.digest] = (self._clock() + self._seconds, key)
        return secret

    def find(self, digest: bytes) -> Key | None:
        """The key with this digest, while it holds."""
        until, key = self._open.get(digest, (0.0, None))
        return key if key is not None and self._clock() < until else None

    def end(self, key: Key) -> bool:
        """Let it hold no longer; whether it was one of these."""
        return self._open.pop(key.digest, None) is not None

    def _forget(self) -> None:
        """They are in the order in which they expire."""
        now = self._clock()
        while self._open:
            oldest = next(iter(self._open))
            if self._open[oldest][0] > now and len(self._open) < MOST_SESSIONS:
                return
            del self._open[oldest]

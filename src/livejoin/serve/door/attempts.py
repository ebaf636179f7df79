"""Sign-ins that are under way: what was sent with each, and the browser that it was begun in."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

ATTEMPT_SECONDS = 600.0
MOST_ATTEMPTS = 10_000
"""At once. With one more, the oldest is given up: who floods the server can disturb sign-ins, and fill no memory."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in. Nothing of it is to be shown or logged."""

    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    browser: str = field(repr=False)
    """What the browser keeps in a cookie. Without it, somebody could be signed in as somebody else by a link."""


class Attempts:
    """Remembers sign-ins until they come back, once, or are too old. Lives on the event loop of the door."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[bytes, tuple[float, Attempt]] = {}

    def begin(self) -> Attempt:
        """A new one."""
        self._forget()
        attempt = Attempt(*(secrets.token_urlsafe(32) for _ in range(4)))
        self._open[_digest(attempt.state)] = (self._clock() + ATTEMPT_SECONDS, attempt)
        return attempt

    def end(self, state: str, browser: str) -> Attempt | None:
        """The one that has come back, where it is known, not too old and of this browser. It is over in any case."""
        until, attempt = self._open.pop(_digest(state), (0.0, None))
        if attempt is None or self._clock() >= until:
            return None
        return attempt if hmac.compare_digest(_digest(attempt.browser), _digest(browser)) else None

    def _forget(self) -> None:
        """They are in the order in which they get too old."""
        now = self._clock()
        while self._open:
            oldest = next(iter(self._open))
            if self._open[oldest][0] > now and len(self._open) < MOST_ATTEMPTS:
                return
            del self._open[oldest]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

"""How often something may happen."""

import time
from collections.abc import Callable


class Bucket:
    """Lets through `rate` a second, and some more at once where little was asked for before."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self, many: int = 1) -> bool:
        """Whether that many more may pass now; all of them or none."""
        self._fill()
        if self._left < many:
            return False
        self._left -= many
        return True

    def queue(self) -> float:
        """After how many seconds one more may pass, which then has to: behind all who have asked before."""
        self._fill()
        self._left -= 1
        return max(0.0, -self._left / self._rate)

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now

"""What is wrong with the pipeline, by component: told once in the log, and in every heartbeat to the table servers."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from livejoin.errors import LivejoinError, NotAccepted, Refused, TopicMissing
from livejoin.model.registry import Pulse
from livejoin.process.backoff import Backoff
from livejoin.process.recurring import Recurring

FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 30.0
PULSE_SECONDS = 2.0


class Vitals:
    """One component's trouble does not keep the others from going on. Written by one thread, read by any."""

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}
        """What is wrong, in words; a component that is well is not in it. Replaced, never changed."""
        self._ailing: dict[str, _Ailing] = {}
        self._beat_at = 0.0
        self._beaten: dict[str, str] | None = None

    def due(self, component: str) -> bool:
        """Whether it is to be tried: what was refused is tried again later and later."""
        ailing = self._ailing.get(component)
        return ailing is None or time.monotonic() >= ailing.again_at

    @contextmanager
    def trying(self, component: str) -> Iterator[None]:
        """What is refused in this context is told, and goes no further; a broker that is gone concerns all of them."""
        try:
            yield
        except (Refused, NotAccepted, TopicMissing) as trouble:
            self.tell(component, trouble)
        else:
            self.over(component)

    def tell(self, component: str, trouble: LivejoinError) -> float:
        """Something is wrong there; returns the seconds until it should be tried again."""
        ailing = self._ailing.setdefault(component, _Ailing(component))
        self.problems = {**self.problems, component: trouble.in_words}
        return ailing.again(trouble.in_words)

    def over(self, component: str) -> None:
        """It is well."""
        ailing = self._ailing.pop(component, None)
        if ailing is not None:
            ailing.recurring.over()
            self.problems = {name: why for name, why in self.problems.items() if name != component}

    def tries(self, component: str) -> int:
        """How often it was tried in vain, in a row."""
        ailing = self._ailing.get(component)
        return ailing.recurring.times if ailing else 0

    def beat(self, write: Callable[[Pulse], None]) -> None:
        """Write a heartbeat, if one is due: now and then, and as soon as something else is wrong than before."""
        problems = self.problems
        if problems == self._beaten and time.monotonic() - self._beat_at < PULSE_SECONDS:
            return
        write(Pulse(at=datetime.now(UTC), problems=problems))
        self._beat_at, self._beaten = time.monotonic(), problems


class _Ailing:
    """A component that is not well."""

    def __init__(self, component: str) -> None:
        self.again_at = 0.0
        self.recurring = Recurring("not well", component=component)
        self._backoff = Backoff(FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS)

    def again(self, why: str) -> float:
        delay = self._backoff.next()
        self.again_at = time.monotonic() + delay
        self.recurring.tell(why)
        return delay

"""Trouble that comes again and again: told when it begins, changes and ends, and counted in between."""

import time

import structlog

REMIND_SECONDS = 600.0

log = structlog.get_logger()


class Recurring:
    """One kind of trouble, which whoever tries again tells each time. Used by one thread."""

    def __init__(self, event: str, **context: object) -> None:
        self._event = event
        self._context = context
        self._why = ""
        self.times = 0
        """How often it has come for the same reason."""
        self._began = 0.0
        self._told = 0.0

    def tell(self, why: str) -> None:
        """It has happened, for this reason: logged where the reason is another one, or after ten minutes again."""
        now = time.monotonic()
        self.times += 1
        if why == self._why and now - self._told < REMIND_SECONDS:
            return
        if why != self._why:
            self._why, self.times, self._began = why, 1, now
        self._told = now
        log.warning(self._event, why=why, times=self.times, seconds=round(now - self._began, 1), **self._context)

    def over(self) -> None:
        """It went well."""
        if self._why:
            seconds = round(time.monotonic() - self._began, 1)
            log.info(f"{self._event}: over", why=self._why, times=self.times, seconds=seconds, **self._context)
            self._why = ""

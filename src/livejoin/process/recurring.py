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

    def tell(self, why: str, error: BaseException | None = None) -> None:
        """It has happened, for this reason: logged where the reason is another one, or after ten minutes again.

        With an error that nobody has expected, the way to it is logged too.
        """
        now = time.monotonic()
        self.times += 1
        if why == self._why and now - self._told < REMIND_SECONDS:
            return
        if why != self._why:
            self._why, self.times, self._began = why, 1, now
        self._told = now
        told = {"why": why, "times": self.times, "seconds": round(now - self._began, 1), **self._context}
        if error is None:
            log.warning(self._event, **told)
        else:
            log.error(self._event, exc_info=error, **told)

    def unexpected(self, error: BaseException) -> None:
        """It has happened, by an error that nobody has expected."""
        self.tell(f"{type(error).__name__}: {error}", error)

    def over(self) -> None:
        """It went well."""
        if self._why:
            seconds = round(time.monotonic() - self._began, 1)
            log.info(f"{self._event}: over", why=self._why, times=self.times, seconds=seconds, **self._context)
            self._why = ""

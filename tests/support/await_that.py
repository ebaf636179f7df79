"""Waiting for a condition, in place of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

FIRST_PAUSE = 0.02
LONGEST_PAUSE = 0.25


def await_that(condition: Callable[[], T | None], *, timeout: float = 60.0) -> T:
    """The condition's first true value; an assertion that fails counts as not yet."""
    deadline = time.monotonic() + timeout
    pause = FIRST_PAUSE
    while True:
        try:
            if found := condition():
                return found
            reason: object = f"{found!r} is not true"
        except AssertionError as error:
            reason = error
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {timeout:.0f} s: {reason}")
        time.sleep(pause)
        # Looking costs processor time, which what is waited for could use.
        pause = min(pause * 1.5, LONGEST_PAUSE)

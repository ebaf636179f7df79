"""Waiting for a condition, in place of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def await_that(condition: Callable[[], T | None], *, timeout: float = 20.0) -> T:
    """The condition's first true value; an assertion that fails counts as not yet."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            if found := condition():
                return found
            reason: object = f"{found!r} is not true"
        except AssertionError as error:
            reason = error
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {timeout:.0f} s: {reason}")
        time.sleep(0.02)

"""Doing something at a steady pace in the background while something else is measured."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count


@contextmanager
def paced(seconds: float, act: Callable[[int], None]) -> Iterator[None]:
    """Call `act` with 1, 2, ... every so many seconds while the context lasts; what took too long is caught up."""
    stop = threading.Event()

    def run() -> None:
        due = time.monotonic()
        for turn in count(1):
            act(turn)
            due += seconds
            if stop.wait(max(0.0, due - time.monotonic())):
                return

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()

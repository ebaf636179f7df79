"""Work beside the main thread: what goes on until it is told to stop, and what is asked once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """Runs `_run` in a thread of its own, which ends soon after `stop`. Whoever makes it starts it, and stops it."""

    def __init__(self, name: str, kind: type[threading.Thread] = threading.Thread) -> None:
        self._stop = threading.Event()
        self._thread = kind(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> None:
        """Ask it to end; returns when it has ended or `timeout` seconds have passed."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    def _run(self) -> None:
        """What it does; returns when `self._stop` is set."""
        raise NotImplementedError


def begin(task: Callable[[], T]) -> Future[T]:
    """Do something in a thread of its own, which does not keep the process from ending if it never returns."""
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(task())
        except BaseException as error:  # noqa: BLE001  whatever it is, it belongs to whoever waits
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return outcome

"""A thread that goes on until it is told to stop."""

import threading


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

"""The end of the table server that all files of this folder have used."""

import time

from await_that import await_that
from table_server import Reader, ServeProcess


def test_nothing_failed_and_a_signal_ends_it_cleanly(served: ServeProcess, viewer: Reader) -> None:
    """After all of this every component is well; SIGTERM ends the process within 5 s with exit code 0."""
    health = await_that(lambda: h if (h := served.answer("healthz"))["ok"] else None)
    assert set(health["components"]) >= {"engine", "broker", "registry", "dead_letters", "control_raw"}
    assert viewer.status()["state"] == "live"
    began = time.monotonic()

    assert served.stop() == 0
    assert time.monotonic() - began < 5

"""Things break while somebody looks on: every frame that was painted is checked afterwards, and so is the end.

With `--faults`, so many things do, drawn from the seed of the run: `make nemesis` does that for half an hour.
"""

import random
import signal
import subprocess
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from await_that import await_that
from footprint import role
from frame_checker import FINAL, wrong_end, wrong_frames
from recorded_page import TABLES, RecordedPage, Sender, recorded
from up import Up, descendants

PAIRS = ("nx", "ny")
PEOPLE = 12
RATE = 40.0
BAD_EVENTS = 50
PAUSE_SECONDS = 8.0
HEAL_SECONDS = 120.0


class Nemesis:
    """Breaks one thing after the other, and waits until the page shows what was sent after it."""

    def __init__(self, up: Up, page: RecordedPage, sender: Sender) -> None:
        self.healed: list[str] = []
        """What was broken, and after how many seconds the page was right again."""
        self._up, self._page, self._sender = up, page, sender
        self._pair = PAIRS[0]

    @property
    def pair(self) -> str:
        """What the page should show."""
        return self._pair

    @property
    def faults(self) -> dict[str, Callable[[], None]]:
        """Everything that it knows, by name."""
        return {
            "swap": self._swap,
            "swap and kill the pipeline": lambda: self._swap_and(lambda: self._kill("pipeline")),
            "kill the pipeline": lambda: self._kill("pipeline"),
            "kill Spark": lambda: self._kill("spark"),
            "kill the table server": lambda: self._kill("serve"),
            "kill the broker": lambda: self._kill("broker"),
            "pause the pipeline": lambda: self._pause("pipeline"),
            "pause the table server": lambda: self._pause("serve"),
            "pause the broker": lambda: self._pause("broker"),
            "a flood of bad events": self._flood,
        }

    def strike(self, name: str) -> None:
        """Break something, and return when it has healed."""
        began = time.monotonic()
        self.faults[name]()
        broken = max(self._sender.history.sent[key][-1] for key in self._sender.history.sent)
        self._page.await_newer(self._pair, broken, HEAL_SECONDS)
        self.healed.append(f"{name}: {time.monotonic() - began:.1f} s")

    def _process(self, wanted: str) -> int:
        def found() -> int:
            return next(process.pid for process in descendants(self._up.process.pid) if role(process) == wanted)

        return await_that(found, timeout=HEAL_SECONDS)

    def _kill(self, wanted: str) -> None:
        subprocess.run(["/bin/kill", "-KILL", str(self._process(wanted))], check=True)

    def _pause(self, wanted: str) -> None:
        process = self._process(wanted)
        subprocess.run(["/bin/kill", f"-{signal.SIGSTOP.value}", str(process)], check=True)
        try:
            deadline = time.monotonic() + PAUSE_SECONDS
            while time.monotonic() < deadline:
                # Somebody looks on meanwhile.
                self._page.take()
        finally:
            subprocess.run(["/bin/kill", f"-{signal.SIGCONT.value}", str(process)], check=True)

    def _swap(self) -> None:
        self._swap_and(lambda: None)

    def _swap_and(self, then: Callable[[], None]) -> None:
        self._pair = PAIRS[1 - PAIRS.index(self._pair)]
        asked = self._up.command("swap", "--users", f"{self._pair}-users", "--accounts", f"{self._pair}-accounts")
        await_that(lambda: subprocess.run(asked, check=True, capture_output=True, timeout=60), timeout=HEAL_SECONDS)
        then()

    def _flood(self) -> None:
        for number in range(BAD_EVENTS):
            self._up.produce(f"{self._pair}-users", None, f"not an event {number}")


@pytest.mark.timeout(7200)
def test_no_frame_is_wrong_whatever_breaks(
    up: Up,
    browser: Browser,
    run_seed: int,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    """One generation in each frame, only what was sent, never back; in the end everything, and nothing else."""
    faults = request.config.getoption("--faults")
    if not faults:
        pytest.skip("for `make nemesis`")
    drawn = random.Random(run_seed)  # noqa: S311  not for secrets
    sender = Sender(up, PAIRS, PEOPLE, RATE, run_seed)
    sender.start()
    try:
        up.show(f"{PAIRS[0]}-users", f"{PAIRS[0]}-accounts")
        with recorded(up, browser, PAIRS[0]) as page:
            nemesis = Nemesis(up, page, sender)
            for name in drawn.choices([*nemesis.faults], k=faults):
                nemesis.strike(name)
            sender.stop()
            await_that(lambda: not wrong_end(nemesis.pair, tables(up), sender.history), timeout=HEAL_SECONDS)
            page.take()
            record_property("frames", f"{page.painted} painted, {len(page.frames)} different")
            record_property("healed", nemesis.healed)
            assert wrong_frames(page.frames, sender.history) == []
            assert len(page.frames) > len(nemesis.healed)
            assert page.frames[-1].tables[FINAL]
    finally:
        sender.stop()
    up.await_one_generation()


def tables(up: Up) -> dict[str, list[dict[str, object]]]:
    """The whole tables, as the door gives them."""
    return {table: up.livejoin("rows", table, "--limit", "100000") for table in TABLES}

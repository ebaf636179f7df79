"""What is measured of each contestant. After every phase its whole table is compared with what was sent."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from playwright.sync_api import sync_playwright

from chromium import CHROMIUM_FLAGS
from contest.contestant import Contestant, Sighting
from contest.events import WATCHED_PREFIX, Pair, Sender, Sent
from contest.livejoin_stack import TABLE, Livejoin
from contest.stage import Machine, Stage
from livejoin.access.keys import server_key

PAINTED = Path(__file__).with_name("painted.js").read_text(encoding="utf-8")
SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
HOT = 0.5
"""Of the events while somebody looks at a screen, which has few rows of all that there are."""


@dataclass
class Delays:
    """How late events were seen, in milliseconds."""

    seen: int
    percentiles: dict[str, float]
    longest: float
    all: list[float] = field(repr=False)

    @classmethod
    def of(cls, sightings: list[Sighting]) -> "Delays":
        """From what was seen."""
        ordered = sorted(sighting.delay for sighting in sightings)
        assert ordered, "nothing was seen"
        percentiles = {name: ordered[int(len(ordered) * share)] for name, share in SHARES.items()}
        return cls(len(ordered), percentiles, ordered[-1], [round(one, 1) for one in ordered])


@dataclass
class Measured:
    """One phase of one contestant."""

    phase: str
    seconds: float
    processor_seconds: float
    memory_mb: float
    others: float
    """How many processors were busy with something else."""
    delays: Delays | None = None
    events: int = 0

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def catching_up(contestant: Contestant, stage: Stage, pair: Pair, sent: Sent) -> Measured:
    """From the start of its processes to the complete table."""
    machine, began = Machine(), time.monotonic()
    contestant.start(stage.bootstrap, pair, stage.room("catching-up"))
    try:
        contestant.await_complete(sent)
        passed = time.monotonic() - began
        used, memory = contestant.processor_seconds(), contestant.memory()
        return Measured("catching up", passed, used, memory / 1e6, machine.others(), events=sent.events)
    finally:
        contestant.stop()


def live(
    contestant: Contestant,
    stage: Stage,
    pair: Pair,
    sent: Sent,
    rate: int,
    seconds: float,
    *,
    hot: float = 0.0,
    watch: Callable[[float], list[Sighting]] | None = None,
    phase: str = "",
) -> Measured:
    """Events at a steady rate, while somebody looks; `sent` is what was there before, and takes in what comes."""
    machine, used, began = Machine(), contestant.processor_seconds(), time.monotonic()
    sender = Sender(stage.bootstrap, pair, rate, seconds, hot)
    sightings = (watch or contestant.watch)(seconds + 1.0)
    passed, used = time.monotonic() - began, contestant.processor_seconds() - used
    later = sender.result()
    others, memory = machine.others(), contestant.memory()
    sent.take(later)
    contestant.await_complete(sent)
    name = phase or f"{rate} events/s"
    return Measured(name, passed, used, memory / 1e6, others, Delays.of(sightings), later.events)


def painted(contestant: Livejoin, stage: Stage, pair: Pair, sent: Sent, rate: int, seconds: float) -> Measured:
    """The same in a real Chromium on the same processors, up to the painted cell."""
    with sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{contestant.own.page_url}#key={server_key(contestant.own)}")
        grid = page.get_by_test_id(f"grid-{TABLE}")
        grid.get_by_role("gridcell").first.wait_for()
        grid.get_by_test_id("search").fill(f"{WATCHED_PREFIX}0")
        grid.get_by_role("gridcell", name=f"{WATCHED_PREFIX}0").first.wait_for()

        def watch(seconds: float) -> list[Sighting]:
            found = page.evaluate(PAINTED, {"grid": f"grid-{TABLE}", "seconds": seconds})
            return [Sighting(round(at * 1e6), delay) for at, delay in found]

        measured = live(
            contestant, stage, pair, sent, rate, seconds, hot=HOT, watch=watch, phase=f"painted, {rate} events/s"
        )
        browser.close()
        return measured

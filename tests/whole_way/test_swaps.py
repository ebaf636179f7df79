"""Topics are exchanged under an open page that shows all tables, while events flow; every frame is looked at.

`--swaps` sets how often and `--rate` how many events; `make bench` does it 100 times at 500 events per second.
"""

import getpass
import json
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from await_that import await_that
from footprint import await_no_more_threads, role, settled
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from terminal_window import TerminalWindow
from up import Up, descendants

PAIRS = ("a", "b", "c")
PEOPLE = 300
PAGE_MS = 60_000
SWAP_SECONDS = 120
BACK_SECONDS = 15
RECORDER = Path(__file__).parents[1] / "support/frames.js"
OPENS = '"do":"open"'


@dataclass
class Watched:
    """An open page, what its console complained about, and how often it asked the server for a table by name."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    fetches: int = 0

    def record(self) -> dict[str, Any]:
        """What the frames have shown."""
        found: dict[str, Any] = self.page.evaluate("window.frameRecord")
        return found

    def await_pair(self, pair: str) -> None:
        """Return when a whole frame shows that pair of topics."""
        # Playwright's own way of waiting would evaluate a string, which the page's security policy forbids.
        await_that(lambda: self.record()["pair"] == pair, timeout=PAGE_MS / 1000)

    def listen(self, socket: WebSocket) -> None:
        """Count requests for a table by its name."""

        def sent(payload: str | bytes) -> None:
            self.fetches += OPENS in str(payload)

        socket.on("framesent", sent)


@contextmanager
def watched(up: Up, browser: Browser, pair: str) -> Iterator[Watched]:
    """The page, open and recorded from the first frame that shows this pair on."""
    found = Watched(browser.new_page())
    page = found.page
    page.set_default_timeout(PAGE_MS)
    page.on("console", lambda said: found.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("websocket", found.listen)
    page.goto(up.url)
    for grid in ("users_ui", "accounts_ui", "final_ui"):
        cell = page.get_by_test_id(f"grid-{grid}").locator('[data-column="userId"]').first
        expect(cell).to_have_text(re.compile(f"{pair}-"), timeout=PAGE_MS)
    page.evaluate(RECORDER.read_text(encoding="utf-8"))
    try:
        yield found
    finally:
        page.close()


@pytest.fixture(scope="module")
def events(up: Up, request: pytest.FixtureRequest) -> Iterator[None]:
    """Three pairs of topics with people in them, and events for all of them that go on."""
    rate = request.config.getoption("--rate")
    cluster, stop = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap})), threading.Event()
    producer = cluster.producer(**{"linger.ms": 5})
    for pair in PAIRS:
        for source in ("users", "accounts"):
            cluster.ensure(f"{pair}-{source}")

    def send(pair: str, number: int, source: str) -> None:
        user = f"{pair}-{number % PEOPLE}"
        row = {"userId": user, "name": f"Name {number}"} if source == "users" else {"userId": user, "balance": number}
        producer.produce(f"{pair}-{source}", key=user, value=json.dumps(row))

    for pair in PAIRS:
        for number in range(PEOPLE):
            send(pair, number, "users")
            send(pair, number, "accounts")
    assert producer.flush(30) == 0

    def flow() -> None:
        began = time.monotonic()
        for sent in count():
            send(PAIRS[sent % len(PAIRS)], sent // len(PAIRS), "users" if sent % 10 == 0 else "accounts")
            producer.poll(0)
            if stop.wait(max(0.0, began + sent / rate - time.monotonic())):
                return

    thread = threading.Thread(target=flow)
    thread.start()
    yield
    stop.set()
    thread.join()


def control(up: Up, verb: str, *arguments: str) -> tuple[int, str]:
    """Exit code and last line of a command that waits for its verdict, as an operator gives it."""
    command = up.command(verb, *arguments, "--wait")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SWAP_SECONDS)
    assert done.stdout, done.stderr
    return done.returncode, done.stdout.splitlines()[-1]


def topics_of(pair: str) -> list[str]:
    """The options that name a pair."""
    return ["--users", f"{pair}-users", "--accounts", f"{pair}-accounts"]


def swap(up: Up, pair: str) -> None:
    """Exchange the topics, unless it is this pair that is live."""
    code, said = control(up, "swap", *topics_of(pair))
    assert code == 0, said


@pytest.mark.usefixtures("events")
def test_the_commands_tell_the_verdict_and_exit_by_it(up: Up) -> None:
    """0 applied or unchanged, 2 rejected; a rollback brings back what lingers, and only that."""
    swap(up, "a")
    before = up.deployment.live_number
    assert control(up, "swap", *topics_of("a")) == (0, f"unchanged: generation {before}, which is live, shows this")
    code, said = control(up, "swap", *topics_of("nowhere"))
    assert (code, said) == (
        2,
        "rejected: the broker has no topic 'nowhere-users' and no topic 'nowhere-accounts': "
        "create it, or name one that exists",
    )
    swap(up, "b")
    assert control(up, "rollback") == (0, f"applied: generation {before} is live again")
    up.await_one_generation()
    code, said = control(up, "rollback")
    assert (code, said) == (2, "rejected: no generation lingers: there is nothing to roll back to")
    newest = up.livejoin("rows", "control_raw")[-6:]
    verdicts = [row["verdict"] for row in newest]
    assert verdicts == ["applied", "unchanged", "rejected", "applied", "applied", "rejected"]
    assert {json.loads(row["raw"])["by"] for row in newest} == {getpass.getuser()}


@pytest.mark.usefixtures("events")
@pytest.mark.timeout(3600)
def test_no_frame_is_wrong_while_topics_are_exchanged(
    up: Up, browser: Browser, request: pytest.FixtureRequest, record_property: Any
) -> None:
    """Never empty, never mixed, no error in the console, no table fetched again; nothing is left of the old ones."""
    swaps = request.config.getoption("--swaps")
    order = cycle(("b", "c", "a"))
    # What the first swaps of a process load and compile, it keeps.
    for pair in ("a", "b", "a"):
        swap(up, pair)
    before = settled(up)
    with watched(up, browser, "a") as page:
        fetched = page.fetches
        for pair in islice(order, swaps):
            swap(up, pair)
            page.await_pair(pair)
        record = page.record()
        assert record["counts"] == {"empty": 0, "mixed": 0, "torn": 0}, record["wrong"]
        assert record["changes"] == swaps + 1
        assert page.complaints == []
        assert fetched > 0
        assert page.fetches == fetched
    # Spark keeps the Kafka clients of a generation that is gone for some seconds.
    await_no_more_threads(up, before)
    after = settled(up)
    record_property("frames", record["frames"])
    record_property("before", str(before))
    record_property("after", str(after))
    assert (len(after.topics), len(after.checkpoints)) == (len(before.topics), len(before.checkpoints)) == (1, 1)
    for name in ("spark", "serve"):
        # The rows of the pairs grow with the events in between, which is little beside a generation that is not freed.
        assert after.live_bytes[name] <= before.live_bytes[name] * 1.3 + 20_000_000, (before, after)


@pytest.mark.usefixtures("events")
def test_a_table_server_that_dies_is_back_within_fifteen_seconds(up: Up, browser: Browser) -> None:
    """Whatever it died of, its memory for instance: the page has live rows again, and was never empty."""
    swap(up, "a")
    with watched(up, browser, "a") as page:
        grid = page.page.get_by_test_id("grid-final_ui")
        expect(grid).to_have_attribute("data-state", "live")
        next(process for process in descendants(up.process.pid) if role(process) == "serve").kill()
        died = time.monotonic()
        expect(grid).to_have_attribute("data-state", "stale")
        expect(grid).to_have_attribute("data-state", "live", timeout=BACK_SECONDS * 1_000)
        assert time.monotonic() - died < BACK_SECONDS
        record = page.record()
    assert record["counts"] == {"empty": 0, "mixed": 0, "torn": 0}, record["wrong"]


@pytest.mark.usefixtures("events")
def test_no_frame_is_wrong_while_the_table_server_is_restarted(up: Up, browser: Browser) -> None:
    """The last good rows stay while the server is gone, also where a swap happens meanwhile."""
    swap(up, "a")
    with watched(up, browser, "a") as page, closing(TerminalWindow(up.command("status", "--watch"))) as terminal:
        swap(up, "b")
        page.await_pair("b")
        await_that(lambda: re.search(r"usersTopic +b-users", terminal.seen), timeout=30)
        server = next(process for process in descendants(up.process.pid) if role(process) == "serve")
        server.kill()
        await_that(lambda: "waiting for it" in terminal.seen, timeout=30)
        swap(up, "c")
        page.await_pair("c")
        record = page.record()
        await_that(lambda: re.search(r"usersTopic +c-users", terminal.seen), timeout=60)
        assert terminal.interrupt() == 0
    assert record["counts"] == {"empty": 0, "mixed": 0, "torn": 0}, record["wrong"]

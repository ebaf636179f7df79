"""The browser hub in a real Chromium against a real table server: healing, sharing, flips, and what stays behind.

The table server, the browser and the applications are started or built once. The page is ours; `stage` is an
application of somebody else, with the packed library and zone.js; `ten lines` is the first example of docs/angular.md.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from await_that import await_that
from conftest import free_ports
from hub_application import WEB, Application, served
from livejoin.generation import Generation
from livejoin.key import server_key
from livejoin.registry import CURRENT_KEY, Current
from livejoin.settings import Settings
from relay import Relay
from table_server import NOW, Pipeline, ServeProcess, reader

PAGE_MS = 30_000
ROWS = 300
OWNED = ("BarrageMessageProducer$Subscription", "SessionState$ExportObject")
"""What a viewport is for the server. (The producers behind them go with the server's next metrics, within a minute.)"""


@dataclass
class Stand:
    """The table server of these tests, which can be ended and started again at the same ports."""

    settings: Settings
    log: Path
    process: ServeProcess = field(init=False)

    def start(self) -> None:
        """Start the server; its tables are there some seconds later."""
        self.process = ServeProcess(self.settings, self.log)

    @property
    def pid(self) -> int:
        """Of the process that serves."""
        return self.process.process.pid

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self.process.process.kill()
        self.process.process.wait()

    def objects(self) -> Counter[str]:
        """How many objects that matter here are alive in the server, after a garbage collection."""
        jcmd = shutil.which("jcmd")
        assert jcmd, "no jcmd: install a JDK, as `make test` says"
        told = subprocess.run([jcmd, str(self.pid), "GC.class_histogram"], capture_output=True, text=True, check=True)
        found = re.findall(r"^\s*\d+:\s+(\d+)\s+\d+\s+io\.deephaven\.\S*\.([\w$]+)", told.stdout, re.MULTILINE)
        return Counter({name: int(count) for count, name in found if name in OWNED})


@pytest.fixture(scope="module")
def stand(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """A table server that has just been started: nobody has waited for its tables."""
    folder = tmp_path_factory.mktemp("hub")
    server_port, web_port = free_ports(2)
    settings = broker.model_copy(
        update={
            "data_dir": folder / "data",
            "topics": broker.topics.model_copy(update={"prefix": "hub-test"}),
            "server": broker.server.model_copy(update={"port": server_port, "heap": "800m"}),
            "web": broker.web.model_copy(update={"port": web_port}),
        }
    )
    made = Stand(settings, folder / "serve.log")
    made.start()
    yield made
    if made.process.process.poll() is None:
        made.process.process.send_signal(signal.SIGCONT)
        made.kill()


@dataclass
class Watched:
    """A page with what it wrote into the console."""

    page: Page
    lines: list[str] = field(default_factory=list)
    """Of the hub: one per change of state."""
    complaints: list[str] = field(default_factory=list)
    """Errors of scripts. What the browser says of connections that cannot be made is not one."""


def watched(page: Page) -> Watched:
    """Follow a page from its beginning."""
    page.set_default_timeout(PAGE_MS)
    made = Watched(page)

    def said(message: Any) -> None:
        if message.text.startswith("livejoin "):
            made.lines.append(message.text)
        elif message.type == "error" and not re.search(r"net::|WebSocket", message.text):
            made.complaints.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    return made


@pytest.fixture(scope="module")
def operator(stand: Stand, browser: Browser) -> Iterator[Watched]:
    """Our page, opened while the table server still starts, and left open for all tests."""
    await_that(lambda: b"page is served" in stand.log.read_bytes())
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    made = watched(page)
    page.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    yield made
    assert not made.complaints, made.complaints


@pytest.fixture(scope="module")
def application() -> Application:
    """An application with the packed library."""
    return Application(WEB / "dist/application")


@pytest.fixture(scope="module")
def stage(application: Application) -> Iterator[str]:
    """Where `stage` is served."""
    with served(application.build("stage")) as url:
        yield url


@pytest.fixture(scope="module")
def generations(stand: Stand, operator: Watched) -> dict[int, Generation]:
    """Generations of different sizes, the first of them live; every userId names its generation."""
    assert operator
    stand.process.await_tables()
    pipeline = Pipeline(stand.settings)
    pipeline.create_topics()
    made = {}
    for number, rows in ((1, ROWS), (2, ROWS), (3, 3 * ROWS), (4, ROWS // 2)):
        generation = made[number] = pipeline.open(number)
        for user in range(rows):
            _fill(pipeline, generation, user)
    for number in (4, 3, 2, 1):
        made[number] = pipeline.go_live(made[number])
    with reader(stand.settings) as viewer:
        viewer.await_generation(1)
    return made


def _fill(pipeline: Pipeline, generation: Generation, user: int) -> None:
    key = {"userId": f"g{generation.number}-{user:04}"}
    person = {"name": f"n{user}", "email": "", "age": 2**53 + 1 if user == 0 else user}
    account = {"accountType": "gold", "balance": float(user)}
    pipeline.upsert(generation, "users_ui", str(user), 1, **key, **person)
    pipeline.upsert(generation, "accounts_ui", str(user), 1, **key, **account)
    pipeline.upsert(generation, "final_ui", str(user), 1, **key, **person, **account)


def is_live(operator: Watched) -> None:
    """Everything on the page is fresh, now or soon."""
    for name in ("users_ui", "accounts_ui", "final_ui"):
        grid = operator.page.get_by_test_id(f"grid-{name}")
        expect(grid).to_have_attribute("data-state", "live", timeout=60_000)
        expect(grid.get_by_role("gridcell").first).to_be_visible()


def test_a_page_that_is_opened_before_there_are_tables_shows_them_when_they_come(
    operator: Watched, generations: dict[int, Generation]
) -> None:
    """Nobody reloads: login and tables are tried until they are there, with one line per change of state."""
    assert generations
    is_live(operator)
    states = [re.sub(r":.*", "", line.removeprefix("livejoin ")) for line in operator.lines if "connection" in line]
    assert states[0] == "connection"
    assert operator.lines[-1].endswith("-> live")
    assert len(operator.lines) <= 12, operator.lines


def test_integers_beyond_what_a_number_holds_are_exact(operator: Watched, generations: dict[int, Generation]) -> None:
    """2^53 + 1 reaches the cell as it is in Kafka."""
    assert generations
    grid = operator.page.get_by_test_id("grid-users_ui")
    grid.get_by_label("First page").click()
    cell = grid.get_by_role("row").filter(has_text="g1-0000").locator('[data-column="age"]')
    expect(cell).to_have_text("9,007,199,254,740,993")


RECORD = """() => {
  const frames = { painted: 0, seen: [] };
  window.recorded = frames;
  let last = '';
  const look = () => {
    const shown = ['users_ui', 'accounts_ui', 'final_ui'].map((name) => {
      const grid = `[data-testid="grid-${name}"]`;
      const cells = [...document.querySelectorAll(`${grid} [role=gridcell][data-column=userId]`)];
      const missing = document.querySelectorAll(`${grid} [role=gridcell].waiting`).length;
      const generations = new Set(cells.map((cell) => cell.textContent.trim().split('-')[0]));
      return [...generations, ...(cells.length === 0 ? ['empty'] : []), ...(missing ? ['missing'] : [])].join(' ');
    });
    const status = document.querySelectorAll('[data-testid=status-strip] dd')[1].textContent.trim();
    const frame = [...shown, `g${status}`].join(', ');
    frames.painted += 1;
    if (frame !== last) frames.seen.push(frame);
    last = frame;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def test_fifty_flips_are_fifty_frames(stand: Stand, operator: Watched, generations: dict[int, Generation]) -> None:
    """In no painted frame is a grid empty, a cell missing, or one table of another generation than the others."""
    pipeline = Pipeline(stand.settings)
    order = [(2, 3, 4, 1)[turn % 4] for turn in range(50)]
    before = list(operator.lines)
    operator.page.evaluate(RECORD)
    with reader(stand.settings) as viewer:
        for number in order:
            current = Current(generation=generations[number].number, at=NOW).model_dump_json().encode()
            pipeline.send(pipeline.topics.state, CURRENT_KEY, current)
            pipeline.flush()
            viewer.await_generation(number)
            expect(operator.page.get_by_test_id("status-strip")).to_contain_text(f"Generation{number}")
    recorded = operator.page.evaluate("() => window.recorded")

    torn = [frame for frame in recorded["seen"] if len(set(frame.split(", "))) > 1]
    assert not torn
    assert [frame.split(", ")[0] for frame in recorded["seen"][-50:]] == [f"g{number}" for number in order]
    assert recorded["painted"] > 100
    # The handles have lived through all of it.
    assert operator.lines == before


def enter(browser: Browser, stage: str, url: str, key: str) -> Watched:
    """The stage, logged in."""
    made = watched(browser.new_page())
    made.page.goto(f"{stage}?url={url}")
    made.page.evaluate("(key) => window.stage.connect(key)", key)
    expect(made.page.locator("#connection")).not_to_have_text(re.compile("idle|connecting"), timeout=PAGE_MS)
    return made


@pytest.fixture
def guest(stand: Stand, browser: Browser, stage: str, generations: dict[int, Generation]) -> Iterator[Watched]:
    """The stage, logged in at the table server, with nothing on it."""
    assert generations
    made = enter(browser, stage, stand.settings.server_url, server_key(stand.settings))
    expect(made.page.locator("#connection")).to_have_text("live")
    yield made
    made.page.close()
    assert not made.complaints, made.complaints


def test_a_wrong_key_is_refused_once_and_not_tried_again(stand: Stand, browser: Browser, stage: str) -> None:
    """Three lines in the console: idle, connecting, refused, however long one waits."""
    stranger = enter(browser, stage, stand.settings.server_url, "not the key")
    expect(stranger.page.locator("#connection")).to_have_text("refused")
    stranger.page.wait_for_timeout(1_500)
    assert [line.partition(": ")[2].partition(":")[0] for line in stranger.lines] == [
        "idle -> connecting",
        "connecting -> refused",
    ]
    stranger.page.close()


def test_every_documented_way_shows_live_rows(guest: Watched) -> None:
    """The component, signals with sort and filter, a CDK table and AG Grid, in an application with zone.js."""
    page = guest.page
    page.evaluate("() => window.stage.show('table', 'signals', 'cdk', 'ag-grid')")
    expect(page.locator("lj-live-table [data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
    expect(page.locator("lj-live-table [role=status]")).to_have_text(re.compile(r"^\d+ rows$"))
    expect(page.locator(".user")).to_have_count(20)
    expect(page.locator(".user").first).to_have_text(re.compile(r"g\d-\d+ · \d+"))
    richest = page.locator(".user").first.inner_text()
    page.locator("app-rich-users button").click()
    expect(page.locator(".user").first).to_have_text(re.compile(r"· 11$"))
    assert not richest.endswith("· 11")
    expect(page.locator("td.cdk-column-userId").nth(99)).to_have_text(re.compile(r"g\d-0099"))
    expect(page.locator(".ag-row[row-index='0'] .ag-cell[col-id=userId]")).to_have_text(re.compile(r"g\d-0000"))


def test_live_rows_do_not_make_zone_js_check_the_application(
    stand: Stand, guest: Watched, generations: dict[int, Generation]
) -> None:
    """Updates of a table that nothing on the screen reads cost no change detection."""
    page = guest.page
    page.evaluate("() => window.stage.watch(1)")
    expect(page.locator(".watcher")).to_have_text(re.compile(r"g\d-0000"))
    before = page.evaluate("() => window.stage.checks()")
    page.wait_for_timeout(1_500)
    assert page.evaluate("() => window.stage.checks()") - before <= 3
    assert stand.pid
    assert generations


def test_fifty_components_are_one_viewport_for_the_server(stand: Stand, guest: Watched) -> None:
    """The server has as many subscriptions and exports with fifty as with one."""

    def cost(count: int) -> Counter[str]:
        guest.page.evaluate("(count) => window.stage.watch(count)", count)
        expect(guest.page.locator(".watcher")).to_have_count(count)
        expect(guest.page.locator(".watcher").last).to_have_text(re.compile(r"g\d-0000"))
        return stand.objects()

    nobody = stand.objects()
    one, fifty = cost(1), cost(50)
    assert one["BarrageMessageProducer$Subscription"] == nobody["BarrageMessageProducer$Subscription"] + 1
    assert fifty == one


MOUNT = """async (times) => {
  const until = async (isSo) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  for (let time = 0; time < times; time += 1) {
    window.stage.watch(1);
    await until(() => document.querySelector('.watcher')?.textContent);
    window.stage.watch(0);
    // Longer than the linger, so that every mount is one of its own on the server.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}"""


def test_two_hundred_mounts_leave_nothing_on_the_server(stand: Stand, guest: Watched) -> None:
    """The server has no more exports and subscriptions after 200 mounts and unmounts than before."""
    guest.page.evaluate(MOUNT, 1)
    before = stand.objects()
    guest.page.evaluate(MOUNT, 200)
    await_that(lambda: _is_no_more(stand.objects(), before), timeout=10.0)


def _is_no_more(now: Counter[str], before: Counter[str]) -> bool:
    assert all(now[name] <= before[name] for name in OWNED), (now, before)
    return True


def test_a_network_that_is_gone_is_noticed_and_healed(
    stand: Stand, browser: Browser, stage: str, generations: dict[int, Generation]
) -> None:
    """Offline, and the wire cut without a word: the rows stay and say that they are old; online, they are fresh."""
    assert generations
    with Relay(stand.settings.server.port) as wire:
        guest = enter(browser, stage, wire.url, server_key(stand.settings))
        guest.page.evaluate("() => window.stage.show('table')")
        cell = guest.page.locator("lj-live-table [data-column=userId]").first
        expect(cell).to_have_text(re.compile(r"g\d-0000"))
        wire.cut()
        guest.page.context.set_offline(True)
        state = guest.page.locator("lj-live-table [role=status]")
        expect(state).to_have_attribute("data-state", "stale", timeout=10_000)
        expect(cell).to_have_text(re.compile(r"g\d-0000"))
        wire.mend()
        guest.page.context.set_offline(False)
        expect(state).to_have_attribute("data-state", "live", timeout=10_000)
        assert [line for line in guest.lines if "connection: live -> reconnecting" in line] == [
            "livejoin connection: live -> reconnecting: The table server does not answer."
        ]
        guest.page.close()


def test_a_server_that_is_stopped_and_continued_is_noticed_and_healed(stand: Stand, operator: Watched) -> None:
    """SIGSTOP for 15 s: nobody closes a connection, and yet the page says that its rows are old, and heals."""
    is_live(operator)
    began = time.monotonic()
    os.kill(stand.pid, signal.SIGSTOP)
    try:
        grid = operator.page.get_by_test_id("grid-final_ui")
        expect(grid).to_have_attribute("data-state", "stale", timeout=14_000)
        assert grid.get_by_role("gridcell").count() > 0
        time.sleep(max(0.0, 15 - (time.monotonic() - began)))
    finally:
        os.kill(stand.pid, signal.SIGCONT)
    is_live(operator)


def test_a_server_that_is_killed_and_started_again_brings_the_same_rows_back(
    stand: Stand, operator: Watched, generations: dict[int, Generation]
) -> None:
    """The rows stay through the outage, the place in the table too, and one line tells of each change of state."""
    assert generations
    grid = operator.page.get_by_test_id("grid-final_ui")
    grid.get_by_label("First page").click()
    grid.get_by_label("Next page").click()
    first: Callable[[], str] = lambda: grid.locator("[role=gridcell][data-column=userId]").first.inner_text()  # noqa: E731
    expect(grid.locator("[role=gridcell]").first).to_be_visible()
    place, before = first(), len(operator.lines)
    stand.kill()
    expect(grid).to_have_attribute("data-state", "stale")
    assert first() == place
    stand.start()
    is_live(operator)
    assert first() == place
    changes = [line for line in operator.lines[before:] if "connection" in line]
    assert len(changes) <= 6, changes
    assert changes[-1].endswith("-> live")


def test_ten_lines_show_a_live_table(
    stand: Stand, browser: Browser, application: Application, generations: dict[int, Generation]
) -> None:
    """An empty Angular 20.3 application with the example of the documentation shows the rows of final_ui."""
    assert generations
    settings = stand.settings
    application.replace("src/main.ts", url=settings.server_url, key=server_key(settings))
    lines = (application.folder / "src/main.ts").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 10
    with served(application.build("ten-lines")) as url:
        made = watched(browser.new_page())
        made.page.goto(url)
        expect(made.page.locator("[role=gridcell][data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
        assert not made.complaints, made.complaints
        made.page.close()

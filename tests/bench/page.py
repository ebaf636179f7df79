"""What the page costs a browser: a large table that changes while somebody scrolls. The table in docs/page.md.

    PYTHONPATH=tests/support .venv/bin/python tests/bench/page.py
        [--rows 1000000] [--rate 1000] [--seconds 60] [--minutes 0]

Starts a broker and a table server of its own in a temporary folder and a real Chromium with the built page (`make up`
builds it). `--minutes` keeps the page open afterwards and tells how its heap grows.
"""

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import CDPSession, Page, sync_playwright

from chromium import CHROMIUM_FLAGS
from hub import say, table_server
from hub_application import WEB
from livejoin.access.keys import server_key
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation
from livejoin.settings.settings import Settings
from pace import paced
from table_server import Pipeline, reader

LIMIT_KB = 300
TABLES = ("users_ui", "accounts_ui", "final_ui")

METER = """() => {
  window.meter = { frames: [], tasks: [] };
  let last = performance.now();
  const frame = (now) => {
    window.meter.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.meter.tasks.push(duration);
  }).observe({ type: 'longtask' });
}"""

LISTEN = """() => {
  window.painted = null;
  let isWaiting = false;
  let isChanged = false;
  const afterPaint = (run) => {
    // What a message channel brings comes after the frame that is being made is painted.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { channel.port1.close(); run(performance.now()); };
      channel.port2.postMessage(null);
    });
  };
  const watch = (since, frame) => {
    afterPaint((now) => {
      if (isChanged) window.painted?.push([now - since, frame]);
      if (isChanged || frame === 3) isWaiting = false;
      else watch(since, frame + 1);
    });
  };
  const Real = window.WebSocket;
  window.WebSocket = class extends Real {
    constructor(...asked) {
      super(...asked);
      this.addEventListener('message', ({ data }) => {
        if (window.painted === null || isWaiting || !String(data).includes('"is":"rows"')) return;
        isWaiting = true;
        isChanged = false;
        watch(performance.now(), 1);
      });
    }
  };
  window.listenToTables = () => {
    window.painted = [];
    const change = () => { isChanged = true; };
    for (const grid of document.querySelectorAll('[role=grid]')) {
      new MutationObserver(change).observe(grid, { characterData: true, childList: true, subtree: true });
    }
  };
}"""
"""From a message of the server to the paint that shows it, and in which frame after it that is."""

SCROLL = """(seconds) => new Promise((done) => {
  const grid = document.querySelector('[data-testid=grid-final_ui] [role=grid]');
  const end = performance.now() + seconds * 1000;
  const step = (now) => {
    const wheel = { deltaY: 90, bubbles: true, cancelable: true };
    // Where a pixel of the scroll bar is one of the rows, the browser would scroll by itself.
    if (grid.dispatchEvent(new WheelEvent('wheel', wheel))) grid.scrollTop += wheel.deltaY;
    if (now < end) requestAnimationFrame(step); else done();
  };
  grid.scrollTop = grid.scrollHeight / 3;
  requestAnimationFrame(step);
})"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rate", type=int, default=1_000, help="changed rows per second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--minutes", type=float, default=0.0, help="how long the heap is watched afterwards")
    options = parser.parse_args()
    bundle()
    with (
        tempfile.TemporaryDirectory() as folder,
        table_server(Path(folder), heap="4g") as (settings, _),
        sync_playwright() as playwright,
    ):
        pipeline, generation = filled(settings, options.rows)
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(f"({LISTEN})()")
        page.goto(f"{settings.page_url}#key={server_key(settings)}")
        for table in TABLES:
            page.get_by_test_id(f"grid-{table}").get_by_role("gridcell").first.wait_for()
        tools = page.context.new_cdp_session(page)
        with changing(pipeline, generation, options.rows, options.rate):
            painting(page, options.seconds)
            scrolling(page, tools, options.seconds)
            if options.minutes:
                growing(page, tools, options.minutes)
        browser.close()


def bundle() -> None:
    """The size of what a browser loads from the page, compressed."""
    files = [*(WEB / "dist/page/browser").glob("*.js"), *(WEB / "dist/page/browser").glob("*.css")]
    assert files, "the page is not built"
    size = sum(len(gzip.compress(file.read_bytes())) for file in files) / 1_000
    say(f"bundle {size:.0f} kB compressed, {LIMIT_KB} are allowed")
    if size > LIMIT_KB:
        sys.exit(1)


def filled(settings: Settings, rows: int) -> tuple[Pipeline, Generation]:
    """A live generation with that many rows in each table."""
    pipeline = Pipeline(settings)
    pipeline.create_topics()
    generation = pipeline.open(declaration=DEFAULT)
    began = time.monotonic()
    for user in range(rows):
        write(pipeline, generation, user, version=1)
        if user % 5_000 == 0:
            pipeline.flush()
    pipeline.go_live(generation)
    with reader(settings) as viewer:
        viewer.await_generation(generation.number)
    say(f"{rows} rows in each table after {time.monotonic() - began:.0f} s")
    return pipeline, generation


def write(pipeline: Pipeline, generation: Generation, user: int, *, version: int) -> None:
    """Set the rows of one person; the balance is another one with each version."""
    key = {"userId": f"u{user:07}"}
    person = {"name": f"Person {user}", "email": f"{user}@example.org", "age": 20 + user % 60}
    account = {"accountType": "gold", "balance": float(version % 1_000_000) / 8}
    pipeline.upsert(generation, "accounts_ui", str(user), version, **key, **account)
    pipeline.upsert(generation, "final_ui", str(user), version, **key, **person, **account)


def changing(pipeline: Pipeline, generation: Generation, rows: int, rate: int) -> AbstractContextManager[None]:
    """Change rows all over the tables, and those at their ends, at that rate while the context lasts."""
    step = 0.05

    def change(turn: int) -> None:
        version = time.time_ns() // 1_000
        for number in range(round(rate * step)):
            # One in ten is among the newest rows, where people look.
            user = rows - 1 - number % 40 if number % 10 == 0 else (turn * 7919 + number * 104_729) % rows
            write(pipeline, generation, user, version=version)
        pipeline.flush()

    return paced(step, change)


def painting(page: Page, seconds: float) -> None:
    """How long rows that have come are not seen, while all three tables follow their newest rows."""
    page.wait_for_timeout(3_000)
    page.evaluate("() => window.listenToTables()")
    page.wait_for_timeout(seconds * 1_000)
    painted: list[tuple[float, int]] = page.evaluate("() => window.painted")
    times = sorted(time for time, _ in painted)
    p50, p95, p99 = (times[int(len(times) * share)] for share in (0.5, 0.95, 0.99))
    first = sum(frame == 1 for _, frame in painted) / len(painted)
    say("| messages | to paint p50, ms | p95, ms | p99, ms | in the first frame |")
    say("| --- | --- | --- | --- | --- |")
    say(f"| {len(painted):,} | {p50:.1f} | {p95:.1f} | {p99:.1f} | {first:.1%} |")
    say("")


def scrolling(page: Page, tools: CDPSession, seconds: float) -> None:
    """Frames and long tasks while the joined table is scrolled, all three are visible and change."""
    page.wait_for_timeout(3_000)
    page.evaluate(METER)
    page.evaluate(SCROLL, seconds)
    meter: dict[str, list[float]] = page.evaluate("() => window.meter")
    frames, tasks = sorted(meter["frames"]), meter["tasks"]
    say("| frames per second | frame p50, ms | p95, ms | p99, ms | long tasks over 50 ms | over 100 ms | heap, MB |")
    say("| --- | --- | --- | --- | --- | --- | --- |")
    p50, p95, p99 = (frames[int(len(frames) * share)] for share in (0.5, 0.95, 0.99))
    long = sum(task > 100 for task in tasks)
    per_second = 1_000 / statistics.fmean(frames)
    heap = heap_mb(tools)
    say(f"| {per_second:.0f} | {p50:.1f} | {p95:.1f} | {p99:.1f} | {len(tasks)} | {long} | {heap:.0f} |")


def growing(page: Page, tools: CDPSession, minutes: float) -> None:
    """The heap, once a minute."""
    say("")
    say("| minute | heap, MB |")
    say("| --- | --- |")
    for minute in range(1, round(minutes) + 1):
        page.wait_for_timeout(60_000)
        say(f"| {minute} | {heap_mb(tools):.1f} |")


def heap_mb(tools: CDPSession) -> float:
    """What is left of the JavaScript heap after a collection."""
    tools.send("HeapProfiler.collectGarbage")
    used: float = tools.send("Runtime.getHeapUsage")["usedSize"]
    return used / 1e6


if __name__ == "__main__":
    main()

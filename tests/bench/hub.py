"""What the browser hub costs: observers of one table, and many changed cells. The tables in docs/angular.md.

    make packages && PYTHONPATH=tests/support .venv/bin/python tests/bench/hub.py [--seconds 8]

Starts a broker and a table server of its own in a temporary folder and a real Chromium, and builds the application of
the tests with the packed library.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median

import psutil
from playwright.sync_api import Page, sync_playwright

from chromium import CHROMIUM_FLAGS
from hub_application import WEB, Application, served
from livejoin.access.keys import server_key
from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.model.generation import Generation
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from pace import paced
from ports import broker_ports, free_ports
from relay import Relay
from table_server import Pipeline, ServeProcess, reader

ROWS = 500
OBSERVERS = (1, 10, 50)
TURNS = 3
WARM_UP_MS = 15_000
CELLS_PER_ROW = 5
RATES = (10_000, 20_000)

LONG_TASKS = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
}"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    seconds = parser.parse_args().seconds
    application = Application(WEB / "dist/application")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(application.build("stage"), (port := free_ports(1)[0])) as stage,
        table_server(Path(folder), origins=[f"http://127.0.0.1:{port}"]) as (settings, server),
        Relay(settings.web.port) as wire,
        sync_playwright() as playwright,
    ):
        pipeline = Pipeline(settings)
        pipeline.create_topics()
        generation = pipeline.open()
        write_rows(pipeline, generation, range(ROWS), version=1)
        pipeline.go_live(generation)
        with reader(settings) as viewer:
            viewer.await_generation(1)
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        page.goto(f"{stage}?url={wire.url}")
        page.evaluate("(key) => window.stage.connect(key)", server_key(settings))
        observers(page, pipeline, generation, wire, server, seconds)
        changed_cells(page, pipeline, generation, seconds)
        browser.close()


def observers(
    page: Page, pipeline: Pipeline, generation: Generation, wire: Relay, server: psutil.Process, seconds: float
) -> None:
    """The same 500 changed rows per second, watched by one, ten and fifty observers, in turns.

    In turns, because a JVM gets faster for minutes: who is measured last would seem to cost least.
    """
    rates: dict[int, list[float]] = {number: [] for number in OBSERVERS}
    loads: dict[int, list[float]] = {number: [] for number in OBSERVERS}
    with writing(pipeline, generation, rows_per_second=500):
        page.wait_for_timeout(WARM_UP_MS)
        for _ in range(TURNS):
            for number in OBSERVERS:
                page.evaluate("(number) => window.stage.watch(number)", number)
                page.locator(".watcher").nth(number - 1).wait_for()
                page.wait_for_timeout(1_000)
                sent, used, began = wire.bytes, cpu(server), time.monotonic()
                page.wait_for_timeout(seconds * 1_000)
                passed = time.monotonic() - began
                rates[number].append((wire.bytes - sent) / passed / 1_000)
                loads[number].append((cpu(server) - used) / passed)
    page.evaluate("() => window.stage.watch(0)")
    say("| observers of one table | kB per second on the wire | of one | table server, cores | of one |")
    say("| --- | --- | --- | --- | --- |")
    for number in OBSERVERS:
        rate, load = median(rates[number]), median(loads[number])
        of_one = rate / median(rates[1]), load / median(loads[1])
        say(f"| {number} | {rate:.1f} | {of_one[0]:.2f} | {load:.2f} | {of_one[1]:.2f} |")


def changed_cells(page: Page, pipeline: Pipeline, generation: Generation, seconds: float) -> None:
    """A window of 500 rows, all of them changing, beside a table that draws the first of them."""
    say("")
    say("| changed cells per second | delivered per second | long tasks over 50 ms | longest, ms |")
    say("| --- | --- | --- | --- |")
    page.evaluate("() => window.stage.show('meter', 'table')")
    page.locator("lj-live-table [role=gridcell]").first.wait_for()
    for rate in RATES:
        with writing(pipeline, generation, rows_per_second=rate // CELLS_PER_ROW):
            page.wait_for_timeout(2_000)
            page.evaluate(LONG_TASKS)
            before = page.evaluate("() => window.stage.changed()")
            page.wait_for_timeout(seconds * 1_000)
            delivered = (page.evaluate("() => window.stage.changed()") - before) / seconds
            tasks: list[float] = page.evaluate("() => window.longTasks")
        say(f"| {rate} | {delivered:.0f} | {len(tasks)} | {max(tasks, default=0):.0f} |")


def writing(pipeline: Pipeline, generation: Generation, *, rows_per_second: int) -> AbstractContextManager[None]:
    """Change rows at that rate while the context lasts."""
    step = 0.02
    batch = round(rows_per_second * step)

    def write(turn: int) -> None:
        users = ((turn * batch + number) % ROWS for number in range(batch))
        write_rows(pipeline, generation, users, version=time.time_ns() // 1_000)

    return paced(step, write)


def write_rows(pipeline: Pipeline, generation: Generation, users: Iterator[int] | range, *, version: int) -> None:
    """Set rows in which every cell but the key is another one than before."""
    for user in users:
        key = {"userId": f"u{user:04}"}
        person = {"name": f"n{version}", "email": f"{version}@example.org", "age": version}
        account = {"accountType": f"t{version}", "balance": float(version)}
        pipeline.upsert(generation, "users_ui", str(user), version, **key, **person)
        pipeline.upsert(generation, "final_ui", str(user), version, **key, **person, **account)
    pipeline.flush()


@contextmanager
def table_server(
    folder: Path, *, heap: str = "800m", origins: Sequence[str] = ()
) -> Iterator[tuple[Settings, psutil.Process]]:
    """A broker and a table server, both of which end with the context."""
    [web] = free_ports(1)
    own = load_settings(
        None,
        {
            "data_dir": folder / "data",
            "broker": broker_ports(),
            "server": {"heap": heap},
            "web": {"port": web, "origins": list(origins)},
        },
    )
    broker = Child("broker", EmbeddedKafka(own).prepare(), folder / "broker.log")
    broker.start()
    Cluster(own.kafka_client).wait_until_reachable(60.0)
    settings = load_settings(None, {**own.model_dump(exclude={"kafka"}), "kafka": own.kafka_client.librdkafka()})
    serve = ServeProcess(settings, folder / "serve.log")
    try:
        serve.await_tables()
        yield settings, psutil.Process(serve.process.pid)
    finally:
        serve.kill()
        broker.stop()


def cpu(process: psutil.Process) -> float:
    """Seconds that a process has computed."""
    times = process.cpu_times()
    return float(times.user + times.system)


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

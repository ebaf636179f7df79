"""The door beside Deephaven's own server, in one process and over the same table: what the door costs or saves.

    PYTHONPATH=tests/support .venv/bin/python tests/bench/two_ways.py [--seconds 8] [--rate 1000] [--viewers 1,10,100]

A process of its own has one engine with both in front of it. Rows are changed at a steady rate, each with the time of
its change in it; viewers in a real Chromium, each with a connection of its own, look at the first hundred rows either
way, in turns. Told are the milliseconds from the change to the viewer's JavaScript, and the processors that the server
takes.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Error, Page, sync_playwright

from chromium import CHROMIUM_FLAGS
from hub import cpu, say
from livejoin.access.keys import server_key
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import free_ports

ROOT = Path(__file__).parents[2]
ROWS = 500
SEEN = 100
STEP = 0.005
TURNS = 3

VIEWERS = """
async ({ way, url, key, viewers, seconds, seen }) => {
  const late = [];
  let isMeasured = false;
  const tell = (micros) => {
    if (isMeasured) late.push(performance.timeOrigin + performance.now() - Number(micros) / 1_000);
  };
  const closers = [];
  const byDoor = () => new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}tables`);
    const say = (message) => socket.send(JSON.stringify(message));
    closers.push(() => socket.close());
    socket.onerror = reject;
    socket.onopen = () => say({ do: 'login', key });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.is === 'welcome') say({ do: 'open', view: 1, table: 'rows' });
      if (message.is === 'opened') say({ do: 'look', view: 1, look: 1, first: 0, last: seen - 1 });
      if (message.is !== 'rows') return;
      resolve();
      for (const { at, rows } of message.changes) if (at !== undefined) for (const row of rows) tell(row[1]);
    };
  });
  const byDeephaven = async () => {
    const api = (await import(`${url}/jsapi/dh-core.js`)).default;
    const client = new api.CoreClient(url);
    await client.login({ type: api.CoreClient.LOGIN_TYPE_ANONYMOUS });
    closers.push(() => client.disconnect());
    const connection = await client.getAsIdeConnection();
    const table = await connection.getObject({ name: 'rows', type: 'Table' });
    const column = table.findColumn('changed');
    const before = new Map();
    const first = new Promise((resolve) => {
      table.addEventListener(api.Table.EVENT_UPDATED, ({ detail }) => {
        resolve();
        detail.rows.forEach((row, index) => {
          const value = String(row.get(column));
          if (before.get(index) !== value) tell(value);
          before.set(index, value);
        });
      });
    });
    table.setViewport(0, seen - 1, table.columns, 20);
    await first;
  };
  for (let viewer = 0; viewer < viewers; viewer += 1) await (way === 'door' ? byDoor() : byDeephaven());
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  isMeasured = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  isMeasured = false;
  for (const close of closers) close();
  late.sort((a, b) => a - b);
  const at = (share) => late[Math.min(late.length - 1, Math.floor(late.length * share))];
  return { count: late.length, p50: at(0.5), p99: at(0.99), max: late.at(-1) };
}
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--viewers", default="1,10,100")
    parser.add_argument("--only", choices=["Deephaven's own", "door"])
    asked = parser.parse_args()
    port, web_port = free_ports(2)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        options = [folder, str(port), str(web_port), str(asked.rate)]
        command = [sys.executable, "-c", "from two_ways import serve; serve()", *options]
        with Path(folder, "log").open("wb") as log:
            path = os.pathsep.join(str(ROOT / folder) for folder in ("tests/support", "tests/bench"))
            environment = {**os.environ, "PYTHONPATH": path}
            process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout
            assert any(line == "ready\n" for line in process.stdout), Path(folder, "log").read_text()
            program = os.environ.get("CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
            settings = _settings(Path(folder), web_port)
            both = {"Deephaven's own": f"http://127.0.0.1:{port}", "door": settings.page_url}
            ways = {asked.only: both[asked.only]} if asked.only else both
            measure(browser.new_page, ways, server_key(settings), psutil.Process(process.pid), asked)
            browser.close()
        finally:
            process.kill()
            process.wait()


def measure(new_page: Any, ways: dict[str, str], key: str, server: psutil.Process, asked: argparse.Namespace) -> None:
    """Both ways in turns, for each number of viewers."""
    say("| viewers | way | p50 ms | p99 ms | longest ms | cells told per second | server, cores |")
    say("| --- | --- | --- | --- | --- | --- | --- |")
    for viewers in (int(number) for number in asked.viewers.split(",")):
        for turn in range(TURNS):
            for way, url in ways.items():
                page = new_page()
                try:
                    found, cores = watched(page, url, way, key, viewers, asked.seconds, server)
                except Error as problem:
                    say(f"| {viewers} | {way} | {problem.message.splitlines()[0]} |")
                    continue
                finally:
                    page.close()
                if turn > 0:
                    rate = found["count"] / asked.seconds
                    times = " | ".join(f"{found[name]:.1f}" for name in ("p50", "p99", "max"))
                    say(f"| {viewers} | {way} | {times} | {rate:.0f} | {cores:.2f} |")


def watched(
    page: Page, url: str, way: str, key: str, viewers: int, seconds: float, server: psutil.Process
) -> tuple[dict[str, Any], float]:
    """What the viewers saw, and what the server took meanwhile."""
    page.goto(f"{url}/healthz" if way == "door" else f"{url}/jsapi/dh-internal.js")
    used, began = cpu(server), time.monotonic()
    name = "door" if way == "door" else "deephaven"
    given = {"way": name, "url": url, "key": key, "viewers": viewers, "seconds": seconds, "seen": SEEN}
    found: dict[str, Any] = page.evaluate(VIEWERS, given)
    return found, (cpu(server) - used) / (time.monotonic() - began)


def serve() -> None:
    """Run in the process: an engine with both servers, and rows that change."""
    folder, port, web_port, rate = sys.argv[1:]
    settings = _settings(Path(folder), int(web_port))
    from deephaven_server import Server, start_jvm

    jar = ROOT / "src/livejoin/serve/engine/java/lookout.jar"
    start_jvm.start_jvm(
        jvm_args=["-Xmx1g", "-DAuthHandlers=io.deephaven.auth.AnonymousAuthenticationHandler"],
        jvm_properties={
            **start_jvm.DEFAULT_JVM_PROPERTIES,
            "PeriodicUpdateGraph.targetCycleDurationMillis": "20",
            "barrage.minUpdateInterval": "20",
            "http.host": "127.0.0.1",
        },
        extra_classpath=[str(jar)],
    )
    Server(host="127.0.0.1", port=int(port)).start()
    import jpy  # type: ignore[import-not-found]  # a C module without stubs
    from deephaven import dtypes, input_table, new_table
    from deephaven.column import long_col

    from livejoin.http.health import Health
    from livejoin.http.server import listen
    from livejoin.model.column import ColumnType, Kind
    from livejoin.model.default_declaration import DEFAULT
    from livejoin.model.table import Table, TableColumn
    from livejoin.serve.door.catalogue import Served
    from livejoin.serve.engine.engine import Engine
    from livejoin.serve.engine.exports import Exports
    from livejoin.serve.engine.lookout import LookedAt
    from livejoin.serve.http.web import Web

    context = jpy.get_type("io.deephaven.engine.context.ExecutionContext").getContext()
    engine = Engine(0.02, context.getUpdateGraph(), context.getOperationInitializer())
    rows = input_table(col_defs={"row": dtypes.int64, "changed": dtypes.int64}, key_cols="row")
    rows.add(new_table([long_col("row", list(range(ROWS))), long_col("changed", [0] * ROWS)]))
    vars(sys.modules["__main__"])["rows"] = rows
    web = Web(settings, listen("127.0.0.1", settings.web.port), Health)
    web.start()
    status = new_table([long_col("generation", [1])])
    exports, long = Exports(engine, web.door), ColumnType(Kind.LONG)
    followed = exports.follow(status)
    of_rows = Table("rows", tuple(TableColumn(name, long, name) for name in ("row", "changed")))
    of_status = Table("orchestrator_status", (TableColumn("generation", long, "generation"),))
    served = ((of_rows, rows), (of_status, status))
    exports.serve(DEFAULT, [Served(table, LookedAt(found, followed)) for table, found in served])
    sys.__stdout__.write("ready\n")  # type: ignore[union-attr]  # it is there
    sys.__stdout__.flush()  # type: ignore[union-attr]
    due, batch = time.monotonic(), max(1, round(int(rate) * STEP))
    choose = random.Random(1)  # noqa: S311  any rows will do
    while True:
        changed = choose.sample(range(ROWS), batch)
        now = time.time_ns() // 1_000
        rows.add_async(new_table([long_col("row", changed), long_col("changed", [now] * batch)]))
        due += STEP
        time.sleep(max(0.0, due - time.monotonic()))


def _settings(folder: Path, web_port: int) -> Settings:
    return load_settings(None, {"data_dir": folder / "data", "web": {"port": web_port}})


if __name__ == "__main__":
    main()

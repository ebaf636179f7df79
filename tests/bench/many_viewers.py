"""What many viewers cost: how late rows are for one, ten and a hundred of them, and what the table server takes.

    PYTHONPATH=tests/support .venv/bin/python tests/bench/many_viewers.py [--seconds 8] [--viewers 1,10,100] [--turns 3]

Starts a broker and a real `livejoin serve` of its own in a temporary folder, changes rows in the view topic, and looks
at them over WebSockets from another process: all at the same view, or each at one of their own (with another filter,
for which all rows hold). A row is as late as the time from being handed to Kafka's client to being read from the
viewer's socket. One and a hundred take turns, so what is to be read is the ratio: numbers of a busy machine are what
they are.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from hub import cpu, say, table_server
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from livejoin.settings.settings import Settings
from pace import paced
from table_server import Pipeline, reader

ROWS = 10_000
SEEN = 100
"""The first rows, which are those that change."""
STEP = 0.005
WARM_UP_SECONDS = 10.0
TABLE = "users_ui"
SAME, DIFFERENT = "the same view", "different views"
SHOWN = ("p50", "p99", "longest", "worst p50")

Found = dict[str, float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--viewers", default="1,10,100")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--warm-up", type=float, default=WARM_UP_SECONDS)
    asked = parser.parse_args()
    numbers = [int(number) for number in asked.viewers.split(",")]
    with tempfile.TemporaryDirectory() as folder, table_server(Path(folder)) as (settings, server):
        pipeline = Pipeline(settings)
        pipeline.create_topics()
        generation = pipeline.open()
        for row in range(ROWS):
            _write(pipeline, generation, row, version=1)
        pipeline.go_live(generation)
        with reader(settings) as first:
            first.await_generation(1)
        with changing(pipeline, generation, asked.rate):
            look(settings, server, SAME, max(numbers), asked.warm_up)
            told = {
                (kind, number): [look(settings, server, kind, number, asked.seconds)]
                for kind in (SAME, DIFFERENT)
                for number in numbers
            }
            for _ in range(asked.turns - 1):
                for (kind, number), found in told.items():
                    found.append(look(settings, server, kind, number, asked.seconds))
    report(told, asked.seconds)


def changing(pipeline: Pipeline, generation: Generation, rate: int) -> AbstractContextManager[None]:
    """Change the rows that are seen, at that rate and one after the other, while the context lasts."""
    batch = max(1, round(rate * STEP))

    def change(turn: int) -> None:
        for number in range(batch):
            _write(pipeline, generation, (turn * batch + number) % SEEN, version=time.time_ns() // 1_000)

    return paced(STEP, change)


def _write(pipeline: Pipeline, generation: Generation, row: int, *, version: int) -> None:
    person = {"name": "somebody", "email": "somebody@example.org", "age": version}
    pipeline.upsert(generation, TABLE, str(row), version, userId=f"u{row:05}", **person)


def look(settings: Settings, server: psutil.Process, kind: str, number: int, seconds: float) -> Found:
    """What so many viewers see in that time, and how many cores the server takes meanwhile."""
    views: list[dict[str, Any]] = [{"table": TABLE, "columns": ["userId", "age"]} for _ in range(number)]
    if kind == DIFFERENT:
        for other, view in enumerate(views, 1):
            view["filter"] = [{"column": "age", "is": "notEqual", "to": -other}]
    asked = {"port": settings.web.port, "key": server_key(settings), "views": views, "seen": SEEN, "seconds": seconds}
    command = [sys.executable, str(Path(__file__).with_name("viewers.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as viewers:
        assert viewers.stdin
        assert viewers.stdout
        viewers.stdin.write(json.dumps(asked))
        viewers.stdin.close()
        assert viewers.stdout.readline() == "looking\n"
        used, began = cpu(server), time.monotonic()
        time.sleep(seconds)
        cores = (cpu(server) - used) / (time.monotonic() - began)
        found: dict[str, float] = json.loads(viewers.stdout.readline())
    return {**found, "server": cores}


def report(told: dict[tuple[str, int], list[Found]], seconds: float) -> None:
    """The median of all turns for each number of viewers, and what the most of them have of the fewest."""
    names = " | ".join(f"{name} ms" for name in SHOWN)
    say(f"| viewers of | number | {names} | rows a second, each | server, cores | viewers, cores |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    middle = {what: {name: median(one[name] for one in found) for name in found[0]} for what, found in told.items()}
    for (kind, number), found in middle.items():
        times = " | ".join(f"{found[name]:.1f}" for name in SHOWN)
        rows = found["fewest"] / seconds
        say(f"| {kind} | {number} | {times} | {rows:.0f} | {found['server']:.2f} | {found['cores']:.2f} |")
    say("")
    numbers = sorted({number for _, number in middle})
    fewest, most = numbers[0], numbers[-1]
    for kind in (SAME, DIFFERENT):
        one, many = middle[kind, fewest], middle[kind, most]
        parts = [f"{name} {many[name] / one[name]:.2f}" for name in ("p50", "p99", "server")]
        say(f"{most} viewers of {kind}, of {fewest}: {', '.join(parts)} times")


if __name__ == "__main__":
    main()

"""A stack that runs for hours, with everything that happens in months: `make soak HOURS=8`.

    PYTHONPATH=tests/support:. .venv/bin/python -m tests.soak.run --hours 8 --folder .cache/soak

`livejoin up` with the demo's events, a page that is open, floods of bad events, and topics that forget; every few
minutes the join is swapped. Memory, threads and descriptors of every process, topics, disk and latency are sampled into
`samples.jsonl` as they come, so that a run that is broken off can be looked at; at the end they are plotted beside it,
and whatever has grown over the second half of the run is named (`verdict.py`). Exit status 1 where something has.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count, cycle
from pathlib import Path
from statistics import median

import psutil
from playwright.sync_api import Page, expect, sync_playwright

from chromium import CHROMIUM_FLAGS
from door_client import DoorClient, enter
from footprint import processes_of
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from tests.soak.plot import write_plots
from tests.soak.verdict import AT, Sample, courses
from up import Up, end_up, start_up

SAMPLES = 720
"""In a whole run; at least one in ten seconds."""
LONGEST_PAUSE = 60.0
SHORTEST_PAUSE = 5.0
SWAP_SECONDS = 150.0
PROBES = 5
PROBE = "soak-probe"
PROBE_SECONDS = 60.0
BAD_EVENTS = 20
FORGETFUL = {"retention.ms": "600000", "segment.ms": "60000"}
"""Sources that keep their events for minutes: what they hold is not what is looked at here."""
MEGABYTE, BLOCK = 1_000_000, 512


class Soak:
    """One run."""

    def __init__(self, up: Up, door: DoorClient) -> None:
        self._up, self._door = up, door
        self._deployment = up.deployment
        self._cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
        self._producer = self._cluster.producer(**{"linger.ms": 0})
        self._numbers = count(1)
        self._joins = cycle(("inner", "left"))
        self._view = door.open("accounts_ui", filter=[{"column": "userId", "is": "equal", "to": PROBE}])
        self._began = self._swapped = time.monotonic()

    def sample(self) -> Sample:
        """Everything at this moment."""
        found: dict[str, float] = {AT: time.monotonic() - self._began}
        running = {**{name: [one] for name, one in processes_of(self._up).items()}, **_browser()}
        for name, processes in running.items():
            # One that ends at this moment has no part in this sample.
            with suppress(psutil.Error):
                found[f"{name} memory"] = sum(process.memory_info().rss for process in processes) / MEGABYTE
                found[f"{name} threads"] = sum(process.num_threads() for process in processes)
                found[f"{name} descriptors"] = sum(process.num_fds() for process in processes)
        found["topics"] = len(self._deployment.cluster.topic_names())
        for folder in ("kafka", "checkpoints", "dead-letters", "logs"):
            found[f"{folder} disk"] = _size(self._up.data / folder) / MEGABYTE
        delays = [self._probe() for _ in range(PROBES)]
        return found | {"median latency": median(delays), "generation": self._deployment.live_number}

    def go_on(self) -> None:
        """What happens between two samples: bad events, and now and then a swap."""
        for _ in range(BAD_EVENTS):
            self._producer.produce("users", value=b"not an event " + b"x" * 2_000)
        self._producer.flush(10)
        if time.monotonic() - self._swapped > SWAP_SECONDS:
            self._swapped = time.monotonic()
            topics = {"usersTopic": "users", "accountsTopic": "accounts"}
            self._deployment.send({**topics, "joinType": next(self._joins)})

    def _probe(self) -> float:
        """Milliseconds from an event to its row at the door."""
        number = next(self._numbers)
        sent = time.monotonic()
        self._producer.produce("accounts", key=PROBE, value=json.dumps({"userId": PROBE, "balance": number}))
        self._producer.flush(10)
        while [row[-1] for row in self._door.views[self._view].rows.values()] != [number]:
            self._door.hear(PROBE_SECONDS)
        return (time.monotonic() - sent) * 1_000


def _browser() -> dict[str, list[psutil.Process]]:
    below = psutil.Process(os.getpid()).children(recursive=True)
    return {"page": [process for process in below if "--type=renderer" in _command(process)]}


def _command(process: psutil.Process) -> str:
    """How it was started; nothing of one that has ended."""
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def _size(folder: Path) -> int:
    """The bytes that a folder takes on the disk; files come and go meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(parent) / name).stat().st_blocks * BLOCK
    return total


@contextmanager
def _demo(up: Up) -> Iterator[None]:
    running = subprocess.Popen(up.command("demo"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait()


@contextmanager
def _open_page(up: Up) -> Iterator[Page]:
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        page.goto(up.url)
        expect(page.get_by_test_id("grid-final_ui")).to_have_attribute("data-state", "live", timeout=60_000)
        yield page
        browser.close()


def main() -> None:
    """Run, sample, plot, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--folder", type=Path, default=Path(".cache/soak"))
    parser.add_argument("--set", action="append", default=[], help="settings of the stack")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    seconds = arguments.hours * 3600
    pause = min(LONGEST_PAUSE, max(SHORTEST_PAUSE, seconds / SAMPLES))
    samples: list[Sample] = []
    (folder / "data").mkdir(mode=0o700)
    up = start_up(folder / "data", *arguments.set)
    try:
        with _demo(up), _open_page(up) as page, enter(up.deployment.settings) as door:
            for topic in ("users", "accounts"):
                up.deployment.cluster.configure(topic, FORGETFUL)
            soak = Soak(up, door)
            with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    samples.append(soak.sample())
                    file.write(json.dumps({name: round(value, 3) for name, value in samples[-1].items()}) + "\n")
                    file.flush()
                    soak.go_on()
                    page.wait_for_timeout(pause * 1_000)
    finally:
        end_up(up)
    plots = write_plots(samples, folder)
    found = courses(samples)
    lines = [
        f"{len(samples)} samples in {samples[-1][AT] / 3600:.2f} h; plots: {', '.join(map(str, plots))}",
        *map(str, found),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(0 if all(course.is_flat for course in found) else 1)


if __name__ == "__main__":
    main()

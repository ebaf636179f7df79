"""How long a swap takes, and how long it holds up the live generation: the table in docs/generations.md.

    .venv/bin/python tests/bench/swap_time.py [--backlog 20000 200000 2000000]

Starts a broker, a pipeline and a table server of its own in a temporary folder. For each backlog a pair of topics is
filled, the tables are swapped to it, and 200 events a second go on arriving in the pair that was live. Measured are the
time from the control message to the flip in the table server, the backfill in it, what comes before and after that, and
the longest time during which the live generation wrote nothing while the other one was built. Three swaps that are not
measured come first: a server that has run for some minutes is what people have.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from confluent_kafka import TopicPartition

from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import State

sys.path.append(str(Path(__file__).parents[1] / "support"))
from world import World

EVENTS_PER_KEY = 20
LIVE_EVENTS_PER_SECOND = 200
PATIENCE = 900.0
WARM_UP = 3


def main() -> None:
    """Measure every backlog and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backlog", type=int, nargs="+", default=[20_000, 200_000, 2_000_000])
    backlogs = parser.parse_args().backlog
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), "server.heap=4g", "spark.driver_memory=3g")
        try:
            world.start()
            world.serve.start()
            for number in range(WARM_UP):
                _measure(world, f"warm-up-{number}", min(backlogs))
            _say("| backlog, events | message to flip, s | before backfill | backfill | after it | longest pause, ms |")
            _say("| --- | --- | --- | --- | --- | --- |")
            for backlog in backlogs:
                _say(_measure(world, f"n{backlog}", backlog))
        finally:
            world.stop()


def _measure(world: World, name: str, backlog: int) -> str:
    users, accounts = f"{name}-users", f"{name}-accounts"
    _fill(world.cluster, users, accounts, backlog)
    live = world.registry.live
    assert live is not None
    with_pauses = _Pauses(world.cluster, live.view_topic, live.request.left_topic)
    with_pauses.start()
    sent = datetime.now(UTC)
    key = world.send({"usersTopic": users, "accountsTopic": accounts})
    verdict, reason = world.verdict(key, PATIENCE)
    assert verdict == "applied", reason
    number = world.await_live(users, PATIENCE).number
    flipped = _flip_time(world, number)
    pause = with_pauses.stop()
    records = [record for record in world.records() if record.number == number]
    began = next(r.since for r in records if r.state is State.BACKFILLING)
    ended = next(r.since for r in records if r.state is State.LOADING)
    world.await_alone(number, PATIENCE)
    moments = [sent, began, ended, flipped]
    stages = " | ".join(f"{(after - before).total_seconds():.2f}" for before, after in pairwise(moments))
    return f"| {backlog:,} | {(flipped - sent).total_seconds():.2f} | {stages} | {pause * 1000:.0f} |"


def _fill(cluster: Cluster, users: str, accounts: str, backlog: int) -> None:
    producer = cluster.producer(**{"linger.ms": 20})
    for topic in (users, accounts):
        cluster.ensure(topic)
    keys = max(1, backlog // EVENTS_PER_KEY)
    for number in range(backlog):
        user = f"u{number % keys}"
        row = {"name": f"Name {number}", "age": number % 90} if number % 2 else {"balance": number}
        producer.produce(users if number % 2 else accounts, key=user, value=json.dumps({"userId": user, **row}))
        if number % 10_000 == 0:
            producer.flush()
    producer.flush()


def _flip_time(world: World, number: int) -> datetime:
    """When the table server showed that generation, from its log."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        flips = (line for line in world.serve.log.read_text(encoding="utf-8").splitlines() if '"flip"' in line)
        for line in map(json.loads, flips):
            if line["generation"] == number:
                return datetime.fromisoformat(line["timestamp"])
        time.sleep(0.02)
    raise TimeoutError(f"generation {number} was not shown")


class _Pauses:
    """Sends events to a live generation and notes the longest time in which its view topic stood still."""

    def __init__(self, cluster: Cluster, view_topic: str, users: str) -> None:
        self._cluster, self._view_topic, self._users = cluster, view_topic, users
        self._stop = threading.Event()
        self._longest = 0.0
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._send, self._follow)]

    def start(self) -> None:
        """Begin; `stop` ends it."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> float:
        """The longest pause, in seconds."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        return self._longest

    def _send(self) -> None:
        producer = self._cluster.producer(**{"linger.ms": 1})
        number = 0
        while not self._stop.wait(1 / LIVE_EVENTS_PER_SECOND):
            number += 1
            producer.produce(self._users, value=json.dumps({"userId": f"live{number % 50}", "age": number}))
            producer.poll(0)
        producer.flush()

    def _follow(self) -> None:
        consumer = self._cluster.consumer("pauses")
        ends = self._cluster.end_offsets(self._view_topic)
        consumer.assign([TopicPartition(self._view_topic, p, end) for p, end in ends.items()])
        before: float | None = None
        while not self._stop.is_set():
            message = consumer.poll(0.05)
            if message is not None and message.error() is None:
                now = time.monotonic()
                self._longest = max(self._longest, now - before if before is not None else 0.0)
                before = now
        consumer.close()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Things break while somebody looks on: every frame that was painted is checked, and so is the end.

A few of them break in every run. With `--minutes`, everything does, in an order that is drawn from the seed of the run,
until that time is over; `make nemesis` does so for half an hour.
"""

import json
import random
import shutil
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser

from await_that import await_that
from frame_checker import wrong_end
from livejoin.access.keys import server_key
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.local.stack import answers
from livejoin.local.supervise.child import Child
from livejoin.wire.dead_letter import place_of
from nemesis import HEAL_SECONDS, Nemesis
from recorded_page import TABLES, RecordedPage
from relay import Relay
from sender import Sender
from small_disk import SmallDisk, can_be_made
from world import World, below

PAIRS = ("nx", "ny")
PEOPLE = 8
RATE = 40.0
FEW = 4
"""So many things break where nobody has asked for more."""
BATCH = "15 seconds"
"""Short, so that what recovers goes on from what a live query has committed, and batches end amid faults."""
START_SECONDS = 400.0
"""Other things may run beside."""


@pytest.fixture
def disks(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, SmallDisk]]:
    """Disks that can be filled, where everything breaks and this user may make them."""
    if not is_long(request) or not can_be_made(tmp_path / "disk"):
        yield {}
        return
    pipeline, broker = SmallDisk(tmp_path / "data", 160), SmallDisk(tmp_path / "data/kafka", 256)
    yield {"checkpoints and logs": pipeline, "the broker": broker}
    # What was said is all that is left to look at.
    for log in (tmp_path / "data").glob("*.log"):
        shutil.copy(log, tmp_path)
    for disk in (broker, pipeline):
        disk.remove()


@pytest.fixture
def broken(tmp_path: Path, disks: dict[str, SmallDisk], request: pytest.FixtureRequest) -> Iterator[World]:
    """A world with a table server and a standby, of its own where everything breaks."""
    assert disks is not None
    if is_long(request):
        world = World(tmp_path / "data", "swap.linger_seconds=10", f"spark.batch={BATCH}", wired=True)
    else:
        world = request.getfixturevalue("serving")
    try:
        if is_long(request):
            world.start(START_SECONDS)
            world.serve.start()
        world.other.start()
        await_that(lambda: answers(f"{world.settings.page_url}readyz"), timeout=START_SECONDS)
        yield world
    finally:
        world.other.stop()
        if is_long(request):
            world.stop()


def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether somebody has asked for more than a few faults."""
    return bool(request.config.getoption("--minutes") or request.config.getoption("--faults"))


@pytest.mark.timeout(7200)
def test_no_frame_is_wrong_whatever_breaks(
    broken: World,
    disks: dict[str, SmallDisk],
    browser: Browser,
    run_seed: int,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One generation in each frame, the model's rows, never back; in the end everything, nothing else, no orphan."""
    minutes = request.config.getoption("--minutes")
    chance = random.Random(run_seed)  # noqa: S311  not for secrets
    people = Cluster(KafkaClient({"bootstrap.servers": f"127.0.0.1:{broken.settings.broker.port}"}))
    sender = Sender(people, PAIRS, PEOPLE, RATE, run_seed)
    with Relay(broken.settings.web.port) as door:
        page = RecordedPage(browser, f"{door.url}/#key={server_key(broken.settings)}", sender.history)

        def tell(line: str) -> None:
            with capsys.disabled():
                sys.stdout.write(f"\n{line}")
                sys.stdout.flush()

        nemesis = Nemesis(broken, page, sender, PAIRS, door, disks, chance, tell)
        try:
            sender.start()
            begin(broken, page, nemesis)
            for name in drawn(chance, nemesis, minutes, request.config.getoption("--faults")):
                nemesis.strike(name)
                assert page.checker.wrong == [], name
            sender.stop()
            await_that(lambda: not wrong_end(nemesis.pair, whole_tables(broken), sender.history), timeout=HEAL_SECONDS)
            await_that(lambda: all_letters(broken, nemesis.pair, sender.history.bad()), timeout=HEAL_SECONDS)
            page.take()
            assert page.checker.wrong == []
        finally:
            tell(told(page, nemesis))
            sender.stop()
            page.close()
            nemesis.end()
    broken.await_alone(broken.live_number, timeout=HEAL_SECONDS)
    await_that(lambda: [sparks(child) for child in (broken.pipeline, broken.other)] == [1, 1], timeout=HEAL_SECONDS)


def begin(world: World, page: RecordedPage, nemesis: Nemesis) -> None:
    """Show the first pair, with a standby that is ready."""
    nemesis.ask_for(PAIRS[0])
    page.open(PAIRS[0])
    await_that(lambda: len(world.registry.standbys) >= 1, timeout=START_SECONDS)


def drawn(chance: random.Random, nemesis: Nemesis, minutes: float, chosen: str) -> Iterator[str]:
    """What breaks, one after the other: what was chosen, or a few, or everything until the time is over."""
    names = [*nemesis.faults]
    if chosen:
        yield from (next(name for name in names if word in name) for word in chosen.split(","))
        return
    if not minutes:
        # What is replaced is gone at once in the world that is shared with other tests.
        yield from chance.sample([name for name in names if "rollback" not in name], FEW)
        return
    until = time.monotonic() + minutes * 60
    while True:
        for name in chance.sample(names, len(names)):
            if time.monotonic() > until:
                return
            yield name


def whole_tables(world: World) -> dict[str, list[dict[str, Any]]]:
    """All rows, as the door gives them."""
    return {table: rows(world, table) for table in TABLES}


def rows(world: World, table: str) -> list[dict[str, Any]]:
    """All rows of a table; none while there is nobody to ask."""
    key = server_key(world.settings)
    address = f"{world.settings.page_url}rows/{table}?newest=100000"
    request = urllib.request.Request(address, headers={"authorization": f"Bearer {key}"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  the address is our own
            return [json.loads(line) for line in answer.read().splitlines()]
    except OSError:
        return []


def all_letters(world: World, pair: str, bad: set[str]) -> bool:
    """Whether each event of the shown pair that is not valid is a dead letter, and no valid one is; says which are not.

    What comes to a pair while nobody joins it is not judged, and the world may have dead letters of other tests.
    """
    found = {place for place in letters(world) if place.startswith(tuple(f"{one}-" for one in PAIRS))}
    missing = sorted(place for place in bad - found if place.startswith(f"{pair}-"))
    assert not missing, f"{len(missing)} are missing: {missing[:3]}"
    assert found <= bad, f"not bad: {sorted(found - bad)[:3]}"
    return True


def letters(world: World) -> set[str]:
    """The places of all dead letters in their topic."""
    found = read_to_end(world.cluster, world.settings.own_topics.dead_letters)
    return {place_of((record.key() or b"").decode()) for record in found}


def sparks(child: Child) -> int:
    """How many JVMs a pipeline has."""
    count = 0
    for process in below(child):
        with suppress(psutil.NoSuchProcess):
            count += "SparkSubmit" in " ".join(process.cmdline())
    return count


def told(page: RecordedPage, nemesis: Nemesis) -> str:
    """What was seen, for who looks on and for docs/reliability.md."""
    frames = f"{page.painted} frames painted, {page.checker.frames} different, {len(page.checker.wrong)} wrong"
    heading = "| fault | times | longest time to heal, from its beginning |\n| --- | --- | --- |"
    return "\n".join([frames, heading, *nemesis.table(), ""])

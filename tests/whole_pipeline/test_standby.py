"""Two real pipelines on one broker: one writes, the other stands by and takes over."""

import json
import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest

from await_that import await_that
from livejoin.local.supervise.child import Child
from livejoin.model.declaration import JOINED_TABLE
from livejoin.model.generation import Generation
from livejoin.model.registry import Epoch
from livejoin.model.table import key_field
from livejoin.wire import view_record
from scrape import Scrape
from world import MEND_SECONDS, World, below, process_of

KEY = key_field(0)
TAKE_OVER_SECONDS = 15.0
"""What is promised (docs/reliability.md): six of them are the silence that is waited for."""
SILENCE_SECONDS = 20.0


@pytest.fixture(scope="module")
def second(world: World, live: Generation) -> Iterator[Child]:
    """Another pipeline, which stands by beside the one that has this generation live."""
    assert live.number
    world.other.start()
    try:
        await_that(lambda: stands_by(world.other_monitor), timeout=MEND_SECONDS)
        yield world.other
    finally:
        world.other.stop()


@pytest.fixture(scope="module")
def live(world: World) -> Generation:
    """The generation that is live, which stays so through all of these."""
    return world.show_what_is_set()


def test_a_second_pipeline_stands_by_and_says_so(world: World, second: Child) -> None:
    """At its own door, and in the registry, where the table servers read it."""
    writer = world.epoch.writer
    assert second.running
    assert stands_by(world.other_monitor) == f"standing by: {writer} writes"
    processes = {process.pid for process in below(second)}
    # One that was killed here before is in the registry until the writer starts again.
    await_that(lambda: any(process_of(name) in processes for name in world.registry.standbys), timeout=SILENCE_SECONDS)


@pytest.mark.usefixtures("second")
def test_a_writer_that_stands_still_is_replaced_and_stands_by_when_it_goes_on(
    world: World, live: Generation, record_property: Callable[[str, object], None]
) -> None:
    """Its Spark goes on, and what that writes never counts."""
    first = world.epoch
    os.kill(process_of(first.writer), signal.SIGSTOP)
    try:
        took = time_until_rows_flow(world, live, first, "after the pause")
    finally:
        os.kill(process_of(first.writer), signal.SIGCONT)
    record_property("took over after", took)
    assert took < TAKE_OVER_SECONDS
    await_it_stands_by(world, first)


@pytest.mark.usefixtures("second")
def test_a_writer_that_is_cut_off_is_replaced_and_stands_by_when_it_is_back(
    world: World, live: Generation, record_property: Callable[[str, object], None]
) -> None:
    """Connections stay open and nothing comes through, as with a network that is gone."""
    first = world.epoch
    wire = world.wires[world.writer.name]
    wire.cut()
    try:
        took = time_until_rows_flow(world, live, first, "after the cut")
    finally:
        wire.mend()
    record_property("took over after", took)
    assert took < TAKE_OVER_SECONDS
    await_it_stands_by(world, first)


@pytest.mark.usefixtures("second")
def test_a_writer_that_is_killed_is_replaced(
    world: World, live: Generation, record_property: Callable[[str, object], None]
) -> None:
    """And whoever is started in its place stands by."""
    took = kill_the_writer(world, live, "after the death")
    record_property("took over after", took)
    assert took < TAKE_OVER_SECONDS
    assert world.registry.live is not None
    assert world.registry.live.number == live.number


@pytest.mark.usefixtures("second")
def test_a_rolling_update_is_to_stop_the_one_that_writes(
    world: World, live: Generation, record_property: Callable[[str, object], None]
) -> None:
    """The other one stands by already: events wait for no longer than when it finds out by itself."""
    first, old = world.epoch, world.writer
    await_that(lambda: stands_by(world.monitor_of(world.standby)), timeout=MEND_SECONDS)
    longest = longest_wait(world, live, old.stop)
    record_property("longest an event waited", longest)
    assert world.epoch.writer != first.writer
    assert longest < TAKE_OVER_SECONDS
    old.start()
    await_that(lambda: stands_by(world.monitor_of(old)), timeout=MEND_SECONDS)


def test_what_spark_tells_at_the_end_of_a_batch_is_measured(world: World, live: Generation, second: Child) -> None:
    """How large the state is, and for how long a live query has processed nothing between two batches."""
    if world.writer is not second:
        kill_the_writer(world, live, "for short batches")

    def measured() -> bool:
        scrape = Scrape(f"http://127.0.0.1:{world.other_monitor}/metrics")
        assert scrape.sum("livejoin_state_rows") > 0
        assert scrape.sum("livejoin_state_memory_bytes") > 0
        assert scrape.sum("livejoin_batch_pause_seconds_count", query="join") >= 1
        assert 0 <= scrape.sum("livejoin_batch_pause_seconds_sum", query="join") < MEND_SECONDS
        return True

    await_that(measured, timeout=MEND_SECONDS)


def longest_wait(world: World, live: Generation, deed: Callable[[], object]) -> float:
    """An event every tenth of a second while that is done: for how long one of them waited to be a row."""
    sent: dict[str, float] = {}
    seen: dict[str, float] = {}
    producer, view = world.cluster.producer(), world.view(live.number)

    def look() -> None:
        view.read_available()
        names = {row[0] for row in view.tables()[JOINED_TABLE]}
        seen.update(dict.fromkeys(names & sent.keys() - seen.keys(), time.monotonic()))

    before = world.epoch.writer
    try:
        with ThreadPoolExecutor() as pool:
            done = pool.submit(deed)
            while not done.done() or world.epoch.writer == before or sent.keys() > seen.keys():
                if not done.done() or world.epoch.writer == before:
                    name = f"rolled-{len(sent)}"
                    sent[name] = time.monotonic()
                    producer.produce(world.settings.left.topic_name, json.dumps({"userId": name}))
                    assert producer.flush(30) == 0
                look()
            done.result()
    finally:
        view.close()
    return max(seen[name] - sent[name] for name in sent)


def kill_the_writer(world: World, live: Generation, user: str) -> float:
    """Have the other one write, and the one that has died stand by; returns after how many seconds rows flowed."""
    first = world.epoch
    dead = world.writer
    os.kill(process_of(first.writer), signal.SIGKILL)
    took = time_until_rows_flow(world, live, first, user)
    dead.stop()
    dead.start()
    await_that(lambda: stands_by(world.monitor_of(dead)), timeout=MEND_SECONDS)
    return took


def await_it_stands_by(world: World, replaced: Epoch) -> None:
    """Return when the pipeline that wrote says that it stands by, and it is the other one that still writes."""
    writes = world.epoch
    assert writes.number > replaced.number
    await_that(lambda: stands_by(world.monitor_of(world.standby)), timeout=MEND_SECONDS)
    assert world.epoch.writer == writes.writer


def time_until_rows_flow(world: World, live: Generation, first: Epoch, user: str) -> float:
    """Seconds until another pipeline writes and a new event is a row of it: Spark of the one before may go on."""
    began, before = time.monotonic(), first.number
    await_that(lambda: world.epoch.writer != first.writer, timeout=MEND_SECONDS)
    world.produce(world.settings.left.topic_name, user, name=user)
    view = world.view(live.number)
    try:

        def shown() -> bool:
            view.read_available()
            values = [orjson.loads(record.value() or b"") for record in view.records]
            assert any(value[view_record.EPOCH] > before and value[KEY] == user for value in values)
            return True

        await_that(shown, timeout=MEND_SECONDS)
    finally:
        view.close()
    return time.monotonic() - began


def stands_by(port: int) -> str:
    """Why the pipeline at that port is not ready, if it stands by."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            reason = json.load(answer)["reason"]
    except urllib.error.HTTPError as refused:
        reason = json.load(refused)["reason"]
    except OSError:
        return ""
    return reason if reason.startswith("standing by") else ""

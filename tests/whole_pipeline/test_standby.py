"""Two real pipelines on one broker: one writes, the other stands by and takes over."""

import json
import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator

import orjson
import pytest

from await_that import await_that
from livejoin.local.supervise.child import Child
from livejoin.model.generation import Generation
from livejoin.model.registry import Epoch
from livejoin.model.table import key_field
from livejoin.wire import view_record
from world import MEND_SECONDS, World

KEY = key_field(0)
TAKE_OVER_SECONDS = 60.0
"""It is about ten on a machine that has nothing else to do (docs/reliability.md), and other tests may run beside."""
SILENCE_SECONDS = 20.0


@pytest.fixture(scope="module")
def second(world: World, live: Generation) -> Iterator[Child]:
    """Another pipeline, which stands by beside the one that has this generation live."""
    assert live.number
    child = world.another_pipeline()
    child.start()
    try:
        await_that(lambda: stands_by(world.other_monitor), timeout=MEND_SECONDS)
        yield child
    finally:
        child.stop()


@pytest.fixture(scope="module")
def live(world: World) -> Generation:
    """The generation that is live."""
    return world.await_live(world.settings.left.topic_name, MEND_SECONDS)


def test_a_second_pipeline_stands_by_and_says_so(world: World, second: Child) -> None:
    """At its own door, and in the registry, where the table servers read it."""
    writer = epoch_of(world).writer
    assert second.running
    assert stands_by(world.other_monitor) == f"standing by: {writer} writes"
    await_that(lambda: len(world.registry.standbys) == 1, timeout=SILENCE_SECONDS)


@pytest.mark.usefixtures("second")
def test_a_writer_that_stands_still_is_replaced_and_stands_by_when_it_goes_on(world: World, live: Generation) -> None:
    """Its Spark goes on, and what that writes never counts; then the one that replaced it is killed."""
    first = epoch_of(world)
    os.kill(process_of(first), signal.SIGSTOP)
    try:
        took = time_until_rows_flow(world, live, "after the pause", lambda: epoch_of(world).writer != first.writer)
    finally:
        os.kill(process_of(first), signal.SIGCONT)
    assert took < TAKE_OVER_SECONDS
    replaced = epoch_of(world)
    assert replaced.number > first.number
    await_that(lambda: stands_by(world.settings.pipeline.port), timeout=MEND_SECONDS)
    assert epoch_of(world).writer == replaced.writer

    os.kill(process_of(replaced), signal.SIGKILL)
    took = time_until_rows_flow(world, live, "after the death", lambda: epoch_of(world).writer != replaced.writer)
    assert took < TAKE_OVER_SECONDS
    assert world.registry.live is not None
    assert world.registry.live.number == live.number


def time_until_rows_flow(world: World, live: Generation, user: str, replaced: Callable[[], bool]) -> float:
    """Seconds until another pipeline writes and a new event is a row of it: Spark of the one before may go on."""
    began, before = time.monotonic(), epoch_of(world).number
    await_that(replaced, timeout=MEND_SECONDS)
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


def epoch_of(world: World) -> Epoch:
    """Who writes."""
    found = world.registry.epoch
    assert found is not None
    return found


def process_of(epoch: Epoch) -> int:
    """The process of the pipeline that writes."""
    return int(epoch.writer.split("/")[1])


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

"""The orchestrator killed, or paused and replaced, at each step of a swap; the broker and the registry are real.

The Spark queries are stand-ins, so that every step can be tried in seconds. tests/whole_pipeline/test_swap_crashes.py
does it with Spark: some steps in every run, all of them with `--every-step`.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from await_that import await_that
from crashes import PATIENCE, PIPELINE_STEPS, arm, assert_converged, await_death
from deployment import Deployment
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.local.supervise.child import Child
from livejoin.model.registry import Epoch
from livejoin.process.crash_point import PAUSE, VARIABLE
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.topics.plan import pool
from livejoin.wire.records import EPOCH_KEY, from_json
from livejoin.wire.view_record import Taken

PROGRAM = Path(__file__).parents[1] / "support/play_process.py"
POOL_STEPS = ["view topic taken", "view topic emptied", "closed", "view topic released"]
"""The steps that have to do with which topic is whose."""


PAUSED_STEPS = ["number given", "flip", "checkpoint deleted"]
"""Of the steps of a swap, those at which a pipeline is paused and replaced in every run."""


@dataclass
class Stage:
    """An orchestrator that is started again after each death."""

    deployment: Deployment
    child: Child
    crash_file: Path
    other: Child
    """The same in another process, which is not started."""


@contextmanager
def staged(broker: Settings, folder: Path, name: str, views: list[str] | None = None) -> Iterator[Stage]:
    """The orchestrator in a process of its own, with generation 1 live."""
    overrides: dict[str, Any] = {
        "data_dir": str(folder),
        "kafka": broker.kafka_client.librdkafka(),
        "left": {"topic": f"{name}-users"},
        "right": {"topic": f"{name}-accounts"},
        "topics": {"prefix": name, "control": f"{name}-control", "views": views or []},
        "swap": {"linger_seconds": 0.2},
    }
    deployment = Deployment(load_settings(None, overrides))
    settings = deployment.settings
    for topic in (*settings.source_topics, settings.topics.control):
        deployment.cluster.ensure(topic)
    for planned in pool(deployment.settings):
        deployment.cluster.ensure(planned.name, config=planned.config)
    crash_file = folder / "crash"
    command = [sys.executable, str(PROGRAM), json.dumps(overrides)]
    env = {**os.environ, VARIABLE: str(crash_file)}
    child, other = (Child("orchestrator", command, folder / name, env=env) for name in ("log", "other-log"))
    child.start()
    try:
        deployment.await_live(settings.left.topic_name)
        yield Stage(deployment, child, crash_file, other)
    finally:
        child.stop()
        other.stop()


@pytest.fixture(scope="module")
def stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With view topics of its own making."""
    with staged(broker, tmp_path_factory.mktemp("orchestrator-crashes"), "oc") as stage:
        yield stage


@pytest.fixture(scope="module")
def pool_stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With a pool of three view topics."""
    views = ["op-view-a", "op-view-b", "op-view-c"]
    with staged(broker, tmp_path_factory.mktemp("orchestrator-crashes-pool"), "op", views) as stage:
        yield stage


@pytest.mark.parametrize(("number", "step"), [*enumerate([*PIPELINE_STEPS, "message taken"])])
def test_a_swap_is_finished_after_a_death_at_any_step(stage: Stage, number: int, step: str) -> None:
    """One live generation, one verdict, and no topic, checkpoint or record of any other."""
    other = stage.deployment.topic(f"other-{number % 2}")
    arm(stage.crash_file, step)
    key = stage.deployment.swap(other)
    await_death(stage.crash_file, stage.child, step)
    stage.child.start()

    assert_converged(stage.deployment, key, other)


@pytest.fixture(scope="module")
def paused_stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """For pauses."""
    with staged(broker, tmp_path_factory.mktemp("orchestrator-pauses"), "pauses") as stage:
        yield stage


@pytest.mark.parametrize(("number", "step"), [*enumerate([*PIPELINE_STEPS, "message taken"])])
def test_a_pipeline_that_was_paused_at_any_step_writes_nothing_any_more(
    paused_stage: Stage, number: int, step: str, request: pytest.FixtureRequest
) -> None:
    """Another one has finished the swap meanwhile: the first finds out before it can write, says why, and ends."""
    if step not in PAUSED_STEPS and not request.config.getoption("--every-step"):
        pytest.skip("for `make bench`")
    stage, deployment = paused_stage, paused_stage.deployment
    # One for each step: some are left out, and what is live already would not be built.
    other = deployment.topic(f"other-{number}")
    writer = writer_of(deployment)
    arm(stage.crash_file, step, PAUSE)
    key = deployment.swap(other)
    await_that(lambda: is_stopped(process_of(writer)), timeout=PATIENCE)
    stage.other.start()
    try:
        assert_converged(deployment, key, other)
        since = end_of_state(deployment)
    finally:
        os.kill(process_of(writer), signal.SIGCONT)
    await_that(lambda: not stage.child.running, timeout=PATIENCE)

    assert "another pipeline" in "\n".join(stage.child.last_lines())
    assert {epoch.writer for epoch in epochs(deployment, since)} <= {writer_of(deployment)} - {writer}
    assert_converged(deployment, key, other)
    assert sum(entry.verdict is not None for entry in deployment.entries(key)) == 1
    stage.child.kill()
    stage.child, stage.other = stage.other, stage.child


def writer_of(deployment: Deployment) -> str:
    """Who writes."""
    epoch = deployment.registry.epoch
    assert epoch is not None
    return epoch.writer


def process_of(writer: str) -> int:
    """The process that has this name."""
    return int(writer.split("/")[1])


def is_stopped(process: int) -> bool:
    """Whether it stands still."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return stat.rpartition(")")[2].split()[0] == "T"


def end_of_state(deployment: Deployment) -> int:
    """How far the state topic has been written."""
    return deployment.cluster.end_offsets(deployment.settings.own_topics.state)[0]


def epochs(deployment: Deployment, since: int) -> list[Epoch]:
    """What was written about who writes, from there on."""
    records = read_to_end(deployment.cluster, deployment.settings.own_topics.state)
    found = [record for record in records if (record.offset() or 0) >= since and record.key() == EPOCH_KEY.encode()]
    return [from_json(Epoch, record.value() or b"") for record in found]


@pytest.mark.parametrize(("number", "step"), [*enumerate(POOL_STEPS)])
def test_no_topic_of_the_pool_stays_taken_or_full_after_a_death(pool_stage: Stage, number: int, step: str) -> None:
    """That of the live generation holds nothing of anybody else, and that of the one before is free and empty."""
    deployment = pool_stage.deployment
    before = deployment.registry.of(deployment.live_number).view_topic
    other = deployment.topic(f"other-{number % 2}")
    for topic in deployment.settings.topics.views:
        if topic not in {generation.view_topic for generation in deployment.registry.generations.values()}:
            Writer(deployment.cluster, topic).write("left/1", b"of somebody else")
    arm(pool_stage.crash_file, step)
    key = deployment.swap(other)
    await_death(pool_stage.crash_file, pool_stage.child, step)
    pool_stage.child.start()

    assert deployment.verdict(key, PATIENCE)[0] == "applied"
    live = deployment.await_live(other, PATIENCE)
    await_that(lambda: [*deployment.registry.generations] == [live.number], timeout=PATIENCE)
    found = read_to_end(deployment.cluster, live.view_topic)
    assert {(record.key(), record.value()) for record in found} == {
        (b"taken", Taken(live.number, live.taken).to_json())
    }
    assert read_to_end(deployment.cluster, before) == []

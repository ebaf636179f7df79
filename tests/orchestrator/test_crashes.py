"""The orchestrator killed with SIGKILL at each step of a swap; the broker and the registry are real.

The Spark queries are stand-ins, so that every step can be tried in seconds. tests/whole_pipeline/test_swap_crashes.py
does it with Spark: some steps in every run, all of them with `--every-step`.
"""

import json
import os
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
from livejoin.crash_point import VARIABLE
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.settings import Settings, load_settings
from livejoin.supervise.child import Child
from livejoin.topic_plan import pool

PROGRAM = Path(__file__).parent.parent / "play_process.py"
POOL_STEPS = ["view topic taken", "view topic emptied", "closed", "view topic released"]
"""The steps that have to do with which topic is whose."""


@dataclass
class Stage:
    """An orchestrator that is started again after each death."""

    deployment: Deployment
    child: Child
    crash_file: Path


@contextmanager
def staged(broker: Settings, folder: Path, topics: dict[str, Any]) -> Iterator[Stage]:
    """The orchestrator in a process of its own, with generation 1 live."""
    overrides: dict[str, Any] = {"data_dir": str(folder), "kafka": broker.kafka_client.librdkafka(), "topics": topics}
    overrides["swap"] = {"linger_seconds": 0.2}
    deployment = Deployment(load_settings(None, overrides))
    for topic in (topics["users"], topics["accounts"], topics["control"]):
        deployment.cluster.ensure(topic)
    for planned in pool(deployment.settings):
        deployment.cluster.ensure(planned.name, config=planned.config)
    crash_file = folder / "crash"
    command = [sys.executable, str(PROGRAM), json.dumps(overrides)]
    child = Child("orchestrator", command, folder / "log", env={**os.environ, VARIABLE: str(crash_file)})
    child.start()
    try:
        deployment.await_live(topics["users"])
        yield Stage(deployment, child, crash_file)
    finally:
        child.stop()


@pytest.fixture(scope="module")
def stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With view topics of its own making."""
    topics = {"users": "oc-users", "accounts": "oc-accounts", "prefix": "oc", "control": "oc-control"}
    with staged(broker, tmp_path_factory.mktemp("orchestrator-crashes"), topics) as stage:
        yield stage


@pytest.fixture(scope="module")
def pool_stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With a pool of three view topics."""
    topics = {name: f"op-{name}" for name in ("users", "accounts", "prefix", "control")}
    views = {"views": ["op-view-a", "op-view-b", "op-view-c"]}
    with staged(broker, tmp_path_factory.mktemp("orchestrator-crashes-pool"), topics | views) as stage:
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


@pytest.mark.parametrize(("number", "step"), [*enumerate(POOL_STEPS)])
def test_no_topic_of_the_pool_stays_taken_or_full_after_a_death(pool_stage: Stage, number: int, step: str) -> None:
    """That of the live generation holds nothing of anybody else, and that of the one before is free and empty."""
    deployment = pool_stage.deployment
    before = deployment.registry.of(deployment.live_number).view_topic
    other = deployment.topic(f"other-{number % 2}")
    for topic in deployment.settings.topics.views:
        if topic not in {generation.view_topic for generation in deployment.registry.generations.values()}:
            Writer(deployment.cluster, topic).write("users_ui/1", b"of somebody else")
    arm(pool_stage.crash_file, step)
    key = deployment.swap(other)
    await_death(pool_stage.crash_file, pool_stage.child, step)
    pool_stage.child.start()

    assert deployment.verdict(key, PATIENCE)[0] == "applied"
    live = deployment.await_live(other, PATIENCE)
    await_that(lambda: [*deployment.registry.generations] == [live.number], timeout=PATIENCE)
    found = read_to_end(deployment.cluster, live.view_topic)
    assert {(record.key(), record.value()) for record in found} == {(b"taken", str(live.number).encode())}
    assert read_to_end(deployment.cluster, before) == []

"""The orchestrator killed with SIGKILL at each step of a swap; the broker and the registry are real.

The Spark queries are stand-ins, so that every step can be tried in seconds. tests/whole_pipeline/test_swap_crashes.py
does it with Spark: some steps in every run, all of them with `--every-step`.
"""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crashes import PIPELINE_STEPS, arm, assert_converged, await_death
from deployment import Deployment
from livejoin.crash_point import VARIABLE
from livejoin.settings import Settings, load_settings
from livejoin.supervise.child import Child

PROGRAM = Path(__file__).parent.parent / "play_process.py"


@dataclass
class Stage:
    """An orchestrator that is started again after each death."""

    deployment: Deployment
    child: Child
    crash_file: Path


@pytest.fixture(scope="module")
def stage(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The orchestrator in a process of its own, with generation 1 live."""
    folder = tmp_path_factory.mktemp("orchestrator-crashes")
    topics = {"users": "oc-users", "accounts": "oc-accounts", "prefix": "oc", "control": "oc-control"}
    overrides: dict[str, Any] = {"data_dir": str(folder), "kafka": broker.kafka_client.librdkafka(), "topics": topics}
    overrides["swap"] = {"linger_seconds": 0.2}
    deployment = Deployment(load_settings(None, overrides))
    for topic in (topics["users"], topics["accounts"], topics["control"]):
        deployment.cluster.ensure(topic)
    crash_file = folder / "crash"
    command = [sys.executable, str(PROGRAM), json.dumps(overrides)]
    child = Child("orchestrator", command, folder / "log", env={**os.environ, VARIABLE: str(crash_file)})
    child.start()
    try:
        deployment.await_live(topics["users"])
        yield Stage(deployment, child, crash_file)
    finally:
        child.stop()


@pytest.mark.parametrize(("number", "step"), [*enumerate([*PIPELINE_STEPS, "message taken"])])
def test_a_swap_is_finished_after_a_death_at_any_step(stage: Stage, number: int, step: str) -> None:
    """One live generation, one verdict, and no topic, checkpoint or record of any other."""
    other = stage.deployment.topic(f"other-{number % 2}")
    arm(stage.crash_file, step)
    key = stage.deployment.swap(other)
    await_death(stage.crash_file, stage.child, step)
    stage.child.start()

    assert_converged(stage.deployment, key, other)

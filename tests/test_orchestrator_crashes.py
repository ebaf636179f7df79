"""The orchestrator killed with SIGKILL at each step of a swap; the broker and the registry are real.

The Spark queries are stand-ins, so that every step can be tried in seconds. tests/test_swap_crashes.py does it with
Spark: some steps in every run, all of them with `--every-step`.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from crashes import PIPELINE_STEPS, arm, assert_converged, await_death
from deployment import Deployment
from livejoin.crash_point import VARIABLE
from livejoin.settings import Settings, load_settings
from livejoin.supervise.child import Child

PROGRAM = Path(__file__).with_name("play_process.py")


@pytest.mark.parametrize("step", [*PIPELINE_STEPS, "message taken"])
def test_a_swap_is_finished_after_a_death_at_any_step(broker: Settings, tmp_path: Path, step: str) -> None:
    """One live generation, one verdict, and no topic, checkpoint or record of any other."""
    name = f"crash-{step.replace(' ', '-')}"
    topics = {"users": f"{name}-users", "accounts": f"{name}-accounts", "prefix": name, "control": f"{name}-control"}
    overrides = {"data_dir": str(tmp_path), "kafka": broker.kafka_client, "topics": topics}
    overrides["swap"] = {"linger_seconds": 0.2}
    deployment = Deployment(load_settings(None, overrides))
    for topic in (topics["users"], topics["accounts"], topics["control"]):
        deployment.cluster.ensure(topic)
    file = tmp_path / "crash"
    command = [sys.executable, str(PROGRAM), json.dumps(overrides)]
    child = Child("orchestrator", command, tmp_path / "log", env={**os.environ, VARIABLE: str(file)})
    child.start()
    try:
        deployment.await_live(topics["users"])
        other = deployment.topic("other")
        arm(file, step)
        key = deployment.swap(other)
        await_death(file, child, step)
        child.start()

        assert_converged(deployment, key, other)
    finally:
        child.stop()

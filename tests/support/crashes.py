"""Killing or pausing a process at a named step, and seeing that what comes after it is whole."""

from pathlib import Path

from await_that import await_that
from deployment import Deployment
from livejoin.local.supervise.child import Child
from livejoin.process.crash_point import KILL

PIPELINE_STEPS = [
    "message noted",
    "number given",
    "requested",
    "view topic taken",
    "validated",
    "backfilling",
    "loading",
    "before flip",
    "flip",
    "closed",
    "verdict applied",
    "view topic released",
    "checkpoint deleted",
]
"""The steps of a swap in the order in which a pipeline that dies at each of them comes to the next."""
SERVE_STEPS = ["serve: loading", "serve: before flip", "serve: flip", "serve: removed"]
PATIENCE = 120.0


def arm(file: Path, step: str, what: str = KILL) -> None:
    """Let the process that reaches this step next die there, or stand still."""
    draft = file.with_suffix(".draft")
    draft.write_text(f"{what} {step}", encoding="utf-8")
    draft.rename(file)


def await_death(file: Path, child: Child, step: str) -> None:
    """Return when the process has died at its step, and not of something else."""

    def died() -> bool:
        assert not child.running, f"{step} is not reached: {child.last_lines()}"
        return True

    await_that(died, timeout=PATIENCE)
    assert not file.exists(), child.last_lines()
    child.kill()


def assert_converged(deployment: Deployment, key: str, users: str) -> None:
    """Exactly one generation is left, live, with the topic that was asked for, and its message has one verdict."""
    assert deployment.verdict(key, PATIENCE)[0] == "applied"
    generation = deployment.await_live(users, PATIENCE)
    deployment.await_alone(generation.number, PATIENCE)

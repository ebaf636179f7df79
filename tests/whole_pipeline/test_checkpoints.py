"""Checkpoints that nobody can go on from: what a disk has lost makes a fresh generation, and is not tried for ever."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from await_that import await_that
from livejoin.model.generation import Generation
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.query import JOIN
from world import MEND_SECONDS, World


def without_state(query: Path) -> None:
    """Nothing of the state is left, which is noticed when it is to be loaded."""
    shutil.rmtree(query / "state")


def with_a_broken_batch(query: Path) -> None:
    """The file that tells where the newest batch ended is empty, as after a loss of power."""
    batches = (file for file in (query / "offsets").iterdir() if file.name.isdecimal())
    max(batches, key=lambda file: int(file.name)).write_bytes(b"")


@pytest.mark.parametrize("damage", [without_state, with_a_broken_batch])
def test_a_checkpoint_that_cannot_be_loaded_leads_to_a_fresh_generation(
    world: World, live: Generation, damage: Callable[[Path], None]
) -> None:
    """It says why, and has every row."""
    name = damage.__name__
    world.produce("users", name, name=name)
    world.await_users(live.number, name)
    shown = world.users(live.number)
    world.pipeline.kill()
    damage(checkpoint(world.settings, live.number) / JOIN)
    world.pipeline.start()

    def why() -> list[str]:
        return [found.message for found in world.records() if found.number > live.number]

    await_that(why, timeout=2 * MEND_SECONDS)
    assert "its checkpoint is broken" in why()[0]
    number = world.await_newer(live.number)
    await_that(lambda: world.users(number) == shown, timeout=MEND_SECONDS)

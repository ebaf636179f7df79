"""Pipelines that crash, are paused, cut off and replaced, in a world where everything is drawn from one seed."""

import pytest

from simulation import Simulation


@pytest.mark.timeout(0)
def test_when_all_faults_are_over_everything_comes_right(run_seed: int, pytestconfig: pytest.Config) -> None:
    """One live generation, one verdict for each message, nothing left over; and nobody obeyed who was fenced."""
    failed = Simulation().run(range(pytestconfig.getoption("--seeds")), run_seed)

    assert failed is None, str(failed)


def test_a_seed_decides_everything() -> None:
    """The same seed tells the same story again."""
    simulation = Simulation()

    assert [simulation.story(seed) for seed in range(5)] == [simulation.story(seed) for seed in range(5)]

"""Processes killed with SIGKILL at each step of a swap. Broker, Spark and table server are real."""

import pytest

from await_that import await_that
from crashes import PATIENCE, PIPELINE_STEPS, SERVE_STEPS, arm, assert_converged, await_death
from default_tables import USERS_UI
from livejoin.local.stack import answers
from livejoin.process.crash_point import VARIABLE, crash_point
from table_server import reader
from world import World

NAMES = ("b", "c", "d")
SOME_PIPELINE_STEPS = ["before flip"]
SOME_SERVE_STEPS = ["serve: before flip"]
"""Those that differ most; `--every-step` takes them all."""


@pytest.fixture(scope="module", autouse=True)
def _topics_to_swap_to(serving: World) -> None:
    """A table server beside the pipeline, and other users topics."""
    for name in NAMES:
        serving.produce(serving.topic(name), f"user-of-{name}", name=name)


def others(world: World) -> tuple[str, str]:
    """Two users topics that are not shown."""
    live = world.registry.live
    assert live is not None
    first, second, *_ = (topic for topic in map(world.topic, NAMES) if topic != live.request.left_topic)
    return first, second


@pytest.mark.timeout(900)
def test_a_pipeline_that_dies_at_one_step_of_a_swap_after_the_other_finishes_it(
    world: World, request: pytest.FixtureRequest
) -> None:
    """Each death is followed by a start that goes on from there, to the next death; at the end the swap is whole."""
    steps = PIPELINE_STEPS if request.config.getoption("--every-step") else SOME_PIPELINE_STEPS
    users = others(world)[0]
    arm(world.crash_file, steps[0])
    key = world.swap(users)
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        await_death(world.crash_file, world.pipeline, step)
        if following is not None:
            arm(world.crash_file, following)
        world.pipeline.start()

    assert_converged(world, key, users)


def test_a_pipeline_that_dies_while_it_gives_up_a_build_leaves_nothing_of_it(world: World) -> None:
    """The superseded message has its verdict, and the newer one is applied, after a death and a restart."""
    other, users = others(world)
    arm(world.crash_file, "superseded")
    first, second = world.swap(other), world.swap(users)
    await_death(world.crash_file, world.pipeline, "superseded")
    world.pipeline.start()

    assert world.verdict(first, PATIENCE)[0] == "superseded"
    assert_converged(world, second, users)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each step of the table server that this run is for."""
    if "serve_step" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-step")
        metafunc.parametrize("serve_step", SERVE_STEPS if every else SOME_SERVE_STEPS)


def test_a_table_server_that_dies_in_a_swap_comes_back_to_the_new_generation(world: World, serve_step: str) -> None:
    """Whatever it was doing: after a restart it shows the generation that the registry names, with its rows."""
    users = others(world)[0]
    arm(world.crash_file, serve_step)
    key = world.swap(users)
    await_death(world.crash_file, world.serve, serve_step)
    world.serve.start()
    assert_converged(world, key, users)

    def shown() -> bool:
        with reader(world.settings) as viewer:
            assert viewer.status()["usersTopic"] == users
            assert [row["userId"] for row in viewer.rows(USERS_UI.name)] == [f"user-of-{users[-1]}"]
        return True

    await_that(lambda: answers(f"{world.settings.page_url}readyz"), timeout=PATIENCE)
    await_that(shown, timeout=PATIENCE)


def test_the_crash_points_are_off_without_the_variable(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's process dies of a file that happens to lie there."""
    monkeypatch.delenv(VARIABLE, raising=False)
    arm(world.crash_file, "flip")
    crash_point("flip")
    world.crash_file.unlink()

"""Processes killed with SIGKILL at each step of a swap. Broker, Spark and table server are real."""

from collections.abc import Iterator

import pytest

from await_that import await_that
from livejoin.crash_point import VARIABLE
from livejoin.schema import USERS_UI
from livejoin.supervise.child import Child
from table_server import reader
from world import MEND_SECONDS, World

PIPELINE_STEPS = [
    "message noted",
    "requested",
    "validated",
    "backfilling",
    "loading",
    "before flip",
    "flip",
    "closed",
    "verdict applied",
    "view topic deleted",
    "checkpoint deleted",
]
SERVE_STEPS = ["serve: loading", "serve: before flip", "serve: flip", "serve: removed"]
START_SECONDS = 120.0


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One broker, pipeline and table server, with a generation live and two other users topics."""
    world = World(tmp_path_factory.mktemp("crashes"), "swap.linger_seconds=0.5")
    try:
        world.start()
        world.serve.start()
        for name in ("b", "c"):
            world.topic(name)
            world.produce(world.topic(name), f"user-of-{name}", name=name)
        yield world
    finally:
        world.stop()


def arm(world: World, step: str) -> None:
    """Let the process that reaches this step next die there."""
    draft = world.crash_file.with_suffix(".draft")
    draft.write_text(step, encoding="utf-8")
    draft.rename(world.crash_file)


def await_death(world: World, child: Child, step: str) -> None:
    """Return when the process has died at its step, and not of something else."""

    def died() -> bool:
        assert not child.running, f"{step} is not reached: {child.last_lines()}"
        return True

    await_that(died, timeout=START_SECONDS)
    assert not world.crash_file.exists(), child.last_lines()
    child.kill()


def assert_converged(world: World, key: str, users: str) -> None:
    """Exactly one generation is left, live, with the topic that was asked for, and its message has one verdict."""
    assert world.verdict(key, START_SECONDS)[0] == "applied"
    generation = world.await_live(users, START_SECONDS)
    world.await_alone(generation.number, MEND_SECONDS)


@pytest.mark.timeout(900)
def test_a_pipeline_that_dies_at_every_step_of_a_swap_finishes_it(world: World) -> None:
    """Each death is followed by a start that goes on from there, to the next death; at the end the swap is whole."""
    users = world.topic("b")
    arm(world, PIPELINE_STEPS[0])
    key = world.swap(users)
    for step, following in zip(PIPELINE_STEPS, [*PIPELINE_STEPS[1:], None], strict=True):
        await_death(world, world.pipeline, step)
        if following is not None:
            arm(world, following)
        world.pipeline.start()

    assert_converged(world, key, users)


def test_a_pipeline_that_dies_while_it_gives_up_a_build_leaves_nothing_of_it(world: World) -> None:
    """A message that was judged is not judged again; the superseded one has its verdict, and the newer is applied."""
    users = world.topic("c")
    arm(world, "message taken")
    unchanged = world.swap(world.topic("b"))
    await_death(world, world.pipeline, "message taken")
    arm(world, "superseded")
    world.pipeline.start()
    first, second = world.swap(world.settings.topics.users), world.swap(users)
    await_death(world, world.pipeline, "superseded")
    world.pipeline.start()

    assert world.verdict(first, START_SECONDS)[0] == "superseded"
    assert world.verdict(unchanged)[0] == "unchanged"
    assert_converged(world, second, users)


@pytest.mark.parametrize(("step", "name"), [*zip(SERVE_STEPS, "bcbc", strict=True)])
def test_a_table_server_that_dies_in_a_swap_comes_back_to_the_new_generation(
    world: World, step: str, name: str
) -> None:
    """Whatever it was doing: after a restart it shows the generation that the registry names, with its rows."""
    users = world.topic(name)
    arm(world, step)
    key = world.swap(users)
    await_death(world, world.serve, step)
    world.serve.start()
    assert_converged(world, key, users)

    def shown() -> bool:
        with reader(world.settings) as viewer:
            assert viewer.status()["usersTopic"] == users
            assert [row["userId"] for row in viewer.rows(USERS_UI.name)] == [f"user-of-{name}"]
        return True

    await_served(world)
    await_that(shown, timeout=START_SECONDS)


def await_served(world: World) -> None:
    """Return when the table server answers."""
    await_that(lambda: any("tables are served" in line for line in world.serve.last_lines()), timeout=START_SECONDS)


def test_the_crash_points_are_off_without_the_variable(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's process dies of a file that happens to lie there."""
    from livejoin.crash_point import crash_point

    monkeypatch.delenv(VARIABLE, raising=False)
    arm(world, "flip")
    crash_point("flip")
    world.crash_file.unlink()

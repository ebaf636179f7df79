"""The one broker and the one pipeline of this folder. Its files run in the order of their names."""

from collections.abc import Iterator

import pytest

from world import World


@pytest.fixture(scope="package")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A broker and a pipeline with generation 1 live; what is replaced is gone after a moment."""
    world = World(tmp_path_factory.mktemp("world"), "swap.linger_seconds=0.5")
    try:
        world.start()
        yield world
    finally:
        world.stop()


@pytest.fixture(scope="package")
def serving(world: World) -> World:
    """The same, with a table server."""
    world.serve.start()
    return world

"""The one broker and the one pipeline of this folder.

Each test begins with what it finds there, and can run alone or after any other.
"""

from collections.abc import Iterator

import pytest

from livejoin.model.generation import Generation
from world import World


@pytest.fixture(scope="package")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A broker and a pipeline with generation 1 live; what is replaced is gone after a moment."""
    # What Spark tells at the end of a batch is seen where the other one writes: its batches are the shortest there are.
    of_other = ["spark.batch=5 seconds"]
    world = World(tmp_path_factory.mktemp("world"), "swap.linger_seconds=0.5", wired=True, of_other=of_other)
    try:
        world.start()
        yield world
    finally:
        world.stop()


@pytest.fixture
def live(world: World) -> Generation:
    """The generation that is live, of the two topics that the settings name, whichever was before."""
    return world.show_what_is_set()


@pytest.fixture(scope="package")
def serving(world: World) -> World:
    """The same, with a table server."""
    world.serve.start()
    return world

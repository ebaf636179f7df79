"""The one table server of this folder, and its replica.

Its files run in the order of their names: the first finds a server without topics, the last one ends it.
"""

from collections.abc import Iterator

import pytest

from door_client import DoorClient, enter
from livejoin.settings.door import AccessSettings
from livejoin.settings.settings import Settings
from table_server import Pipeline, Reader, ServeProcess, reader, settings_of_server
from tests.serve_tables.keys import write_keys


@pytest.fixture(scope="package")
def served(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A table server that runs before any topic of livejoin exists; viewers may not see everything there."""
    folder = tmp_path_factory.mktemp("serve")
    settings = settings_of_server(broker, folder / "data", prefix="serve-test")
    hidden = ["email", "accounts_ui.balance", "dead_letters.*", "users_ui.emial"]
    access = {"file": write_keys(folder / "keys.toml"), "viewer": {"hidden": hidden, "export": False}}
    settings = settings.model_copy(update={"access": AccessSettings.model_validate(access)})
    serve = ServeProcess(settings, folder / "serve.log")
    try:
        serve.await_tables()
        yield serve
    finally:
        serve.kill()


@pytest.fixture(scope="package", autouse=True)
def replica(served: ServeProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A second server at the same topics. Nobody waits for it here: it starts while the first files run."""
    own = served.settings
    settings = settings_of_server(own, own.data_dir, prefix=own.topics.prefix)
    serve = ServeProcess(settings, tmp_path_factory.mktemp("replica") / "serve.log")
    yield serve
    serve.kill()


@pytest.fixture(scope="package")
def viewer(served: ServeProcess) -> Iterator[Reader]:
    """One viewer that stays through all tests, so that a handle that dies is noticed."""
    with reader(served.settings) as found:
        yield found


@pytest.fixture(scope="package")
def pipeline(served: ServeProcess) -> Pipeline:
    """What writes for this table server."""
    made = Pipeline(served.settings)
    made.create_topics()
    return made


@pytest.fixture
def door(served: ServeProcess) -> Iterator[DoorClient]:
    """A connection of somebody who has the key."""
    with enter(served.settings) as found:
        yield found

"""The two that are attacked: a Deephaven as it comes, where attacks work, and `livejoin serve`, where they must not."""

from collections.abc import Iterator

import pytest

from attacks.plain_deephaven import PlainDeephaven
from attacks.stage import Onlooker, Stage, write_keys
from conftest import free_ports
from door_client import DoorClient, enter
from livejoin.door_settings import AccessSettings
from livejoin.settings import Settings
from table_server import ServeProcess, settings_of_server

CONNECTIONS = 60
"""Fewer than there may be by default, so that they can all be taken in a moment."""


@pytest.fixture(scope="package")
def _starting_control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainDeephaven]:
    """Nobody waits for it here: it starts while the other one does."""
    starting = PlainDeephaven(tmp_path_factory.mktemp("control"), free_ports(1)[0])
    yield starting
    starting.kill()


@pytest.fixture(scope="package")
def control(_starting_control: PlainDeephaven) -> PlainDeephaven:
    """A Deephaven whose own server is open, with a key, as livejoin once ran it."""
    _starting_control.await_start()
    return _starting_control


@pytest.fixture(scope="package")
def stage(
    broker: Settings, tmp_path_factory: pytest.TempPathFactory, _starting_control: PlainDeephaven
) -> Iterator[Stage]:
    """`livejoin serve` with some rows, a key for viewers and one for operators."""
    folder = tmp_path_factory.mktemp("attacked")
    settings = settings_of_server(broker, folder / "data", prefix="attacks")
    limits = settings.limits.model_copy(update={"connections": CONNECTIONS})
    topics = settings.topics.model_copy(update={"control": "attacks-control"})
    access = AccessSettings(file=write_keys(folder))
    changed = {"limits": limits, "topics": topics, "access": access}
    served = ServeProcess(settings.model_copy(update=changed), folder / "serve.log")
    try:
        served.await_tables()
        yield Stage(served)
    finally:
        served.kill()


@pytest.fixture(scope="package")
def onlooker(stage: Stage) -> Iterator[Onlooker]:
    """Somebody else, who looks at a row through all attacks."""
    with enter(stage.settings, stage.viewer_key) as client:
        yield Onlooker(stage, client)


@pytest.fixture(autouse=True)
def _unharmed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever was done to the server, it is the same process, it is healthy, and somebody else's rows move."""
    if "stage" not in request.fixturenames:
        yield
        return
    stage: Stage = request.getfixturevalue("stage")
    onlooker: Onlooker = request.getfixturevalue("onlooker")
    yield
    assert stage.served.process.poll() is None, stage.log[-5_000:]
    assert stage.served.answer("healthz")["ok"] is True
    onlooker.hear_a_beat(within=5.0)


@pytest.fixture
def viewer(stage: Stage) -> Iterator[DoorClient]:
    """A connection of somebody who has the viewers' key."""
    with enter(stage.settings, stage.viewer_key) as found:
        yield found

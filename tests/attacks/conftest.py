"""Those that are attacked: `livejoin serve`, where attacks must not work, and two where they do.

These are a Deephaven as it comes, and a `livejoin serve` without its protections.
"""

from collections.abc import Iterator

import pytest

from door_client import DoorClient, enter
from livejoin.settings.door import AccessSettings
from livejoin.settings.settings import Settings
from ports import free_ports
from table_server import ServeProcess, settings_of_server
from tests.attacks.plain_deephaven import PlainDeephaven
from tests.attacks.stage import GIVEN_KEY, GIVEN_VARIABLE, Attacked, Onlooker, Stage, start_unguarded, write_keys

LIMITS = {"connections": 60, "different_views": 150, "different_views_per_key": 100}
"""Less than there may be by default, so that it can all be taken in a moment."""


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
def _attacked_settings(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """With a key for viewers and one for operators, and limits that can be reached in a moment."""
    folder = tmp_path_factory.mktemp("attacked")
    settings = settings_of_server(broker, folder / "data", prefix="attacks")
    changed = {
        "limits": settings.limits.model_copy(update=LIMITS),
        "topics": settings.topics.model_copy(update={"control": "attacks-control"}),
        "access": AccessSettings(file=write_keys(folder)),
    }
    return settings.model_copy(update=changed)


@pytest.fixture(scope="package")
def _starting_unguarded(_attacked_settings: Settings) -> Iterator[ServeProcess]:
    """Nobody waits for it here either."""
    starting = start_unguarded(_attacked_settings)
    yield starting
    starting.kill()


@pytest.fixture(scope="package")
def unguarded(_starting_unguarded: ServeProcess, stage: Stage) -> Attacked:
    """`livejoin serve` with the same rows and without its protections."""
    _starting_unguarded.await_tables()
    stage.await_rows(_starting_unguarded.settings)
    return Attacked(_starting_unguarded)


@pytest.fixture(scope="package")
def stage(
    _attacked_settings: Settings, _starting_control: PlainDeephaven, _starting_unguarded: ServeProcess
) -> Iterator[Stage]:
    """`livejoin serve` as it is, with some rows."""
    log = _attacked_settings.data_dir.parent / "serve.log"
    served = ServeProcess(_attacked_settings, log, env={GIVEN_VARIABLE: GIVEN_KEY})
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

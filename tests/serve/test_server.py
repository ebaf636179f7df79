"""What a table server says of itself, by what its parts say."""

from pathlib import Path
from types import SimpleNamespace as Part

import pytest

from livejoin.http.health import Health
from livejoin.serve.engine.health import STALLED_SECONDS
from livejoin.serve.server import ENGINE, TableServer
from livejoin.settings.loader import load_settings


def health_of_one(monkeypatch: pytest.MonkeyPatch, folder: Path, *, cycle_age: float, failed: list[str]) -> Health:
    """A server that shows a generation, and is well but for its engine."""
    kafka = {"bootstrap.servers": "127.0.0.1:1"}
    server = TableServer(load_settings(None, {"data_dir": folder, "kafka": kafka}))
    parts = {
        "_generations": Part(edition=Part(failed=failed), views={}, shown=1, stuck=""),
        "_registry": Part(tail=Part(waiting_for=""), wanted=None),
        "_progress": Part(broker="", sources=""),
        "_exports": Part(cycle_age=cycle_age),
        "_thread": Part(is_alive=lambda: True),
        "_are_served": True,
    }
    for name, part in parts.items():
        monkeypatch.setattr(server, name, part)
    return server.health()


@pytest.mark.parametrize(("age", "is_well"), [(0.02, True), (STALLED_SECONDS + 1, False), (30.0, False)])
def test_a_long_update_cycle_is_nothing_to_restart_a_server_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, age: float, *, is_well: bool
) -> None:
    """Rows stand still, which is told and makes it not ready; after one large sort they go on."""
    health = health_of_one(monkeypatch, tmp_path, cycle_age=age, failed=[])
    assert (not health.components[ENGINE], not health.not_ready) == (is_well, is_well)
    assert not health.not_alive


@pytest.mark.parametrize(("age", "failed"), [(61.0, []), (0.02, ["final_ui"])])
def test_an_engine_that_does_not_come_back_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, age: float, failed: list[str]
) -> None:
    """One that has stood still for a minute, or has given up a table; and why is told."""
    health = health_of_one(monkeypatch, tmp_path, cycle_age=age, failed=failed)
    assert health.not_alive == health.components[ENGINE] != ""

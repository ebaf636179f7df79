"""Copies of a table with a million rows: no row moves while one is made, and the engine keeps what is in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import view_records
from await_that import await_that
from door_client import DoorClient, enter
from livejoin.settings.door import AccessSettings
from livejoin.settings.settings import Settings
from livejoin.wire.view_record import ROW_ID
from table_server import ServeProcess, settings_of_server
from tests.attacks.restless import restless
from tests.attacks.stage import Onlooker, Stage, write_keys

ROWS, TOGETHER = 1_000_000, 1_000
RESTLESS = 4
COPY = {"do": "copy", "table": "final_ui"}


class LargeStage(Stage):
    """A server with a million rows, a thousand of them in each record."""

    def _fill(self) -> None:
        for user in range(ROWS // TOGETHER):
            rows = [{ROW_ID: f"{user}-{row}", "name": f"person {row}", "age": row % 90} for row in range(TOGETHER)]
            self._pipeline.write(self._shown, view_records.everything(f"u{user}", 1, final_ui=rows))


@pytest.fixture(scope="module")
def large(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LargeStage]:
    """With a heap that has room for some copies, and not for all that could be asked for."""
    folder = tmp_path_factory.mktemp("large")
    settings = settings_of_server(broker, folder / "data", prefix="copies")
    changed = {
        "server": settings.server.model_copy(update={"heap": "1500m"}),
        "access": AccessSettings(file=write_keys(folder)),
    }
    served = ServeProcess(settings.model_copy(update=changed), Path(folder, "serve.log"))
    try:
        served.await_tables()
        yield LargeStage(served)
    finally:
        served.kill()


@pytest.fixture
def onlooker(large: LargeStage) -> Iterator[Onlooker]:
    """Somebody who looks at one row."""
    with enter(large.settings, large.operator_key) as client:
        yield Onlooker(large, client)


def answers_to_copies(client: DoorClient, count: int) -> list[str]:
    """What is answered where so many are asked for, each when the one before is there: `opened`, or why it is not."""
    heard = []
    for view in range(count):
        client.say(**COPY, view=view)
        answer = client.hear()
        heard.append(answer.get("reason", answer["is"]))
    return heard


def test_who_makes_large_copies_again_and_again_leaves_others_their_rows(
    large: LargeStage, onlooker: Onlooker, record_property: Callable[[str, object], None]
) -> None:
    """Several connections ask for copies of everything, and close them, as often as they may."""
    onlooker.hear_a_beat(within=5.0)
    with ExitStack() as stack:
        cut_off = [stack.enter_context(restless(large, COPY, {"do": "close"})) for _ in range(RESTLESS)]
        slowest = max(onlooker.hear_a_beat(within=1.0) for _ in range(30))
        assert not any(one.is_set() for one in cut_off)
        assert large.served.answer("healthz")["door"]["refused"]["copies"] > RESTLESS
    record_property("slowest", slowest)
    assert slowest < 1.0


def test_rows_of_copies_that_are_kept_are_bounded(large: LargeStage, onlooker: Onlooker) -> None:
    """With one key, and in all; who gives one back may make another."""
    limits = large.settings.limits
    of_key = limits.copied_rows_per_key // ROWS
    onlooker.hear_a_beat()
    before = large.objects("View")["View"]
    with enter(large.settings, large.viewer_key) as viewer, enter(large.settings, large.viewer_key) as other:
        heard = answers_to_copies(viewer, of_key + 1)
        assert heard == ["opened"] * of_key + ["the copies that are open with this key have too many rows already"]
        onlooker.hear_a_beat()
        assert large.ask("GET", "/rows/final_ui?newest=5").status == 200
        viewer.say(do="close", view=0)
        await_that(lambda: answers_to_copies(other, 1) == ["opened"])
    await_that(lambda: large.objects("View")["View"] <= before)
    assert large.served.answer("healthz")["ok"] is True

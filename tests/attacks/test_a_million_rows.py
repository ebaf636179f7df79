"""What is asked of a table with a million rows: copies, which the engine keeps, and questions that take it long."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import view_records
from await_that import await_that
from door_client import DoorClient, enter
from livejoin.settings.door import AccessSettings
from livejoin.settings.settings import Settings
from livejoin.wire.view_record import ROW_ID
from table_server import ServeProcess, settings_of_server
from tests.attacks.restless import restless
from tests.attacks.stage import Attacked, Onlooker, Stage, start_unguarded, write_keys

ROWS, TOGETHER = 1_000_000, 1_000
RESTLESS = 4
SECONDS, LONG_SECONDS = 5.0, 20.0
"""For which it is looked whether rows are late: where they should not be, and where they should."""
OPENED_IN_TIME = 5.0
COPY = {"do": "copy", "table": "final_ui"}


class LargeStage(Stage):
    """A server with a million rows, a thousand of them in each record."""

    def _fill(self) -> None:
        for user in range(ROWS // TOGETHER):
            rows = [{ROW_ID: f"{user}-{row}", "name": f"person {row}", "age": row % 90} for row in range(TOGETHER)]
            self._pipeline.write(self._shown, view_records.everything(f"u{user}", 1, final_ui=rows))


@pytest.fixture(scope="module")
def _large_settings(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """With a heap that has room for some copies, and not for all that could be asked for."""
    folder = tmp_path_factory.mktemp("large")
    settings = settings_of_server(broker, folder / "data", prefix="copies")
    changed = {
        "server": settings.server.model_copy(update={"heap": "1500m"}),
        "access": AccessSettings(file=write_keys(folder)),
    }
    return settings.model_copy(update=changed)


@pytest.fixture(scope="module")
def large(_large_settings: Settings) -> Iterator[LargeStage]:
    """The server as it is."""
    served = ServeProcess(_large_settings, _large_settings.data_dir.parent / "serve.log")
    try:
        served.await_tables()
        yield LargeStage(served)
    finally:
        served.kill()


@pytest.fixture(scope="module")
def large_unguarded(large: LargeStage) -> Iterator[Attacked]:
    """One without protections, with the same rows."""
    served = start_unguarded(large.settings)
    try:
        served.await_tables()
        large.await_rows(served.settings)
        yield Attacked(served)
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


@dataclass(frozen=True)
class Attack:
    """What is said again and again, and how late rows may be for somebody else meanwhile, in seconds."""

    messages: Sequence[dict[str, Any]]
    in_time: float


def question(**asked: Any) -> Attack:
    """A view that is opened and closed; it is another one each time."""
    return Attack([{"do": "open", "table": "final_ui", **asked}, {"do": "close"}], 5.0)


SORT = question(sort=[{"column": "name", "direction": "descending"}, {"column": "age", "direction": "ascending"}])
COPIES = Attack([COPY, {"do": "close"}], 1.0)
ATTACKS = {
    "sort": SORT,
    "search": question(search="erson 1"),
    "filter": question(filter=[{"column": "name", "is": "containing", "to": "9"}]),
    "copies": COPIES,
}


@contextmanager
def beats_during(
    large: LargeStage, attacked: Attacked, attack: Attack, seconds: float = SECONDS
) -> Iterator[Iterator[float]]:
    """How late rows are for somebody, one after the other, while several with the viewers' key say this."""
    pace = large.settings.limits.messages_per_second
    with enter(attacked.settings, attacked.operator_key) as client, ExitStack() as stack:
        onlooker = Onlooker(large, client)
        onlooker.hear_a_beat(within=5.0)
        visitors = [stack.enter_context(restless(attacked, *attack.messages, pace=pace)) for _ in range(RESTLESS)]
        until = time.monotonic() + seconds
        yield iter(lambda: onlooker.hear_a_beat(within=60.0) if time.monotonic() < until else 0.0, 0.0)
        assert not any(one.is_cut_off for one in visitors)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_who_asks_for_what_takes_long_again_and_again_leaves_others_their_rows(
    large: LargeStage, record_property: Callable[[str, object], None], attack: Attack
) -> None:
    """They hear of changes in time, and who has another key opens a view meanwhile."""
    with beats_during(large, large, attack) as beats:
        slowest = max(beats)
        began = time.monotonic()
        with enter(large.settings, large.operator_key) as another:
            another.open("users_ui")
        opened = time.monotonic() - began
    record_property("slowest", slowest)
    record_property("opened", opened)
    assert slowest < attack.in_time
    assert opened < OPENED_IN_TIME
    if attack is COPIES:
        assert large.served.answer("healthz")["door"]["refused"]["copies"] > RESTLESS


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


def test_control_where_no_row_moves_while_a_table_is_sorted_rows_are_late(
    large: LargeStage, large_unguarded: Attacked
) -> None:
    """For much longer than they are where the engine sorts beside its update cycles."""
    with beats_during(large, large, SORT) as beats:
        usual = median(beats)
    with beats_during(large, large_unguarded, SORT, LONG_SECONDS) as beats:
        assert median(beats) > 3 * usual


def test_control_where_large_copies_are_made_together_rows_are_late_or_the_memory_is_used_up(
    large: LargeStage, large_unguarded: Attacked
) -> None:
    """The last of these tests: that server may be gone."""
    with enter(large_unguarded.settings, large_unguarded.viewer_key) as viewer:
        beyond = large.settings.limits.copied_rows_per_key // ROWS + 1
        assert answers_to_copies(viewer, beyond) == ["opened"] * beyond
    try:
        with beats_during(large, large_unguarded, COPIES, LONG_SECONDS) as beats:
            assert any(beat > COPIES.in_time for beat in beats)
    except (ConnectionClosed, OSError):
        assert large_unguarded.served.process.wait(20) != 0

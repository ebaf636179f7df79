"""Views that come and go faster than the engine makes them: none is lost, none is left behind."""

import json
import random
import time
from collections.abc import Callable
from functools import partial

import pytest

from await_that import await_that
from door_client import DoorClient, enter
from tests.attacks.stage import Attacked, Stage
from websocket_frames import TEXT, frame, hear_welcome, heard_frames

ONLY_THOSE_OF_OTHERS = {"View": 2, "Window": 1}
"""That of the server itself and that of the onlooker, at which he looks."""


def race(server: Attacked, gap: float, key: str) -> None:
    """Views that are closed at whatever moment of their opening, and whose number is used again at once."""
    chance = random.Random(int(gap * 10_000))  # noqa: S311  it must be the same every time
    with server.enter_raw(key) as client:
        for round_ in range(120):
            view = {"do": "open", "view": 1, "table": "final_ui", "search": f"race{round_ % 7}"}
            look = {"do": "look", "view": 1, "look": 1, "first": 0, "last": 99}
            for message in (view, look, {"do": "close", "view": 1})[:: chance.choice((1, 2))]:
                client.sendall(frame(TEXT, json.dumps(message).encode()))
                until = time.perf_counter() + chance.random() * gap
                while time.perf_counter() < until:
                    pass
        client.sendall(frame(TEXT, json.dumps({"do": "open", "view": 1, "table": "final_ui"}).encode()))
        client.sendall(frame(TEXT, json.dumps({"do": "ping", "id": 77}).encode()))
        for _, data in heard_frames(client):
            if b'"pong"' in data:
                break


def die(server: Attacked, key: str) -> None:
    """A connection that is gone while its views, windows and copies are open, opening or looked at."""
    with server.enter_raw(key) as client:
        heard = heard_frames(client)
        hear_welcome(heard)
        begins = [
            {"do": "copy" if view % 6 == 0 else "open", "view": view, "table": "final_ui", "search": str(view)}
            for view in range(30)
        ]
        looks = [{"do": "look", "view": view, "look": 1, "first": 0, "last": 99} for view in range(5)]
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in begins[:10]))
        assert all(b"opened" in next(heard)[1] for _ in begins[:10])
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in looks + begins[10:]))


@pytest.mark.parametrize("attack", [partial(race, gap=0.001), die], ids=["closed", "gone"])
def test_control_views_are_left_behind_where_nobody_gives_them_back(
    unguarded: Attacked, attack: Callable[..., None]
) -> None:
    """Each such connection leaves some, and the engine keeps them up to date for nobody, for ever."""
    with enter(unguarded.settings, unguarded.viewer_key):
        before = unguarded.objects("View")["View"]

        def leaves_some() -> bool:
            attack(unguarded, key=unguarded.operator_key)
            await_that(lambda: unguarded.served.answer("healthz")["door"]["connections"] == 1)
            return unguarded.objects("View")["View"] > before

        # It is a race, which is not lost each time.
        await_that(leaves_some, timeout=60)


@pytest.mark.parametrize("gap", [0.0, 0.0005, 0.001, 0.003])
def test_a_view_that_is_closed_while_it_opens_is_gone(stage: Stage, gap: float) -> None:
    """At whatever moment of its opening the closing comes, and also where its number is used again at once."""
    race(stage, gap, stage.viewer_key)
    await_that(lambda: stage.objects("View", "Window") == ONLY_THOSE_OF_OTHERS)


def test_everything_of_a_connection_that_dies_is_gone(stage: Stage) -> None:
    """Views, windows and copies, whether they are open, opening or looked at."""
    for _ in range(3):
        die(stage, stage.viewer_key)
        # Copies of who is gone count with the key until the engine has let go of them.
        await_that(lambda: stage.objects("View", "Window") == ONLY_THOSE_OF_OTHERS)
    assert stage.ask("GET", "/rows/final_ui").status == 200


def test_looks_beyond_the_end_show_no_rows_and_come_to_no_harm(viewer: DoorClient) -> None:
    """Up to the largest number that there is."""
    view = viewer.open("final_ui", columns=["userId"], last=0)
    largest = 2**53 - 1
    for first, last in ((1_000_000, 1_000_010), (largest, largest), (largest - 4_999, largest)):
        viewer.look(view, first, last)
        assert viewer.views[view].rows == {}
        assert viewer.views[view].size > 0
    viewer.look(view, 0, 0)
    assert len(viewer.views[view].table) == 1


def test_searches_that_fold_to_the_same_text_are_not_mixed_up(stage: Stage) -> None:
    """Whoever searches for one thing does not get what somebody else has searched for."""
    stage.write("sharp", name="Straße")
    stage.write("double", name="Strasse")
    stage.await_name("double", "Strasse")
    with enter(stage.settings, stage.viewer_key) as one, enter(stage.settings, stage.viewer_key) as other:
        sharp = one.open("final_ui", columns=["userId"], search="straße", last=9)
        double = other.open("final_ui", columns=["userId"], search="strasse", last=9)
        assert one.views[sharp].table == [["sharp"]]
        assert other.views[double].table == [["double"]]

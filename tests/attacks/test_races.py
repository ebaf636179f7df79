"""Views that come and go faster than the engine makes them: none is lost, none is left behind."""

import json
import random
import time

import pytest

from attacks.stage import TEXT, Stage, frame, heard_frames
from await_that import await_that
from door_client import DoorClient, enter

ONLY_THOSE_OF_OTHERS = {"View": 2, "Window": 1}
"""That of the server itself and that of the onlooker, at which he looks."""


@pytest.mark.parametrize("gap", [0.0, 0.0005, 0.001, 0.003])
def test_a_view_that_is_closed_while_it_opens_is_gone(stage: Stage, gap: float) -> None:
    """At whatever moment of its opening the closing comes, and also where its number is used again at once."""
    chance = random.Random(int(gap * 10_000))  # noqa: S311  it must be the same every time
    with stage.enter_raw() as client:
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
    await_that(lambda: stage.objects("View", "Window") == ONLY_THOSE_OF_OTHERS)


def test_everything_of_a_connection_that_dies_is_gone(stage: Stage) -> None:
    """Views, windows and copies, whether they are open, opening or looked at."""
    for _ in range(3):
        with stage.enter_raw() as client:
            for view in range(30):
                asked = {
                    "do": "copy" if view % 6 == 0 else "open",
                    "view": view,
                    "table": "final_ui",
                    "search": str(view),
                }
                client.sendall(frame(TEXT, json.dumps(asked).encode()))
                looked = {"do": "look", "view": view - 10, "look": 1, "first": 0, "last": 99}
                client.sendall(frame(TEXT, json.dumps(looked).encode()) if view >= 10 else b"")
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

"""How much may be asked: beyond it somebody is told so, and only he."""

import json
import socket
from contextlib import ExitStack
from typing import Any

import pytest

from attacks.deephaven_calls import handshake
from attacks.stage import BINARY, CLOSE, TEXT, Onlooker, Stage, frame, heard_frames
from await_that import await_that
from door_client import DoorClient, enter

OPEN = {"do": "open", "view": 1, "table": "final_ui"}
BAD_MESSAGE, TOO_MUCH = 4400, 4429


def closed_with(client: socket.socket) -> int:
    """The number in the frame by which the server closes a WebSocket."""
    [*_, (kind, data)] = heard_frames(client)
    assert kind == CLOSE
    return int.from_bytes(data[:2], "big")


def said(*messages: dict[str, Any]) -> bytes:
    """Messages as frames."""
    return b"".join(frame(TEXT, json.dumps(message).encode()) for message in messages)


def test_more_connections_than_there_may_be_are_refused_and_those_inside_stay(stage: Stage, onlooker: Onlooker) -> None:
    """The refused are told why; when somebody leaves, the next one is let in."""
    with ExitStack() as inside:
        for _ in range(stage.settings.limits.connections - 1):
            inside.enter_context(stage.enter_raw())
        client, _ = handshake(stage.port)
        with client:
            heard = list(heard_frames(client))
        assert json.loads(heard[0][1])["why"] == "limit"
        assert int.from_bytes(heard[1][1][:2], "big") == TOO_MUCH
        onlooker.hear_a_beat()
    await_that(lambda: _is_let_in(stage))


def _is_let_in(stage: Stage) -> bool:
    with stage.enter_raw() as client:
        return b"welcome" in next(heard_frames(client))[1]


def test_messages_that_come_too_fast_end_the_connection(stage: Stage, onlooker: Onlooker) -> None:
    """And are not answered one and all."""
    with stage.enter_raw() as client:
        client.sendall(said({"do": "ping", "id": 1}) * 3_000)
        [*heard, last] = heard_frames(client)
    assert int.from_bytes(last[1][:2], "big") == TOO_MUCH
    assert len(heard) < 1_500
    onlooker.hear_a_beat()


@pytest.mark.parametrize(
    ("what", "closed"),
    [
        (said({**OPEN, "search": "x" * 70_000}), 1009),
        (frame(TEXT, b"[" * 60_000), BAD_MESSAGE),
        (frame(BINARY, json.dumps(OPEN).encode()), BAD_MESSAGE),
        (frame(TEXT, b"\xff\xfe"), 1007),
        (said(OPEN, OPEN), BAD_MESSAGE),
        (said({"do": "login", "key": "again"}), BAD_MESSAGE),
        (frame(TEXT, b"", is_last=False) + frame(0, b"x" * 70_000, is_last=False), 1009),
    ],
    ids=["70 kB", "brackets", "binary", "no UTF-8", "a view twice", "a second login", "fragments of 70 kB"],
)
def test_what_is_no_message_ends_the_connection(stage: Stage, what: bytes, closed: int) -> None:
    """With the number that says why, and nothing of it is done."""
    with stage.enter_raw() as client:
        client.sendall(what)
        assert closed_with(client) == closed
    await_that(lambda: stage.objects("View", "Window") == {"View": 2, "Window": 1})


def test_a_login_that_never_comes_is_not_waited_for(stage: Stage) -> None:
    """Not by silence, by pings that nobody reads an answer to, nor by a message that never ends."""
    with ExitStack() as stack:
        silent, endless, pinging = (stack.enter_context(handshake(stage.port)[0]) for _ in range(3))
        endless.sendall(frame(TEXT, b'{"do":', is_last=False))
        pinging.sendall(frame(9, b"p" * 100) * 100)
        for client in (silent, endless, pinging):
            client.settimeout(8.0)
            assert closed_with(client) == TOO_MUCH


def test_more_views_than_one_connection_may_have_fail_one_by_one(stage: Stage) -> None:
    """The others are there, and the connection goes on."""
    limits, asked = stage.settings.limits, 400
    with enter(stage.settings, stage.viewer_key) as client:
        for view in range(asked):
            client.say(do="open", view=view, table="final_ui", search=str(view))
        heard = [client.hear()["is"] for _ in range(asked)]
        assert (heard.count("opened"), heard.count("failed")) == (limits.views, asked - limits.views)
        assert stage.objects("View")["View"] == limits.views + 2
    await_that(lambda: stage.objects("View")["View"] == 2)


def test_a_thousand_opens_at_once_leave_nothing_behind(stage: Stage, onlooker: Onlooker) -> None:
    """They are too many messages: the connection ends, and every view with it that was open or about to be."""
    with stage.enter_raw() as client:
        client.sendall(said(*({**OPEN, "view": view, "search": str(view)} for view in range(1_000))))
        assert closed_with(client) == TOO_MUCH
    onlooker.hear_a_beat()
    await_that(lambda: stage.objects("View", "Window") == {"View": 2, "Window": 1})


def test_rows_beyond_what_may_be_looked_at_are_refused(stage: Stage, viewer: DoorClient) -> None:
    """The view that wants them fails, and those before go on."""
    most = stage.settings.limits.rows_looked_at // 5_000
    views = [viewer.open("final_ui", last=4_999, search=str(number)) for number in range(most)]
    viewer.say(do="open", view=999, table="final_ui")
    viewer.hear_until("opened")
    viewer.say(do="look", view=999, look=1, first=0, last=4_999)
    assert viewer.hear_until("failed")["view"] == 999
    viewer.look(views[0], 5, 9)
    viewer.say(do="open", view=999, table="final_ui")
    assert viewer.hear_until("opened")["view"] == 999


def test_copies_beyond_their_number_are_refused_and_given_back(stage: Stage) -> None:
    """Also where somebody asks over HTTP and goes away before the answer; with another key there are more."""
    copies = stage.settings.limits.copies_per_key
    with enter(stage.settings, stage.viewer_key) as client:
        for view in range(copies):
            client.say(do="copy", view=view, table="final_ui")
            assert client.hear()["is"] == "opened"
        client.say(do="copy", view=copies, table="final_ui")
        assert client.hear()["is"] == "failed"
        assert stage.ask("GET", "/rows/final_ui").status == 429
        assert stage.ask("GET", "/rows/final_ui", key=stage.operator_key).status == 200
    await_that(lambda: stage.ask("GET", "/rows/final_ui").status == 200)
    names = f"Host: 127.0.0.1\r\nAuthorization: Bearer {stage.viewer_key}\r\n"
    head = f"GET /rows/final_ui?newest=6000 HTTP/1.1\r\n{names}\r\n"
    for _ in range(3 * copies):
        with socket.create_connection(("127.0.0.1", stage.port)) as hasty:
            hasty.sendall(head.encode())
    await_that(lambda: stage.ask("GET", "/rows/final_ui").status == 200)
    await_that(lambda: stage.objects("View")["View"] == 2)

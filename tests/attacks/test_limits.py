"""How much may be asked: beyond it somebody is told so, and only he."""

import json
import socket
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import pytest

from await_that import await_that
from door_client import DoorClient, enter
from livejoin.serve.door.limits import SEARCHES_PER_VIEW
from livejoin.serve.door.message import MOST_CONDITIONS
from tests.attacks.stage import Attacked, Onlooker, Stage
from websocket_frames import BINARY, CLOSE, TEXT, frame, handshake, hear_welcome, heard_frames

OPEN = {"do": "open", "view": 1, "table": "final_ui"}
BAD_MESSAGE, TOO_MUCH = 4400, 4429
FLOOD, MANY_VIEWS = 3_000, 400
TOO_LONG = {**OPEN, "search": "x" * 70_000}


def closed_with(client: socket.socket) -> int:
    """The number in the frame by which the server closes a WebSocket."""
    [*_, (kind, data)] = heard_frames(client)
    assert kind == CLOSE
    return int.from_bytes(data[:2], "big")


def said(*messages: dict[str, Any]) -> bytes:
    """Messages as frames."""
    return b"".join(frame(TEXT, json.dumps(message).encode()) for message in messages)


def test_control_without_limits_there_is_a_place_for_everybody(stage: Stage, unguarded: Attacked) -> None:
    """One more than may be inside elsewhere, and all of them are let in."""
    with ExitStack() as inside:
        for _ in range(stage.settings.limits.connections + 1):
            client = inside.enter_context(unguarded.enter_raw())
            assert b"welcome" in next(heard_frames(client))[1]


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


def _is_let_in(stage: Attacked) -> bool:
    with stage.enter_raw() as client:
        return b"welcome" in next(heard_frames(client))[1]


def test_control_without_limits_a_flood_is_answered_message_by_message(unguarded: Attacked) -> None:
    """However fast they come."""
    with unguarded.enter_raw() as client:
        client.sendall(said({"do": "ping", "id": 1}) * FLOOD)
        heard = heard_frames(client)
        hear_welcome(heard)
        assert all(b"pong" in next(heard)[1] for _ in range(FLOOD))


def test_messages_that_come_too_fast_end_the_connection(stage: Stage, onlooker: Onlooker) -> None:
    """And are not answered one and all."""
    with stage.enter_raw() as client:
        client.sendall(said({"do": "ping", "id": 1}) * FLOOD)
        [*heard, last] = heard_frames(client)
    assert int.from_bytes(last[1][:2], "big") == TOO_MUCH
    assert len(heard) < 1_500
    onlooker.hear_a_beat()


def test_control_where_messages_have_no_bounds_a_long_one_is_done(unguarded: Attacked) -> None:
    """The engine searches for all of its 70 kB."""
    with unguarded.enter_raw() as client:
        client.sendall(said(TOO_LONG))
        heard = heard_frames(client)
        hear_welcome(heard)
        assert json.loads(next(heard)[1])["is"] == "opened"


@pytest.mark.parametrize(
    ("what", "closed"),
    [
        (said(TOO_LONG), 1009),
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


def test_a_login_that_never_comes_is_not_waited_for(stage: Stage, unguarded: Attacked) -> None:
    """Not by silence, by pings that nobody reads an answer to, nor by a message that never ends.

    Where nobody looks at the clock, who was silent for all that time is still waited for.
    """
    with ExitStack() as stack:
        awaited, silent, endless, pinging = (
            stack.enter_context(handshake(port)[0]) for port in (unguarded.port, *[stage.port] * 3)
        )
        endless.sendall(frame(TEXT, b'{"do":', is_last=False))
        pinging.sendall(frame(9, b"p" * 100) * 100)
        for client in (silent, endless, pinging):
            client.settimeout(8.0)
            assert closed_with(client) == TOO_MUCH
        awaited.sendall(said({"do": "login", "key": unguarded.viewer_key}))
        assert b"welcome" in next(heard_frames(awaited))[1]


def answers_to_opens(client: DoorClient, views: Iterable[int]) -> list[str]:
    """What is answered where each of these is opened with another search: `opened`, or why it is not."""
    views = list(views)
    for view in views:
        client.say(do="open", view=view, table="final_ui", search=str(view))
    return [heard.get("reason", heard["is"]) for heard in (client.hear() for _ in views)]


def test_control_without_limits_one_connection_has_hundreds_of_views(unguarded: Attacked) -> None:
    """Each of them is a table that the engine keeps up to date."""
    before = unguarded.objects("View")["View"]
    with enter(unguarded.settings, unguarded.viewer_key) as client:
        assert set(answers_to_opens(client, range(MANY_VIEWS))) == {"opened"}
        assert unguarded.objects("View")["View"] == before + MANY_VIEWS
    await_that(lambda: unguarded.objects("View")["View"] == before)


def test_more_views_than_one_connection_may_have_fail_one_by_one(stage: Stage) -> None:
    """The others are there, and the connection goes on."""
    limits = stage.settings.limits
    with enter(stage.settings, stage.viewer_key) as client:
        heard = answers_to_opens(client, range(MANY_VIEWS))
        assert heard.count("opened") == limits.views
        assert heard.count("too many views are open in one connection") == MANY_VIEWS - limits.views
        assert stage.objects("View")["View"] == limits.views + 2
    await_that(lambda: stage.objects("View")["View"] == 2)


def test_different_views_are_counted_over_all_connections(stage: Stage) -> None:
    """With one key, and in all; the same as somebody else can always be opened. The control has hundreds of them."""
    limits = stage.settings.limits
    keys = (stage.viewer_key, stage.viewer_key, stage.operator_key)
    with ExitStack() as stack:
        clients = [stack.enter_context(enter(stage.settings, key)) for key in keys]
        heard = [
            answers_to_opens(client, range(100 * number, 100 * number + limits.views))
            for number, client in enumerate(clients, 1)
        ]
        # The onlooker has one of those with the viewers' key.
        of_viewers, of_all = limits.different_views_per_key - 1, limits.different_views - 1
        assert [answers.count("opened") for answers in heard] == [
            limits.views,
            of_viewers - limits.views,
            of_all - of_viewers,
        ]
        assert set(heard[1]) == {"opened", "too many different views are open with this key"}
        assert set(heard[2]) == {"opened", "too many different views are open"}
        with enter(stage.settings, stage.operator_key) as late:
            late.say(do="open", view=1, table="final_ui", search="100")
            assert late.hear()["is"] == "opened"
    await_that(lambda: stage.objects("View")["View"] == 2)


def answers_to_searches(client: DoorClient, views: Iterable[int]) -> list[str]:
    """What is answered where each of these looks for as many texts as a view may have conditions."""
    views = list(views)
    for view in views:
        wanted = [{"is": "containing", "to": f"{view} {number}"} for number in range(MOST_CONDITIONS - 1)]
        client.say(do="open", view=view, table="final_ui", filter=[{"column": "name", "is": "anyOf", "of": wanted}])
    return [heard.get("reason", heard["is"]) for heard in (client.hear() for _ in views)]


def test_control_without_limits_texts_are_looked_for_a_thousand_times_in_each_row(unguarded: Attacked) -> None:
    """By one connection."""
    with enter(unguarded.settings, unguarded.viewer_key) as client:
        assert set(answers_to_searches(client, range(6))) == {"opened"}


def test_searches_are_counted_over_all_connections(stage: Stage, onlooker: Onlooker) -> None:
    """With one key, and in all: views that look for nothing can still be opened, and everybody's rows move."""
    limits = stage.settings.limits
    of_viewers, of_all = limits.different_views_per_key // 50, limits.different_views // 50
    assert SEARCHES_PER_VIEW * limits.different_views_per_key == 200 * of_viewers
    with (
        enter(stage.settings, stage.viewer_key) as viewer,
        enter(stage.settings, stage.viewer_key) as other,
        enter(stage.settings, stage.operator_key) as operator,
    ):
        assert answers_to_searches(viewer, range(of_viewers)) == ["opened"] * of_viewers
        assert answers_to_searches(other, [10]) == ["too many different searches are open with this key"]
        assert answers_to_searches(other, [0]) == ["opened"]
        assert other.open("final_ui", sort=[{"column": "age", "direction": "descending"}])
        heard = answers_to_searches(operator, range(20, 20 + of_all))
        assert heard.count("opened") == of_all - of_viewers
        assert heard.count("too many different searches are open") == of_viewers
        onlooker.hear_a_beat()
    await_that(lambda: stage.objects("View", "Window") == {"View": 2, "Window": 1})


def test_a_thousand_opens_at_once_leave_nothing_behind(stage: Stage, onlooker: Onlooker) -> None:
    """They are too many messages: the connection ends, and every view with it that was open or about to be."""
    with stage.enter_raw() as client:
        client.sendall(said(*({**OPEN, "view": view, "search": str(view)} for view in range(1_000))))
        assert closed_with(client) == TOO_MUCH
    onlooker.hear_a_beat()
    await_that(lambda: stage.objects("View", "Window") == {"View": 2, "Window": 1})


def test_control_without_limits_there_is_a_copy_for_every_request(stage: Stage, unguarded: Attacked) -> None:
    """More than elsewhere all keys may have together."""
    with enter(unguarded.settings, unguarded.viewer_key) as client:
        for view in range(stage.settings.limits.copies + 1):
            client.say(do="copy", view=view, table="final_ui")
            assert client.hear()["is"] == "opened"


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

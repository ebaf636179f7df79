"""Clients that say or take nothing: they are not waited for, cost little, and nobody else notices them."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from await_that import await_that
from door_client import enter
from livejoin.http.patience import REQUEST_SECONDS
from tests.attacks.stage import Attacked, Onlooker, Stage
from websocket_frames import PING, TEXT, frame, handshake, hear_to_the_end, heard_frames

MOMENTS = 60
PINGS = 300_000
"""Their answers are 38 MB. What the kernel keeps of them, on both sides of a connection, is less than a third."""
LITTLE = 60.0
"""Megabytes. What the process takes and gives back by itself is less."""


BEGINS = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\n")


@pytest.fixture(scope="module", autouse=True)
def begun(stage: Stage, unguarded: Attacked) -> Iterator[dict[str, list[socket.socket]]]:
    """Connections with requests that do not go on. They are looked at when other tests have taken their time."""
    with ExitStack() as stack:
        clients = {
            name: [stack.enter_context(_begin(server, begin)) for begin in BEGINS]
            for name, server in (("stage", stage), ("unguarded", unguarded))
        }
        yield clients


def _begin(server: Attacked, begin: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.port), REQUEST_SECONDS + 3)
    if begin.startswith(b"POST"):
        begin += f"Authorization: Bearer {server.viewer_key}\r\nContent-Length: 9\r\n\r\n{{".encode()
    client.sendall(begin)
    return client


def send_a_large_body(server: Attacked, path: str, key: str) -> float:
    """600 MB are announced, and sent for two seconds; by how many megabytes the process has grown meanwhile."""
    before = grown = server.megabytes
    given = f"Authorization: Bearer {key}\r\n" if key else ""
    with socket.create_connection(("127.0.0.1", server.port), 5.0) as client:
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{given}Content-Length: 600000000\r\n\r\n".encode())
        until = time.monotonic() + 2.0
        with suppress(OSError):
            while time.monotonic() < until and grown - before < 2 * LITTLE:
                for _ in range(100):
                    client.send(b"x" * 65_536)
                grown = server.megabytes
    return grown - before


def test_control_without_limits_a_large_body_is_taken_in(unguarded: Attacked) -> None:
    """All of it is kept until it is whole."""
    assert send_a_large_body(unguarded, "/rows", unguarded.viewer_key) > LITTLE


def test_a_large_body_is_not_taken_in(stage: Stage) -> None:
    """600 MB are announced; as much is read as a message may have, with a key and without."""
    for path, key in (("/rows", stage.viewer_key), ("/control/message", stage.operator_key), ("/rows", "")):
        assert send_a_large_body(stage, path, key) < LITTLE


def ping_and_never_read(client: socket.socket) -> Iterator[int]:
    """Ping, and then read at last; how many bytes of the answers were kept for that."""
    with suppress(ConnectionError):
        for _ in range(PINGS // 2_000):
            client.sendall(frame(PING, b"p" * 125) * 2_000)
    yield 0
    client.settimeout(1.0)
    kept = 0
    with suppress(TimeoutError, ConnectionResetError):
        while part := client.recv(1 << 20):
            kept += len(part)
    yield kept


def test_control_every_ping_is_answered_and_every_answer_is_kept(unguarded: Attacked) -> None:
    """As uvicorn itself does it, and nobody has to log in for it."""
    stranger, _ = handshake(unguarded.port)
    with stranger:
        [_, kept] = ping_and_never_read(stranger)
    assert kept >= PINGS * 127


def test_pings_whose_answers_nobody_reads_pile_up_nowhere(stage: Stage, onlooker: Onlooker) -> None:
    """Neither before a login nor after it: when somebody reads at last, hardly any of the answers was kept for him."""
    stranger, _ = handshake(stage.port)
    with stranger, stage.enter_raw() as client:
        for one in (stranger, client):
            pinging = ping_and_never_read(one)
            next(pinging)
            onlooker.hear_a_beat()
            assert next(pinging) < PINGS * 127 / 3


@contextmanager
def never_reading(server: Attacked) -> Iterator[socket.socket]:
    """Somebody who looks at 5,000 rows, the oldest first, and reads nothing from then on."""
    order = [{"column": "age", "direction": "descending"}]
    with server.enter_raw() as client:
        heard = heard_frames(client)
        view = {"do": "open", "view": 1, "table": "final_ui", "sort": order}
        client.sendall(frame(TEXT, json.dumps(view).encode()))
        while b'"opened"' not in next(heard)[1]:
            pass
        before = server.objects("Window")["Window"]
        look = {"do": "look", "view": 1, "look": 1, "first": 0, "last": 4_999}
        client.sendall(frame(TEXT, json.dumps(look).encode()))
        await_that(lambda: server.objects("Window")["Window"] > before)
        yield client


def test_control_without_a_bound_every_moment_waits_for_who_never_reads(stage: Stage, unguarded: Attacked) -> None:
    """All rows of each of them."""
    with enter(unguarded.settings, unguarded.viewer_key) as other, never_reading(unguarded) as client:
        beside = Onlooker(stage, other)
        for age in range(2_000, 2_000 + MOMENTS):
            stage.hurry(f"top{age}", age=age)
            beside.hear_a_beat(within=5.0)
        messages, _ = _rows_of(client, top=f"top{1_999 + MOMENTS}")
    assert messages >= MOMENTS


def test_who_never_reads_costs_little_and_has_right_rows_when_he_does(stage: Stage, onlooker: Onlooker) -> None:
    """While all of his rows move all the time; what he misses are moments."""
    before = stage.megabytes
    with never_reading(stage) as client:
        for age in range(3_000, 3_000 + MOMENTS):
            # It comes to the top, and every other row goes down by one.
            stage.hurry(f"top{age}", age=age)
            onlooker.hear_a_beat()
        assert stage.megabytes - before < 2 * LITTLE
        messages, rows = _rows_of(client, top=f"top{2_999 + MOMENTS}")
    assert rows[:MOMENTS] == [f"top{age}" for age in range(2_999 + MOMENTS, 2_999, -1)]
    assert messages < MOMENTS


def _rows_of(client: socket.socket, *, top: str) -> tuple[int, list[str]]:
    """Read until that user is in the first row; how many messages that took, and all users in their order."""
    rows: dict[int, str] = {}
    messages = 0
    for kind, data in heard_frames(client):
        messages += 1
        for change in json.loads(data).get("changes", []) if kind == TEXT else ():
            places = change.get("at")
            if places is None:
                rows, places = {}, range(change["first"], change["first"] + len(change["rows"]))
            rows.update({place: row[0] for place, row in zip(places, change["rows"], strict=True)})
        if rows.get(0) == top:
            break
    assert sorted(rows) == list(range(len(rows)))
    return messages, [rows[place] for place in sorted(rows)]


def test_requests_that_never_end_are_cut_off(begun: dict[str, list[socket.socket]]) -> None:
    """Silence, half of a head, a head that comes byte by byte, and a body that does not come: all end in time."""
    for client in begun["stage"]:
        # Nothing is said to them, and then they are gone; a socket that is still there would run out of patience.
        try:
            heard = client.recv(1)
        except ConnectionResetError:
            heard = b""
        assert heard == b""


def test_control_uvicorn_itself_waits_for_the_end_of_every_request(begun: dict[str, list[socket.socket]]) -> None:
    """When the others have been cut off, each of them can still be brought to an end, and is answered."""
    ends = (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"TP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"Connection: close\r\n\r\n",
        b'"table":1',
    )
    for client, end in zip(begun["unguarded"], ends, strict=True):
        client.settimeout(2.0)
        assert hear_to_the_end(client, end).startswith(b"HTTP/1.1 ")

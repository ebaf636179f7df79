"""Clients that say or take nothing: they are not waited for, cost little, and nobody else notices them."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from attacks.deephaven_calls import handshake
from attacks.stage import PING, TEXT, Onlooker, Stage, frame, heard_frames
from livejoin.http.patience import REQUEST_SECONDS

PINGS = 300_000
"""Their answers are 38 MB. What the kernel keeps of them, on both sides of a connection, is less than a third."""
LITTLE = 60.0
"""Megabytes. What the process takes and gives back by itself is less."""


@pytest.fixture(scope="module", autouse=True)
def begun(stage: Stage) -> Iterator[list[socket.socket]]:
    """Connections with requests that do not go on. They are looked at when other tests have taken their time."""
    post = f"POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {stage.viewer_key}\r\n"
    said = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", f"{post}Content-Length: 9\r\n\r\n{{".encode())
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", stage.port), REQUEST_SECONDS + 3)) for _ in said
        ]
        for client, begin in zip(clients, said, strict=True):
            client.sendall(begin)
        yield clients


def test_a_large_body_is_not_taken_in(stage: Stage) -> None:
    """600 MB are announced; as much is read as a message may have, with a key and without."""
    before = stage.megabytes
    for path, key in (("/rows", stage.viewer_key), ("/control/message", stage.operator_key), ("/rows", "")):
        given = f"Authorization: Bearer {key}\r\n" if key else ""
        with socket.create_connection(("127.0.0.1", stage.port), 5.0) as client:
            client.sendall(
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{given}Content-Length: 600000000\r\n\r\n".encode()
            )
            sent, until = 0, time.monotonic() + 2.0
            try:
                while time.monotonic() < until:
                    sent += client.send(b"x" * 65_536)
            except OSError:
                pass
    assert stage.megabytes - before < LITTLE


def test_pings_whose_answers_nobody_reads_pile_up_nowhere(stage: Stage, onlooker: Onlooker) -> None:
    """Neither before a login nor after it: when somebody reads at last, hardly any of the answers was kept for him."""
    pings = frame(PING, b"p" * 125) * 2_000
    stranger, _ = handshake(stage.port)
    with stranger, stage.enter_raw() as client:
        for one in (stranger, client):
            for _ in range(PINGS // 2_000):
                one.sendall(pings)
            onlooker.hear_a_beat()
            one.settimeout(1.0)
            kept = 0
            with suppress(TimeoutError, ConnectionResetError):
                while part := one.recv(1 << 20):
                    kept += len(part)
            assert kept < PINGS * 127 / 3


def test_who_never_reads_costs_little_and_has_right_rows_when_he_does(stage: Stage, onlooker: Onlooker) -> None:
    """While all of his rows move all the time; what he misses are moments."""
    look = {"do": "look", "view": 1, "look": 1, "first": 0, "last": 4_999}
    order = [{"column": "age", "direction": "descending"}]
    before = stage.megabytes
    with stage.enter_raw() as client:
        for message in ({"do": "open", "view": 1, "table": "final_ui", "sort": order}, look):
            client.sendall(frame(TEXT, json.dumps(message).encode()))
            time.sleep(0.3)
        for age in range(1_000, 1_060):
            # It comes to the top, and every other row goes down by one.
            stage.hurry(f"top{age}", age=age)
            onlooker.hear_a_beat()
        assert stage.megabytes - before < 2 * LITTLE
        rows = _rows_of(client, top="top1059")
    assert rows[:60] == [f"top{age}" for age in range(1_059, 999, -1)]


def _rows_of(client: socket.socket, *, top: str) -> list[str]:
    """Read until that user is in the first row, and return all users in their order."""
    rows: dict[int, str] = {}
    for kind, data in heard_frames(client):
        for change in json.loads(data).get("changes", []) if kind == TEXT else ():
            places = change.get("at")
            if places is None:
                rows, places = {}, range(change["first"], change["first"] + len(change["rows"]))
            rows.update({place: row[0] for place, row in zip(places, change["rows"], strict=True)})
        if rows.get(0) == top:
            break
    assert sorted(rows) == list(range(len(rows)))
    return [rows[place] for place in sorted(rows)]


def test_requests_that_never_end_are_cut_off(begun: list[socket.socket]) -> None:
    """Silence, half of a head, a head that comes byte by byte, and a body that does not come: all end in time."""
    for client in begun:
        # Nothing is said to them, and then they are gone; a socket that is still there would run out of patience.
        try:
            heard = client.recv(1)
        except ConnectionResetError:
            heard = b""
        assert heard == b""

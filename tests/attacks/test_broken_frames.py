"""Bytes that are cut or bent anywhere, at the level of the connection: nobody but who sent them notices."""

import json
import random
import socket
from collections.abc import Iterator

import pytest

from await_that import await_that
from tests.attacks.stage import Attacked, Onlooker, Stage
from websocket_frames import TEXT, frame, handshake

CASES = 150
STUMBLES = "Exception in ASGI application"
"""What uvicorn logs where an error comes up that nobody has thought of."""
MESSAGES = (
    {"do": "open", "view": 1, "table": "final_ui", "search": "a"},
    {"do": "look", "view": 1, "look": 1, "first": 0, "last": 99},
    {"do": "copy", "view": 2, "table": "final_ui"},
    {"do": "close", "view": 1},
    {"do": "ping", "id": 1},
)


def bent(data: bytes, chance: random.Random) -> bytes:
    """The data with something missing, doubled, exchanged or changed, at one place or at a few."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(5):
            case 0:
                del changed[at:]
            case 1:
                changed[at:at] = chance.randbytes(chance.randint(1, 20))
            case 2:
                del changed[at : at + chance.randint(1, 20)]
            case 3:
                changed[at:at] = changed[: chance.randint(0, 50)]
            case _ if at < len(changed):
                changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _throw(client: socket.socket, data: bytes, chance: random.Random) -> None:
    """Send it in pieces, and end the connection in one of the ways in which they end."""
    with client:
        client.settimeout(1.0)
        try:
            at = 0
            while at < len(data):
                size = chance.randint(1, len(data))
                client.sendall(data[at : at + size])
                at += size
            if chance.random() < 0.3:
                client.shutdown(socket.SHUT_WR)
            if chance.random() < 0.3:
                client.setblocking(False)
                client.recv(65_536)
        except OSError:
            pass


def _throw_bent_frames(server: Attacked, seed: int) -> Iterator[int]:
    """Connections whose frames are bent before a login, in it and after it; the number of each when it is over."""
    chance = random.Random(seed)  # noqa: S311  it must be the same every time
    login = frame(TEXT, json.dumps({"do": "login", "key": server.viewer_key}).encode())
    for case in range(CASES):
        talk = [frame(TEXT, json.dumps(chance.choice(MESSAGES)).encode()) for _ in range(chance.randint(1, 6))]
        client, _ = handshake(server.port)
        bends_login = chance.random() < 0.2
        said = bent(login + b"".join(talk), chance) if bends_login else login + bent(b"".join(talk), chance)
        _throw(client, said, chance)
        yield case


def test_control_bent_frames_break_a_server_that_believes_what_it_is_told(unguarded: Attacked) -> None:
    """It stumbles, and nobody is told what was wrong."""
    for _ in _throw_bent_frames(unguarded, 0):
        pass
    await_that(lambda: STUMBLES in unguarded.log)


@pytest.mark.parametrize("seed", range(2))
def test_frames_that_are_bent_harm_nobody(stage: Stage, onlooker: Onlooker, seed: int) -> None:
    """Before a login, in it and after it; the server stumbles over none of them."""
    before = stage.log.count(STUMBLES)
    for case in _throw_bent_frames(stage, seed):
        if case % 50 == 0:
            onlooker.hear_a_beat(within=2.0)
    assert stage.log.count(STUMBLES) == before


def test_requests_that_are_bent_harm_nobody(stage: Stage, onlooker: Onlooker) -> None:
    """Also those that would become a WebSocket, and bytes that were never a request."""
    chance = random.Random(3)  # noqa: S311  it must be the same every time
    names = f"Host: 127.0.0.1:{stage.port}\r\nAuthorization: Bearer {stage.viewer_key}\r\n"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n"
    body = json.dumps({"table": "final_ui", "search": "a"})
    chunks = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    requests = [
        f"GET /rows/final_ui?newest=9 HTTP/1.1\r\n{names}\r\n".encode(),
        f"POST /rows HTTP/1.1\r\n{names}Content-Length: {len(body)}\r\n\r\n{body}".encode(),
        f"POST /rows HTTP/1.1\r\n{names}Transfer-Encoding: chunked\r\n\r\n{chunks}".encode(),
        f"GET /tables HTTP/1.1\r\n{names}{upgrade}\r\n".encode(),
        chance.randbytes(400),
    ]
    for case in range(CASES):
        client = socket.create_connection(("127.0.0.1", stage.port), 2.0)
        _throw(client, bent(chance.choice(requests), chance), chance)
        if case % 50 == 0:
            onlooker.hear_a_beat(within=2.0)

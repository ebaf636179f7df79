"""What says nothing, as fast as it can be sent: frames without a message, and requests that nobody can read."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from await_that import await_that
from door_client import enter
from livejoin.http.noise import NOISE
from tests.attacks.stage import Attacked, Onlooker, Stage
from websocket_frames import CLOSE, CONTINUATION, PING, PONG, TEXT, frame, handshake, hear_to_the_end, heard_frames

TOO_MUCH = 4429
BEGUN = frame(TEXT, b"", is_last=False)
NOTHINGS = {
    "pings": (b"", frame(PING, b"")),
    "pongs": (b"", frame(PONG, b"")),
    "parts of a message that never ends": (BEGUN, frame(CONTINUATION, b"", is_last=False)),
    "messages after the end": (frame(TEXT, b"no message"), frame(TEXT, b"")),
}
FLOODERS = 12
AT_ONCE = 40_000
"""As much as a server reads at once is fewer of them."""
NOTICED_SECONDS = 1.0
UNREADABLE = 100
HEAD = (
    "GET /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
TOO_MANY_LINES = (HEAD + "".join(f"X-{line}: x\r\n" for line in range(200)) + "\r\n").encode()


@contextmanager
def flooded(server: Attacked, what: str, key: str) -> Iterator[list[threading.Thread]]:
    """Several who send nothing else, each until the server has enough of it; strangers, where there is no key."""
    begin, nothing = NOTHINGS[what]
    with ExitStack() as stack:
        clients = [
            stack.enter_context(server.enter_raw(key) if key else handshake(server.port)[0]) for _ in range(FLOODERS)
        ]

        def flood(client: socket.socket) -> None:
            with suppress(OSError):
                client.sendall(begin)
                while True:
                    client.sendall(nothing * AT_ONCE)

        threads = [threading.Thread(target=flood, args=[client], daemon=True) for client in clients]
        for thread in threads:
            thread.start()
        try:
            yield threads
        finally:
            for client in clients:
                with suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()


def test_control_frames_that_say_nothing_keep_everybody_waiting(stage: Stage, unguarded: Attacked) -> None:
    """As uvicorn itself takes them; nobody has to log in for it."""
    with enter(unguarded.settings, unguarded.viewer_key) as other:
        beside = Onlooker(stage, other)
        beside.hear_a_beat(within=NOTICED_SECONDS)
        with flooded(unguarded, "pings", key="") as threads:
            assert beside.hear_a_beat(within=60.0) > NOTICED_SECONDS
            assert all(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("role", ["a stranger", "a viewer"])
@pytest.mark.parametrize("what", NOTHINGS)
def test_frames_that_say_nothing_are_not_listened_to_for_long(
    stage: Stage, onlooker: Onlooker, what: str, role: str
) -> None:
    """Who sends them is cut off, and nobody else notices it."""
    with flooded(stage, what, key=stage.viewer_key if role == "a viewer" else "") as threads:
        onlooker.hear_a_beat(within=NOTICED_SECONDS)
        await_that(lambda: not any(thread.is_alive() for thread in threads))


def test_who_sends_too_many_is_told_so_and_a_few_are_answered(stage: Stage) -> None:
    """As programs do that look now and then whether the other side is there."""
    before = stage.served.answer("healthz")["door"]["refused"].get("messages", 0)
    with stage.enter_raw() as few, stage.enter_raw() as many:
        few.sendall(frame(PING, b"there?") * 20)
        assert [data for kind, data in _up_to(few, PONG)].count(b"there?") == 1
        many.sendall(frame(PING, b"") * 2_000)
        [*_, (kind, data)] = heard_frames(many)
        assert (kind, int.from_bytes(data[:2], "big")) == (CLOSE, TOO_MUCH)
    assert stage.served.answer("healthz")["door"]["refused"]["messages"] == before + 1


def _up_to(client: socket.socket, kind: int) -> Iterator[tuple[int, bytes]]:
    for found, data in heard_frames(client):
        yield found, data
        if found == kind:
            return


def test_control_a_message_of_very_many_parts_is_put_together(unguarded: Attacked) -> None:
    """However many there are, each is kept until the last one comes."""
    login = json.dumps({"do": "login", "key": unguarded.viewer_key}).encode()
    client, _ = handshake(unguarded.port)
    with client:
        client.sendall(BEGUN + frame(CONTINUATION, b"", is_last=False) * AT_ONCE + frame(CONTINUATION, login))
        assert b"welcome" in next(heard_frames(client))[1]


def test_control_an_upgrade_with_too_many_lines_is_held_for_ever(unguarded: Attacked) -> None:
    """Nothing is answered, nobody waits for a login, and it counts as no connection."""
    with socket.create_connection(("127.0.0.1", unguarded.port), 1.0) as client:
        client.sendall(TOO_MANY_LINES)
        with pytest.raises(TimeoutError):
            client.recv(1)


def test_an_upgrade_with_too_many_lines_is_refused(stage: Stage) -> None:
    """And the connection ends."""
    answer = stage.say_raw(TOO_MANY_LINES)
    assert answer.startswith(b"HTTP/1.1 431 ")


def _send_what_nobody_can_read(server: Attacked) -> None:
    for _ in range(UNREADABLE):
        assert b"400" in server.say_raw(b"\0 \1\r\n\r\n")
        client, _ = handshake(server.port)
        with client:
            hear_to_the_end(client, frame(TEXT, b"\xff\xfe"))


def test_control_what_nobody_can_read_fills_the_log(unguarded: Attacked) -> None:
    """Line by line, with a stack trace for every frame; anybody can have them written, until the disk is full."""
    before = len(unguarded.log.splitlines())
    _send_what_nobody_can_read(unguarded)
    await_that(lambda: len(unguarded.log.splitlines()) - before >= 2 * UNREADABLE)


def test_what_nobody_can_read_is_logged_once_and_then_counted(stage: Stage) -> None:
    """For each kind of it, without a stack trace; others of these tests may have sent some of it before."""
    before = len(stage.log)
    _send_what_nobody_can_read(stage)
    added = stage.log[before:]
    assert 1 <= stage.log.count("nobody can read") <= len(NOISE)
    assert added.count("nobody can read") <= 2
    assert "Traceback" not in added

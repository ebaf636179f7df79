"""How many connections there may be, and how long one may take to begin, at the real HTTP server."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from await_that import await_that
from certificates import self_signed
from livejoin.http.server import HttpServer, listen
from websocket_frames import hear_to_the_end

MOST = 8
ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Answering(HttpServer):
    """Says yes."""

    def _application(self) -> Starlette:
        return Starlette(routes=[Route("/", lambda _: PlainTextResponse("yes"))])


@contextmanager
def answering(most: int, **options: object) -> Iterator[int]:
    """The port of one that is stopped afterwards."""
    listener = listen("127.0.0.1", 0, most)
    server = Answering("answering", listener, **options)
    server.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.stop()


@pytest.fixture
def certificate(tmp_path: Path) -> dict[str, Path]:
    """Options of a server that speaks TLS."""
    certificate, key = self_signed(tmp_path, "door")
    return {"ssl_certfile": certificate, "ssl_keyfile": key}


def is_answered(port: int, certificate: Path | None = None) -> bool:
    """Whether somebody who comes now is."""
    with ExitStack() as stack:
        try:
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5.0))
            if certificate is not None:
                context = ssl.create_default_context(cafile=certificate)
                client = stack.enter_context(context.wrap_socket(client, server_hostname="localhost"))
        except OSError:
            return False
        return b"yes" in hear_to_the_end(client, ASK)


@pytest.mark.parametrize("speaks_tls", [False, True])
def test_connections_that_say_nothing_are_bounded(certificate: dict[str, Path], *, speaks_tls: bool) -> None:
    """One more is hung up on; where one of them leaves, the next one is answered. Without the bound, all are kept."""
    options = certificate if speaks_tls else {}
    ours = certificate["ssl_certfile"] if speaks_tls else None
    with answering(MOST, **options) as port, answering(10 * MOST, **options) as unbounded, ExitStack() as stack:
        for there in (port, unbounded):
            silent = [stack.enter_context(socket.create_connection(("127.0.0.1", there), 5.0)) for _ in range(MOST)]
        assert is_answered(unbounded, ours)
        assert not is_answered(port, ours)
        stack.close()
        assert silent
        await_that(lambda: is_answered(port, ours))


def test_who_never_begins_to_speak_tls_is_not_waited_for(
    certificate: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As asyncio itself does for a minute: when the one is cut off, the other is still there."""
    monkeypatch.setattr("livejoin.http.server.REQUEST_SECONDS", 0.5)
    with ExitStack() as stack:
        patient = stack.enter_context(answering(MOST, **certificate))
        assert is_answered(patient, certificate["ssl_certfile"])
        monkeypatch.setattr("livejoin.http.server.PatientLoop", asyncio.SelectorEventLoop)
        plain = stack.enter_context(answering(MOST, **certificate))
        assert is_answered(plain, certificate["ssl_certfile"])
        cut_off, kept = (
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 10.0)) for port in (patient, plain)
        )
        assert cut_off.recv(1) == b""
        kept.settimeout(0.2)
        with pytest.raises(TimeoutError):
            kept.recv(1)


def test_what_is_sent_waits_for_no_acknowledgement() -> None:
    """Of what was sent before: a client that only listens gives it after 40 ms, and rows would come that late."""

    async def option_of_a_connection() -> int:
        asked: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ours = writer.get_extra_info("socket")
            asked.set_result(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            found = await asked
            writer.close()
        return found

    assert asyncio.run(option_of_a_connection())

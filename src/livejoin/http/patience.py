"""How long a client may take: to say something whole, and to take what it is told. uvicorn itself waits for ever.

Without this, anybody who reaches the port could hold as many sockets as he likes without a word, and a client that
pings and never reads could have answers pile up until there is no memory left.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

REQUEST_SECONDS = 10.0
"""From the first byte of a request, or from the begin of a connection, to the last byte of the request."""
HEARING_SECONDS = 30.0
"""In which a client must have taken something of what waits for it."""

_UNFINISHED = frozenset({h11.IDLE, h11.SEND_BODY})


class Unheard:
    """Ends a connection whose client takes nothing of what it is sent, however much of it there is."""

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._left = 0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Something waits to be taken."""
        self.end()
        self._left = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(HEARING_SECONDS, self._look)

    def end(self) -> None:
        """It was taken, or nobody is there any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        if self._transport.get_write_buffer_size() >= self._left:
            self._transport.abort()
        else:
            self.begin()


class PatientHttp(H11Protocol):
    """HTTP, as uvicorn speaks it, with clients that come to an end."""

    _unheard: Unheard
    _request_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody is there, and has to say something."""
        super().connection_made(transport)
        self._unheard = Unheard(self.loop, transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Something was said; whatever is not whole yet has to become so."""
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there."""
        self._unheard.end()
        self._stop_expecting()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client is slower than the answer."""
        self._unheard.begin()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._unheard.end()
        super().resume_writing()

    def _expect(self) -> None:
        is_http = self.transport.get_protocol() is self
        if not (is_http and self.conn.their_state in _UNFINISHED):
            self._stop_expecting()
        elif self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_expecting(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None


class PatientWebSocket(WebSocketsSansIOProtocol):
    """WebSockets, as uvicorn speaks them, with clients that have to read."""

    _unheard: Unheard

    def connection_made(self, transport: Any) -> None:
        """Somebody is there."""
        super().connection_made(transport)
        self._unheard = Unheard(self.loop, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there."""
        self._unheard.end()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client is slower than what it is told."""
        self._unheard.begin()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._unheard.end()
        super().resume_writing()

    def handle_ping(self) -> None:
        """Answer it, unless the client takes no answers."""
        pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(pong)

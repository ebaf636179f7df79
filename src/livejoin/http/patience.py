"""How long a client may take: to say something whole, and to take what it is told. uvicorn itself waits for ever.

Without this, anybody who reaches the port could hold as many sockets as he likes without a word, and a client that
pings and never reads could have answers pile up until there is no memory left.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

REQUEST_SECONDS = 10.0
"""From the first byte of a request, or from the begin of a connection, to the last byte of the request."""
HEARING_SECONDS = 30.0
"""In which a client must have taken something of what waits for it."""

_UNFINISHED = frozenset({h11.IDLE, h11.SEND_BODY})


class MustHear(asyncio.Protocol):
    """Ends a connection whose client takes nothing of what it is sent, however much of it there is."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _untaken = 0
    _hearing_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The client is slower than what it is sent."""
        self._wait_for_hearing()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._stop_waiting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_hearing(self) -> None:
        self._stop_waiting()
        self._untaken = self.transport.get_write_buffer_size()
        self._hearing_timer = self.loop.call_later(HEARING_SECONDS, self._look_whether_it_hears)

    def _stop_waiting(self) -> None:
        if self._hearing_timer is not None:
            self._hearing_timer.cancel()

    def _look_whether_it_hears(self) -> None:
        if self.transport.get_write_buffer_size() >= self._untaken:
            self.transport.abort()
        else:
            self._wait_for_hearing()


class PatientHttp(MustHear, H11Protocol):
    """HTTP, as uvicorn speaks it, with clients that come to an end."""

    _request_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody is there, and has to say something."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Something was said; whatever is not whole yet has to become so."""
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there."""
        self._stop_expecting()
        super().connection_lost(exc)

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


class PatientWebSocket(MustHear, WebSocketsSansIOProtocol):
    """WebSockets, as uvicorn speaks them, with clients that have to read."""

    def handle_ping(self) -> None:
        """Answer it, unless the client takes no answers."""
        pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(pong)

"""How long a client may take: to say something whole, and to take what it is told. uvicorn itself waits for ever.

Without this, anybody who reaches the port could hold as many sockets as he likes without a word, and a client that
never reads could have answers pile up until there is no memory left. Neither may a client keep the others waiting by
saying nothing very fast: forty thousand empty frames fit into what is read at once, and take a third of a second.
"""

import asyncio
from typing import Any

import h11
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import Event

from livejoin.process.bucket import Bucket

REQUEST_SECONDS = 10.0
"""From the first byte of a request, or from the begin of a connection, to the last byte of the request."""
HEARING_SECONDS = 30.0
"""In which a client must have taken something of what waits for it."""

FRAMES_PER_SECOND, FRAMES_AT_ONCE = 100.0, 500
"""Of a WebSocket that are no message: pings, pongs, parts of messages, and whatever comes after the end."""
PORTION = 4_096
"""Bytes that are looked at before it is known whether these were too many."""
TOO_MUCH = 4429
"""How a WebSocket ends whose client asks for too much of something, or says too much."""
MOST_PARTS = 500
"""That a message comes in."""

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
    """WebSockets, as uvicorn speaks them, with clients that have to read, and that have something to say."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._unread = bytearray()
        self._says_nothing = Bucket(FRAMES_PER_SECOND, FRAMES_AT_ONCE)

    def data_received(self, data: bytes) -> None:
        """Something was said. It is read as far as the next message, which somebody has to take first."""
        self._unread += data
        self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message is taken."""
        message = await super().receive()
        self._read_on()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Something is answered. Where it is the end, the client's own may have been read already."""
        await super().send(message)
        if self.close_sent:
            self._read_on()

    def handle_events(self) -> None:
        """Answer what was read, unless it is one thing too many that says nothing."""
        nothings = [event for event in self.conn.events if not self._says_something(event)]
        if self._says_nothing.take(len(nothings)) and len(self.frames) <= MOST_PARTS:
            super().handle_events()
            return
        self.conn.fail(TOO_MUCH, "too many frames that are no message")
        self.handle_parser_exception()

    def _read_on(self) -> None:
        while self._unread and not self.read_paused and not self.transport.is_closing():
            portion = bytes(self._unread[:PORTION])
            del self._unread[:PORTION]
            super().data_received(portion)
            if self.conn.handshake_exc is not None:
                # What is wrong with its head is said here, where uvicorn says nothing and waits.
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()

    def _says_something(self, event: Event) -> bool:
        if not isinstance(event, Frame) or event.opcode is Opcode.CLOSE:
            return True
        return event.opcode in (Opcode.TEXT, Opcode.BINARY) and event.fin and not self.close_sent

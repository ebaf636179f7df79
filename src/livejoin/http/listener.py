"""A listening socket with only so many connections at once, whoever they are of and however little they have said.

A connection by TLS costs a third of a megabyte from its first moment on: without a bound, anybody who reaches the port
could take all memory by connections that say nothing.
"""

import socket
from collections.abc import Callable
from typing import Any

from livejoin.process.recurring import Recurring

MOST_SOCKETS = 1_000


class Listener(socket.socket):
    """Hangs up at once on those that are too many. Whoever makes it closes it; one thread accepts."""

    def __init__(self, family: socket.AddressFamily, most: int = MOST_SOCKETS) -> None:
        # By this number asyncio knows whose small messages must not wait for an acknowledgement of those before.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._most = most
        self._count = 0
        self._full = Recurring("there are too many connections, others are refused", most=most)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; raises ConnectionAbortedError where it is one too many, as if it had been given up."""
        connection, address = super().accept()
        if self._count >= self._most:
            connection.close()
            self._full.tell("limits.sockets")
            raise ConnectionAbortedError
        self._count += 1
        return _Counted(connection, self._left), address

    def _left(self) -> None:
        self._count -= 1


class _Counted(socket.socket):
    """A connection that says when it is closed, once."""

    def __init__(self, connection: socket.socket, closed: Callable[[], None]) -> None:
        super().__init__(connection.family, connection.type, connection.proto, fileno=connection.detach())
        self._tell: Callable[[], None] | None = closed

    def close(self) -> None:
        """It is over."""
        if self._tell is not None:
            self._tell()
            self._tell = None
        super().close()

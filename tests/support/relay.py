"""A wire between a client and a server that a test can cut without either end being told."""

import socket
import threading
from contextlib import suppress
from types import TracebackType


class Relay:
    """Forwards TCP connections to a port of this machine. A context manager: leaving it closes everything."""

    def __init__(self, port: int) -> None:
        self.accepted = 0
        self.bytes = 0
        """Forwarded, in both directions."""
        self._target = port
        self._through = threading.Event()
        self._through.set()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def port(self) -> int:
        """Where to connect."""
        return int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        """The same, for a browser."""
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Forward nothing any more; connections stay open, as with a network that is gone."""
        self._through.clear()

    def mend(self) -> None:
        """Forward again, beginning with what has waited."""
        self._through.set()

    def drop(self) -> None:
        """End every connection, as a server does that is started again; who connects anew gets through."""
        ending, self._open = self._open, []
        for end in ending:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> "Relay":
        """Begin to accept connections."""
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close every connection."""
        self.mend()
        for end in (self._listener, *self._open):
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                # The server is not there, or no longer.
                near.close()
                continue
            self._open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                self._through.wait()
                sink.sendall(data)
                self.bytes += len(data)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                end.close()

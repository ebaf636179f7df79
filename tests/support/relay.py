"""A wire between a client and a server that a test can cut, slow or half close without either end being told."""

import socket
import threading
import time
from contextlib import suppress
from types import TracebackType


class Relay:
    """Forwards TCP connections to a port of this machine. A context manager: leaving it closes everything."""

    def __init__(self, port: int) -> None:
        self.accepted = 0
        self.bytes = 0
        """Forwarded, in both directions."""
        self.overheard: list[bytes] | None = None
        """What clients have said, where somebody sets a list to listen by."""
        self._target = port
        self._through = threading.Event()
        self._through.set()
        self._delay = 0.0
        self._silent: set[tuple[socket.socket, socket.socket]] = set()
        """Connections on which nothing is said any more, not even that they end."""
        self._open: list[tuple[socket.socket, socket.socket]] = []
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

    def slow(self, seconds: float) -> None:
        """Let every piece take that much longer, in either direction."""
        self._delay = seconds

    def mend(self) -> None:
        """Forward again as fast as it goes, beginning with what has waited."""
        self._delay = 0.0
        self._through.set()

    def drop(self) -> None:
        """End every connection, as a server does that is started again; who connects anew gets through."""
        for end in (end for pair in [*self._open] for end in pair):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def silence(self) -> None:
        """Forward nothing more on the connections that there are, as of a server whose machine is gone.

        Their clients are not told; who connects anew gets through.
        """
        self._silent.update(self._open)

    def half_close(self) -> None:
        """Tell every client that its server says no more, while what the client says still arrives."""
        for near, _ in [*self._open]:
            with suppress(OSError):
                near.shutdown(socket.SHUT_WR)

    def __enter__(self) -> "Relay":
        """Begin to accept connections."""
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close every connection."""
        self.mend()
        self._listener.close()
        for pair in [*self._open]:
            self._end(pair)

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
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pair = (near, far)
            self._open.append(pair)
            for source, sink in (pair, (far, near)):
                threading.Thread(target=self._forward, args=(pair, source, sink), daemon=True).start()

    def _forward(self, pair: tuple[socket.socket, socket.socket], source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if self._delay:
                    time.sleep(self._delay)
                self._through.wait()
                if pair in self._silent:
                    continue
                # Of a connection that is half closed, what is said on the closed half is lost.
                with suppress(BrokenPipeError):
                    sink.sendall(data)
                self.bytes += len(data)
                if self.overheard is not None and source is pair[0]:
                    self.overheard.append(data)
        except OSError:
            pass
        finally:
            if pair not in self._silent or source is pair[0]:
                self._end(pair)

    def _end(self, pair: tuple[socket.socket, socket.socket]) -> None:
        for end in pair:
            # To close it tells nobody while another thread waits for what is said there.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._silent.discard(pair)
        with suppress(ValueError):
            self._open.remove(pair)

"""An HTTP server in a thread with an event loop of its own, on a socket that is open already."""

import asyncio
import logging
import socket
import threading
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from livejoin.http.listener import MOST_SOCKETS, Listener
from livejoin.http.noise import UVICORN, Noise
from livejoin.http.patience import REQUEST_SECONDS, PatientHttp, PatientWebSocket

IDLE_SECONDS = 5
LARGEST_HEAD = 32_768
STOP_SECONDS = 1.5


class PatientLoop(asyncio.SelectorEventLoop):
    """An event loop whose servers wait for the begin of TLS as long as for that of a request, and not for a minute."""

    async def create_server(self, *arguments: Any, **options: Any) -> asyncio.Server:
        """As asyncio makes them; uvicorn has no option for it."""
        if options.get("ssl") is not None:
            options["ssl_handshake_timeout"] = REQUEST_SECONDS
        return await super().create_server(*arguments, **options)


class HttpServer:
    """Serves what `_application` makes, on the loop that serves it. Whoever makes it stops it."""

    def __init__(self, name: str, listener: socket.socket, **options: Any) -> None:
        """`options` are uvicorn's, beside those that hold for every server here."""
        self._listener = listener
        self._options = options
        self._server: uvicorn.Server | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(STOP_SECONDS)

    def _application(self) -> ASGIApp:
        """What is served; called once, on the loop."""
        raise NotImplementedError

    def _over(self) -> None:
        """Called on the loop when nobody is answered any more."""

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=PatientLoop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._application(),
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                http=PatientHttp,
                ws=PatientWebSocket,
                # Idle sockets are closed, and what a client sends is bounded before anybody reads it.
                timeout_keep_alive=IDLE_SECONDS,
                h11_max_incomplete_event_size=LARGEST_HEAD,
                timeout_graceful_shutdown=1,
                **self._options,
            )
        )
        noise = Noise()
        logging.getLogger(UVICORN).addFilter(noise)
        try:
            await self._server.serve(sockets=[self._listener])
        finally:
            logging.getLogger(UVICORN).removeFilter(noise)
        self._over()


def listen(host: str, port: int, most: int = MOST_SOCKETS) -> socket.socket:
    """An open socket there, with at most so many connections."""
    listener = Listener(socket.AF_INET6 if ":" in host else socket.AF_INET, most)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    # Before anything is said to be served: who comes while the HTTP side still starts waits, and is not refused.
    listener.listen()
    return listener

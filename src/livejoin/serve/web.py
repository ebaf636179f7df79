"""The HTTP side: the page, what it has to know, the tables, the control desk and health, all at one address."""

import asyncio
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from livejoin.key import keyring
from livejoin.serve.control_desk import ControlDesk
from livejoin.serve.door.door import Door
from livejoin.serve.door.message import LARGEST_MESSAGE
from livejoin.serve.guard import Guard
from livejoin.serve.health import Health
from livejoin.serve.page import page
from livejoin.serve.patience import PatientHttp, PatientWebSocket
from livejoin.settings import Settings

IDLE_SECONDS = 5
LARGEST_HEAD = 32_768
MESSAGES_AHEAD = 16
"""That are read from a WebSocket before somebody has taken them."""

NEVER_KEPT = {"cache-control": "no-store"}


class Web:
    """Serves HTTP on an open socket, in a thread with an event loop of its own. Whoever makes it stops it."""

    def __init__(self, settings: Settings, listener: socket.socket, health: Callable[[], Health]) -> None:
        self._settings = settings
        self._listener = listener
        self._health = health
        self._server: uvicorn.Server | None = None
        self._door: Future[Door] = Future()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    @property
    def door(self) -> Door:
        """Where tables are served; raises what kept it from being made."""
        return self._door.result()

    def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(1.5)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._door.done():
                raise
            self._door.set_exception(error)

    async def _serve(self) -> None:
        door = Door(self._settings, keyring(self._settings), asyncio.get_running_loop())
        app = application(self._settings, door, self._health)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                http=PatientHttp,
                ws=PatientWebSocket,
                # Where there is no proxy, whoever asks could say that he is somebody else, a new one for every guess.
                proxy_headers=self._settings.web.behind_proxy,
                # Idle sockets are closed, and what a client sends is bounded before anybody reads it.
                timeout_keep_alive=IDLE_SECONDS,
                h11_max_incomplete_event_size=LARGEST_HEAD,
                ws_max_size=LARGEST_MESSAGE,
                ws_max_queue=MESSAGES_AHEAD,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=1,
                ssl_certfile=self._settings.web.tls_certificate,
                ssl_keyfile=self._settings.web.tls_key,
            )
        )
        self._door.set_result(door)
        await self._server.serve(sockets=[self._listener])
        door.close()


def application(settings: Settings, door: Door, health: Callable[[], Health]) -> Starlette:
    """The routes."""
    desk = ControlDesk(settings, door)

    def healthz(_: Request) -> Response:
        components = health().components
        report = {name: reason or "ok" for name, reason in components.items()}
        at_the_door = {"connections": door.occupancy.connections, "refused": dict(door.occupancy.refused)}
        ok = not any(components.values())
        return _told({"ok": ok, "components": report, "door": at_the_door}, well=ok)

    def readyz(_: Request) -> Response:
        reason = health().not_ready
        return _told({"ready": not reason, "reason": reason}, well=not reason)

    def livez(_: Request) -> Response:
        reason = health().not_alive
        return _told({"alive": not reason, "reason": reason}, well=not reason)

    return Starlette(
        routes=[
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            Route("/livez", livez),
            *desk.routes(),
            *door.rows.routes(),
            *door.sign_in.routes(),
            WebSocketRoute("/tables", door.socket.serve),
            Mount("/", page(settings)),
        ],
        middleware=[Middleware(Guard, settings=settings)],
    )


def _told(report: dict[str, object], *, well: bool) -> Response:
    return JSONResponse(report, status_code=200 if well else 503, headers=NEVER_KEPT)


def listen(host: str, port: int) -> socket.socket:
    """An open socket there."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    # Before anything is said to be served: who comes while the HTTP side still starts waits, and is not refused.
    listener.listen()
    return listener

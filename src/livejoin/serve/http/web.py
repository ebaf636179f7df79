"""The HTTP side: the page, what it has to know, the tables, the control desk and health, all at one address."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, WebSocketRoute

from livejoin.access.keys import keyring
from livejoin.http.guard import Guard
from livejoin.http.health import Health, health_routes
from livejoin.http.server import HttpServer
from livejoin.serve.door.door import Door
from livejoin.serve.door.message import LARGEST_MESSAGE
from livejoin.serve.door.refusal import OF_STATUS
from livejoin.serve.http.control_desk import ControlDesk
from livejoin.serve.http.metrics_desk import MetricsDesk
from livejoin.serve.http.page import page
from livejoin.settings.settings import Settings

MESSAGES_AHEAD = 16
"""That are read from a WebSocket before somebody has taken them."""


class Web(HttpServer):
    """Serves HTTP on an open socket, in a thread with an event loop of its own. Whoever makes it stops it."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        health: Callable[[], Health],
        metrics: CollectorRegistry | None = None,
    ) -> None:
        super().__init__(
            "web",
            listener,
            # Where there is no proxy, whoever asks could say that he is somebody else, a new one for every guess.
            proxy_headers=settings.web.behind_proxy,
            ws_max_size=LARGEST_MESSAGE,
            ws_max_queue=MESSAGES_AHEAD,
            ws_per_message_deflate=False,
            ssl_certfile=settings.web.tls_certificate,
            ssl_keyfile=settings.web.tls_key,
        )
        self._settings = settings
        self._health = health
        self._metrics = metrics
        self._door: Future[Door] = Future()

    @property
    def door(self) -> Door:
        """Where tables are served; raises what kept it from being made."""
        return self._door.result()

    def _run(self) -> None:
        try:
            super()._run()
        except Exception as error:
            if self._door.done():
                raise
            self._door.set_exception(error)

    def _application(self) -> Starlette:
        door = Door(self._settings, keyring(self._settings), asyncio.get_running_loop())
        made = application(self._settings, door, self._health, self._metrics)
        self._door.set_result(door)
        return made

    def _over(self) -> None:
        self.door.close()


def application(
    settings: Settings,
    door: Door,
    health: Callable[[], Health],
    metrics: CollectorRegistry | None = None,
) -> Starlette:
    """The routes."""

    def at_the_door() -> dict[str, object]:
        occupancy = door.occupancy
        return {"door": {"connections": occupancy.connections, "refused": dict(occupancy.refused)}}

    def refused(status: int) -> None:
        door.occupancy.refused[OF_STATUS[status]] += 1

    names = [urlsplit(settings.page_url).hostname or "", *settings.web.hosts]
    return Starlette(
        routes=[
            *health_routes(health, at_the_door),
            *MetricsDesk(door, metrics or CollectorRegistry()).routes(),
            *ControlDesk(settings, door).routes(),
            *door.rows.routes(),
            *door.declared.routes(),
            *door.sign_in.routes(),
            WebSocketRoute("/tables", door.socket.serve),
            Mount("/", page(settings)),
        ],
        middleware=[
            Middleware(
                Guard,
                hosts=names,
                settable="web.url or web.hosts",
                origins=settings.web.origins,
                refused=refused,
            )
        ],
    )

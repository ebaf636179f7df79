"""The address of a pipeline: health and metrics, for whoever may reach it. It has no secret, and obeys nobody."""

import socket
from collections.abc import Callable

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from livejoin.http.guard import Guard
from livejoin.http.health import Health, health_routes
from livejoin.http.server import HttpServer
from livejoin.monitor.exposition import Exposition
from livejoin.settings.operation import PipelineSettings


class MonitorWeb(HttpServer):
    """Answers on an open socket, from before Spark starts. Whoever makes it stops it."""

    def __init__(
        self,
        settings: PipelineSettings,
        listener: socket.socket,
        health: Callable[[], Health],
        metrics: CollectorRegistry,
    ) -> None:
        super().__init__("monitor", listener)
        self._arguments = (settings, health, metrics)

    def _application(self) -> Starlette:
        return application(*self._arguments)


def application(settings: PipelineSettings, health: Callable[[], Health], metrics: CollectorRegistry) -> Starlette:
    """The routes."""
    exposition = Exposition(metrics)

    async def scrape(_: Request) -> Response:
        return await exposition.answer()

    return Starlette(
        routes=[*health_routes(health), Route("/metrics", scrape)],
        middleware=[Middleware(Guard, hosts=[settings.host, *settings.hosts], settable="pipeline.hosts")],
    )

"""/metrics at the door: a key of any role opens it, as everything else here."""

import asyncio

from prometheus_client import CollectorRegistry
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from livejoin.monitor.exposition import exposed
from livejoin.serve.door.door import Door
from livejoin.serve.door.limits import TooMuch


class MetricsDesk:
    """There are numbers in it and no row, no text of a row and no name of a source topic."""

    def __init__(self, door: Door, registry: CollectorRegistry) -> None:
        self._door = door
        self._registry = registry
        self._reading: asyncio.Future[Response] | None = None

    def routes(self) -> list[Route]:
        """What a Prometheus asks."""
        return [Route("/metrics", self._scrape, methods=["GET"])]

    async def _scrape(self, request: Request) -> Response:
        try:
            visitor = await self._door.reception.visitor(request)
        except TooMuch as problem:
            return JSONResponse({"error": str(problem)}, status_code=429)
        if visitor is None:
            return JSONResponse({"error": "this needs a key: Authorization: Bearer ..."}, status_code=401)
        # Who asks while it is read for somebody else gets the same answer: many cannot take more than one.
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(run_in_threadpool(exposed, self._registry))
        return await asyncio.shield(self._reading)

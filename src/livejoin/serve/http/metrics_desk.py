"""/metrics at the door: a key of any role opens it, as everything else here."""

from prometheus_client import CollectorRegistry
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from livejoin.monitor.exposition import Exposition
from livejoin.serve.door.door import Door
from livejoin.serve.door.limits import TooMuch


class MetricsDesk:
    """There are numbers in it and no row, no text of a row and no name of a source topic."""

    def __init__(self, door: Door, registry: CollectorRegistry) -> None:
        self._door = door
        self._exposition = Exposition(registry)

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
        return await self._exposition.answer()

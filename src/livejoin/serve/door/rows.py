"""Rows over plain HTTP, as lines of JSON, for scripts and other languages. docs/protocol.md tells how to ask."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from livejoin.access import Visitor
from livejoin.serve.door.catalogue import NotServed, Wanted
from livejoin.serve.door.condition import NotThatWay
from livejoin.serve.door.conversation import COPY_SECONDS, close_late
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.message import LARGEST_MESSAGE, BadMessage, Description, read_description
from livejoin.serve.door.reception import WayIn
from livejoin.serve.door.sight import EngineView

PORTION = 2_000
DEFAULT_NEWEST = 100
MOST_DIGITS = 12
A_SCREENFUL = 1_000
"""What somebody may ask for who may look and not export."""
log = structlog.get_logger()

PROBLEMS = {BadMessage: 400, NotThatWay: 400, NotServed: 404, TooMuch: 429}


class RowsDesk(WayIn):
    """The routes below /rows. Lives as long as the door."""

    def routes(self) -> list[Route]:
        """What may be asked: the newest rows of a table, or of a view that the body describes."""
        return [
            Route("/rows/{table}", self._table, methods=["GET"]),
            Route("/rows", self._view, methods=["POST"]),
        ]

    async def _table(self, request: Request) -> Response:
        return await self._answer(request, orjson.dumps({"table": request.path_params["table"]}))

    async def _view(self, request: Request) -> Response:
        return await self._answer(request, None)

    async def _answer(self, request: Request, described: bytes | None) -> Response:
        try:
            visitor = await self.reception.visitor(request)
            if visitor is None:
                return _problem(401, "this needs a key: Authorization: Bearer ...")
            newest = self._newest(request, visitor)
            asked = read_description(described if described is not None else await limited_body(request))
            return await self._copied(visitor, asked, newest)
        except tuple(PROBLEMS) as problem:
            return _problem(PROBLEMS[type(problem)], str(problem))

    def _newest(self, request: Request, visitor: Visitor) -> int:
        most = self.occupancy.limits.rows_per_request if visitor.rights.may_export else A_SCREENFUL
        given = request.query_params.get("newest", str(DEFAULT_NEWEST))
        if not (given.isascii() and given.isdigit() and len(given) <= MOST_DIGITS and int(given) <= most):
            raise BadMessage(f"newest is a number from 0 to {most}")
        return int(given)

    async def _copied(self, visitor: Visitor, asked: Description, newest: int) -> Response:
        wanted = await self.house.wanted(visitor, asked)
        self.occupancy.begin_copy(visitor.name)
        doing = self.executor.submit(self.house.views.copy, wanted, newest, newest)
        try:
            copy = await asyncio.wrap_future(doing)
        except BaseException:
            self.occupancy.end_copy(visitor.name)
            close_late(doing)
            raise
        return _Lines(copy, self.executor, lambda: self.occupancy.end_copy(visitor.name), _headers(wanted, copy))


class _Lines(StreamingResponse):
    """The rows of a copy, portion by portion. Owns the copy, and gives it back whatever becomes of the client."""

    def __init__(
        self, copy: EngineView, executor: Executor, done: Callable[[], None], headers: Mapping[str, str]
    ) -> None:
        super().__init__(self._portions(), media_type="application/x-ndjson", headers=headers)
        self._copy = copy
        self._executor = executor
        self._done = done

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything, unless the client takes too long for it."""
        try:
            async with asyncio.timeout(COPY_SECONDS):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            log.warning("rows were not taken in time", rows=self._copy.size)
        finally:
            # Here and not where the portions are made: that is never begun for a client who is gone already.
            self._done()
            self._executor.submit(self._copy.close)

    async def _portions(self) -> AsyncIterator[bytes]:
        loop, first, size = asyncio.get_running_loop(), 0, self._copy.size
        while first < size:
            end = min(first + PORTION, size)
            lines = await loop.run_in_executor(self._executor, self._copy.lines, first, end)
            # There may be fewer than were asked for, where they are large.
            first += lines.count(b"\n")
            yield lines


async def limited_body(request: Request) -> bytes:
    """The body, of which no more is read than a message may have; raises BadMessage."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_MESSAGE:
            raise BadMessage(f"a message has at most {LARGEST_MESSAGE} bytes")
    return bytes(body)


def _headers(wanted: Wanted, copy: EngineView) -> dict[str, str]:
    columns = [{"name": name, "type": kind.value} for name, kind in wanted.columns.items()]
    return {
        "livejoin-columns": orjson.dumps(columns).decode(),
        "livejoin-size": str(copy.whole_size),
        "livejoin-generation": str(copy.generation) if copy.generation is not None else "",
        "cache-control": "no-store",
    }


def _problem(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status_code=status)

"""Rows over plain HTTP, as lines of JSON, for scripts and other languages. docs/protocol.md tells how to ask."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from livejoin.access.roles import Key, Visitor
from livejoin.serve.door.catalogue import NotServed, Wanted
from livejoin.serve.door.condition import NotThatWay
from livejoin.serve.door.conversation import COPY_SECONDS
from livejoin.serve.door.copies import Copies
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.message import LARGEST_MESSAGE, BadMessage, Description, read_description
from livejoin.serve.door.reception import WayIn
from livejoin.serve.door.refusal import Refused
from livejoin.serve.door.sight import EngineView

PORTION = 2_000
DEFAULT_NEWEST = 100
MOST_DIGITS = 12
A_SCREENFUL = 1_000
"""What somebody may ask for who may look and not export."""
LONGEST_HEADER = 60_000
"""Many programs take no line that is longer than 64 kB. /declaration tells of columns beyond that."""

log = structlog.get_logger()

STATUSES: Mapping[type[Refused], int] = {BadMessage: 400, NotThatWay: 400, NotServed: 404}


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
            key = await self.reception.key(request)
            if key is None:
                return _problem(401, "this needs a key: Authorization: Bearer ...")
            newest = self._newest(request, key.visitor)
            asked = read_description(described if described is not None else await limited_body(request))
            return await self._copied(key, asked, newest)
        except Refused as problem:
            self.occupancy.refused[problem.kind] += 1
            return _problem(STATUSES[type(problem)], str(problem))
        except TooMuch as problem:
            return _problem(429, str(problem))

    def _newest(self, request: Request, visitor: Visitor) -> int:
        most = self.occupancy.limits.rows_per_request if visitor.rights.may_export else A_SCREENFUL
        given = request.query_params.get("newest", str(DEFAULT_NEWEST))
        if not (given.isascii() and given.isdigit() and len(given) <= MOST_DIGITS and int(given) <= most):
            raise BadMessage(f"newest is a number from 0 to {most}")
        return int(given)

    async def _copied(self, key: Key, asked: Description, newest: int) -> Response:
        wanted = await self.house.wanted(key.visitor, asked)
        copies = Copies(key.visitor.name, self.occupancy, self.executor)
        try:
            copy = await copies.copy(self.house.views, wanted, newest)
        except (Refused, TooMuch):
            raise
        except Exception:
            if not self.house.serves(wanted):
                # The engine has let go of the table meanwhile; there is another one of that name, or none.
                return await self._copied(key, asked, newest)
            raise
        if not self.house.serves(wanted):
            # While it was made the engine let go of the table, and may have taken its rows away already.
            copies.give_back(copy)
            return await self._copied(key, asked, newest)
        if not self.reception.keys.still_has(key):
            copies.give_back(copy)
            return _problem(401, "the key was withdrawn or changed")
        return _Lines(self, key, copies, copy, _headers(wanted, copy))


class _Lines(StreamingResponse):
    """The rows of a copy, portion by portion. Owns the copy, and gives it back whatever becomes of the client."""

    def __init__(self, way: WayIn, key: Key, copies: Copies, copy: EngineView, headers: Mapping[str, str]) -> None:
        super().__init__(self._portions(), media_type="application/x-ndjson", headers=headers)
        self._way = way
        self._key = key
        self._copies = copies
        self._copy = copy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything, unless the client takes too long for it or its key is withdrawn meanwhile.

        What was begun is then broken off: without the end that HTTP gives an answer, nobody takes it for a whole one.
        """
        try:
            async with asyncio.timeout(COPY_SECONDS) as patience:
                withdrawn = asyncio.create_task(self._lose_patience_without_key(patience))
                try:
                    await super().__call__(scope, receive, send)
                finally:
                    withdrawn.cancel()
        except TimeoutError:
            log.warning("rows were broken off", name=self._key.visitor.name, rows=self._copy.size)
        finally:
            # Here and not where the portions are made: that is never begun for a client who is gone already.
            self._copies.give_back(self._copy)

    async def _lose_patience_without_key(self, patience: asyncio.Timeout) -> None:
        await self._way.reception.withdrawn(self._key)
        patience.reschedule(asyncio.get_running_loop().time())

    async def _portions(self) -> AsyncIterator[bytes]:
        loop, first, size = asyncio.get_running_loop(), 0, self._copy.size
        while first < size:
            end = min(first + PORTION, size)
            lines = await loop.run_in_executor(self._way.executor, self._copy.lines, first, end)
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
    # As ASCII: a header has nothing else, and a column may have any name.
    columns = json.dumps(wanted.columns, separators=(",", ":"))
    return {
        **({"livejoin-columns": columns} if len(columns) <= LONGEST_HEADER else {}),
        "livejoin-size": str(copy.whole_size),
        "livejoin-generation": str(copy.generation) if copy.generation is not None else "",
        "cache-control": "no-store",
    }


def _problem(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status_code=status)

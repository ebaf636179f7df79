"""Control messages from the page: who may send them, which topics there are, and the way to the control topic.

The page cannot write to Kafka by itself. It presents the key of an operator with every request.
"""

import uuid
from collections.abc import Callable
from functools import cached_property
from typing import Any

import orjson
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from livejoin.access.roles import Role, Visitor
from livejoin.errors import BrokerUnreachable, KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.writer import Writer
from livejoin.serve.door.door import Door
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.message import BadMessage
from livejoin.serve.door.refusal import Refusal
from livejoin.serve.door.row_lines import limited_body
from livejoin.settings.settings import Settings
from livejoin.topics.sources import possible_sources
from livejoin.wire.control_message import BY, ID, parse

THREADS = 4
"""That wait for Kafka; nothing else does: health and the page are answered by others."""
MOST_WAITING = 16
"""Requests for which there is no thread."""


class ControlDesk:
    """The routes below /control. Holds no connection until it is asked for something."""

    def __init__(self, settings: Settings, door: Door) -> None:
        self._settings = settings
        self._door = door
        self._threads = CapacityLimiter(THREADS)

    def routes(self) -> list[Route]:
        """What the page may ask."""
        return [
            Route("/control/topics", self._topics, methods=["GET"]),
            Route("/control/message", self._message, methods=["POST"]),
        ]

    def topics(self) -> list[str]:
        """The topics that can be sources."""
        return possible_sources(self._settings, self._cluster.topic_names())

    def send(self, value: bytes, by: str) -> str:
        """Write a message to the control topic and return its id, which its row in `control_raw` has in its text."""
        message = {ID: str(uuid.uuid4()), **orjson.loads(value), BY: by}
        self._control.write(None, orjson.dumps(message))
        return str(message[ID])

    async def _topics(self, request: Request) -> Response:
        operator = await self._operator(request)
        if isinstance(operator, Response):
            return operator
        return await self._ask_kafka(lambda: {"topics": self.topics()})

    async def _message(self, request: Request) -> Response:
        operator = await self._operator(request)
        if isinstance(operator, Response):
            return operator
        try:
            value = await limited_body(request)
        except BadMessage as too_large:
            self._door.occupancy.refused[too_large.kind] += 1
            return JSONResponse({"error": str(too_large)}, status_code=413)
        problem = parse(value, self._door.declaration).problem
        if problem:
            self._door.occupancy.refused[Refusal.NOT_A_MESSAGE] += 1
            return JSONResponse({"error": problem}, status_code=400)
        return await self._ask_kafka(lambda: {"id": self.send(value, operator.name)})

    async def _operator(self, request: Request) -> Visitor | Response:
        """Who asks, where the request presents the key of an operator; else the answer to it."""
        try:
            visitor = await self._door.reception.visitor(request)
        except TooMuch as problem:
            return JSONResponse({"error": str(problem)}, status_code=429)
        if visitor is None:
            return JSONResponse({"error": "this needs the key of an operator"}, status_code=401)
        if visitor.role is not Role.OPERATOR:
            self._door.occupancy.refused[Refusal.RIGHTS] += 1
            return JSONResponse({"error": "a viewer may look; this needs the key of an operator"}, status_code=403)
        return visitor

    @cached_property
    def _cluster(self) -> Cluster:
        return Cluster(self._settings.kafka_client)

    @cached_property
    def _control(self) -> Writer:
        return Writer(self._cluster, self._settings.topics.control)

    async def _ask_kafka(self, ask: Callable[[], dict[str, Any]]) -> Response:
        """What Kafka says, or why it does not; a broker that is gone is waited for by only so many at once."""
        if self._threads.statistics().tasks_waiting >= MOST_WAITING:
            reason = "too many requests wait for Kafka at once, try again later"
            self._door.occupancy.refused[Refusal.MESSAGES] += 1
            return JSONResponse({"error": reason}, status_code=429)
        return await to_thread.run_sync(self._answer, ask, limiter=self._threads)

    def _answer(self, ask: Callable[[], dict[str, Any]]) -> Response:
        try:
            return JSONResponse(ask(), headers={"cache-control": "no-store"})
        except BrokerUnreachable as trouble:
            # What was on its way when the broker fell silent may have arrived.
            return JSONResponse({"error": str(trouble)}, status_code=503)
        except KafkaTrouble as trouble:
            return JSONResponse({"error": str(trouble), "sent": False}, status_code=503)

"""Control messages from the page: who may send them, which topics there are, and the way to the control topic.

The page cannot write to Kafka by itself. It presents a key with every request: the control key where one is set, else
the key of the table server.
"""

import secrets
import uuid
from collections.abc import Callable
from typing import Any

import orjson
from confluent_kafka import KafkaException
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from livejoin.control import ID, parse
from livejoin.errors import LivejoinError
from livejoin.kafka import Cluster, Writer
from livejoin.key import server_key
from livejoin.settings import Settings

LARGEST_MESSAGE = 16_384
BEARER = "Bearer "


class ControlDesk:
    """The routes below /control. Holds no connection until it is asked for something."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._cluster = Cluster(settings.kafka_client)

    @property
    def needs_own_key(self) -> bool:
        """Whether the key of the table server is not enough to send a message."""
        return self._settings.server.control_key is not None

    def routes(self) -> list[Route]:
        """What the page may ask."""
        return [
            Route("/control/topics", self._topics, methods=["GET"]),
            Route("/control/message", self._message, methods=["POST"]),
        ]

    def topics(self) -> list[str]:
        """The topics that can be sources: not Kafka's internal ones, not livejoin's own."""
        own = (f"{self._settings.topics.prefix}.", "__")
        found = self._cluster.topic_names() - {self._settings.topics.control}
        return sorted(topic for topic in found if not topic.startswith(own))

    def send(self, value: bytes) -> str:
        """Write a message to the control topic and return its id, which its row in `control_raw` has in its text."""
        message = {ID: str(uuid.uuid4()), **orjson.loads(value)}
        Writer(self._cluster, self._settings.topics.control).write(None, orjson.dumps(message))
        return str(message[ID])

    def _topics(self, request: Request) -> Response:
        return self._refusal(request) or self._answer(lambda: {"topics": self.topics()})

    async def _message(self, request: Request) -> Response:
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        value = await request.body()
        problem = parse(value).problem if len(value) <= LARGEST_MESSAGE else "the message is too large"
        if problem:
            return JSONResponse({"error": problem}, status_code=400)
        return await run_in_threadpool(self._answer, lambda: {"id": self.send(value)})

    def _refusal(self, request: Request) -> Response | None:
        """None where the request presents the right key."""
        given = request.headers.get("authorization", "")
        if given.startswith(BEARER) and secrets.compare_digest(given.removeprefix(BEARER).encode(), self._key()):
            return None
        which = "control key (server.control_key)" if self.needs_own_key else "key of the table server"
        return JSONResponse({"error": f"this needs the {which}"}, status_code=401)

    def _key(self) -> bytes:
        own = self._settings.server.control_key
        return (own.get_secret_value() if own is not None else server_key(self._settings)).encode()

    def _answer(self, ask: Callable[[], dict[str, Any]]) -> Response:
        """What Kafka says, or why it does not."""
        try:
            return JSONResponse(ask(), headers={"cache-control": "no-store"})
        except (KafkaException, LivejoinError) as error:
            return JSONResponse({"error": f"Kafka does not answer: {error}"}, status_code=503)

"""Sends a control message and follows what becomes of it, through Kafka alone."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

import orjson

from livejoin.client.registry import look_at_registry
from livejoin.errors import RightMissing, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.kafka.trouble import needed_to
from livejoin.kafka.writer import Writer
from livejoin.model.control_message import ControlEntry
from livejoin.model.declaration import Declaration
from livejoin.model.generation import Generation
from livejoin.model.registry import Registry
from livejoin.settings.settings import Settings
from livejoin.wire.records import apply, from_json

LOOK_SECONDS = 0.2


class ControlClient:
    """One message. Follows the control log and the registry from before it is sent; `close` ends that."""

    def __init__(self, settings: Settings) -> None:
        self._cluster = Cluster(settings.kafka_client)
        self._topic = settings.topics.control
        self._registry = Registry()
        self._entries: dict[str, ControlEntry] = {}
        self._changed = threading.Event()
        topics = settings.own_topics
        self._state = topics.state
        with needed_to("READ"):
            missing = self._cluster.missing([topics.control_log])
        ends = {} if missing else self._cluster.end_offsets(topics.control_log)
        self._tails = [
            TopicTail(self._cluster, topics.control_log, self._take_entries, ends),
            TopicTail(self._cluster, topics.state, self._take_state),
        ]

    def declaration(self, otherwise: Declaration) -> Declaration:
        """What is in force: what the pipeline was last started with, else what is shown; else what is given.

        While a generation is built of another declaration than the one that is shown, messages are of the other one.
        """
        registry = Registry()
        with suppress(TopicMissing, RightMissing):
            registry = look_at_registry(self._cluster, self._state)
        request = registry.ledger.settings or (registry.live.request if registry.live is not None else None)
        return request.declaration if request is not None else otherwise

    def send(self, message: dict[str, object]) -> str:
        """Write the message to the control topic; returns the key that the control log will have for it."""
        try:
            with needed_to("WRITE"):
                topic_id = self._cluster.describe([self._topic])[self._topic].topic_id
        except TopicMissing as missing:
            do = f"create {self._topic!r}, or set topics.control to the topic that the pipeline reads"
            raise TopicMissing(missing.what, do=do) from missing
        written = Writer(self._cluster, self._topic).write(None, orjson.dumps(message))
        return f"{topic_id}/{written.partition()}/{written.offset()}"

    def follow(
        self, key: str, timeout: float | None, tell: Callable[[ControlEntry | None, Generation | None], None]
    ) -> ControlEntry | None:
        """Wait for the verdict and return it; None after `timeout` seconds.

        `tell` is called again and again with the message as the control log has it, and the generation built for it.
        """
        for tail in self._tails:
            tail.start()
        deadline = time.monotonic() + timeout if timeout is not None else None
        while deadline is None or time.monotonic() < deadline:
            entry = self._entries.get(key)
            if entry is not None and entry.verdict is not None:
                return entry
            asked = (generation for generation in self._registry.copy().generations.values())
            tell(entry, next((generation for generation in asked if generation.control == key), None))
            self._changed.wait(LOOK_SECONDS)
            self._changed.clear()
        return None

    def close(self) -> None:
        """Stop following."""
        for tail in self._tails:
            tail.stop()

    def _take_entries(self, records: list[Message]) -> None:
        for record in records:
            key, value = record.key(), record.value()
            if key is not None and value is not None:
                # What somebody else has written there is no verdict; the pipeline's log tells of it.
                with suppress(ValueError):
                    self._entries[key.decode()] = from_json(ControlEntry, value)
        self._changed.set()

    def _take_state(self, records: list[Message]) -> None:
        for record in records:
            with suppress(ValueError):
                apply(self._registry, (record.key() or b"").decode(), record.value())
        self._changed.set()

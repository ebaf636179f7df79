"""Reads a view topic as a table server does: the newest version of each row, deletes included."""

import time
from collections import Counter
from typing import Any, cast

import orjson
from confluent_kafka import Message, TopicPartition

from livejoin import view_record
from livejoin.generation import Request
from livejoin.kafka import Cluster
from livejoin.schema import FINAL_UI, VIEWS, Table


class ViewTopic:
    """Follows one view topic from its beginning; call `close` at the end."""

    def __init__(self, cluster: Cluster, topic: str, request: Request) -> None:
        self.topic = topic
        self._mirrored = request.mirrored
        self.records: list[Message] = []
        self.events = 0
        """The versions of all userIds: how many valid events have been read."""
        self._versions: dict[str, int] = {}
        self._rows: dict[str, dict[str, Any] | None] = {}
        self._consumer = cluster.consumer("view-test")
        self._consumer.assign([TopicPartition(topic, p, 0) for p in cluster.partitions(topic)])

    def await_events(self, count: int, timeout: float) -> None:
        """Read on until that many valid events are accounted for."""
        deadline = time.monotonic() + timeout
        while self.events < count:
            message = self._consumer.poll(0.2)
            if message is not None and message.error() is None:
                self._apply(message)
            elif time.monotonic() > deadline:
                raise TimeoutError(f"{self.topic}: {self.events} of {count} events accounted for")

    def read_available(self) -> None:
        """Read what is there now."""
        while (message := self._consumer.poll(0.2)) is not None:
            if message.error() is None:
                self._apply(message)

    def table(self, table: Table) -> Counter[tuple[Any, ...]]:
        """The rows of a table."""
        prefix = view_record.row_key_prefix(FINAL_UI.name if table == self._mirrored else table.name)
        return Counter(
            tuple(row.get(name) for name in table.column_names)
            for key, row in self._rows.items()
            if key.startswith(prefix) and row is not None
        )

    def tables(self) -> dict[str, Counter[tuple[Any, ...]]]:
        """The rows of all tables."""
        return {table.name: self.table(table) for table in VIEWS}

    @property
    def cut(self) -> int:
        """How many events a limit has cut off, of all userIds."""
        prefix = view_record.row_key_prefix(view_record.PROGRESS)
        return sum((row or {}).get(view_record.CUT, 0) for key, row in self._rows.items() if key.startswith(prefix))

    def close(self) -> None:
        """Leave the topic."""
        self._consumer.close()

    def _apply(self, message: Message) -> None:
        self.records.append(message)
        key, value = (message.key() or b"").decode(), message.value()
        row = orjson.loads(value) if value is not None else None
        version = row[view_record.VERSION] if row is not None else _version_header(message)
        before = self._versions.get(key, 0)
        if version >= before:
            if key.startswith(view_record.row_key_prefix(view_record.PROGRESS)):
                self.events += version - before
            self._versions[key] = version
            self._rows[key] = row


def _version_header(message: Message) -> int:
    headers = dict(cast("list[tuple[str, bytes]]", message.headers()))
    return int(headers[view_record.VERSION])

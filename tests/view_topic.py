"""Reads a view topic as a table server does: the newest version of each row, deletes included."""

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import orjson
from confluent_kafka import Message, TopicPartition

from livejoin import view_record
from livejoin.generation import Request
from livejoin.kafka.cluster import Cluster
from livejoin.schema import FINAL_UI, KEY, VIEWS, Table


class ViewRows:
    """What the values of some records say, in their order."""

    def __init__(self, request: Request, values: Iterable[bytes] = ()) -> None:
        self.events = 0
        """The versions of all userIds: how many valid events have been read."""
        self._request = request
        self._rows: dict[tuple[str, str], dict[str, Any]] = {}
        """What is known of each row, and of each userId's progress, with its version."""
        for value in values:
            self.apply(value)

    def table(self, table: Table) -> Counter[tuple[Any, ...]]:
        """The rows of a table."""
        name = FINAL_UI.name if table == self._request.mirrored else table.name
        return Counter(
            tuple(row.get(column) for column in table.column_names)
            for (kind, _), row in self._rows.items()
            if kind == name and view_record.GONE not in row
        )

    def tables(self) -> dict[str, Counter[tuple[Any, ...]]]:
        """The rows of all tables."""
        return {table.name: self.table(table) for table in VIEWS}

    @property
    def cut(self) -> int:
        """How many events a limit has cut off, of all userIds."""
        progress = (row for (kind, _), row in self._rows.items() if kind == view_record.PROGRESS)
        return sum(row.get(view_record.CUT, 0) for row in progress)

    def apply(self, value: bytes) -> None:
        """Take in one record."""
        record = orjson.loads(value)
        common = {name: record[name] for name in (KEY.name, view_record.VERSION)}
        for table in VIEWS:
            for row in record.get(table.name, []):
                self._set(table.name, row[view_record.ROW_ID], row | common)
        if view_record.SOURCE in record:
            before = self._set(view_record.PROGRESS, record[KEY.name], record)
            self.events += max(0, record[view_record.VERSION] - before)

    def _set(self, kind: str, row_id: str, row: dict[str, Any]) -> int:
        """Take a row that is not older than the one that is known; returns the version before."""
        before: int = self._rows.get((kind, row_id), {}).get(view_record.VERSION, 0)
        if row[view_record.VERSION] >= before:
            self._rows[kind, row_id] = row
        return before


class ViewTopic(ViewRows):
    """Follows one view topic from its beginning; call `close` at the end."""

    def __init__(self, cluster: Cluster, topic: str, request: Request) -> None:
        super().__init__(request)
        self.topic = topic
        self.records: list[Message] = []
        self._consumer = cluster.consumer("view-test")
        self._consumer.assign([TopicPartition(topic, p, 0) for p in cluster.partitions(topic)])

    def await_events(self, count: int, timeout: float) -> None:
        """Read on until that many valid events are accounted for."""
        deadline = time.monotonic() + timeout
        while self.events < count:
            message = self._consumer.poll(0.2)
            if message is not None and message.error() is None:
                self._take(message)
            elif time.monotonic() > deadline:
                raise TimeoutError(f"{self.topic}: {self.events} of {count} events accounted for")

    def read_available(self) -> None:
        """Read what is there now."""
        while (message := self._consumer.poll(0.2)) is not None:
            if message.error() is None:
                self._take(message)

    def compacted(self) -> ViewRows:
        """What somebody finds who reads it later, when the broker has kept the last record of each key only."""
        last = {record.key(): record.value() or b"" for record in self.records}
        return ViewRows(self._request, last.values())

    def close(self) -> None:
        """Leave the topic."""
        self._consumer.close()

    def _take(self, message: Message) -> None:
        self.records.append(message)
        self.apply(message.value() or b"")

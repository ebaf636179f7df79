"""Reads a view topic as a table server does: the newest version of each row, deletes included."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import orjson
from confluent_kafka import Message, TopicPartition

from livejoin.kafka.cluster import Cluster
from livejoin.model.column import Kind
from livejoin.model.declaration import Side
from livejoin.model.generation import Request
from livejoin.model.table import Table, TableColumn, Tables, key_field
from livejoin.wire import view_record


class ViewRows:
    """What the values of some records say, in their order."""

    def __init__(self, request: Request, values: Iterable[bytes] = ()) -> None:
        self.events = 0
        """The versions of all keys, each of its newest epoch: how many valid events have been read."""
        self._request = request
        self._tables = Tables(request.declaration)
        self._key = [key_field(place) for place in range(len(request.declaration.left.key))]
        self._rows: dict[tuple[str, str], dict[str, Any]] = {}
        """What is known of each row, and of each key's progress, with its version."""
        for value in values:
            self.apply(value)

    def tables(self) -> dict[str, Counter[tuple[Any, ...]]]:
        """The rows of all tables."""
        kinds = (Side.LEFT.value, Side.RIGHT.value, view_record.JOINED)
        return {table.name: self._table(kind, table) for kind, table in zip(kinds, self._tables.views, strict=True)}

    def _table(self, kind: str, table: Table) -> Counter[tuple[Any, ...]]:
        written = view_record.JOINED if kind == self._request.mirrored else kind
        return Counter(
            tuple(_held(row.get(column.field), column) for column in table.columns)
            for (found, _), row in self._rows.items()
            if found == written and view_record.GONE not in row
        )

    def version(self, user_id: str) -> int:
        """How many valid events of a userId have been read."""
        version: int = self._rows.get((view_record.PROGRESS, str([user_id])), {}).get(view_record.VERSION, 0)
        return version

    @property
    def cut(self) -> int:
        """How many events a limit has cut off, of all keys."""
        progress = (row for (kind, _), row in self._rows.items() if kind == view_record.PROGRESS)
        return sum(row.get(view_record.CUT, 0) for row in progress)

    def apply(self, value: bytes) -> None:
        """Take in one record."""
        record = orjson.loads(value)
        common = {name: record[name] for name in (*self._key, view_record.EPOCH, view_record.VERSION)}
        for kind in (*Side, view_record.JOINED):
            for row in record.get(kind, []):
                self._set(kind, row[view_record.ROW_ID], row | common)
        if view_record.SOURCE in record:
            progress = view_record.PROGRESS, str([record[name] for name in self._key])
            before = self._rows.get(progress, {}).get(view_record.VERSION, 0)
            self._set(*progress, record)
            self.events += self._rows[progress][view_record.VERSION] - before

    def _set(self, kind: str, row_id: str, row: dict[str, Any]) -> None:
        """Take a row that is not older than the one that is known."""
        known = self._rows.get((kind, row_id))
        if known is None or _order(row) >= _order(known):
            self._rows[kind, row_id] = row


def _order(row: dict[str, Any]) -> tuple[int, int]:
    return row[view_record.EPOCH], row[view_record.VERSION]


def _held(value: Any, column: TableColumn) -> Any:
    return Decimal(value) if column.type.kind is Kind.DECIMAL and value is not None else value


class ViewTopic(ViewRows):
    """Follows one view topic from its beginning; call `close` at the end."""

    def __init__(self, cluster: Cluster, topic: str, request: Request) -> None:
        super().__init__(request)
        self.topic = topic
        self.records: list[Message] = []
        self._consumer = cluster.consumer("view-test")
        self._consumer.assign([TopicPartition(topic, p, 0) for p in cluster.partitions(topic)])

    def await_events(self, count: int, timeout: float, still_written: Callable[[], None]) -> None:
        """Read on until that many valid events are accounted for; `still_written` raises where nobody writes more."""
        self._await(lambda: self.events, count, timeout, still_written)

    def await_version(self, user_id: str, version: int, timeout: float) -> None:
        """Read on until that many valid events of a userId are accounted for."""
        self._await(lambda: self.version(user_id), version, timeout, lambda: None)

    def _await(self, found: Callable[[], int], count: int, timeout: float, still_written: Callable[[], None]) -> None:
        deadline = time.monotonic() + timeout
        while found() < count:
            message = self._consumer.poll(0.2)
            if message is not None and message.error() is None:
                self._take(message)
                continue
            still_written()
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.topic}: {found()} of {count} events accounted for")

    def read_available(self) -> None:
        """Read what is there now."""
        while (message := self._consumer.poll(0.2)) is not None:
            if message.error() is None:
                self._take(message)

    def compacted(self) -> ViewRows:
        """What somebody finds who reads it later, when the broker has kept the last record of each key only."""
        last = {record.key(): record.value() or b"" for record in self.records}
        return ViewRows(self._request, last.values())

    def homes(self) -> dict[tuple[object, ...], set[int]]:
        """The partitions in which records of each key stand."""
        found: dict[tuple[object, ...], set[int]] = defaultdict(set)
        for record in self.records:
            row = orjson.loads(record.value() or b"")
            found[tuple(row[name] for name in self._key)].add(record.partition() or 0)
        return found

    def close(self) -> None:
        """Leave the topic."""
        self._consumer.close()

    def _take(self, message: Message) -> None:
        self.records.append(message)
        self.apply(message.value() or b"")

"""The state topic: the registry of generations, read at the start and written at every step."""

from collections.abc import Callable

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.model.generation import Generation
from livejoin.model.registry import Current, Ledger, Pulse, Record, Registry
from livejoin.pipeline.control.unreadable import Unreadable
from livejoin.wire.records import apply, generation_key, key_of, standby_key, to_json

Write = Callable[[str, str, bytes | None], None]
"""Writes a record with that topic, key and value, as the only one who may."""


class StateTopic:
    """Reads and writes the records of the registry. Every write is confirmed by the broker before it returns."""

    def __init__(self, cluster: Cluster, topic: str, write: Write) -> None:
        self._cluster = cluster
        self._topic = topic
        self._write_record = write

    def read(self) -> Registry:
        """What the topic says."""
        return read_registry(self._cluster, self._topic)

    def write(self, generation: Generation) -> None:
        """Record a generation as it is."""
        self._write(generation)

    def write_ledger(self, ledger: Ledger) -> None:
        """Record what must outlive the generations."""
        self._write(ledger)

    def flip(self, current: Current) -> None:
        """Tell every table server to show another generation: the point of no return of a swap."""
        self._write(current)

    def beat(self, pulse: Pulse) -> None:
        """Tell every table server that the pipeline lives, and what is wrong with it."""
        self._write(pulse)

    def forget(self, number: int) -> None:
        """Remove the record of a generation of which nothing is left."""
        self._write_record(self._topic, generation_key(number), None)

    def forget_standby(self, name: str) -> None:
        """Remove the record of a standby that was not heard of for long."""
        self._write_record(self._topic, standby_key(name), None)

    def _write(self, record: Record) -> None:
        self._write_record(self._topic, key_of(record), to_json(record))


def read_registry(cluster: Cluster, topic: str) -> Registry:
    """What the state topic says at this moment."""
    registry, unreadable = Registry(), Unreadable(topic)
    for record in read_to_end(cluster, topic):
        key = record.key()
        try:
            apply(registry, (key or b"").decode(), record.value())
        except ValueError as error:
            unreadable.add(record, error)
    unreadable.tell()
    return registry

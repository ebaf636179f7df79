"""The state topic: the registry of generations, read at the start and written at every step."""

import structlog
from pydantic import BaseModel

from livejoin.generation import Generation
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.registry import CURRENT_KEY, LEDGER_KEY, PULSE_KEY, Current, Ledger, Pulse, Registry, generation_key

log = structlog.get_logger()


class StateTopic:
    """Reads and writes the records of the registry. Every write is confirmed by the broker before it returns."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._writer = Writer(cluster, topic)

    def read(self) -> Registry:
        """What the topic says."""
        return read_registry(self._cluster, self._topic)

    def write(self, generation: Generation) -> None:
        """Record a generation as it is."""
        self._write(generation_key(generation.number), generation)

    def write_ledger(self, ledger: Ledger) -> None:
        """Record what must outlive the generations."""
        self._write(LEDGER_KEY, ledger)

    def flip(self, current: Current) -> None:
        """Tell every table server to show another generation: the point of no return of a swap."""
        self._write(CURRENT_KEY, current)

    def beat(self, pulse: Pulse) -> None:
        """Tell every table server that the pipeline lives, and what is wrong with it."""
        self._write(PULSE_KEY, pulse)

    def forget(self, number: int) -> None:
        """Remove the record of a generation of which nothing is left."""
        self._writer.write(generation_key(number), None)

    def _write(self, key: str, record: BaseModel) -> None:
        self._writer.write(key, record.model_dump_json().encode())


def read_registry(cluster: Cluster, topic: str) -> Registry:
    """What the state topic says at this moment."""
    registry = Registry()
    for record in read_to_end(cluster, topic):
        key = record.key()
        try:
            registry.apply((key or b"").decode(), record.value())
        except ValueError as error:
            # Somebody else has written it; what livejoin wrote counts.
            log.warning("record skipped that cannot be read", topic=topic, offset=record.offset(), reason=str(error))
    return registry

"""The state topic: the registry of generations, read at the start and written at every step."""

from pydantic import BaseModel

from livejoin.generation import Generation
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.registry import CURRENT_KEY, LEDGER_KEY, Current, Ledger, Registry, generation_key


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
        if key is not None:
            registry.apply(key.decode(), record.value())
    return registry

"""The state topic: the registry of generations, read at the start and written at every step."""

from pydantic import BaseModel

from livejoin.errors import BrokerUnreachable
from livejoin.generation import CURRENT_KEY, Current, Generation, Registry, generation_key
from livejoin.kafka import Cluster, read_to_end

CONFIG = {"cleanup.policy": "compact"}


class StateTopic:
    """Reads and writes the records of the registry. Every write is confirmed by the broker before it returns."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._producer = cluster.producer()

    def open(self) -> Registry:
        """Create the topic if it is not there, and return what it says."""
        self._cluster.ensure(self._topic, config=CONFIG)
        registry = Registry()
        for record in read_to_end(self._cluster, self._topic):
            key = record.key()
            if key is not None:
                registry.apply(key.decode(), record.value())
        return registry

    def write(self, generation: Generation) -> None:
        """Record a generation as it is."""
        self._send(generation_key(generation.number), generation)

    def make_current(self, generation: Generation) -> None:
        """Tell every table server to show this generation: the point of no return of a swap."""
        self._send(CURRENT_KEY, Current(generation=generation.number))

    def forget(self, number: int) -> None:
        """Remove the record of a generation that is gone."""
        self._send(generation_key(number), None)

    def _send(self, key: str, record: BaseModel | None) -> None:
        failures: list[str] = []

        def delivered(error: object, _: object) -> None:
            if error is not None:
                failures.append(str(error))

        value = record.model_dump_json().encode() if record else None
        self._producer.produce(self._topic, key=key.encode(), value=value, on_delivery=delivered)
        if self._producer.flush(30) or failures:
            raise BrokerUnreachable(
                f"{self._topic}: {key} was not written: {'; '.join(failures) or 'no answer in 30 s'}"
            )

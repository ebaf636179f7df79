"""What is made of client properties, made anew when they have become others.

librdkafka reads certificates and passwords once, when a client is made. One that lives long would try for ever to log
in with what was right then.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from livejoin.kafka.client import KafkaClient

T = TypeVar("T")


class Renewed(Generic[T]):
    """One thing that is made of a client's properties. Any thread may ask for it; what it makes needs no closing."""

    def __init__(self, client: KafkaClient, make: Callable[[], T]) -> None:
        self._client = client
        self._make = make
        self._lock = threading.Lock()
        self._edition = client.renew()
        self._made = make()
        self._before: T | None = None

    def get(self) -> T:
        """The one that was made of the properties in force."""
        edition = self._client.renew()
        with self._lock:
            if edition != self._edition:
                # Somebody may still wait for an answer by the one before.
                self._before, self._made = self._made, self._make()
                self._edition = edition
            return self._made

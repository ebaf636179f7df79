"""What the contest stands on: a broker of its own, folders that go with it, and an eye on the rest of the machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psutil

from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings
from ports import broker_ports


@dataclass
class Stage:
    """A running broker."""

    bootstrap: str
    folder: Path
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def room(self, name: str) -> Path:
        """A folder that nobody has used; it is not made."""
        return self.folder / f"{name}-{next(self._numbers)}"


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    """Start the broker, and end it with the context."""
    ports = broker_ports()
    # More of a heap than `up` gives it: it must not be what decides.
    own = load_settings(None, {"data_dir": folder / "broker", "broker": {**ports, "heap": "1g"}})
    kafka = EmbeddedKafka(own)
    broker = Child("broker", kafka.prepare(), folder / "broker.log")
    broker.start()
    try:
        Cluster(own.kafka_client).wait_until_reachable(60.0)
        kafka.open_to_people()
        yield Stage(f"127.0.0.1:{ports['port']}", folder)
    finally:
        broker.stop()


class Machine:
    """How many processors were busy with something that does not belong to the contest, since it was made."""

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.monotonic(), _busy(), _own()

    def others(self) -> float:
        """Processors, on average; a process that has ended meanwhile counts as another one's."""
        passed = time.monotonic() - self._began
        return max(0.0, (_busy() - self._busy) - (_own() - self._own)) / passed


def _busy() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - times.guest - times.guest_nice)


def _own() -> float:
    used = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            used += sum(process.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return used

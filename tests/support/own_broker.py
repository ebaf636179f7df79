"""An embedded broker that a test has for itself, with or without what protects it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import broker_ports


class OwnBroker:
    """The broker of a folder. Who starts it stops it."""

    def __init__(self, folder: Path, prefix: str = "livejoin", **broker: str) -> None:
        given = {"data_dir": folder / "data", "broker": {**broker_ports(), **broker}, "topics": {"prefix": prefix}}
        self.settings: Settings = load_settings(None, given)
        self.log = folder / "broker.log"
        self.kafka = EmbeddedKafka(self.settings)
        self.child = Child("broker", self.kafka.prepare(), self.log)

    def start(self, *, protected: bool = True) -> None:
        """Start it and return when livejoin can use it; unprotected, it asks no authorizer."""
        if not protected:
            self._forget_the_authorizer()
        self.child.start()
        self.own.wait_until_reachable(60.0)

    @property
    def own(self) -> Cluster:
        """The broker as livejoin has it."""
        return Cluster(self.settings.kafka_client)

    @property
    def people(self) -> Cluster:
        """The broker as everybody on this machine has it."""
        return Cluster(self.settings.people_client)

    def _forget_the_authorizer(self) -> None:
        file = self.settings.data_dir / "kafka" / "server.properties"
        protecting = ("authorizer.", "allow.everyone", "super.users")
        kept = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith(protecting)]
        file.write_text("\n".join(kept), encoding="utf-8")


@contextmanager
def running(folder: Path, *, protected: bool = True) -> Iterator[OwnBroker]:
    """A broker that has been opened to people, and ends with the context."""
    broker = OwnBroker(folder)
    try:
        broker.start(protected=protected)
        if protected:
            broker.kafka.open_to_people()
        yield broker
    finally:
        broker.child.stop()

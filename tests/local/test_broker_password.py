"""The password of the embedded broker: where it is asked for, where it is kept, and where it must not be."""

import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from livejoin.errors import BrokerUnreachable, KafkaTrouble, LivejoinError, SettingsError
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import BrokerFormatFailed, EmbeddedKafka
from livejoin.process.worker import begin
from livejoin.secrecy.broker_password import USER, login, password_file, read_password
from livejoin.settings.loader import load_settings
from own_broker import OwnBroker, running
from what_is_shown import argv_and_environment

WIRES = [("internal_port", "SCRAM-SHA-256", False), ("controller_port", "PLAIN", True)]
"""The controller's listener takes PLAIN, and is the control case: only the broker itself logs in there."""


@pytest.fixture(scope="module")
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnBroker]:
    """The broker as livejoin runs it."""
    with running(tmp_path_factory.mktemp("protected")) as broker:
        yield broker


@pytest.mark.parametrize("port", ["internal_port", "controller_port"])
@pytest.mark.parametrize("who", ["nobody", "guesser"])
def test_livejoins_own_ports_want_the_password(protected: OwnBroker, port: str, who: str) -> None:
    """Without the password, or with another one, neither the internal nor the controller's listener answers."""
    number = getattr(protected.settings.broker, port)
    client = {"bootstrap.servers": f"127.0.0.1:{number}"}
    if who == "guesser":
        client |= login("guessed") | {"sasl.mechanism": "SCRAM-SHA-256" if port == "internal_port" else "PLAIN"}
    with pytest.raises(KafkaTrouble):
        Cluster(KafkaClient(client)).wait_until_reachable(2.0)


def test_the_password_of_livejoin_does_not_open_the_controller(protected: OwnBroker) -> None:
    """The controller's password is known to the broker alone."""
    client = protected.settings.kafka_client.librdkafka()
    address = {"bootstrap.servers": f"127.0.0.1:{protected.settings.broker.controller_port}"}
    with pytest.raises(KafkaTrouble):
        Cluster(KafkaClient({**client, **address, "sasl.mechanism": "PLAIN"})).wait_until_reachable(2.0)


def test_what_people_write_to_cannot_be_livejoins(tmp_path: Path) -> None:
    """A source topic below the prefix would be closed to people, so it is refused by name."""
    settings = load_settings(None, {"data_dir": tmp_path, "topics": {"prefix": "x"}, "left": {"topic": "x.users"}})
    with pytest.raises(SettingsError, match=r"left\.topic is 'x\.users'"):
        EmbeddedKafka(settings).prepare()


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ({"state": "anything"}, "'anything' would be a topic of livejoin's own"),
        ({"views": ["livejoin.a", "livejoin.b", "livejoin.c"]}, "on the embedded broker nobody else can"),
    ],
)
def test_what_is_livejoins_is_known_by_its_prefix_there(tmp_path: Path, topics: dict[str, Any], said: str) -> None:
    """Only what begins so is closed to people, and nobody but livejoin can make it."""
    settings = load_settings(None, {"data_dir": tmp_path, "topics": topics})
    with pytest.raises(SettingsError, match=said):
        EmbeddedKafka(settings).prepare()


def test_a_broker_that_has_no_password_is_refused(tmp_path: Path) -> None:
    """The folder of a livejoin that asked nobody is not opened, and the sentence says what to do."""
    broker = OwnBroker(tmp_path)
    password_file(broker.settings.data_dir).unlink()
    with pytest.raises(LivejoinError, match="has no password") as refused:
        broker.kafka.prepare()
    assert "move" in refused.value.do
    with pytest.raises(BrokerUnreachable, match="no embedded broker has been started"):
        _ = broker.settings.kafka_client


def test_a_failed_format_does_not_tell_the_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what Kafka's tool says about its arguments, nor the file that they were in."""
    monkeypatch.setattr("livejoin.local.broker.MECHANISM", "SCRAM-SHA-1")
    settings = load_settings(None, {"data_dir": tmp_path})
    with pytest.raises(BrokerFormatFailed) as failed:
        EmbeddedKafka(settings).prepare()
    assert "SCRAM-SHA-1" in failed.value.what
    assert read_password(tmp_path) not in failed.value.what
    assert not (tmp_path / "kafka" / "formatting.arguments").exists()


def test_the_password_is_in_private_files_only(protected: OwnBroker) -> None:
    """No argument, environment or log of the broker, and no file that others may read, holds the password."""
    data = protected.settings.data_dir
    password = password_file(data).read_text(encoding="utf-8").strip()
    assert len(password) >= 32
    assert protected.child.pid is not None
    shown = [argv_and_environment(child) for child in psutil.Process(protected.child.pid).children(recursive=True)]
    assert any("kafka.Kafka" in text for text in shown)
    assert not [text for text in shown if password in text]
    assert password.encode() not in protected.log.read_bytes()
    holding = [file for file in data.rglob("*") if file.is_file() and password.encode() in file.read_bytes()]
    assert {file.name for file in holding} == {"password", "server.properties"}
    assert {file.stat().st_mode & 0o777 for file in holding} == {0o600}


@pytest.mark.parametrize(("port", "mechanism", "told"), WIRES)
def test_the_wire_does_not_tell_the_password(protected: OwnBroker, port: str, mechanism: str, told: bool) -> None:  # noqa: FBT001
    """Who listens where the broker should learns no password from who logs in; with PLAIN he would."""
    with Eavesdropper(getattr(protected.settings.broker, port)) as wire:
        address = {"bootstrap.servers": f"127.0.0.1:{wire.port}", "sasl.mechanism": mechanism}
        with pytest.raises(KafkaTrouble):
            Cluster(KafkaClient({**login("a password of ours"), **address})).wait_until_reachable(1.5)
    assert USER.encode() in wire.heard
    assert (b"a password of ours" in wire.heard) is told


class Eavesdropper:
    """Passes on to a port what it hears, and remembers it. A context manager."""

    def __init__(self, target: int) -> None:
        self.heard = bytearray()
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self) -> "Eavesdropper":
        """Begin to listen."""
        begin(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self._listener.close()

    def _listen(self) -> None:
        while True:
            visitor, _ = self._listener.accept()
            broker = socket.create_connection(("127.0.0.1", self._target))
            begin(partial(self._pass_on, broker, visitor, bytearray()))
            begin(partial(self._pass_on, visitor, broker, self.heard))

    @staticmethod
    def _pass_on(source: socket.socket, sink: socket.socket, heard: bytearray) -> None:
        with source, sink:
            while chunk := source.recv(65_536):
                heard += chunk
                sink.sendall(chunk)

"""Certificates and passwords that are exchanged while livejoin runs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from await_that import await_that
from livejoin.errors import RightMissing
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.tail import TopicTail
from livejoin.kafka.writer import Writer
from secured_broker import STRANGER, USER, SecuredBroker

Become = Callable[[str], None]


@pytest.fixture
def by_certificate(secured: SecuredBroker) -> tuple[KafkaClient, Become]:
    """A client by the files of a certificate and a key, and how it becomes somebody else."""
    properties = secured.certificate(USER)

    def become(user: str) -> None:
        other = secured.certificate(user, secured.authority.issue(user))
        for name in ("ssl.certificate.location", "ssl.key.location"):
            if other[name] != properties[name]:
                Path(other[name]).replace(properties[name])

    return KafkaClient(properties), become


@pytest.fixture
def by_file(secured: SecuredBroker, tmp_path: Path) -> tuple[KafkaClient, Become]:
    """A client by a file of properties, and how it becomes somebody else."""
    file = tmp_path / "client.properties"

    def become(user: str) -> None:
        properties = secured.password("SCRAM-SHA-256", user)
        text = "".join(f"{name}={value}\n" for name, value in properties.items())
        draft = file.with_suffix(".draft")
        draft.write_text(text.replace("\\", "\\\\"), encoding="utf-8")
        draft.replace(file)

    become(USER)
    return KafkaClient({"file": str(file)}), become


@pytest.mark.parametrize("way", ["by_certificate", "by_file"])
def test_what_is_exchanged_on_disk_is_in_force(
    way: str, secured: SecuredBroker, request: pytest.FixtureRequest
) -> None:
    """Whoever asks, reads or writes is the other user from then on, and goes on where he was when it is the first."""
    client, become = request.getfixturevalue(way)
    topic = f"renewed-{way}"
    Cluster(secured.settings.kafka_client).ensure(topic)
    cluster, taken = Cluster(client), list[bytes]()
    writer = Writer(cluster, topic)
    tail = TopicTail(cluster, topic, lambda records: taken.extend(each.value() or b"" for each in records))
    tail.start()
    try:
        writer.write(None, b"1")
        await_that(lambda: taken == [b"1"])
        become(STRANGER)
        with pytest.raises(RightMissing, match=STRANGER):
            cluster.describe([topic])
        with pytest.raises(RightMissing, match=STRANGER):
            writer.write(None, b"of a stranger")
        await_that(lambda: isinstance(tail.trouble, RightMissing))
        become(USER)
        writer.write(None, b"2")
        await_that(lambda: taken == [b"1", b"2"], timeout=60)
        assert cluster.describe([topic])[topic].partitions == 1
    finally:
        tail.stop()

"""The embedded broker, as a real process."""

import re
from pathlib import Path

import pytest

from livejoin.errors import BrokerUnreachable, TopicMissing
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.topics.keeper import TopicKeeper
from livejoin.topics.plan import fixed_topics, view_topic
from ports import broker_ports, free_ports
from prometheus import checkout_file


def test_records_come_back(broker: Settings) -> None:
    """What is produced to a topic is read back, in order."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure("echo")
    producer = cluster.producer()
    for number in range(100):
        producer.produce("echo", value=str(number).encode())
    assert producer.flush(10.0) == 0
    assert [record.value() for record in read_to_end(cluster, "echo")] == [str(n).encode() for n in range(100)]


def test_topics_are_never_created_by_accident(broker: Settings) -> None:
    """A topic that nobody created is missing, also after somebody asked for it."""
    cluster = Cluster(broker.kafka_client)
    with pytest.raises(TopicMissing, match="never-created"):
        cluster.partitions("never-created")
    assert "never-created" not in cluster.topic_names()


def test_topics_keep_what_is_documented(broker: Settings) -> None:
    """The table of docs/operations.md, by what the broker says of topics that are made as livejoin makes them."""
    table = checkout_file("docs/operations.md").read_text(encoding="utf-8").partition("What the topics of the emb")[2]
    head, _, *rows = [line for line in table.partition("\n\n#")[0].splitlines() if line.startswith("|")]
    names = re.findall(r"`([\w.]+)`", head)
    documented = {row.split("|")[1].strip(): [_first(cell) for cell in row.split("|")[2:5]] for row in rows}

    settings = broker.model_copy(update={"topics": broker.topics.model_copy(update={"prefix": "bounds"})})
    state, control_log, letters = fixed_topics(settings)
    view = view_topic(settings, settings.own_topics.view(1))
    cluster = Cluster(settings.kafka_client)
    for planned in (state, control_log, letters, view):
        TopicKeeper(settings, cluster).provide(planned)
    cluster.ensure("bounds-users")
    made = {
        "the sources and `control`": "bounds-users",
        "`livejoin.state`": state.name,
        "`livejoin.control-log`": control_log.name,
        "`livejoin.dead-letters`": letters.name,
        "`livejoin.view.<n>`": view.name,
    }
    assert documented.keys() == made.keys()
    for what, topic in made.items():
        found = cluster.configuration(topic)
        assert documented[what] == [found[name] if documented[what][at] else "" for at, name in enumerate(names)], what
        assert (found["segment.ms"], found["retention.bytes"]) == ("604800000", "-1")
        assert "delete" not in found["cleanup.policy"] or documented[what][names.index("retention.ms")], what


def _first(cell: str) -> str:
    """The value that a cell begins with; nothing where it has none."""
    found = re.match(r"`([^`]+)`", cell.strip())
    return found[1] if found else ""


def test_data_outlives_a_restart_and_storage_is_formatted_once(tmp_path: Path) -> None:
    """Records and cluster id are the same after a stop and a second start; the source topics are created once."""
    settings = load_settings(None, {"data_dir": tmp_path, "broker": {**broker_ports(), "heap": "256m"}})
    identity = tmp_path / "kafka" / "data" / "meta.properties"
    identities = []
    for _ in range(2):
        kafka = EmbeddedKafka(settings)
        child = Child("broker", kafka.prepare(), tmp_path / "broker.log")
        identities.append(identity.read_text(encoding="utf-8"))
        child.start()
        try:
            cluster = Cluster(settings.kafka_client)
            cluster.wait_until_reachable(60.0)
            kafka.open_to_people()
            assert {"users", "accounts"} <= cluster.topic_names()
            producer = cluster.producer()
            producer.produce("users", value=b"kept")
            assert producer.flush(10.0) == 0
            records = len(read_to_end(cluster, "users"))
        finally:
            child.stop()
    assert records == 2
    assert identities[0] == identities[1]
    assert '"level": "error"' not in (tmp_path / "broker.log").read_text(encoding="utf-8")


def test_an_absent_broker_is_told() -> None:
    """Where nothing listens, the error names the address and the setting."""
    port = free_ports(1)[0]
    with pytest.raises(BrokerUnreachable, match=f"127.0.0.1:{port}") as absent:
        Cluster(KafkaClient({"bootstrap.servers": f"127.0.0.1:{port}"})).wait_until_reachable(0.5)
    assert "kafka.bootstrap.servers" in absent.value.do

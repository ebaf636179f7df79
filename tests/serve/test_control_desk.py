"""Control messages from the page: who may send them, and that they arrive. The broker is real."""

import asyncio
from pathlib import Path

import orjson
import pytest
from starlette.testclient import TestClient

from livejoin.access.keys import keyring, server_key
from livejoin.http.health import Health
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.serve.door.door import Door
from livejoin.serve.http.web import application
from livejoin.settings.door import AccessSettings
from livejoin.settings.settings import Settings

WALL, ANA = "the key of the wall display", "the key of Ana, an operator"
SWAP = {"usersTopic": "desk-users", "accountsTopic": "desk-accounts"}


@pytest.fixture
def settings(broker: Settings, tmp_path: Path) -> Settings:
    """Settings with a control topic of this test's own."""
    topics = broker.topics.model_copy(update={"control": "desk-control", "prefix": "desk"})
    found = broker.model_copy(update={"data_dir": tmp_path, "topics": topics})
    for topic in ("desk-control", "desk-users", "desk.state"):
        Cluster(found.kafka_client).ensure(topic)
    return found


def client(settings: Settings, key: str) -> TestClient:
    """Somebody who presents this key."""
    door = Door(settings, keyring(settings), asyncio.new_event_loop())
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return TestClient(application(settings, door, Health), headers=headers, base_url="http://127.0.0.1")


def test_a_message_reaches_the_control_topic_with_an_id(settings: Settings) -> None:
    """The answer names the id, by which the page finds the verdict."""
    answer = client(settings, server_key(settings)).post("/control/message", json=SWAP)

    assert answer.status_code == 200
    written = read_to_end(Cluster(settings.kafka_client), "desk-control")[-1].value()
    assert orjson.loads(written or b"") == {**SWAP, "id": answer.json()["id"], "by": "everybody"}


def test_a_message_that_would_be_rejected_is_not_sent(settings: Settings) -> None:
    """The person is told at once what to correct."""
    web, cluster = client(settings, server_key(settings)), Cluster(settings.kafka_client)
    before = cluster.end_offsets("desk-control")
    for body in (b"", b"{", b'{"usersTopic": "u"}', b"x" * 20_000):
        answer = web.post("/control/message", content=body)
        assert answer.status_code == 400
        assert answer.json()["error"]
    assert web.post("/control/message", content=b"x" * 70_000).status_code == 413

    assert cluster.end_offsets("desk-control") == before


def test_only_topics_that_can_be_sources_are_offered(settings: Settings) -> None:
    """Not the control topic, not livejoin's own, not Kafka's."""
    topics = client(settings, server_key(settings)).get("/control/topics").json()["topics"]

    assert "desk-users" in topics
    assert not {"desk-control", "desk.state"} & set(topics)
    assert not [topic for topic in topics if topic.startswith("__")]


def test_nobody_sends_without_the_key(settings: Settings) -> None:
    """A wrong key and none are refused alike, for reading and for sending."""
    for web in (client(settings, "wrong"), client(settings, "")):
        assert web.get("/control/topics").status_code == 401
        assert web.post("/control/message", json=SWAP).status_code == 401


def test_a_viewer_cannot_swap_and_an_operator_is_named(settings: Settings) -> None:
    """The message has the name of the operator's key, whatever it said itself."""
    roles = {"viewer": {"keys": {"wall": WALL}}, "operator": {"keys": {"ana": ANA}}}
    guarded = settings.model_copy(update={"access": AccessSettings.model_validate(roles)})
    refused = client(guarded, WALL).post("/control/message", json=SWAP)

    assert refused.status_code == 403
    assert "operator" in refused.json()["error"]
    assert client(guarded, WALL).get("/control/topics").status_code == 403
    assert client(guarded, ANA).post("/control/message", json={**SWAP, "by": "somebody else"}).status_code == 200
    written = read_to_end(Cluster(settings.kafka_client), "desk-control")[-1].value()
    assert orjson.loads(written or b"")["by"] == "ana"


def test_a_broker_that_is_gone_is_said(settings: Settings) -> None:
    """The page shows why nothing was sent."""
    gone = settings.model_copy(update={"kafka": {"bootstrap.servers": "127.0.0.1:1", "socket.timeout.ms": "1000"}})
    answer = client(gone, server_key(gone)).get("/control/topics")

    assert answer.status_code == 503
    assert "no Kafka broker answers at 127.0.0.1:1" in answer.json()["error"]

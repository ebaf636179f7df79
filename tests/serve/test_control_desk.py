"""Control messages from the page: who may send them, and that they arrive. The broker is real."""

import asyncio
import socket
from contextlib import ExitStack
from pathlib import Path

import orjson
import pytest
from starlette.testclient import TestClient

from livejoin.access.keys import keyring, server_key
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.serve.door.door import Door
from livejoin.serve.http.web import Web, application
from livejoin.settings.door import AccessSettings
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from websocket_frames import hear_to_the_end

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


@pytest.mark.parametrize("given", ["id", "by"])
def test_half_of_a_character_is_told_and_not_stumbled_over(settings: Settings, given: str) -> None:
    """JSON can say what no text can be."""
    body = b'{"usersTopic": "desk-users", "accountsTopic": "desk-accounts", "%s": "\\ud800"}' % given.encode()
    answer = client(settings, server_key(settings)).post("/control/message", content=body)

    assert answer.status_code == 400
    assert answer.json()["error"].startswith(f"{given} is not a text")


def ask(port: int, path: str, key: str = "") -> socket.socket:
    """A socket that has asked for something; whoever calls this closes it."""
    asking = socket.create_connection(("127.0.0.1", port), 5.0)
    names = f"Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n"
    asking.sendall(f"GET {path} HTTP/1.1\r\n{names}\r\n".encode())
    return asking


def test_who_waits_for_a_broker_that_is_gone_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    """More than there are threads ask for topics: others are told so at once, and health and page are answered."""
    given = {"data_dir": tmp_path, "kafka": {"bootstrap.servers": "127.0.0.1:1"}}
    settings = load_settings(None, given)
    listener = listen("127.0.0.1", 0)
    web = Web(settings, listener, Health)
    web.start()
    port = listener.getsockname()[1]
    with ExitStack() as stack:
        stack.callback(web.stop)
        waiting = [stack.enter_context(ask(port, "/control/topics", server_key(settings))) for _ in range(60)]
        for path in ("/livez", "/"):
            assert hear_to_the_end(stack.enter_context(ask(port, path))).startswith(b"HTTP/1.1 ")
        waiting[0].settimeout(0.1)
        with pytest.raises(TimeoutError):
            waiting[0].recv(1)
        assert b"429" in hear_to_the_end(waiting[-1])


def test_a_broker_that_is_gone_is_said(settings: Settings) -> None:
    """The page shows why nothing was sent."""
    gone = settings.model_copy(update={"kafka": {"bootstrap.servers": "127.0.0.1:1", "socket.timeout.ms": "1000"}})
    answer = client(gone, server_key(gone)).get("/control/topics")

    assert answer.status_code == 503
    assert "no Kafka broker answers at 127.0.0.1:1" in answer.json()["error"]

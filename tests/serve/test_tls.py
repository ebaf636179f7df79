"""The door with TLS: keys and rows never cross the network in the clear."""

import json
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect as connect_socket

from certificates import self_signed
from livejoin.access.keys import server_key
from livejoin.client.tables import connect
from livejoin.errors import TableServerGone
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.local.stack import answers
from livejoin.serve.http.web import Web
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import free_ports


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A door with a certificate of its own, and no engine behind it."""
    certificate, key = self_signed(tmp_path, "door")
    [port] = free_ports(1)
    web = {"port": port, "url": f"https://localhost:{port}", "tls_certificate": certificate, "tls_key": key}
    found = load_settings(None, {"data_dir": tmp_path / "data", "web": web})
    running = Web(found, listen("127.0.0.1", port), lambda: Health(not_ready="there is no engine"))
    running.start()
    assert running.door
    yield found
    running.stop()


def test_a_visitor_is_let_in_over_tls(settings: Settings) -> None:
    """By its own name and certificate, and by nothing else."""
    context = ssl.create_default_context(cafile=settings.web.tls_certificate)
    url = f"{settings.page_url.replace('https', 'wss')}tables"
    with connect_socket(url, ssl=context) as client:
        client.send(json.dumps({"do": "login", "key": server_key(settings)}))
        assert json.loads(client.recv(5))["is"] == "welcome"
    with pytest.raises(ssl.SSLCertVerificationError):
        connect_socket(url, ssl=ssl.create_default_context())


def test_nothing_is_answered_in_the_clear(settings: Settings) -> None:
    """A request without TLS gets no answer, not even a refusal that somebody could read."""
    with socket.create_connection(("127.0.0.1", settings.web.port), timeout=5) as wire:
        wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP" not in wire.recv(100)


def test_commands_and_the_stack_reach_it(settings: Settings) -> None:
    """`livejoin rows` trusts the certificate of its own server; `livejoin up` sees whether it is ready."""
    assert answers(f"{settings.local_url}healthz")
    assert not answers(f"{settings.local_url}readyz")
    with connect(settings) as client, pytest.raises(TableServerGone, match="has no tables yet"):
        client.size("final_ui")
    other = settings.model_copy(update={"web": settings.web.model_copy(update={"tls_certificate": None})})
    with pytest.raises(TableServerGone, match=r"(?i)certificate"), connect(other) as client:
        client.size("final_ui")

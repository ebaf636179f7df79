"""The real HTTP side with a provider beside it, and browsers without a screen that sign in there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_socket

from livejoin.access.keys import keyring
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.serve.http.web import Web
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from oidc_provider import CLIENT, SECRET, OidcProvider

PEOPLE: dict[str, dict[str, Any]] = {
    "ana": {"roles": ["staff", "livejoin-operators"]},
    "ben": {"roles": ["staff", "livejoin-viewers"]},
    "eve": {"roles": ["guests"]},
}


@dataclass
class Stand:
    """A server that people sign in at. The clock of its sessions is set by hand."""

    settings: Settings
    provider: OidcProvider
    now: float = 1_000.0
    keys: list[str] = field(default_factory=list)
    """Every session key that was handed out."""
    shown: list[str] = field(default_factory=list)
    """Every page and every header of an answer that let nobody in."""

    def browser(self) -> "Person":
        """Somebody with cookies of their own."""
        return Person(self, httpx.Client(base_url=self.settings.page_url, timeout=30.0))

    @contextmanager
    def enter(self, key: str) -> Iterator[tuple[dict[str, Any], ClientConnection]]:
        """Present a key at the WebSocket; what is answered, and the socket."""
        address = f"ws{self.settings.page_url.removeprefix('http')}tables"
        with connect_socket(address, compression=None) as connection:
            connection.send(json.dumps({"do": "login", "key": key}))
            yield json.loads(connection.recv(10)), connection


@dataclass
class Person:
    """One browser."""

    stand: Stand
    http: httpx.Client

    def begin(self) -> str:
        """Where the page leads to: the provider."""
        answer = self.http.get("/sign-in")
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def identify(self, address: str, who: str) -> str:
        """Sign in there; where the provider leads back to."""
        return httpx.get(f"{address}&as={who}").headers["location"]

    def come_back(self, address: str) -> httpx.Response:
        """Follow the way back."""
        answer = self.http.get(address)
        if answer.status_code == 303:
            where = urlsplit(answer.headers["location"])
            assert f"{where.scheme}://{where.netloc}{where.path}" == self.stand.settings.page_url
            assert not where.query
            self.stand.keys.append(where.fragment.removeprefix("key="))
        else:
            self.stand.shown.append(f"{answer.text} {answer.headers}")
        return answer

    def sign_in(self, who: str) -> httpx.Response:
        """All of it."""
        return self.come_back(self.identify(self.begin(), who))

    def key(self, who: str) -> str:
        """The session key of somebody who is let in."""
        answer = self.sign_in(who)
        assert answer.status_code == 303, answer.text
        return self.stand.keys[-1]


def oidc(provider: OidcProvider, **changed: Any) -> dict[str, Any]:
    """The settings of the provider."""
    return {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "name": "Example",
        "operator": ["livejoin-operators"],
        "viewer": ["livejoin-viewers"],
        **changed,
    }


@contextmanager
def stand_at(provider: OidcProvider, folder: Path, monkeypatch: pytest.MonkeyPatch, **changed: Any) -> Iterator[Stand]:
    """The HTTP side as `livejoin serve` runs it, without tables."""
    listener = listen("127.0.0.1", 0)
    given = {
        "data_dir": folder,
        "kafka": {"bootstrap.servers": "127.0.0.1:9"},
        "web": {"port": listener.getsockname()[1]},
        "access": {"oidc": oidc(provider, **changed), "viewer": {"hidden": ["email"], "export": False}},
    }
    provider.people.update(PEOPLE)
    stand = Stand(load_settings(None, given), provider)
    monkeypatch.setattr("livejoin.serve.http.web.keyring", lambda settings: keyring(settings, lambda: stand.now))
    web = Web(stand.settings, listener, Health)
    web.start()
    try:
        assert web.door
        yield stand
    finally:
        web.stop()


@contextmanager
def nothing_is_told(
    stand: Stand, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Whatever happens meanwhile, no secret of it is in a log line or in the answer to somebody who is not let in."""
    yield
    logged = [*capfd.readouterr(), caplog.text]
    assert not stand.keys or "somebody signed in" in logged[0]
    told = " ".join([*stand.shown, *logged])
    for secret in {*stand.provider.secrets, *stand.keys} - {""}:
        assert secret not in told

"""The HTTP side: page, configuration and health."""

import asyncio
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from livejoin.access.roles import Keyring
from livejoin.http.health import Health
from livejoin.serve.door.door import Door
from livejoin.serve.http.web import application
from livejoin.settings.settings import Settings


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<title>livejoin</title><lj-app></lj-app>", encoding="utf-8")
    (folder / "main-ABCD1234.js").write_text("1", encoding="utf-8")
    return folder


def client(page: Path, *, failing: str = "", not_ready: str = "", not_alive: str = "") -> TestClient:
    """A client of the HTTP side with the given page and health."""
    settings = Settings(web={"page": page, "url": "https://livejoin.example.org"})  # type: ignore[arg-type]
    door = Door(settings, Keyring(list), asyncio.new_event_loop())
    app = application(settings, door, lambda: Health({"engine": failing}, not_ready, not_alive))
    return TestClient(app, base_url="https://livejoin.example.org")


def test_the_page_is_asked_for_every_time_and_its_hashed_files_never_again(page: Path) -> None:
    """A deployment is seen at once, and costs one small request."""
    web = client(page)

    index, script = web.get("/"), web.get("/main-ABCD1234.js")

    assert index.headers["content-type"].startswith("text/html")
    assert index.headers["cache-control"] == "no-store"
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]


def test_a_route_of_the_page_is_answered_by_the_page(page: Path) -> None:
    """Reloading a deep link works; a missing file is still missing."""
    web = client(page)

    assert "livejoin" in web.get("/some/route").text
    assert web.get("/missing-ABCD1234.js").status_code == 404


def test_the_page_takes_everything_from_itself_and_talks_to_nobody_else(page: Path) -> None:
    """The content security policy is 'self', but for styles that Angular adds, by a word that no answer repeats."""
    web = client(page)
    answer, again = web.get("/"), web.get("/")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    [nonce] = re.findall(r'ngCspNonce="([\w-]+)"', answer.text)

    assert policy.pop("style-src") == f"'self' 'nonce-{nonce}'"
    assert policy.pop("frame-ancestors") == policy.pop("object-src") == "'none'"
    assert policy.pop("img-src") == "'self' data:"
    assert set(policy.values()) == {"'self'"}
    assert nonce not in again.text


def test_no_other_origin_may_read_an_answer(page: Path) -> None:
    """There is no CORS header on anything, whoever asks."""
    web = client(page)
    for path in ("/", "/healthz", "/rows/final_ui", "/control/topics"):
        for method in ("GET", "OPTIONS"):
            answer = web.request(method, path, headers={"origin": "https://elsewhere.example"})
            assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    "host", ["elsewhere.example", "livejoin.example.org.elsewhere.example", "", "livejoin", "[::1", "a]b", "["]
)
def test_only_known_names_are_answered_to(page: Path, host: str) -> None:
    """A name of a stranger that leads to this address would make his page one of ours for a browser."""
    web = client(page)

    assert web.get("/healthz", headers={"host": host}).status_code == 421
    for known in ("livejoin.example.org", "127.0.0.1:8080", "[::1]:8080", "localhost"):
        assert web.get("/healthz", headers={"host": known}).status_code == 200


def test_a_page_of_another_site_cannot_act(page: Path) -> None:
    """Neither open a WebSocket nor post, unless `web.origins` names it; without an origin it is no page."""
    web = client(page)
    refused = ("https://elsewhere.example", "null", "http://[", "https://livejoin.example.org@elsewhere.example")
    for origin, status in (*((origin, 403) for origin in refused), ("https://livejoin.example.org", 401)):
        assert web.post("/control/message", headers={"origin": origin}).status_code == status
    assert web.post("/control/message").status_code == 401
    with pytest.raises(WebSocketDenialResponse) as denied:
        web.websocket_connect(
            "wss://livejoin.example.org/tables", headers={"origin": "https://elsewhere.example"}
        ).__enter__()
    assert denied.value.status_code == 403


def test_a_request_with_two_lengths_is_the_last_one_of_its_connection(page: Path) -> None:
    """A proxy may take the one for its end and a server the other: what is between would be somebody's request."""
    answer = client(page).post("/rows", headers={"content-length": "5", "transfer-encoding": "chunked"})

    assert answer.status_code == 400
    assert answer.headers["connection"] == "close"


def test_who_is_turned_away_before_any_route_is_counted(page: Path) -> None:
    """By why: a strange name, a page of another site that acts, and a request with two lengths."""
    web = client(page)
    web.get("/", headers={"host": "elsewhere.example"})
    web.post("/control/message", headers={"origin": "https://elsewhere.example"})
    with pytest.raises(WebSocketDenialResponse):
        web.websocket_connect(
            "wss://livejoin.example.org/tables", headers={"origin": "https://elsewhere.example"}
        ).__enter__()
    web.post("/rows", headers={"content-length": "5", "transfer-encoding": "chunked"})
    web.get("/rows/final_ui")

    refused = web.get("/healthz").json()["door"]["refused"]
    assert refused == {"names": 1, "origins": 2, "requests": 1, "no key": 1}


def test_a_page_that_is_not_built_is_explained(tmp_path: Path) -> None:
    """Who opens it is told what to do."""
    answer = client(tmp_path / "nothing").get("/")

    assert answer.status_code == 503
    assert "not built" in answer.text


def test_health_names_each_component(page: Path) -> None:
    """A failing component is shown with its reason."""
    nobody = {"connections": 0, "refused": {}}
    assert client(page).get("/healthz").json() == {"ok": True, "components": {"engine": "ok"}, "door": nobody}
    failing = client(page, failing="out of heap").get("/healthz")
    assert failing.json() == {"ok": False, "components": {"engine": "out of heap"}, "door": nobody}
    assert failing.status_code == 503


def test_only_what_a_restart_would_mend_counts_as_not_alive(page: Path) -> None:
    """Who watches over the process must not end it because the broker is gone."""
    assert client(page, failing="no broker", not_ready="no broker").get("/livez").status_code == 200
    answer = client(page, not_alive="stalled").get("/livez")
    assert (answer.status_code, answer.json()["reason"]) == (503, "stalled")


def test_it_is_ready_when_a_generation_is_shown(page: Path) -> None:
    """A load balancer sends nobody to an empty table server."""
    assert client(page).get("/readyz").status_code == 200
    answer = client(page, not_ready="generation 1 is being loaded").get("/readyz")
    assert (answer.status_code, answer.json()["reason"]) == (503, "generation 1 is being loaded")

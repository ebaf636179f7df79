"""The HTTP side: page, configuration and health."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from livejoin.serve.web import application
from livejoin.settings import Settings


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<title>livejoin</title>", encoding="utf-8")
    (folder / "main-ABCD1234.js").write_text("1", encoding="utf-8")
    return folder


def client(page: Path, *, failing: str = "", not_ready: str = "") -> TestClient:
    """A client of the HTTP side with the given page and health."""
    asked = {"web": {"page": page}, "server": {"url": "https://tables.example.org"}}
    settings = Settings(kafka={"bootstrap.servers": "127.0.0.1:1"}, **asked)  # type: ignore[arg-type]
    return TestClient(application(settings, lambda: {"engine": failing}, lambda: not_ready))


def test_the_page_is_asked_for_every_time_and_its_hashed_files_never_again(page: Path) -> None:
    """A deployment is seen at once, and costs one small request."""
    web = client(page)

    index, script = web.get("/"), web.get("/main-ABCD1234.js")

    assert index.headers["content-type"].startswith("text/html")
    assert index.headers["cache-control"] == "no-cache"
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]


def test_a_route_of_the_page_is_answered_by_the_page(page: Path) -> None:
    """Reloading a deep link works; a missing file is still missing."""
    web = client(page)

    assert "livejoin" in web.get("/some/route").text
    assert web.get("/missing-ABCD1234.js").status_code == 404


def test_the_page_may_talk_to_itself_and_to_the_table_server_only(page: Path) -> None:
    """The content security policy names exactly these two."""
    policy = client(page).get("/").headers["content-security-policy"]

    assert "script-src 'self' https://tables.example.org" in policy
    assert "connect-src 'self' https://tables.example.org wss://tables.example.org" in policy
    assert "frame-ancestors 'none'" in policy


def test_a_page_that_is_not_built_is_explained(tmp_path: Path) -> None:
    """Who opens it is told what to do."""
    answer = client(tmp_path / "nothing").get("/")

    assert answer.status_code == 503
    assert "not built" in answer.text


def test_the_page_learns_where_the_tables_are(page: Path) -> None:
    """Nothing of this is compiled into the page."""
    answer = client(page).get("/config.json")

    assert answer.json() == {
        "tableServer": "https://tables.example.org",
        "updateIntervalMs": 20,
        "controlNeedsOwnKey": False,
    }
    assert answer.headers["cache-control"] == "no-store"


def test_health_names_each_component(page: Path) -> None:
    """A failing component is shown with its reason."""
    assert client(page).get("/healthz").json() == {"ok": True, "components": {"engine": "ok"}}
    assert client(page, failing="out of heap").get("/healthz").json() == {
        "ok": False,
        "components": {"engine": "out of heap"},
    }


def test_it_is_ready_when_a_generation_is_shown(page: Path) -> None:
    """A load balancer sends nobody to an empty table server."""
    assert client(page).get("/readyz").status_code == 200
    answer = client(page, not_ready="generation 1 is being loaded").get("/readyz")
    assert (answer.status_code, answer.json()["reason"]) == (503, "generation 1 is being loaded")

"""Signing in at a real provider: who is let in as what, for how long, and what the browser is told."""

import asyncio
import re
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from livejoin.access.keys import keyring, server_key
from livejoin.access.roles import Key, Role, Visitor
from livejoin.access.sessions import Sessions
from livejoin.errors import SettingsError
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.serve.door.attempts import ATTEMPT_SECONDS, Attempts
from livejoin.serve.door.door import Door
from livejoin.serve.http.web import Web, application
from livejoin.settings.loader import load_settings
from oidc_provider import OidcProvider, new_key
from sign_in_stand import Stand, oidc, stand_at

SAME_CLOCK_SECONDS = 5.0
"""As long as it may take to be told what the server's clock says, which here is one's own."""


@pytest.mark.parametrize(("who", "role", "may_export"), [("ana", "operator", True), ("ben", "viewer", False)])
def test_a_claim_decides_the_role(stand: Stand, who: str, role: str, may_export: bool) -> None:  # noqa: FBT001
    """With all of its rights, under the name that the provider gives."""
    with stand.enter(stand.browser().key(who)) as (said, _):
        assert abs(said.pop("now") / 1_000 - time.time()) < SAME_CLOCK_SECONDS
        assert said == {"is": "welcome", "role": role, "name": who, "mayExport": may_export}


def test_somebody_without_a_role_is_told_so_and_not_let_in(stand: Stand) -> None:
    """In words, with a way to try again; no script and no style that the policy would forbid."""
    answer = stand.browser().sign_in("eve")
    assert answer.status_code == 403
    assert "no role" in answer.text
    assert f'href="{stand.settings.page_url}sign-in"' in answer.text
    assert not re.search(r"<script|<style|style=|\son\w+=", answer.text)
    assert answer.headers["cache-control"] == "no-store"
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"]
    assert not stand.keys


@pytest.mark.parametrize(
    ("claim", "claims", "role"),
    [
        ("roles", {"roles": "livejoin-viewers"}, "viewer"),
        ("realm_access.roles", {"realm_access": {"roles": ["livejoin-operators"]}}, "operator"),
        ("https://example.org/roles", {"https://example.org/roles": ["livejoin-operators"]}, "operator"),
        ("roles", {"roles": ["livejoin-viewers", "livejoin-operators"]}, "operator"),
        ("roles", {"roles": ["Livejoin-Viewers", "livejoin-viewers-x", 7, None, ["livejoin-viewers"]]}, None),
        ("roles", {"roles": {"livejoin-viewers": True}}, None),
        ("roles.more", {"roles": ["livejoin-viewers"]}, None),
        ("roles", {"roles": None}, None),
    ],
)
def test_the_claim_may_be_a_text_a_list_or_deep_inside(
    provider: OidcProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    claim: str,
    claims: dict[str, object],
    role: str | None,
) -> None:
    """And nothing else is a role, however much it looks like one."""
    with stand_at(provider, tmp_path, monkeypatch, role_claim=claim) as stand:
        provider.people["zoe"] = claims
        answer = stand.browser().sign_in("zoe")
        assert answer.status_code == (303 if role else 403)
        if role:
            with stand.enter(stand.keys[-1]) as (said, _):
                assert said["role"] == role


def test_everybody_may_look_where_the_settings_say_so(
    provider: OidcProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operators are still only those with the claim; who has no name is called by the subject."""
    with stand_at(provider, tmp_path, monkeypatch, viewer="*") as stand:
        provider.people["eve"] = {"preferred_username": None, "roles": None}
        provider.misbehaves.claims = {"preferred_username": None}
        for who, role in (("eve", "viewer"), ("ana", "operator")):
            with stand.enter(stand.browser().key(who)) as (said, _):
                assert (said["role"], said["name"]) == (role, f"id of {who}")


def test_a_session_ends_when_its_time_is_over(stand: Stand) -> None:
    """Who is in is sent out, with the code that leads the page back to the login, and does not come in again."""
    key = stand.browser().key("ben")
    stand.now += 480 * 60 - 1
    with stand.enter(key) as (said, connection):
        assert said["is"] == "welcome"
        stand.now += 1
        with pytest.raises(ConnectionClosed) as ended:
            connection.recv(10)
        assert ended.value.rcvd
        assert ended.value.rcvd.code == 4401
    with stand.enter(key) as (said, _):
        assert said["is"] == "refused"
    with stand.enter(stand.browser().key("ben")) as (said, _):
        assert said["is"] == "welcome"


def log_out(stand: Stand, key: str) -> httpx.Response:
    """As the page does."""
    return httpx.post(f"{stand.settings.page_url}sign-in/end", headers={"Authorization": f"Bearer {key}"})


def test_logging_out_ends_the_session_on_the_server(stand: Stand) -> None:
    """Who is in with its key is sent out, in every window, and nobody comes in again; another session goes on."""
    key, other = (stand.browser().key("ben") for _ in range(2))
    with stand.enter(key) as (_, connection), stand.enter(other) as (_, stays):
        assert log_out(stand, key).status_code == 204
        with pytest.raises(ConnectionClosed) as ended:
            connection.recv(10)
        assert ended.value.rcvd
        assert ended.value.rcvd.code == 4401
        stays.send('{"do":"ping","id":1}')
        assert "pong" in str(stays.recv(10))
    with stand.enter(key) as (said, _):
        assert said["is"] == "refused"
    assert (
        httpx.get(f"{stand.settings.page_url}rows/final_ui", headers={"Authorization": f"Bearer {key}"}).status_code
        == 401
    )
    assert log_out(stand, key).status_code == 401


def test_a_key_that_is_of_no_session_stays_when_somebody_logs_out(stand: Stand) -> None:
    """A configured key belongs to whoever configured it; without a key, nobody is logged out."""
    configured, session = server_key(stand.settings), stand.browser().key("ben")
    assert log_out(stand, configured).status_code == 204
    with stand.enter(configured) as (said, _):
        assert said["is"] == "welcome"
    end = f"{stand.settings.page_url}sign-in/end"
    assert httpx.post(end).status_code == 401
    httpx.get(end, headers={"Authorization": f"Bearer {session}"})
    stranger = {"Authorization": f"Bearer {session}", "Origin": "https://elsewhere.example"}
    assert httpx.post(end, headers=stranger).status_code == 403
    with stand.enter(session) as (said, _):
        assert said["is"] == "welcome"


def test_only_so_many_sessions_and_sign_ins_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest makes room; what has expired does at once, and a sign-in comes back once."""
    now = [0.0]
    monkeypatch.setattr("livejoin.serve.door.attempts.MOST_ATTEMPTS", 2)
    attempts = Attempts(lambda: now[0])
    first, second, third = (attempts.begin() for _ in range(3))
    assert attempts.end(first.state, first.browser) is None
    assert attempts.end(second.state, second.browser) == second
    assert attempts.end(second.state, second.browser) is None
    now[0] += ATTEMPT_SECONDS
    assert attempts.end(third.state, third.browser) is None

    monkeypatch.setattr("livejoin.access.sessions.MOST_SESSIONS", 2)
    sessions = Sessions(60.0, lambda: now[0])
    ben = Visitor("ben", Role.VIEWER)
    keys = [Key.of(sessions.open(ben), ben) for _ in range(3)]
    assert [sessions.find(key.digest) for key in keys] == [None, *keys[1:]]
    now[0] += 60.0
    assert [sessions.find(key.digest) for key in keys] == [None, None, None]


def test_the_key_that_livejoin_makes_is_there_for_commands(stand: Stand) -> None:
    """Signing in is for people: `livejoin rows` on the same machine still has its key."""
    with stand.enter(server_key(stand.settings)) as (said, _):
        assert (said["role"], said["name"]) == ("operator", "everybody")


def test_what_is_asked_of_the_provider_is_made_for_this_sign_in_only(stand: Stand) -> None:
    """State, nonce and challenge are never the same twice; the way back is that of the settings."""
    person = stand.browser()
    first, second = (parse_qs(urlsplit(person.begin()).query) for _ in range(2))
    assert first["redirect_uri"] == [f"{stand.settings.page_url}sign-in/back"]
    assert first["scope"] == ["openid profile email"]
    for name in ("state", "nonce", "code_challenge"):
        assert first[name] != second[name]
        assert len(first[name][0]) >= 43


def test_the_cookie_is_for_the_sign_in_only(stand: Stand) -> None:
    """No script sees it, no other site's request has it, and it is gone afterwards."""
    person = stand.browser()
    set_cookie = person.http.get("/sign-in").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/sign-in"} <= set(set_cookie.split("; "))
    assert "Secure" not in set_cookie
    answer = person.sign_in("ben")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert not person.http.cookies


def test_behind_tls_and_a_path_everything_is_of_the_address_that_people_use(provider: OidcProvider) -> None:
    """The cookie is never sent in the clear, and goes where the way back leads to."""
    url = "https://livejoin.example.org/live"
    given = {"web": {"url": url}, "access": {"oidc": oidc(provider)}, "kafka": {"bootstrap.servers": "127.0.0.1:9"}}
    settings = load_settings(None, given)
    door = Door(settings, keyring(settings), asyncio.new_event_loop())
    web = TestClient(application(settings, door, Health), base_url="https://livejoin.example.org")
    answer = web.get("/sign-in", follow_redirects=False)
    assert {"Secure", "HttpOnly", "Path=/live/sign-in"} <= set(answer.headers["set-cookie"].split("; "))
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert asked["redirect_uri"] == [f"{url}/sign-in/back"]


def test_whoever_comes_by_another_name_begins_at_the_right_one(stand: Stand) -> None:
    """The cookie would be missing on the way back otherwise; behind a proxy that renames it does not go round."""
    port = stand.settings.web.port
    answer = httpx.get(f"http://localhost:{port}/sign-in")
    assert answer.headers["location"] == f"{stand.settings.page_url}sign-in?moved"
    assert "set-cookie" not in answer.headers
    answer = httpx.get(f"http://localhost:{port}/sign-in?moved")
    assert answer.headers["location"].startswith(stand.provider.issuer)


def test_the_page_learns_whether_and_with_whom_one_can_sign_in(stand: Stand, tmp_path: Path) -> None:
    """Without a provider there is nothing: neither an offer nor a way."""
    assert stand.browser().http.get("/sign-in/offer").json() == {"name": "Example"}
    listener = listen("127.0.0.1", 0)
    given = {"kafka": {"bootstrap.servers": "127.0.0.1:9"}, "web": {"port": listener.getsockname()[1]}}
    settings = load_settings(None, {**given, "data_dir": tmp_path / "other"})
    web = Web(settings, listener, Health)
    web.start()
    try:
        for path in ("sign-in/offer", "sign-in", "sign-in/back?state=x&code=y"):
            assert httpx.get(f"{settings.page_url}{path}").status_code == 404
    finally:
        web.stop()


def test_keys_of_the_provider_may_change_and_be_of_several_kinds(stand: Stand) -> None:
    """They are asked for once, and again when one is not known."""
    provider = stand.provider
    for _ in range(2):
        assert stand.browser().sign_in("ben").status_code == 303
    assert provider.asked.count("jwks") == provider.asked.count("discovery") == 1
    provider.keys = {**provider.keys, "second": new_key()}
    assert stand.browser().sign_in("ben").status_code == 303
    assert provider.asked.count("jwks") == 2


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256"])
def test_each_accepted_way_to_sign_is_accepted(
    provider: OidcProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    """Where the provider says that it signs so."""
    provider.algorithm = algorithm
    if algorithm == "ES256":
        provider.keys = {"first": ec.generate_private_key(ec.SECP256R1())}
    with stand_at(provider, tmp_path, monkeypatch) as stand:
        assert stand.browser().sign_in("ben").status_code == 303


def test_an_authority_that_cannot_be_read_is_told_at_the_start(provider: OidcProvider, tmp_path: Path) -> None:
    """And not at the first sign-in, nor by a server that waits for ever."""
    access = {"oidc": oidc(provider, ca_file=tmp_path / "none.pem")}
    settings = load_settings(None, {"kafka": {"bootstrap.servers": "127.0.0.1:9"}, "access": access})
    web = Web(settings, listen("127.0.0.1", 0), Health)
    web.start()
    with pytest.raises(SettingsError, match="cannot be read"):
        assert web.door

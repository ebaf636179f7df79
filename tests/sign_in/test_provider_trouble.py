"""A provider that is down, slow, far too talkative or not the one that it should be. The right one works beside it."""

import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from await_that import await_that
from certificates import self_signed
from livejoin.http.server import listen
from livejoin.serve.door.sign_in import THREADS
from oidc_provider import OidcProvider, provider_at, served
from sign_in_stand import Stand, stand_at

SLOW_SECONDS = 3.0


def failed(answer: httpx.Response) -> bool:
    """It is the provider's fault, and the person is told so."""
    return answer.status_code == 502 and "sign-in service does not answer" in answer.text


def test_a_provider_that_is_down_is_told_and_found_again_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Before anybody is sent there. The log says what does not answer; keys work all the while."""
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    listener.close()
    with stand_at(OidcProvider(f"http://localhost:{port}"), tmp_path, monkeypatch) as stand:
        assert failed(stand.browser().http.get("/sign-in"))
        assert f"http://localhost:{port}/.well-known/openid-configuration cannot be asked" in capfd.readouterr().out
        with provider_at(listen("127.0.0.1", port)) as provider:
            provider.people.update(stand.provider.people)
            assert stand.browser().sign_in("ana").status_code == 303


def test_a_provider_that_goes_down_while_somebody_signs_in_is_told(stand: Stand) -> None:
    """On the way back, with the way to try again."""
    person = stand.browser()
    back = person.identify(person.begin(), "ana")
    stand.provider.misbehaves.sent_elsewhere = "http://127.0.0.1:9/"
    answer = person.come_back(back)
    assert failed(answer)
    assert "Try again" in answer.text


def test_a_provider_that_is_slow_keeps_nobody_else_waiting(stand: Stand) -> None:
    """More people than there are threads for them sign in; keys are accepted and pages answered at once."""
    people = [stand.browser() for _ in range(THREADS + 2)]
    ways = [person.identify(person.begin(), "ana") for person in people]
    key = stand.browser().key("ben")
    stand.provider.misbehaves.delay = SLOW_SECONDS
    stand.provider.asked.clear()
    with ThreadPoolExecutor(len(people)) as pool:
        began = time.monotonic()
        coming = [pool.submit(person.come_back, way) for person, way in zip(people, ways, strict=True)]
        await_that(lambda: stand.provider.asked.count("token") == THREADS)
        for _ in range(3):
            assert stand.browser().http.get("/healthz").status_code == 200
            with stand.enter(key) as (said, _):
                assert said["is"] == "welcome"
        assert time.monotonic() - began < SLOW_SECONDS
        assert not any(one.done() for one in coming)
        assert [one.result().status_code for one in coming] == [303] * len(people)


def test_a_provider_that_says_nothing_is_not_waited_for_long(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is a sign-in that waits for others which wait for it."""
    monkeypatch.setattr("livejoin.access.fetch_json.SILENCE_SECONDS", 0.3)
    person = stand.browser()
    back = person.identify(person.begin(), "ana")
    stand.provider.misbehaves.delay = 2.0
    began = time.monotonic()
    assert failed(person.come_back(back))
    assert time.monotonic() - began < 2.0
    monkeypatch.setattr("livejoin.serve.door.sign_in.MOST_WAITING", 0)
    assert stand.browser().http.get("/sign-in").status_code == 503


@pytest.mark.parametrize("which", ["discovery", "token", "jwks"])
def test_an_answer_that_is_too_large_is_not_read_to_its_end(stand: Stand, which: str) -> None:
    """Whatever is asked for; one of a usual size is."""
    stand.provider.misbehaves.padding = {which: 50_000_000}
    person = stand.browser()
    answer = person.http.get("/sign-in")
    if answer.status_code == 303:
        answer = person.come_back(person.identify(answer.headers["location"], "ana"))
    assert failed(answer)
    stand.provider.misbehaves.padding = {which: 100_000}
    assert person.sign_in("ana").status_code == 303


def test_the_client_s_secret_follows_no_redirect(stand: Stand) -> None:
    """Where the token endpoint leads to somebody else, nobody hears of code, verifier or secret."""
    with provider_at() as stranger:
        stand.provider.misbehaves.sent_elsewhere = f"{stranger.issuer}/token"
        assert failed(stand.browser().sign_in("ana"))
        assert stranger.asked == []
    stand.provider.misbehaves.sent_elsewhere = ""
    assert stand.browser().sign_in("ana").status_code == 303


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://elsewhere.example"},
        {"issuer": None},
        {"token_endpoint": "http://elsewhere.example/token"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": "ftp://elsewhere.example/keys"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "https://user:password@elsewhere.example/"},
        {"id_token_signing_alg_values_supported": ["none", "HS256"]},
        {"id_token_signing_alg_values_supported": None},
    ],
)
def test_a_configuration_that_cannot_be_trusted_is_not_used(stand: Stand, metadata: dict[str, object]) -> None:
    """Another issuer, an address in the clear, no accepted way to sign. The right one is used the next time."""
    stand.provider.misbehaves.metadata = metadata
    assert failed(stand.browser().http.get("/sign-in"))
    stand.provider.misbehaves.metadata = {}
    assert stand.browser().sign_in("ana").status_code == 303


def test_a_wrong_secret_of_the_client_is_told_to_whoever_runs_it(
    provider: OidcProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the settings to look at, and without the secret."""
    with stand_at(provider, tmp_path, monkeypatch, client_secret="another secret") as stand:  # noqa: S106
        assert failed(stand.browser().sign_in("ana"))
        told = capfd.readouterr().out
        assert "invalid_client" in told
        assert "check client_id and client_secret" in told
        assert "another secret" not in told


def test_only_the_authority_of_the_settings_vouches_for_the_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private one where `ca_file` names it; neither another one nor none."""
    right, key = self_signed(tmp_path, "right")
    wrong, _ = self_signed(tmp_path, "wrong")
    listener = listen("127.0.0.1", 0)
    provider = OidcProvider(f"https://localhost:{listener.getsockname()[1]}")
    with served(provider.application(), listener, ssl_certfile=right, ssl_keyfile=key):
        for ca_file in (wrong, None):
            with stand_at(provider, tmp_path, monkeypatch, ca_file=ca_file) as stand:
                assert failed(stand.browser().http.get("/sign-in"))
        with stand_at(provider, tmp_path, monkeypatch, ca_file=right) as stand:
            person = stand.browser()
            there = httpx.get(f"{person.begin()}&as=ana", verify=ssl.create_default_context(cafile=right))
            assert person.come_back(there.headers["location"]).status_code == 303

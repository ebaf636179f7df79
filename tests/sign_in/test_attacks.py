"""Who tries to get in by another way than that of signing in: every attack, and beside it the right way that works."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from structlog.testing import capture_logs

from oidc_provider import CLIENT, KID, OWN_KEY, Misbehaviour, OidcProvider, new_key, provider_at, public
from sign_in_stand import PEOPLE, Stand, nothing_is_told, stand_at

OTHER_KEY = new_key()
SHORT_KEY = new_key(1_024)
FOR_OTHERS = "https://elsewhere.example"
A_DAY = 86_400
"""Longer than all tests take, which are collected before the first of them begins."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """One server for all of these: no attack changes anything for the next one."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        provider_at() as provider,
        stand_at(provider, tmp_path_factory.mktemp("attacks"), monkeypatch) as stand,
    ):
        yield stand


@pytest.fixture
def stand(shared: Stand, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Iterator[Stand]:
    """The server, with a provider that behaves, and where no secret may be told."""
    shared.provider.misbehaves, shared.provider.keys = Misbehaviour(), {KID: OWN_KEY}
    shared.keys.clear()
    with nothing_is_told(shared, capfd, caplog):
        yield shared


def is_refused(answer: httpx.Response) -> bool:
    """Nobody was let in, and it was said so."""
    return answer.status_code == 400 and "Not signed in" in answer.text


def changed(address: str, **parameters: str | list[str] | None) -> str:
    """A way back with other parameters; None leaves one out."""
    parts = urlsplit(address)
    given = {**parse_qs(parts.query), **parameters}
    query = urlencode({name: value for name, value in given.items() if value is not None}, doseq=True)
    return parts._replace(query=query).geturl()


def code_of(address: str) -> str:
    """The code on a way back."""
    return parse_qs(urlsplit(address).query)["code"][0]


@pytest.mark.parametrize(
    "parameters",
    [
        {"state": "another"},
        {"state": None},
        {"state": ""},
        {"state": "ä" * 50},
        {"state": "x" * 10_000},
        {"state": ["one", "two"]},
        {"code": None},
        {"code": ""},
        {"code": "x" * 10_000},
        {"iss": "https://elsewhere.example"},
        {"error": "access_denied", "code": None},
        {"error": "<script>alert(1)</script>"},
    ],
)
def test_a_way_back_that_was_changed_leads_nowhere(stand: Stand, parameters: dict[str, Any]) -> None:
    """The same way as the provider has made it leads in."""
    person = stand.browser()
    answer = person.come_back(changed(person.identify(person.begin(), "ana"), **parameters))
    assert is_refused(answer)
    assert "<script" not in answer.text
    assert not stand.keys
    assert person.sign_in("ana").status_code == 303


def test_ways_back_that_somebody_makes_up_all_day_are_logged_once_and_then_counted(stand: Stand) -> None:
    """By their reason; the log is not theirs to fill. Others of these tests may have had some of it logged before."""
    stranger = stand.browser()
    with capture_logs() as logged:
        for number in range(30):
            assert is_refused(stranger.come_back(f"/sign-in/back?state={number}&code={number}"))
            assert is_refused(stranger.come_back(f"/sign-in/back?state=one&state={number}"))
    assert len([line for line in logged if line["event"] == "a sign-in has failed"]) <= 2


def test_a_way_back_leads_in_once(stand: Stand) -> None:
    """Also where the cookie is still there, as in a copy of the browser; the provider is not even asked."""
    person = stand.browser()
    back = person.identify(person.begin(), "ana")
    cookies = dict(person.http.cookies)
    assert person.come_back(back).status_code == 303
    person.http.cookies.update(cookies)
    stand.provider.asked.clear()
    assert is_refused(person.come_back(back))
    assert stand.provider.asked == []


def test_nobody_is_signed_in_as_somebody_else_by_a_link(stand: Stand) -> None:
    """Eve begins, stops before the last step and has Ben take it: with no cookie, and with one of his own."""
    eve, ben = stand.browser(), stand.browser()
    assert is_refused(ben.come_back(eve.identify(eve.begin(), "ana")))
    ben.begin()
    assert is_refused(ben.come_back(eve.identify(eve.begin(), "ana")))
    assert eve.sign_in("ana").status_code == 303


def test_a_code_is_good_for_one_sign_in(stand: Stand) -> None:
    """Neither one that was used, nor one that was stolen before it was: the thief's verifier does not fit."""
    ana, thief = stand.browser(), stand.browser()
    used = ana.identify(ana.begin(), "ana")
    assert ana.come_back(used).status_code == 303
    stolen = ana.identify(ana.begin(), "ana")
    for code in (code_of(used), code_of(stolen)):
        own = thief.identify(thief.begin(), "eve")
        assert is_refused(thief.come_back(changed(own, code=code)))
    assert len(stand.keys) == 1


def test_looking_whether_a_way_back_is_there_does_not_use_it_up(stand: Stand) -> None:
    """As programs do that look at links before people follow them."""
    person = stand.browser()
    back = person.identify(person.begin(), "ana")
    assert person.http.head(back).status_code == 405
    assert person.come_back(back).status_code == 303


@pytest.mark.parametrize("path", ["/sign-in?next={}", "/sign-in?redirect_uri={}", "/sign-in?return_to={}&moved"])
def test_the_way_back_goes_to_this_page_only(stand: Stand, path: str) -> None:
    """Whatever a link asks for, and whatever a request says of the names on its way."""
    person = stand.browser()
    headers = {"x-forwarded-host": "elsewhere.example", "forwarded": "host=elsewhere.example"}
    answer = person.http.get(path.format(FOR_OTHERS), headers=headers)
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert "elsewhere" not in answer.headers["location"]
    assert asked["redirect_uri"] == [f"{stand.settings.page_url}sign-in/back"]
    # `come_back` looks where it leads to.
    back = person.identify(answer.headers["location"], "ana")
    assert person.come_back(changed(back, next=FOR_OTHERS)).status_code == 303
    assert person.http.get("/sign-in", headers={"host": "elsewhere.example"}).status_code == 421


Claims = dict[str, Any]


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"nonce": "of another sign-in"}, id="wrong nonce"),
        pytest.param({"nonce": None}, id="no nonce"),
        pytest.param({"nonce": 7}, id="nonce is a number"),
        pytest.param({"nonce": "ä\ud800"}, id="nonce is no text"),
        pytest.param({"aud": "another client"}, id="wrong aud"),
        pytest.param({"aud": None}, id="no aud"),
        pytest.param({"aud": []}, id="for nobody"),
        pytest.param({"aud": CLIENT.upper()}, id="nearly our aud"),
        pytest.param({"aud": ["another client"], "azp": CLIENT}, id="ours by azp only"),
        pytest.param({"aud": [CLIENT, "another client"]}, id="several aud without azp"),
        pytest.param({"aud": [CLIENT, "another client"], "azp": "another client"}, id="made for another client"),
        pytest.param({"azp": "another client"}, id="azp of another client"),
        pytest.param({"iss": "https://elsewhere.example"}, id="wrong iss"),
        pytest.param({"iss": None}, id="no iss"),
        pytest.param({"exp": int(time.time()) - 61}, id="expired"),
        pytest.param({"exp": None}, id="never expires"),
        pytest.param({"exp": "soon"}, id="exp is a text"),
        pytest.param({"iat": int(time.time()) + A_DAY}, id="of the future"),
        pytest.param({"iat": None}, id="of no time"),
        pytest.param({"nbf": int(time.time()) + A_DAY}, id="not yet good"),
        pytest.param({"sub": None}, id="of nobody"),
        pytest.param({"sub": 7}, id="sub is a number"),
    ],
)
def test_a_token_with_a_wrong_claim_lets_nobody_in(stand: Stand, claims: Claims) -> None:
    """Though it is signed by the provider. The right one does, in the same browser."""
    person = stand.browser()
    stand.provider.misbehaves.claims = claims
    assert is_refused(person.sign_in("ana"))
    stand.provider.misbehaves.claims = {}
    assert person.sign_in("ana").status_code == 303


@pytest.mark.parametrize("claims", [{"aud": [CLIENT]}, {"aud": [CLIENT, "another client"], "azp": CLIENT}])
def test_a_token_for_several_clients_names_ours(stand: Stand, claims: Claims) -> None:
    """Then it is as good as one for us alone."""
    stand.provider.misbehaves.claims = claims
    assert stand.browser().sign_in("ana").status_code == 303


def part(of: object) -> str:
    """A part of a token."""
    return base64.urlsafe_b64encode(json.dumps(of).encode()).rstrip(b"=").decode()


def unsigned(_: OidcProvider, claims: Claims) -> str:
    """Says that it needs no signature."""
    return f"{part({'alg': 'none', 'kid': KID})}.{part(claims)}."


def without_signature(provider: OidcProvider, claims: Claims) -> str:
    """Says that it is signed, and is not."""
    return provider.signed(claims).rpartition(".")[0] + "."


def signed_with_what_everybody_knows(provider: OidcProvider, claims: Claims) -> str:
    """By HMAC, with the public key as if it were a secret: libraries have believed that."""
    known = provider.keys[KID].public_key()
    secret = known.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    text = f"{part({'alg': 'HS256', 'kid': KID})}.{part(claims)}"
    signature = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def forged(_: OidcProvider, claims: Claims) -> str:
    """By a key of one's own under the name of the provider's."""
    return jwt.encode(claims, OTHER_KEY, "RS256", headers={"kid": KID})


def of_an_unknown_key(_: OidcProvider, claims: Claims) -> str:
    """By a key that the provider does not publish."""
    return jwt.encode(claims, OTHER_KEY, "RS256", headers={"kid": "unknown"})


def bringing_its_key(_: OidcProvider, claims: Claims) -> str:
    """By a key that the token itself has in its head."""
    headers = {"kid": "unknown", "jwk": public("unknown", OTHER_KEY), "jku": f"{FOR_OTHERS}/jwks"}
    return jwt.encode(claims, OTHER_KEY, "RS256", headers=headers)


def in_a_way_not_offered(provider: OidcProvider, claims: Claims) -> str:
    """By the right key, in a way that the provider does not say it signs in."""
    return jwt.encode(claims, provider.keys[KID], "PS256", headers={"kid": KID})


def changed_afterwards(provider: OidcProvider, claims: Claims) -> str:
    """Signed for Eve, and then given Ana's role."""
    head, _, signature = provider.signed({**claims, "roles": PEOPLE["eve"]["roles"]}).split(".")
    return f"{head}.{part(claims)}.{signature}"


def with_a_kid_that_is_no_text(provider: OidcProvider, claims: Claims) -> str:
    """Lists and objects are looked up nowhere."""
    head, body, signature = provider.signed(claims).split(".")
    assert head
    return f"{part({'alg': 'RS256', 'kid': [KID]})}.{body}.{signature}"


Forgery = Callable[[OidcProvider, Claims], Any]


@pytest.mark.parametrize(
    "forgery",
    [
        unsigned,
        without_signature,
        signed_with_what_everybody_knows,
        forged,
        of_an_unknown_key,
        bringing_its_key,
        in_a_way_not_offered,
        changed_afterwards,
        with_a_kid_that_is_no_text,
        lambda *_: "no token at all",
        lambda *_: "a.b.c",
        lambda *_: "",
        lambda provider, claims: provider.signed({**claims, "padding": "x" * 70_000}),
        lambda provider, claims: provider.signed(claims) + ".x.y",
    ],
)
def test_a_token_that_is_not_signed_as_it_should_be_lets_nobody_in(stand: Stand, forgery: Forgery) -> None:
    """Whatever it says. The right one does, in the same browser."""
    person, provider = stand.browser(), stand.provider
    provider.misbehaves.sign = lambda claims: forgery(provider, claims)
    assert is_refused(person.sign_in("ana"))
    provider.misbehaves.sign = None
    assert person.sign_in("ana").status_code == 303


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_a_key_that_is_too_short_proves_nothing(stand: Stand) -> None:
    """Though the provider publishes it."""
    provider = stand.provider
    provider.keys = {"short": SHORT_KEY}
    assert is_refused(stand.browser().sign_in("ana"))
    provider.keys = {"longer": OTHER_KEY}
    assert stand.browser().sign_in("ana").status_code == 303


def test_a_token_of_another_client_of_the_same_provider_lets_nobody_in(stand: Stand) -> None:
    """Ana has signed in elsewhere, and whoever runs that brings her token here."""
    provider = stand.provider
    elsewhere = provider.signed({**provider.claims("ana", "nonce of elsewhere"), "aud": "another client"})
    provider.misbehaves.sign = lambda _: elsewhere
    assert is_refused(stand.browser().sign_in("eve"))
    provider.misbehaves.sign = None
    assert stand.browser().sign_in("ana").status_code == 303


def test_a_session_key_opens_what_its_role_opens_and_nothing_is_accepted_in_its_place(stand: Stand) -> None:
    """A viewer does not act; neither a code nor a token nor a part of a key is a key."""
    person = stand.browser()
    back = person.identify(person.begin(), "ben")
    person.come_back(back)
    key = stand.keys[-1]

    def status(bearer: str) -> int:
        return person.http.get("/control/topics", headers={"authorization": f"Bearer {bearer}"}).status_code

    assert status(key) == 403
    assert [status(wrong) for wrong in (code_of(back), key[:-1], stand.provider.secrets[-1])] == [401, 401, 401]

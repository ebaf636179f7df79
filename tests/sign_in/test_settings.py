"""The settings of signing in: what is there without being said, and what is said about a mistake."""

from pathlib import Path
from typing import Any

import pytest

from livejoin.access.keys import has_own_keys, key_file, keyring, server_key
from livejoin.cli.up import address
from livejoin.errors import SettingsError
from livejoin.settings.loader import load_settings

RIGHT = {"issuer": "https://login.example.org/realms/staff", "client_id": "livejoin", "viewer": "*"}


def with_provider(**changed: Any) -> dict[str, Any]:
    """Settings with a provider; None leaves a setting out."""
    return {"access": {"oidc": {name: value for name, value in {**RIGHT, **changed}.items() if value is not None}}}


def test_a_provider_a_client_and_who_may_look_are_enough() -> None:
    """The rest is as most providers have it."""
    found = load_settings(None, with_provider()).access.oidc
    assert found
    assert (found.role_claim, found.name_claim, found.session_minutes) == ("roles", "preferred_username", 480)
    assert found.scopes == "openid profile email"
    assert found.shown_name == "login.example.org"
    assert load_settings().access.oidc is None


def test_the_environment_gives_lists_and_the_secret_which_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several values are separated by commas."""
    monkeypatch.setenv("LIVEJOIN_ACCESS__OIDC__OPERATOR", "admins, owners")
    monkeypatch.setenv("LIVEJOIN_ACCESS__OIDC__CLIENT_SECRET", "the secret of the client")
    settings = load_settings(None, with_provider())
    assert settings.access.oidc
    assert settings.access.oidc.operator == ["admins", "owners"]
    assert "the secret of the client" not in f"{settings!r} {settings.masked()}"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"issuer": "http://login.example.org"}, "http is for this machine only"),
        ({"issuer": "login.example.org"}, "https address of a provider"),
        ({"issuer": "https://login.example.org/?tenant=1"}, "https address of a provider"),
        ({"issuer": "https://me:hunter2@login.example.org"}, "https address of a provider"),
        ({"issuer": "https://login.example.org:port"}, "https address of a provider"),
        ({"issuer": None}, "access.oidc.issuer"),
        ({"client_id": ""}, "access.oidc.client_id"),
        ({"client_secret": ""}, "leave it out for a public client"),
        ({"scopes": "profile"}, "openid"),
        ({"viewer": None}, "nobody could sign in"),
        ({"operator": ["*"]}, "would let everybody act"),
        ({"session_minutes": 0}, "access.oidc.session_minutes"),
        ({"session_minutes": 20_000}, "access.oidc.session_minutes"),
        ({"audience": "x"}, "access.oidc.audience"),
    ],
)
def test_a_mistake_is_told_with_what_to_write(changed: dict[str, Any], said: str) -> None:
    """And without what was written, where that may be a secret."""
    with pytest.raises(SettingsError, match=said) as told:
        load_settings(None, with_provider(**changed))
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize("issuer", ["http://127.0.0.1:9000", "http://localhost:9000/realms/x", "http://[::1]:9000"])
def test_a_provider_on_this_machine_needs_no_tls(issuer: str) -> None:
    """Nobody is in between."""
    assert load_settings(None, with_provider(issuer=issuer)).access.oidc


@pytest.mark.parametrize(
    ("web", "is_right"),
    [
        ({}, True),
        ({"url": "https://livejoin.example.org"}, True),
        ({"host": "0.0.0.0", "behind_proxy": True}, False),  # noqa: S104
        ({"host": "0.0.0.0", "behind_proxy": True, "url": "https://livejoin.example.org"}, True),  # noqa: S104
        ({"url": "http://livejoin.example.org"}, False),
    ],
)
def test_nobody_is_sent_back_in_the_clear(web: dict[str, Any], is_right: bool) -> None:  # noqa: FBT001
    """The way back is that of `web.url`, and has the key in it."""
    given = {**with_provider(), "web": web}
    if is_right:
        assert load_settings(None, given)
        return
    with pytest.raises(SettingsError, match=r"set web\.url"):
        load_settings(None, given)


def test_signing_in_is_no_key(tmp_path: Path) -> None:
    """Without others, livejoin makes its own for commands on the machine; with others it makes none."""
    alone = load_settings(None, {**with_provider(), "data_dir": tmp_path / "alone"})
    assert not has_own_keys(alone)
    assert keyring(alone).key(server_key(alone))
    assert server_key(alone) not in "".join(address(alone, on_terminal=True))
    access = {**with_provider()["access"], "operator": {"keys": {"ana": "the key of Ana, an operator"}}}
    beside = load_settings(None, {"access": access, "data_dir": tmp_path / "beside"})
    assert keyring(beside).key("the key of Ana, an operator")
    assert not key_file(beside).exists()

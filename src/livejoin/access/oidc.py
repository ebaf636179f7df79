"""Signing in by OpenID Connect, as the provider sees it: discovery, the authorization code, and who somebody is.

It knows no web framework. Everything that asks the provider blocks.
"""

import base64
import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from livejoin.access.fetch_json import Fetch
from livejoin.access.id_token import ALGORITHMS, SigningKeys, verified_claims
from livejoin.access.roles import Role
from livejoin.errors import NoRole, ProviderFailed, SignInRefused
from livejoin.settings.sign_in import EVERYBODY, OidcSettings, is_trustworthy

DISCOVERY = "/.well-known/openid-configuration"
METADATA_SECONDS = 3_600.0
LONGEST_NAME = 100
_ERROR_CODE = re.compile(r"[a-z_]{1,64}")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the provider says of itself."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    algorithms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has signed in."""

    name: str
    role: Role


class Provider:
    """The provider of the settings. Any thread may ask it."""

    def __init__(self, settings: OidcSettings, redirect_uri: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._redirect_uri = redirect_uri
        self._clock = clock
        self._fetch = Fetch(settings.ca_file)
        self._known: tuple[float, Metadata] | None = None
        self._keys = SigningKeys(lambda: self._fetch.get(self._metadata().jwks_uri), clock)

    def address(self, state: str, nonce: str, verifier: str) -> str:
        """Where somebody signs in; raises ProviderFailed."""
        asked = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": self._redirect_uri,
            "scope": self._settings.scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge(verifier),
            "code_challenge_method": "S256",
        }
        endpoint = self._metadata().authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    def person(self, code: str, nonce: str, verifier: str) -> Person:
        """Who has come back with that code; raises ProviderFailed, SignInRefused or NoRole."""
        metadata, settings = self._metadata(), self._settings
        claims = verified_claims(
            self._token(metadata, code, verifier),
            self._keys,
            issuer=settings.issuer,
            client_id=settings.client_id,
            nonce=nonce,
            algorithms=metadata.algorithms,
        )
        name = name_of(settings, claims)
        role = role_of(settings, claims)
        if role is None:
            raise NoRole(f"{name} has none of the values of {settings.role_claim} that a role needs")
        return Person(name, role)

    def _token(self, metadata: Metadata, code: str, verifier: str) -> str:
        settings = self._settings
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
            "client_id": settings.client_id,
        }
        login = (settings.client_id, settings.client_secret.get_secret_value()) if settings.client_secret else None
        status, answer = self._fetch.post(metadata.token_endpoint, form, login)
        if status != 200:
            error = answer.get("error")
            known = error if isinstance(error, str) and _ERROR_CODE.fullmatch(error) else f"status {status}"
            if known == "invalid_grant":
                raise SignInRefused("the provider does not accept the code: invalid_grant")
            raise ProviderFailed(f"the provider gives no token: {known}", do="check client_id and client_secret")
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderFailed("the provider gives no identity token", do="check that the scopes have openid")
        return token

    def _metadata(self) -> Metadata:
        if self._known is None or self._clock() >= self._known[0]:
            found = self._fetch.get(f"{self._settings.issuer.rstrip('/')}{DISCOVERY}")
            self._known = (self._clock() + METADATA_SECONDS, read_metadata(self._settings.issuer, found))
        return self._known[1]


def challenge(verifier: str) -> str:
    """What the provider is told of a verifier before it sees it (RFC 7636, S256)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def read_metadata(issuer: str, given: dict[str, Any]) -> Metadata:
    """The provider's configuration, checked; raises ProviderFailed."""
    if given.get("issuer") != issuer:
        raise ProviderFailed(
            f"the provider calls itself {str(given.get('issuer'))[:200]!r} and not {issuer!r}",
            do="write access.oidc.issuer exactly as the provider does",
        )
    offered = given.get("id_token_signing_alg_values_supported", ["RS256"])
    algorithms = frozenset(one for one in ALGORITHMS if isinstance(offered, list) and one in offered)
    if not algorithms:
        raise ProviderFailed(f"the provider signs in none of these ways: {', '.join(sorted(ALGORITHMS))}")
    return Metadata(
        authorization_endpoint=_endpoint(given, "authorization_endpoint"),
        token_endpoint=_endpoint(given, "token_endpoint"),
        jwks_uri=_endpoint(given, "jwks_uri"),
        algorithms=algorithms,
    )


def _endpoint(given: dict[str, Any], name: str) -> str:
    found = given.get(name)
    if not isinstance(found, str) or not is_trustworthy(found):
        raise ProviderFailed(f"the provider's configuration has no {name}, or one that is not https")
    return found


def role_of(settings: OidcSettings, claims: dict[str, Any]) -> Role | None:
    """What somebody with these claims may do; None where nothing."""
    found = claim(claims, settings.role_claim)
    values = {found} if isinstance(found, str) else set()
    if isinstance(found, list):
        values = {value for value in found if isinstance(value, str)}
    if not values.isdisjoint(settings.operator):
        return Role.OPERATOR
    return Role.VIEWER if EVERYBODY in settings.viewer or not values.isdisjoint(settings.viewer) else None


def name_of(settings: OidcSettings, claims: dict[str, Any]) -> str:
    """How somebody is called here, in characters that may be shown and logged."""
    for found in (claim(claims, settings.name_claim), claims.get("sub")):
        name = "".join(character for character in found if character.isprintable()) if isinstance(found, str) else ""
        if name.strip():
            return name.strip()[:LONGEST_NAME]
    raise SignInRefused("the token does not say who somebody is")


def claim(claims: dict[str, Any], path: str) -> Any:
    """A claim by its name, which may have dots in it, or by the names on the way to it."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found

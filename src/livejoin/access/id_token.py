"""Whether an identity token is what it says: signed by the provider, for us, for this very sign-in, and still good."""

import hmac
import time
from collections.abc import Callable, Collection
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from livejoin.errors import SignInRefused

ALGORITHMS = frozenset({"RS256", "ES256", "PS256"})
"""That a token may be signed with. What is signed with a secret, or not at all, proves nothing."""
LEEWAY_SECONDS = 60
"""By which the provider's clock may differ from ours."""
LONGEST_TOKEN = 65_536
SHORTEST_RSA = 2_048
MOST_KEYS = 64
KEYS_SECONDS = 3_600.0
REQUIRED = ["iss", "sub", "aud", "exp", "iat", "nonce"]

Jwks = Callable[[], dict[str, Any]]
"""Asks the provider for its keys; raises ProviderFailed."""


class SigningKeys:
    """The provider's public keys, asked for again when one is not among them, and now and then. Any thread."""

    def __init__(self, ask: Jwks, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._clock = clock
        self._known: tuple[float, list[dict[str, Any]]] = (0.0, [])

    def find(self, kid: str | None, algorithm: str) -> jwt.PyJWK:
        """The key of that name, for that algorithm; raises SignInRefused or ProviderFailed."""
        until, known = self._known
        found = _matching(known, kid, algorithm) if self._clock() < until else None
        if found is None:
            known = self._refresh()
            found = _matching(known, kid, algorithm)
        if found is None:
            raise SignInRefused("the token is signed with a key that the provider does not publish")
        try:
            key = jwt.PyJWK(found, algorithm)
        except jwt.PyJWTError as error:
            raise SignInRefused(f"the key of the token cannot be used: {type(error).__name__}") from None
        # PyJWT takes short keys, and a private one where it expects a public one.
        if not isinstance(key.key, RSAPublicKey | EllipticCurvePublicKey):
            raise SignInRefused("the key of the token is not a public key")
        if isinstance(key.key, RSAPublicKey) and key.key.key_size < SHORTEST_RSA:
            raise SignInRefused(f"the key of the token has fewer than {SHORTEST_RSA} bits")
        return key

    def _refresh(self) -> list[dict[str, Any]]:
        given = self._ask().get("keys")
        keys = [key for key in given if isinstance(key, dict)][:MOST_KEYS] if isinstance(given, list) else []
        self._known = (self._clock() + KEYS_SECONDS, keys)
        return keys


def verified_claims(
    token: str, keys: SigningKeys, *, issuer: str, client_id: str, nonce: str, algorithms: Collection[str]
) -> dict[str, Any]:
    """What a token says of somebody; raises SignInRefused where any of it does not hold."""
    if len(token) > LONGEST_TOKEN:
        raise SignInRefused("the token is too long")
    try:
        header = jwt.get_unverified_header(token)
        algorithm, kid = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS or algorithm not in algorithms:
            raise SignInRefused("the token is signed in a way that is not accepted")
        claims = jwt.decode(
            token,
            keys.find(kid, algorithm),
            algorithms=[algorithm],
            audience=client_id,
            issuer=issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": REQUIRED},
        )
    except (jwt.PyJWTError, ValueError, TypeError, ArithmeticError) as error:
        # Its text may quote the token.
        raise SignInRefused(f"the token does not hold: {type(error).__name__}") from None
    _require_ours(claims, client_id)
    given = claims["nonce"]
    if not isinstance(given, str) or not hmac.compare_digest(_bytes(given), _bytes(nonce)):
        raise SignInRefused("the token is of another sign-in")
    return claims


def _require_ours(claims: dict[str, Any], client_id: str) -> None:
    """Among several for whom it is, the token names the one that it was made for."""
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", client_id) != client_id or (several and "azp" not in claims):
        raise SignInRefused("the token was made for another client")


def _matching(keys: list[dict[str, Any]], kid: str | None, algorithm: str) -> dict[str, Any] | None:
    """The one key that the token can mean: by its name, or the only one where it has none."""
    family = "EC" if algorithm == "ES256" else "RSA"
    fitting = [
        key
        for key in keys
        if key.get("kty") == family
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (kid is None or key.get("kid") == kid)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")

"""A small OpenID Connect provider of our own, with real keys and real checks, that misbehaves on demand."""

import asyncio
import base64
import hashlib
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from livejoin.http.server import listen

CLIENT, SECRET = "livejoin", "a secret: of 100% client & provider"
KID = "first"
AUDIENCE = "kafka"
"""Whom the tokens of services are for."""
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass
class Misbehaviour:
    """What the provider does otherwise than it should; as it is made, nothing."""

    claims: dict[str, Any] = field(default_factory=dict)
    """Of the identity token, in place of the right ones; None leaves one out."""
    sign: Callable[[dict[str, Any]], Any] | None = None
    """What is handed out in place of a right token with these claims."""
    metadata: dict[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before a token is handed out."""
    padding: dict[str, int] = field(default_factory=dict)
    """How many bytes too many, for `discovery`, `token` and `jwks`."""
    sent_elsewhere: str = ""
    """Where the token endpoint leads to, by a redirect that asks to be posted to."""


class OidcProvider:
    """Knows some people and one client. Every secret that it has seen or handed out is in `secrets`.

    To `services`, by their ids and secrets, it hands out tokens for themselves, for `life` seconds.
    """

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.services: dict[str, str] = {}
        self.life = 300.0
        self.scopes: list[str] = []
        """Those that services have asked for."""
        self.people: dict[str, dict[str, Any]] = {}
        self.misbehaves = Misbehaviour()
        self.keys: dict[str, PrivateKey] = {KID: OWN_KEY}
        self.algorithm = "RS256"
        self.secrets: list[str] = [SECRET]
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    def application(self) -> Starlette:
        """Its routes."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/jwks", self._jwks),
            ]
        )

    def claims(self, person: str, nonce: str) -> dict[str, Any]:
        """What a right token says of somebody."""
        now = int(time.time())
        ours = {"iss": self.issuer, "aud": CLIENT, "sub": f"id of {person}", "exp": now + 300, "iat": now}
        return {**ours, "nonce": nonce, "preferred_username": person, **self.people[person]}

    def signed(self, claims: dict[str, Any], kid: str = KID) -> str:
        """A right token."""
        return jwt.encode(claims, self.keys[kid], self.algorithm, headers={"kid": kid})

    async def _discovery(self, _: Request) -> Response:
        self.asked.append("discovery")
        endpoints = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
        found = {
            "issuer": self.issuer,
            **{name: f"{self.issuer}/{path}" for name, path in endpoints.items()},
            "id_token_signing_alg_values_supported": [self.algorithm, "none", "HS256"],
        }
        return self._answer("discovery", {**found, **self.misbehaves.metadata})

    async def _authorize(self, request: Request) -> Response:
        """Asks who one is, and believes it."""
        given = dict(request.query_params)
        self.secrets += [given[name] for name in ("state", "nonce")]
        person = given.pop("as", None)
        if person is None:
            links = "".join(f'<a href="?{urlencode({**given, "as": name})}">{name}</a> ' for name in self.people)
            return HTMLResponse(f"<title>Who are you?</title>{links}")
        assert given["response_type"] == "code"
        assert given["code_challenge_method"] == "S256"
        assert given["client_id"] == CLIENT
        code = secrets.token_urlsafe(16)
        self.secrets.append(code)
        self._codes[code] = {**given, "as": person}
        return RedirectResponse(f"{given['redirect_uri']}?{urlencode({'code': code, 'state': given['state']})}", 302)

    async def _token(self, request: Request) -> Response:
        self.asked.append("token")
        if self.misbehaves.sent_elsewhere:
            return RedirectResponse(self.misbehaves.sent_elsewhere, 307)
        await asyncio.sleep(self.misbehaves.delay)
        given = dict(parse_qsl((await request.body()).decode()))
        if given["grant_type"] == "client_credentials":
            return self._token_for_a_service(request.headers.get("authorization", ""), given.get("scope", ""))
        pair = f"{_quoted(CLIENT)}:{_quoted(SECRET)}"
        if request.headers.get("authorization") != f"Basic {base64.b64encode(pair.encode()).decode()}":
            return JSONResponse({"error": "invalid_client"}, 401)
        begun = self._codes.pop(given["code"], None)
        self.secrets.append(given["code_verifier"])
        if begun is None or begun["redirect_uri"] != given["redirect_uri"] or not _fits(begun, given):
            return JSONResponse({"error": "invalid_grant", "error_description": given["code"]}, 400)
        claims = {**self.claims(begun["as"], begun["nonce"]), **self.misbehaves.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        token = self.misbehaves.sign(claims) if self.misbehaves.sign else self.signed(claims, [*self.keys][-1])
        self.secrets.append(str(token))
        return self._answer("token", {"id_token": token, "token_type": "Bearer", "access_token": "unused"})

    def _token_for_a_service(self, authorization: str, scope: str) -> Response:
        pairs = {base64.b64encode(f"{name}:{secret}".encode()).decode(): name for name, secret in self.services.items()}
        service = pairs.get(authorization.removeprefix("Basic "))
        if service is None:
            return JSONResponse({"error": "invalid_client", "error_description": "no such client"}, 401)
        self.scopes.append(scope)
        now = time.time()
        ours = {"iss": self.issuer, "aud": AUDIENCE, "sub": service, "iat": int(now), "exp": int(now + self.life)}
        token = self.signed({**ours, "scope": scope or "everything"})
        self.secrets.append(token)
        return self._answer("token", {"access_token": token, "token_type": "Bearer", "expires_in": int(self.life)})

    async def _jwks(self, _: Request) -> Response:
        self.asked.append("jwks")
        return self._answer("jwks", {"keys": [public(kid, key) for kid, key in self.keys.items()]})

    def _answer(self, which: str, body: dict[str, Any]) -> Response:
        return JSONResponse({**body, "padding": "x" * self.misbehaves.padding.get(which, 0)})


def public(kid: str, key: PrivateKey) -> dict[str, Any]:
    """The half of a key that everybody may know, as in a JWKS."""
    if isinstance(key, rsa.RSAPrivateKey):
        text = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())
    else:
        text = jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())
    return {**json.loads(text), "use": "sig", "kid": kid}


def new_key(bits: int = 2_048) -> rsa.RSAPrivateKey:
    """Another key."""
    return rsa.generate_private_key(65_537, bits)


OWN_KEY = new_key()


def _fits(begun: dict[str, str], given: dict[str, str]) -> bool:
    """PKCE: who brings the code is who has begun."""
    digest = hashlib.sha256(given["code_verifier"].encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == begun["code_challenge"]


def _quoted(text: str) -> str:
    return urlencode({"": text})[1:].replace("+", "%20")


@contextmanager
def served(app: ASGIApp, listener: socket.socket, **tls: Any) -> Iterator[None]:
    """Serve an application at an open socket, in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", **tls))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(5)


@contextmanager
def provider_at(listener: socket.socket | None = None) -> Iterator[OidcProvider]:
    """A provider that answers, at a name that is another site than that of the page."""
    listener = listener or listen("127.0.0.1", 0)
    provider = OidcProvider(f"http://localhost:{listener.getsockname()[1]}")
    with served(provider.application(), listener):
        yield provider

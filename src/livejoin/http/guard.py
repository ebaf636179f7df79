"""What holds for every request: which names this server answers to, from which pages it may be asked, what it allows.

A page of any other site that is open in somebody's browser can send requests here too. It cannot read the answers, as
no other origin is ever allowed to; it is refused where a request could do something; and it cannot pretend to be this
site by a name of its own that leads to this address, because only known names are answered to.
"""

import ipaddress
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

READING = frozenset({"GET", "HEAD"})
AMBIGUOUS = 400
"""For a request that somebody between could have understood in another way: what comes behind it is not listened to."""


def content_security_policy(nonce: str = "") -> str:
    """A page takes everything from here, and talks to nobody else; styles also where it knows the nonce."""
    styles = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return "; ".join(
        [
            "default-src 'self'",
            f"style-src {styles}",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


class Guard:
    """Stands before every route."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        settable: str,
        origins: Iterable[str] = (),
        refused: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`hosts` are the names of this server, which `settable` settings name; pages of `origins` may act here too.

        `refused` is told the status of what is.
        """
        self._app = app
        self._hosts = frozenset(name.lower() for name in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        self._settable = settable
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or hand on and add the headers that every answer has."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal:
            status, reason = refusal
            self._refused(status)
            # Also for a WebSocket that is not accepted yet: it ends with the status.
            headers = {"connection": "close"} if status == AMBIGUOUS else None
            await JSONResponse({"error": reason}, status_code=status, headers=headers)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", content_security_policy())
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "no-referrer"
                headers["cross-origin-opener-policy"] = "same-origin"
                headers["cross-origin-resource-policy"] = "same-origin"
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if "content-length" in headers and "transfer-encoding" in headers:
            return AMBIGUOUS, "a request has one length"
        if not self._answers_to(host):
            return 421, f"this server does not answer to that name: set {self._settable}"
        acts = scope["type"] == "websocket" or scope["method"] not in READING
        if acts and origin and _place(origin) != host and origin not in self._origins:
            return 403, "this origin may not ask: web.origins names those that may"
        return None

    def _answers_to(self, host: str) -> bool:
        """A name that is known, or an address: a name of somebody else can lead here, an address is this one."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._hosts or name == "localhost" or name.endswith(".localhost"):
                return True
            ipaddress.ip_address(name)
        except ValueError:
            # Neither a name nor an address, or not even in the form of one.
            return False
        return True


def _place(origin: str) -> str:
    """The host and the port of an origin; of what is none, nothing."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""

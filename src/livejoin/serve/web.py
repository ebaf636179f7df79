"""The HTTP side: the page, what it has to know, and health."""

import re
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livejoin.checkout import checkout
from livejoin.serve.control_desk import ControlDesk
from livejoin.settings import Settings

_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EVERY_TIME = "no-cache"

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>livejoin: the page is not built</title>
<body style="font: 1rem system-ui; margin: 3rem auto; max-width: 40rem">
<h1>The page is not built</h1>
<p>The table server runs, but there is no page in <code>{folder}</code>.</p>
<p>Run <code>make up</code> in the checkout, or <code>npm run build</code> in its folder <code>web</code>,
or set <code>web.page</code> to a folder that has one.</p>
"""

Health = Callable[[], dict[str, str]]
"""What is wrong with each component, in words; empty where nothing is."""


class Web:
    """Serves HTTP on an open socket, in a thread. Whoever makes it stops it."""

    def __init__(
        self, settings: Settings, listener: socket.socket, health: Health, not_ready: Callable[[], str]
    ) -> None:
        app = application(settings, health, not_ready)
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, name="web", daemon=True
        )

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.should_exit = True
        self._thread.join(1.5)


def application(settings: Settings, health: Health, not_ready: Callable[[], str]) -> Starlette:
    """The routes."""
    desk = ControlDesk(settings)

    def config(_: Request) -> Response:
        shown = {
            "tableServer": settings.server_url,
            "updateIntervalMs": settings.server.update_interval_ms,
            "controlNeedsOwnKey": desk.needs_own_key,
        }
        return JSONResponse(shown, headers={"cache-control": "no-store"})

    def healthz(_: Request) -> Response:
        failing = health()
        report = {name: reason or "ok" for name, reason in failing.items()}
        return JSONResponse(
            {"ok": not any(failing.values()), "components": report}, headers={"cache-control": "no-store"}
        )

    def readyz(_: Request) -> Response:
        reason = not_ready()
        return JSONResponse(
            {"ready": not reason, "reason": reason},
            status_code=503 if reason else 200,
            headers={"cache-control": "no-store"},
        )

    return Starlette(
        routes=[
            Route("/config.json", config),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            *desk.routes(),
            Mount("/", page(settings)),
        ],
        middleware=[Middleware(_Guard, policy=content_security_policy(settings.server_url))],
    )


def page(settings: Settings) -> ASGIApp:
    """The built page; it is looked up at every request, so that a build is seen without a restart."""
    root = checkout()
    folder = settings.web.page or (root / "web/dist/page/browser" if root else Path("web/dist/page/browser"))
    return _Page(folder)


def content_security_policy(table_server: str) -> str:
    """The page takes its scripts from itself and from the table server, and talks to nobody else."""
    socket_url = urlsplit(table_server)._replace(scheme="wss" if table_server.startswith("https") else "ws").geturl()
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' {table_server}",
            f"connect-src 'self' {table_server} {socket_url}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            f"worker-src 'self' {table_server} blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


class _Page(StaticFiles):
    """A single-page application: unknown paths without a suffix are its own routes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self._folder = folder

    async def check_config(self) -> None:
        """Nothing to check: the folder may not be there yet, and that has an answer of its own."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not (self._folder / "index.html").is_file():
            return HTMLResponse(_NOT_BUILT.format(folder=self._folder), 503, headers={"cache-control": "no-store"})
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).suffix:
                raise
            response = await super().get_response("index.html", scope)
        response.headers["cache-control"] = _FOR_EVER if _HASHED.search(path) else _ASK_EVERY_TIME
        return response


class _Guard:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)

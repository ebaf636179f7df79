"""The built page, as files."""

import re
import secrets
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from livejoin.checkout import checkout
from livejoin.http.guard import content_security_policy
from livejoin.settings.settings import Settings

_INSTALLED = Path(__file__).with_name("browser")
"""Where a package has it."""
_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EVERY_TIME = "no-cache"
_ROOT = "<lj-app>"

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>livejoin: the page is not built</title>
<h1>The page is not built</h1>
<p>The table server runs, but there is no page in <code>{folder}</code>.</p>
<p>Run <code>make up</code> in the checkout, or <code>npm run build</code> in its folder <code>web</code>,
or set <code>web.page</code> to a folder that has one.</p>
"""


def page(settings: Settings) -> ASGIApp:
    """The built page; it is looked up at every request, so that a build is seen without a restart."""
    root = checkout()
    return _Page(settings.web.page or (root / "web/dist/page/browser" if root else _INSTALLED))


class _Page(StaticFiles):
    """A single-page application: unknown paths without a suffix are its own routes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self._index = folder / "index.html"

    async def check_config(self) -> None:
        """Nothing to check: the folder may not be there yet, and that has an answer of its own."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, the application, or why there is none."""
        if not self._index.is_file():
            text = _NOT_BUILT.format(folder=self._index.parent)
            return HTMLResponse(text, 503, headers={"cache-control": "no-store"})
        if path in (".", "index.html"):
            return self._application()
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).suffix:
                raise
            return self._application()
        response.headers["cache-control"] = _FOR_EVER if _HASHED.search(path) else _ASK_EVERY_TIME
        return response

    def _application(self) -> Response:
        """The page itself. Angular adds styles while it runs: it may, by a word that only this answer knows."""
        nonce = secrets.token_urlsafe(16)
        text = self._index.read_text(encoding="utf-8").replace(_ROOT, f'{_ROOT[:-1]} ngCspNonce="{nonce}">')
        headers = {"cache-control": "no-store", "content-security-policy": content_security_policy(nonce)}
        return HTMLResponse(text, headers=headers)

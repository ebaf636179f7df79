"""A JSON object from somebody else's server: over TLS, in time, and no larger than it may be.

Redirects are not followed: they would lead a request with a secret in it to another address than the one that was
checked.
"""

import base64
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, urlencode, urlsplit

import orjson

from livejoin.errors import ProviderFailed, SettingsError
from livejoin.settings.section import is_loopback

SILENCE_SECONDS = 5.0
"""Without a byte."""
ANSWER_SECONDS = 10.0
"""For all of it."""
LARGEST_ANSWER = 262_144
PORTION = 16_384


class Fetch:
    """Asks for JSON objects. Blocks, so it is for threads that may wait; any of them."""

    def __init__(self, ca_file: Path | None = None) -> None:
        try:
            context = ssl.create_default_context(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            raise SettingsError(
                f"the authority in {ca_file} cannot be read: {error}", do="access.oidc.ca_file is a PEM file"
            ) from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        handlers = [urllib.request.HTTPHandler(), urllib.request.HTTPSHandler(context=context), _Answers()]
        self._here = _opener(*handlers)
        self._elsewhere = _opener(*handlers, urllib.request.ProxyHandler())

    def get(self, address: str) -> dict[str, Any]:
        """The object at an address; raises ProviderFailed."""
        status, body = self._ask(urllib.request.Request(address), address)  # noqa: S310  checked by who asks
        if status != 200:
            _fail(address, f"answers with status {status}")
        return _object(address, body)

    def post(self, address: str, form: Mapping[str, str], login: tuple[str, str] | None) -> tuple[int, dict[str, Any]]:
        """The status and the object that a form is answered with; raises ProviderFailed."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if login is not None:
            # RFC 6749, 2.3.1: both are encoded as in a form before they become a name and a password.
            pair = ":".join(quote(part, safe="") for part in login)
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        body = urlencode(form).encode()
        status, answer = self._ask(urllib.request.Request(address, body, headers), address)  # noqa: S310
        return status, _object(address, answer, status)

    def _ask(self, request: urllib.request.Request, address: str) -> tuple[int, bytes]:
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", "livejoin")
        opener = self._here if is_loopback(urlsplit(address).hostname or "") else self._elsewhere
        try:
            with opener.open(request, timeout=SILENCE_SECONDS) as answer:
                return answer.status, _read(answer, address)
        except TimeoutError:
            _fail(address, f"says nothing for {SILENCE_SECONDS:.0f} seconds")
        except (OSError, HTTPException, ValueError) as error:
            # What these say is of the connection; what was sent is in none of them.
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            _fail(address, f"cannot be asked: {type(reason).__name__}: {str(reason)[:200]}")


class _Answers(urllib.request.HTTPErrorProcessor):
    """Every status is an answer, also one that would lead somewhere else."""

    def http_response(self, request: Any, response: Any) -> Any:  # noqa: ARG002  the signature is urllib's
        return response

    https_response = http_response


def _opener(*handlers: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in handlers:
        opener.add_handler(handler)
    return opener


def _read(answer: HTTPResponse, address: str) -> bytes:
    body, until = bytearray(), time.monotonic() + ANSWER_SECONDS
    while part := answer.read1(PORTION):
        body += part
        if len(body) > LARGEST_ANSWER:
            _fail(address, f"answers with more than {LARGEST_ANSWER} bytes")
        if time.monotonic() > until:
            _fail(address, f"needs more than {ANSWER_SECONDS:.0f} seconds for its answer")
    return bytes(body)


def _object(address: str, body: bytes, status: int = 200) -> dict[str, Any]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        _fail(address, f"answers with status {status} and no JSON object")
    return found


def _fail(address: str, how: str) -> NoReturn:
    parts = urlsplit(address)
    raise ProviderFailed(f"{parts.scheme}://{parts.netloc}{parts.path} {how}")

"""Reading the served tables with the key, as `livejoin status` and `livejoin rows` do, over HTTP."""

import http.client
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from livejoin.errors import SettingsError, TableServerGone, TableServerRefused
from livejoin.key import key_file, server_key
from livejoin.schema import TABLES
from livejoin.settings import Settings

ANSWER_SECONDS = 20.0
NAMES = tuple(table.name for table in TABLES)
NANOS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table, and how many it has."""

    columns: list[str]
    size: int
    rows: list[dict[str, Any]]


class TableClient:
    """Reads tables over one connection. Made by `connect`, which closes it."""

    def __init__(self, settings: Settings, connection: http.client.HTTPConnection, path: str) -> None:
        self._settings = settings
        self._connection = connection
        self._path = path
        self._headers = {"Authorization": f"Bearer {server_key(settings)}"}

    def size(self, name: str) -> int:
        """How many rows a table has."""
        return self.newest(name, 0).size

    def newest(self, name: str, limit: int) -> Rows:
        """The last rows of a table; only these travel."""
        if name not in NAMES:
            raise SettingsError(f"there is no table {name!r}", do=f"choose one of {', '.join(NAMES)}")
        try:
            answer, body = self._ask(f"{self._path}/rows/{name}?newest={limit}")
        except (http.client.RemoteDisconnected, ConnectionError):
            # A connection that was not used for some seconds may have been closed: a fresh one tells.
            self._connection.close()
            answer, body = self._ask(f"{self._path}/rows/{name}?newest={limit}")
        if answer.status == http.HTTPStatus.UNAUTHORIZED:
            raise TableServerRefused(
                f"the table server at {self._settings.page_url} does not accept the key",
                do=f"use one of its keys: in access.key (LIVEJOIN_ACCESS__KEY) or in {key_file(self._settings)}",
            )
        if answer.status != http.HTTPStatus.OK:
            raise TableServerGone(f"{self._settings.page_url} answers: {_reason(body)}", do="try again a little later")
        types = {column["name"]: column["type"] for column in json.loads(answer.headers["livejoin-columns"])}
        # Not by lines of text: a cell may have characters in it that Python takes for the end of a line.
        rows = [
            {column: _plain(value, types[column]) for column, value in json.loads(line).items()}
            for line in body.split(b"\n")
            if line
        ]
        return Rows(list(types), int(answer.headers["livejoin-size"]), rows)

    def _ask(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        return answer, answer.read()


@contextmanager
def connect(settings: Settings) -> Iterator[TableClient]:
    """A client for the server that the settings name, with their key."""
    url = urlsplit(settings.page_url)
    if url.scheme == "https":
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            url.hostname or "", url.port, timeout=ANSWER_SECONDS, context=_trust(settings)
        )
    else:
        connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=ANSWER_SECONDS)
    try:
        yield TableClient(settings, connection, url.path.rstrip("/"))
    except (OSError, http.client.HTTPException) as error:
        raise TableServerGone(
            f"no table server answers at {settings.page_url}: {error}",
            do="start it with `livejoin up` or `livejoin serve`, or correct web.port or web.url",
        ) from error
    finally:
        connection.close()


def _trust(settings: Settings) -> ssl.SSLContext:
    """Whom this machine trusts, and the certificate of its own server, which may be signed by nobody else."""
    context = ssl.create_default_context()
    if settings.web.tls_certificate is not None:
        context.load_verify_locations(settings.web.tls_certificate)
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _plain(value: Any, kind: str) -> Any:
    """As Python has it; a point in time as text, with as many digits as it needs."""
    if value is None:
        return None
    if kind == "integer":
        return int(value)
    if kind == "decimal":
        return float(value)
    if kind == "instant":
        seconds, nanos = divmod(int(value), NANOS)
        moment = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat()
        return f"{moment}.{nanos // 1_000_000:03}Z" if nanos % 1_000_000 == 0 else f"{moment}.{nanos:09}Z"
    return value


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "something that is not livejoin"

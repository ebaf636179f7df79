"""Reading the served tables with the key, as `livejoin status` and `livejoin rows` do, over HTTP."""

import http.client
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from livejoin.access.keys import key_file, server_key
from livejoin.errors import SettingsError, TableServerGone, TableServerRefused
from livejoin.settings.settings import Settings

ANSWER_SECONDS = 20.0
NANOS = 1_000_000_000
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the server says that it joins: the tables, and what the topics of the sources are called."""

    tables: dict[str, list[str]]
    """Columns of each table."""
    views: list[str]
    """The tables of the left source, of the right one, and of the join."""
    topic_fields: list[str]
    """The columns with the topics of the left source and of the right one."""


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
        answer, body = self._get(f"/rows/{quote(name, safe='')}?newest={limit}")
        if answer.status == http.HTTPStatus.NOT_FOUND:
            tables = self.declared().tables
            if name not in tables:
                raise SettingsError(f"there is no table {name!r}", do=f"choose one of {', '.join(tables)}")
        self._require(answer, body)
        types = {column["name"]: column["type"] for column in json.loads(answer.headers["livejoin-columns"])}
        # Not by lines of text: a cell may have characters in it that Python takes for the end of a line.
        rows = [
            {column: _plain(value, types[column]) for column, value in json.loads(line).items()}
            for line in body.split(b"\n")
            if line
        ]
        return Rows(list(types), int(answer.headers["livejoin-size"]), rows)

    def declared(self) -> Declared:
        """What is joined, as the server has it at this moment."""
        answer, body = self._get("/declaration")
        self._require(answer, body)
        found = json.loads(body)
        sides = [found["left"], found["right"]]
        return Declared(
            {name: [column["name"] for column in columns] for name, columns in found["tables"].items()},
            [side["table"] for side in (*sides, found["joined"])],
            [side["topicField"] for side in sides],
        )

    def _get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            return self._ask(f"{self._path}{path}")
        except (http.client.RemoteDisconnected, ConnectionError):
            # A connection that was not used for some seconds may have been closed: a fresh one tells.
            self._connection.close()
            return self._ask(f"{self._path}{path}")

    def _require(self, answer: http.client.HTTPResponse, body: bytes) -> None:
        if answer.status == http.HTTPStatus.UNAUTHORIZED:
            raise TableServerRefused(
                f"the table server at {self._settings.page_url} does not accept the key",
                do=f"use one of its keys: in access.key (LIVEJOIN_ACCESS__KEY) or in {key_file(self._settings)}",
            )
        if answer.status != http.HTTPStatus.OK:
            raise TableServerGone(f"{self._settings.page_url} answers: {_reason(body)}", do="try again a little later")

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
    """As Python and JSON have it, exactly: a decimal, a date and a point in time as texts."""
    if value is None:
        return None
    if kind == "integer":
        return int(value)
    if kind == "double":
        return float(value)
    if kind == "instant":
        return instant_text(int(value))
    if kind == "date" and isinstance(value, int):
        return date_text(value)
    return value


def instant_text(nanos: int) -> str:
    """A point in time, given as nanoseconds since 1970, with as many digits as it needs."""
    seconds, rest = divmod(nanos, NANOS)
    moment = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()
    return f"{moment}.{rest // 1_000_000:03}Z" if rest % 1_000_000 == 0 else f"{moment}.{rest:09}Z"


def date_text(days: int) -> str:
    """A date, given as days since 1970."""
    return (EPOCH + timedelta(days=days)).isoformat()


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "something that is not livejoin"

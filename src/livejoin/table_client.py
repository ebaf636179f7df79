"""Reading the served tables with the key, as `livejoin status` and `livejoin rows` do."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from pydeephaven import DHError, Session
from pydeephaven.table import Table
from pydeephaven.ticket import ApplicationTicket

from livejoin.errors import SettingsError, TableServerGone, TableServerRefused
from livejoin.key import key_file, server_key
from livejoin.schema import APPLICATION, TABLES
from livejoin.settings import Settings
from livejoin.worker import begin

PSK = "io.deephaven.authentication.psk.PskAuthenticationHandler"
CONNECT_SECONDS = 5.0
LOGIN_SECONDS = 10.0
NAMES = tuple(table.name for table in TABLES)


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table, and how many it has."""

    columns: list[str]
    size: int
    rows: list[dict[str, Any]]


class TableClient:
    """A session with the table server. Made by `connect`, which closes it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def size(self, name: str) -> int:
        """How many rows a table has."""
        with self._fetched(name) as table:
            return table.size or 0

    def newest(self, name: str, limit: int) -> Rows:
        """The last rows of a table; only these travel."""
        with self._fetched(name) as table, closing(table.tail(limit)) as last:
            size, found = table.size or 0, last.to_arrow()
        rows = [{column: _plain(value) for column, value in row.items()} for row in found.to_pylist()]
        return Rows(list(found.column_names), size, rows)

    def _fetched(self, name: str) -> "closing[Table]":
        """An export of the table, to be released by its reader: the garbage collector would do it in any thread."""
        if name not in NAMES:
            raise SettingsError(f"there is no table {name!r}", do=f"choose one of {', '.join(NAMES)}")
        export = self._session.fetch(ApplicationTicket.app_ticket(APPLICATION, name))
        # It is annotated for shared tickets, and takes every ticket.
        return closing(self._session.fetch_table(export))  # type: ignore[arg-type]


@contextmanager
def connect(settings: Settings) -> Iterator[TableClient]:
    """A client for the table server that the settings name, logged in with their key."""
    url = urlsplit(settings.server_url)
    host, port = url.hostname or settings.server.host, url.port or (443 if url.scheme == "https" else 80)
    gone = TableServerGone(
        f"no table server answers at {settings.server_url}",
        do="start it with `livejoin up` or `livejoin serve`, or correct server.port or server.url",
    )
    try:
        # gRPC would go on trying: a plain connection tells at once whether anybody listens.
        socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise gone from error
    key, is_tls = server_key(settings), url.scheme == "https"
    login = begin(lambda: Session(host, port, auth_type=PSK, auth_token=key, use_tls=is_tls, never_timeout=False))
    try:
        # A server that is just starting may take a login and never answer it.
        session = login.result(LOGIN_SECONDS)
    except TimeoutError as error:
        login.add_done_callback(lambda late: None if late.exception() else late.result().close())
        raise gone from error
    except DHError as error:
        if "UNAUTHENTICATED" in _story(error):
            raise TableServerRefused(
                f"the table server at {settings.server_url} does not accept the key",
                do=f"use its key: in server.key (LIVEJOIN_SERVER__KEY) or in {key_file(settings)}",
            ) from error
        raise gone from error
    try:
        yield TableClient(session)
    except DHError as error:
        raise TableServerGone(
            f"the table server at {settings.server_url} stopped answering: {error}", do=gone.do
        ) from error
    finally:
        # A server that has gone in between has nothing left to close.
        with suppress(DHError):
            session.close()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def _story(error: BaseException | None) -> str:
    """The messages of an error and of what caused it."""
    return f"{error} {_story(error.__cause__ or error.__context__)}" if error is not None else ""

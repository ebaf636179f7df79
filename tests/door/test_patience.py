"""Clients that read nothing, at the real HTTP side with an engine of the test's: they are cut off, and only they are.

Each time the same is done to a server that speaks as uvicorn itself does, which waits for ever. It is looked at when
the other one has cut its client off.
"""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from await_that import await_that
from livejoin.access.keys import server_key
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.model.column import ColumnType
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, TableColumn
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.sight import EngineView, News
from livejoin.serve.http.web import Web
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from predicates import Predicates
from tests.door.fake_lookout import FakeLookout, FakeView
from websocket_frames import TEXT, frame, handshake, heard_frames

HEARING_SECONDS = 1.0
LINE = b'{"a":"' + b"x" * 1_000_000 + b'"}\n'
LINES = 32
"""More than the kernel keeps for both sides of a connection, so that some of them wait in the server."""


class LargeCopy(FakeView):
    """A copy whose rows are large."""

    def lines(self, first: int, end: int) -> bytes:
        """One at a time."""
        assert first < end
        return LINE


class LargeRows(FakeLookout):
    """Copies of large rows, and one row of that size in all to look at."""

    def copy(self, view: EngineView, newest: int, most: int) -> FakeView:
        """As many rows as there are."""
        assert newest > 0
        assert most > 0
        source: FakeView = view.handle
        self.opened.append(LargeCopy(source.table, source.wanted, size=LINES, whole_size=LINES))
        return self.opened[-1]

    def look(self, view: Any, first: int, last: int) -> int:
        """The rows come at once."""
        number = super().look(view, first, last)
        rows = LINE.strip() * LINES
        self.next_news.append([News(number, whole=b'"rows":' + json.dumps(rows.decode()).encode() + b"}")])
        return number


@dataclass(frozen=True)
class Stand:
    """A server with large rows."""

    settings: Settings
    web: Web
    engine: LargeRows

    def begin_to_look(self) -> socket.socket:
        """Somebody who asks for the large row over a WebSocket. Whoever calls this closes it."""
        client, _ = handshake(self.settings.web.port)
        heard = heard_frames(client)
        for message, answers in (
            ({"do": "login", "key": server_key(self.settings)}, ("welcome", "declared")),
            ({"do": "open", "view": 1, "table": "t"}, ("opened",)),
        ):
            client.sendall(frame(TEXT, json.dumps(message).encode()))
            for _ in answers:
                next(heard)
        client.sendall(frame(TEXT, json.dumps({"do": "look", "view": 1, "look": 1, "first": 0, "last": 0}).encode()))
        return client

    def begin_to_copy(self) -> socket.socket:
        """The same for the large rows over HTTP."""
        client = socket.create_connection(("127.0.0.1", self.settings.web.port), 10.0)
        names = f"Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer {server_key(self.settings)}\r\n"
        client.sendall(f"GET /rows/t HTTP/1.1\r\n{names}\r\n".encode())
        return client

    @property
    def has_given_all_back(self) -> bool:
        """Whether somebody was here, and nothing is kept for anybody any more."""
        return bool(self.engine.opened) and all(view.is_closed for view in self.engine.opened)


@contextmanager
def stand_at(folder: Path) -> Iterator[Stand]:
    """One that is stopped afterwards."""
    listener = listen("127.0.0.1", 0)
    given = {"kafka": {"bootstrap.servers": "127.0.0.1:9"}, "web": {"port": listener.getsockname()[1]}}
    settings = load_settings(None, {**given, "data_dir": folder})
    web, engine = Web(settings, listener, Health), LargeRows()
    web.start()
    try:
        column = TableColumn("a", ColumnType.named("string"), "l0")
        web.door.serve(engine, Predicates(), DEFAULT, [Served(Table("t", (column,)), "the table")])
        yield Stand(settings, web, engine)
    finally:
        web.stop()


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stand]:
    """As livejoin serves, with less patience."""
    monkeypatch.setattr("livejoin.http.patience.HEARING_SECONDS", HEARING_SECONDS)
    with stand_at(tmp_path / "patient") as stand:
        yield stand


@pytest.fixture
def plain(patient: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stand]:
    """As uvicorn would."""
    assert patient
    monkeypatch.setattr("livejoin.http.server.PatientHttp", H11Protocol)
    monkeypatch.setattr("livejoin.http.server.PatientWebSocket", WebSocketsSansIOProtocol)
    with stand_at(tmp_path / "plain") as stand:
        yield stand


@pytest.mark.parametrize("begin", [Stand.begin_to_look, Stand.begin_to_copy], ids=["WebSocket", "HTTP"])
def test_who_reads_nothing_is_cut_off_and_where_nobody_cuts_him_off_he_is_kept(
    patient: Stand, plain: Stand, begin: Callable[[Stand], socket.socket]
) -> None:
    """What was made for him is given back; he finds his connection reset, with less than he was to be sent."""
    with begin(plain) as kept, begin(patient) as cut_off:
        await_that(lambda: patient.has_given_all_back)
        assert plain.engine.opened
        assert not plain.has_given_all_back
        assert _bytes_of(cut_off) < LINES * len(LINE) <= _bytes_of(kept, LINES * len(LINE))


@pytest.mark.parametrize("begin", [Stand.begin_to_look, Stand.begin_to_copy], ids=["WebSocket", "HTTP"])
def test_who_reads_slowly_is_waited_for(patient: Stand, begin: Callable[[Stand], socket.socket]) -> None:
    """As long as he takes something now and then, he gets everything, however long that takes."""
    began, left = time.monotonic(), LINES * len(LINE)
    with begin(patient) as client:
        while left > 0:
            taken = _bytes_of(client, min(left, LINES * len(LINE) // 16))
            assert taken, f"the connection has ended, and {left} bytes are missing"
            left -= taken
            time.sleep(HEARING_SECONDS / 10)
    assert time.monotonic() - began > HEARING_SECONDS


def _bytes_of(client: socket.socket, most: int = 2**40) -> int:
    """How much comes, up to the end of the connection or that many."""
    client.settimeout(10.0)
    taken = 0
    try:
        while taken < most and (part := client.recv(1 << 20)):
            taken += len(part)
    except ConnectionResetError:
        pass
    return taken

"""Rows over HTTP that are under way when their key is withdrawn or their session is logged out of: they end."""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from await_that import await_that
from livejoin.access.roles import Role, Visitor
from livejoin.http.health import Health
from livejoin.http.server import listen
from livejoin.model.column import ColumnType
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, TableColumn
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.limits import AT_ONCE
from livejoin.serve.http.web import Web
from livejoin.settings.door import LimitSettings
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from predicates import Predicates
from tests.door.test_patience import LINE, LINES, LargeRows
from websocket_frames import TEXT, frame, handshake, hear_welcome, heard_frames

ANA, BEN = "the key of Ana, which stays", "the key of Ben, which does not"


@dataclass(frozen=True)
class Stand:
    """A server with large rows, keys in a file and sessions."""

    settings: Settings
    web: Web
    engine: LargeRows
    keys: Path

    def session(self) -> str:
        """The key of somebody who has signed in."""
        sessions = self.web.door.reception.keys.sessions
        assert sessions
        return sessions.open(Visitor("zoe", Role.VIEWER))

    def write_keys(self, **keys: str) -> None:
        """As an editor replaces a file."""
        draft = self.keys.with_suffix(".draft")
        draft.touch(0o600)
        draft.write_text("[viewer]\n" + "".join(f"{name} = '{key}'\n" for name, key in keys.items()), encoding="utf-8")
        draft.rename(self.keys)

    def log_out(self, key: str) -> None:
        """As the page does."""
        answer = httpx.post(f"{self.settings.page_url}sign-in/end", headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 204

    @contextmanager
    def rows(self, key: str) -> Iterator[http.client.HTTPResponse]:
        """An answer of which the first row was read, and which goes on."""
        connection = http.client.HTTPConnection("127.0.0.1", self.settings.web.port, timeout=10)
        connection.request("GET", "/rows/t", headers={"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read(len(LINE)) == LINE
        yield answer
        connection.close()


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    """One that is stopped afterwards."""
    listener, keys = listen("127.0.0.1", 0), tmp_path / "keys.toml"
    oidc = {"issuer": "http://127.0.0.1:9", "client_id": "livejoin", "client_secret": "of nobody", "viewer": ["*"]}
    given = {
        "data_dir": tmp_path,
        "kafka": {"bootstrap.servers": "127.0.0.1:9"},
        "web": {"port": listener.getsockname()[1]},
        "access": {"file": keys, "oidc": oidc},
    }
    settings = load_settings(None, given)
    web, engine = Web(settings, listener, Health), LargeRows()
    stand = Stand(settings, web, engine, keys)
    stand.write_keys(ana=ANA, ben=BEN)
    web.start()
    try:
        column = TableColumn("a", ColumnType.named("string"), "l0")
        web.door.serve(engine, Predicates(), DEFAULT, [Served(Table("t", (column,)), "the table")])
        yield stand
    finally:
        web.stop()


def withdraw_key(stand: Stand) -> tuple[str, Callable[[], None]]:
    """A key in a file, and how it is taken away."""
    return BEN, lambda: stand.write_keys(ana=ANA)


def rename_key(stand: Stand) -> tuple[str, Callable[[], None]]:
    """A key in a file, and how it becomes somebody else's."""
    return BEN, lambda: stand.write_keys(ana=ANA, carol=BEN)


def log_out(stand: Stand) -> tuple[str, Callable[[], None]]:
    """A session, and its end."""
    key = stand.session()
    return key, lambda: stand.log_out(key)


@pytest.mark.parametrize("way", [withdraw_key, rename_key, log_out])
def test_rows_under_way_end_with_their_key_and_those_of_others_go_on(
    stand: Stand, way: Callable[[Stand], tuple[str, Callable[[], None]]]
) -> None:
    """Before the last row, in a way that no client takes for the end of the answer; what was made for it is freed."""
    key, end = way(stand)
    with stand.rows(ANA) as others, stand.rows(key) as ended:
        copy = stand.engine.opened[-1]
        end()
        await_that(lambda: copy.is_closed)
        with pytest.raises(http.client.IncompleteRead):
            ended.read()
        assert len(others.read()) == (LINES - 1) * len(LINE)


def test_a_key_that_is_withdrawn_while_the_copy_is_made_is_sent_no_row(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take long, and was begun in time."""
    key = stand.session()
    made = stand.engine.copy

    def copy_and_log_out(*asked: object) -> object:
        stand.log_out(key)
        return made(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(stand.engine, "copy", copy_and_log_out)
    answer = httpx.get(f"{stand.settings.page_url}rows/t", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 401
    await_that(lambda: stand.engine.opened[-1].is_closed)


def test_what_is_refused_is_counted_by_its_kind(stand: Stand) -> None:
    """A table that is not there, a column that is not, what is no view, no number and no key."""
    headers = {"Authorization": f"Bearer {ANA}"}
    rows = f"{stand.settings.page_url}rows"
    assert httpx.get(f"{rows}/elsewhere", headers=headers).status_code == 404
    assert httpx.post(rows, json={"table": "t", "columns": ["unknown"]}, headers=headers).status_code == 400
    assert httpx.post(rows, content=b"no JSON", headers=headers).status_code == 400
    assert httpx.get(f"{rows}/t?newest=many", headers=headers).status_code == 400
    assert httpx.get(f"{rows}/t").status_code == 401
    refused = stand.web.door.occupancy.refused
    assert refused == {"tables": 1, "questions": 1, "not a message": 2, "no key": 1}


def test_a_key_asks_and_says_only_so_much_over_all_ways(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty connections of one key are slowed down together, and none is cut off; over HTTP it is refused.

    Somebody with another key is answered at once, and so is a log-out with the same one.
    """
    limits = LimitSettings(messages_per_second_per_key=20)
    monkeypatch.setattr(stand.web.door.occupancy, "limits", limits)
    crowd, each = 20, 8
    ping = frame(TEXT, json.dumps({"do": "ping", "id": 1}).encode())
    with ExitStack() as stack:
        inside = [stack.enter_context(logged_in(stand, ANA)) for _ in range(crowd)]
        began = time.monotonic()
        for client in inside:
            client.sendall(ping * each)
        heard = [heard_frames(client) for client in inside]
        for frames in heard:
            hear_welcome(frames)
        declaration, bearer = f"{stand.settings.page_url}declaration", {"Authorization": f"Bearer {ANA}"}
        await_that(lambda: httpx.get(declaration, headers=bearer).status_code == HTTPStatus.TOO_MANY_REQUESTS)
        other = stack.enter_context(logged_in(stand, BEN))
        other.sendall(ping)
        of_other = heard_frames(other)
        hear_welcome(of_other)
        assert b"pong" in next(of_other)[1]
        at_once = time.monotonic() - began
        stand.log_out(ANA)
        assert all(b"pong" in next(frames)[1] for frames in heard for _ in range(each))
        took = time.monotonic() - began
    assert took > (crowd * each - AT_ONCE * 20) / 20 - 1 > 2 * at_once
    assert stand.web.door.occupancy.refused == {"messages": 1}


def logged_in(stand: Stand, key: str) -> socket.socket:
    """A plain socket of somebody with that key. Whoever asks closes it."""
    client, _ = handshake(stand.settings.web.port)
    client.settimeout(30.0)
    client.sendall(frame(TEXT, json.dumps({"do": "login", "key": key}).encode()))
    return client

"""Rows over HTTP that are under way when their key is withdrawn or their session is logged out of: they end."""

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from livejoin.serve.http.web import Web
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from predicates import Predicates
from tests.door.test_patience import LINE, LINES, LargeRows

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

"""Reading tables by the names and types that the server tells, exactly."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from livejoin.cli.main import app
from livejoin.cli.status import read_status
from livejoin.client.tables import connect, date_text, instant_text
from livejoin.errors import SettingsError, TableServerGone
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

DECLARATION: dict[str, Any] = {
    "left": {"name": "orders", "table": "orders_ui", "topicField": "ordersTopic", "keep": "all"},
    "right": {"name": "customers", "table": "customers_ui", "topicField": "customersTopic", "keep": "latest"},
    "joined": {"table": "final_ui"},
    "on": [["customer", "id"]],
    "joins": ["left", "inner", "asof"],
    "tables": {
        "orders_ui": [{"name": "orderId", "type": "text", "source": "orders"}],
        "customers_ui": [{"name": "id", "type": "text", "key": True, "source": "customers"}],
        "final_ui": [{"name": "orderId", "type": "text", "source": "orders"}],
    },
}
COLUMNS = {
    "Größe": "text",
    "order": "integer",
    "ratio": "double",
    "total": "decimal",
    "paid": "boolean",
    "placed": "instant",
    "day": "date",
}
CELLS: dict[str, Any] = {
    "Größe": "ü",
    "order": "9007199254740993",
    "ratio": 0.1,
    "total": "12345678901234567890.50",
    "paid": True,
    "placed": "1715934600123456789",
    "day": "2024-05-17",
}
SIZES = {"orders_ui": 3, "customers_ui": 2, "final_ui": 2}
ASKED = {"ordersTopic": "o", "customersTopic": "c", "joinType": "left"}
TABLES: dict[str, tuple[dict[str, str], list[dict[str, Any]]]] = {
    "final_ui": (COLUMNS, [CELLS, dict.fromkeys(COLUMNS)]),
    "orchestrator_status": (
        {
            **dict.fromkeys(ASKED, "text"),
            "lastApplied": "text",
            "generation": "integer",
            "state": "text",
            "message": "text",
        },
        [{**ASKED, "lastApplied": "now", "generation": 3, "state": "live", "message": ""}],
    ),
    "generations": ({"generation": "integer"}, []),
    "source_progress": ({"position": "integer"}, []),
    "accounting": ({"events": "integer"}, []),
}


class Door(BaseHTTPRequestHandler):
    """Answers as the door of a table server does."""

    def do_GET(self) -> None:
        """A declaration, or rows."""
        path = self.path.partition("?")[0]
        if path == "/declaration":
            self.answer(200, json.dumps(DECLARATION).encode())
        elif path.startswith("/rows/") and (name := path.removeprefix("/rows/")) in {*TABLES, *SIZES}:
            columns, rows = TABLES.get(name, ({}, []))
            told = json.dumps([{"name": column, "type": kind} for column, kind in columns.items()])
            size = str(SIZES.get(name, len(rows)))
            body = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
            self.answer(200, body, {"livejoin-columns": told, "livejoin-size": size})
        else:
            self.answer(404, b'{"error": "no such table, or not yet"}')

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        """Send it."""
        self.send_response(status)
        for name, value in {**(headers or {}), "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings that lead to such a door."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield load_settings(None, {"data_dir": tmp_path / "data", "web": {"port": server.server_address[1]}})
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def command(settings: Settings, *words: str) -> str:
    """What a command prints."""
    pairs = (f"--set=data_dir={settings.data_dir}", f"--set=web.port={settings.web.port}")
    done = CliRunner().invoke(app, [*words, *pairs])
    assert done.exit_code == 0, done.exception
    return done.stdout


def test_values_are_printed_exactly(settings: Settings) -> None:
    """No digit is lost, of integers beyond 53 bits, decimals and nanoseconds."""
    first, nulls = json.loads(command(settings, "rows", "final_ui", "--json"))
    assert first == {
        **CELLS,
        "order": 9007199254740993,
        "placed": "2024-05-17T08:30:00.123456789Z",
    }
    assert nulls == dict.fromkeys(COLUMNS)


def test_people_see_the_columns_in_the_order_of_the_server(settings: Settings) -> None:
    """Whatever they are called."""
    said = command(settings, "rows", "final_ui")
    header = next(line for line in said.splitlines() if "Größe" in line)
    assert [header.index(name) for name in COLUMNS] == sorted(header.index(name) for name in COLUMNS)
    assert "12345678901234567890.50" in said
    assert "true" in said


def test_a_table_that_is_not_there_is_told_with_those_that_are(settings: Settings) -> None:
    """As the server names them."""
    with connect(settings) as client, pytest.raises(SettingsError, match="there is no table 'users_ui'") as refused:
        client.newest("users_ui", 1)
    assert refused.value.do == "choose one of orders_ui, customers_ui, final_ui"


def test_a_table_that_is_not_served_yet_is_waited_for(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a name that the declaration knows."""
    monkeypatch.delitem(SIZES, "orders_ui")
    with connect(settings) as client, pytest.raises(TableServerGone, match="not yet"):
        client.newest("orders_ui", 1)


def test_the_status_is_told_in_the_words_of_the_declaration(settings: Settings) -> None:
    """Topics and tables have the names that the server tells."""
    with connect(settings) as client:
        found = read_status(client)
    assert (found["ordersTopic"], found["customersTopic"]) == ("o", "c")
    assert found["rows"] == {"orders_ui": 3, "customers_ui": 2, "final_ui": 2}


@pytest.mark.parametrize(
    ("nanos", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
        (1_715_934_600_000_000_000, "2024-05-17T08:30:00.000Z"),
        (-9_223_372_035_000_000_000, "1677-09-21T00:12:45.000Z"),
        (9_223_372_035_999_999_999, "2262-04-11T23:47:15.999999999Z"),
    ],
)
def test_points_in_time_have_as_many_digits_as_they_need(nanos: int, text: str) -> None:
    """Also before 1970, and at the ends of what can be said."""
    assert instant_text(nanos) == text


def test_dates_before_and_after_1970() -> None:
    """From days."""
    assert [date_text(days) for days in (-1, 0, 19_860)] == ["1969-12-31", "1970-01-01", "2024-05-17"]

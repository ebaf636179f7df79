"""What each role may see and take away, at the real server and on the wire."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from await_that import await_that
from door_client import DoorClient, enter
from table_server import Pipeline, Reader, ServeProcess
from tests.serve_tables.keys import ANA, WALL, write_keys

EMAIL = "ada@hidden.example"


@pytest.fixture(scope="module", autouse=True)
def _rows(pipeline: Pipeline, viewer: Reader) -> None:
    generation = pipeline.open()
    row = {"userId": "u1", "name": "Ada", "email": EMAIL, "age": 36, "accountType": "gold", "balance": 12.5}
    for table in ("users_ui", "accounts_ui", "final_ui"):
        pipeline.upsert(generation, table, "u1", 1, **row)
    viewer.await_generation(pipeline.go_live(generation).number)


@pytest.fixture
def wall(served: ServeProcess) -> Iterator[DoorClient]:
    """Somebody who may look, and not at everything."""
    with enter(served.settings, WALL) as found:
        yield found


@pytest.fixture
def ana(served: ServeProcess) -> Iterator[DoorClient]:
    """An operator."""
    with enter(served.settings, ANA) as found:
        yield found


def answer(client: DoorClient, **asked: Any) -> dict[str, Any]:
    """What is answered to an open or a copy."""
    client.say(**{"do": "open", "view": 77, **asked})
    found = client.hear()
    while found.get("view") != 77:
        found = client.hear()
    if found["is"] == "opened":
        client.say(do="close", view=77)
    return found


def rows(served: ServeProcess, key: str, path: str, body: Any = None) -> tuple[int, str]:
    """An answer over HTTP: status and text, headers included."""
    web = served.settings.web
    connection = http.client.HTTPConnection(web.host, web.port, timeout=10)
    headers = {"Authorization": f"Bearer {key}"}
    connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
    found = connection.getresponse()
    return found.status, f"{found.headers}{found.read().decode()}"


def test_a_hidden_column_is_never_sent(served: ServeProcess, wall: DoorClient, ana: DoorClient) -> None:
    """Not in rows, not in names of columns, neither over the socket nor over HTTP; who may see it does."""
    for name in ("users_ui", "final_ui"):
        seen, all_of_it = wall.views[wall.open(name)], ana.views[ana.open(name)]
        assert "email" not in [column["name"] for column in seen.columns]
        assert EMAIL not in str(seen.table)
        assert EMAIL in str(all_of_it.table)
        for key, is_there in ((WALL, False), (ANA, True)):
            status, text = rows(served, key, f"/rows/{name}")
            assert (status, EMAIL in text, "email" in text) == (200, is_there, is_there)
    assert "balance" in str(wall.views[wall.open("final_ui")].columns)
    assert "balance" not in str(wall.views[wall.open("accounts_ui")].columns)


def test_a_name_that_hides_nothing_is_told(served: ServeProcess) -> None:
    """By the log, once there are tables: somebody has mistyped it."""
    [told] = [line for line in served.log.read_text().splitlines() if "to be hidden is in no table" in line][:1]
    assert "users_ui.emial" in told
    assert "balance" not in told


@pytest.mark.parametrize(
    "asked",
    [
        {"columns": ["userId", "email"]},
        {"sort": [{"column": "email", "direction": "ascending"}]},
        {"filter": [{"column": "email", "is": "startingWith", "to": "a"}]},
        {"filter": [{"column": "email", "is": "null"}]},
    ],
)
def test_a_hidden_column_cannot_be_asked_about(
    served: ServeProcess, wall: DoorClient, ana: DoorClient, asked: dict[str, Any]
) -> None:
    """Or its values would be learned one question after the other."""
    refused = answer(wall, table="users_ui", **asked)
    assert (refused["is"], "no column email" in refused["reason"]) == ("failed", True)
    assert rows(served, WALL, "/rows", {"table": "users_ui", **asked})[0] == 400
    assert answer(ana, table="users_ui", **asked)["is"] == "opened"


def test_a_search_does_not_look_into_hidden_columns(wall: DoorClient, ana: DoorClient) -> None:
    """Nobody finds out by searching what he may not see."""
    assert wall.views[wall.open("users_ui", search="hidden.example")].table == []
    assert len(ana.views[ana.open("users_ui", search="hidden.example")].table) == 1
    assert len(wall.views[wall.open("users_ui", search="ada")].table) == 1


def test_a_hidden_table_is_not_there(served: ServeProcess, wall: DoorClient, ana: DoorClient) -> None:
    """As if it did not exist."""
    assert answer(wall, table="dead_letters") == {**answer(wall, table="nothing"), "reason": _missing("dead_letters")}
    assert rows(served, WALL, "/rows/dead_letters")[0] == 404
    assert answer(ana, table="dead_letters")["is"] == "opened"


def _missing(table: str) -> str:
    return f"The table server has no {table} yet."


def test_who_may_not_export_gets_no_copy(served: ServeProcess, wall: DoorClient, ana: DoorClient) -> None:
    """A screenful over HTTP at the most; who may export gets all."""
    refused = answer(wall, do="copy", table="users_ui")
    assert (refused["is"], "not export" in refused["reason"]) == ("failed", True)
    assert rows(served, WALL, "/rows/users_ui?newest=1001")[0] == 400
    assert rows(served, WALL, "/rows/users_ui?newest=1000")[0] == 200
    assert answer(ana, do="copy", table="users_ui")["is"] == "opened"
    assert rows(served, ANA, "/rows/users_ui?newest=1001")[0] == 200


def test_a_key_that_is_withdrawn_opens_nothing_and_ends_what_was_begun(
    served: ServeProcess, wall: DoorClient, ana: DoorClient
) -> None:
    """Without a restart, and without a word to those who keep theirs."""
    keys = served.settings.access.file
    assert keys
    other = "another key of the wall display"
    write_keys(keys, wall=other)
    try:
        with pytest.raises(ConnectionClosed) as closed:
            wall.hear_until("nothing more")
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4401
        assert rows(served, WALL, "/rows/users_ui")[0] == 401
        with enter(served.settings, other) as again:
            assert again.open("users_ui")
        ana.say(do="ping", id=1)
        assert ana.hear_until("pong")["id"] == 1
    finally:
        write_keys(keys)
    await_that(lambda: rows(served, WALL, "/rows/users_ui")[0] == 200)

"""Code that hides in a text: a plain Deephaven compiles it, at the door a text is a text.

Deephaven looks at an expression before Java undoes unicode escapes, so what is a quoted text for the one ends the text
for the other. The code that is tried makes an empty folder, which is how one sees that it ran.
"""

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from deephaven_core.proto import table_pb2, table_pb2_grpc, ticket_pb2  # type: ignore[import-untyped]  # without stubs
from pydeephaven import Session
from pydeephaven.table import Table
from pydeephaven.ticket import ApplicationTicket

from door_client import enter
from tests.attacks.plain_deephaven import APPLICATION, NOTES, PlainDeephaven, ticket
from tests.attacks.stage import Stage
from websocket_frames import CLOSE, TEXT, frame, heard_frames

EXPRESSIONS: dict[str, Callable[[Table, str], Table]] = {
    "update": lambda table, code: table.update([f"x = `{code}`"]),
    "view": lambda table, code: table.view([f"x = `{code}`"]),
    "update_view": lambda table, code: table.update_view([f"x = `{code}`"]),
    "lazy_update": lambda table, code: table.lazy_update([f"x = `{code}`"]),
    "where": lambda table, code: table.where([f"text.concat(`{code}`).length() > 0"]),
}
STRUCTURED: dict[str, Callable[[str], table_pb2.Condition]] = {
    "column name": lambda code: table_pb2.Condition(
        is_null=table_pb2.IsNullCondition(reference=table_pb2.Reference(column_name=f"`{code}`"))
    ),
    "method": lambda code: table_pb2.Condition(
        invoke=table_pb2.InvokeCondition(
            method=f"text.concat(`{code}`).equals",
            arguments=[table_pb2.Value(literal=table_pb2.Literal(string_value="a"))],
        )
    ),
}
CODES: dict[str, Callable[[str], str]] = {
    "escaped": lambda code: code,
    "in backticks": lambda code: f"`{code}`",
    "in quotes": lambda code: f'"{code}"',
    "assigned": lambda code: f"x = `{code}`",
    "plain": lambda code: code.replace("\\u0022", '"'),
    "single quotes": lambda code: code.replace("\\u0022", "'"),
    "shell": lambda code: f"$(mkdir {code.split('u0022')[1].rstrip(chr(92))})",
    "python": lambda code: f"__import__('os').mkdir('{code.split('u0022')[1].rstrip(chr(92))}')",
}


def creating(marker: Path) -> str:
    """A text that is code to whoever undoes its escapes and compiles what comes out."""
    return f"\\u0022 + new java.io.File(\\u0022{marker}\\u0022).mkdir() + \\u0022"


@pytest.fixture
def session(control: PlainDeephaven) -> Iterator[Session]:
    """Of somebody who has the key of the control."""
    found = control.session()
    yield found
    found.close()


@pytest.mark.parametrize("operation", EXPRESSIONS)
def test_control_a_quoted_text_is_run(session: Session, tmp_path: Path, operation: str) -> None:
    """By every operation that takes an expression."""
    table = session.fetch_table(session.fetch(ApplicationTicket.app_ticket(APPLICATION, NOTES)))  # type: ignore[arg-type]

    EXPRESSIONS[operation](table, creating(tmp_path / "marker")).to_arrow()

    assert (tmp_path / "marker").exists()


@pytest.mark.parametrize("field", STRUCTURED)
def test_control_a_field_of_a_structured_filter_is_run(session: Session, tmp_path: Path, field: str) -> None:
    """These are printed into an expression again."""
    condition = STRUCTURED[field](creating(tmp_path / "marker"))

    table_pb2_grpc.TableServiceStub(session.grpc_channel).Filter(
        table_pb2.FilterTableRequest(
            result_id=session.make_export_ticket().pb_ticket,
            source_id=table_pb2.TableReference(ticket=ticket_pb2.Ticket(ticket=ticket(NOTES))),
            filters=[condition],
        ),
        metadata=session.grpc_metadata,
    )

    assert (tmp_path / "marker").exists()


def messages_with(text: str) -> Iterator[dict[str, Any]]:
    """Every message of docs/protocol.md, with the text in each field that has a text, or could have one."""
    view = {"do": "open", "view": 1, "table": "final_ui"}
    yield {**view, "table": text}
    yield {**view, "columns": [text]}
    yield {**view, "columns": ["userId", text]}
    yield {**view, "columns": text}
    yield {**view, "sort": [{"column": text, "direction": "ascending"}]}
    yield {**view, "sort": [{"column": "age", "direction": text}]}
    yield {**view, "search": text}
    for column in ("name", "age", "balance", text):
        for is_ in ("equal", "notEqual", "less", "greaterOrEqual", "containing", "startingWith", "endingWith", text):
            yield {**view, "filter": [{"column": column, "is": is_, "to": text}]}
        yield {**view, "filter": [{"column": column, "is": "oneOf", "to": [text, text]}]}
        yield {**view, "filter": [{"column": column, "is": "anyOf", "of": [{"is": "equal", "to": text}]}]}
        yield {**view, "filter": [{"column": column, "is": "null"}]}
    yield {**view, "filter": [{"column": "name", "is": "invoke", "method": text, "to": text}]}
    yield {**view, "filter": text}
    yield {**view, "view": text}
    yield {**view, text: text}
    yield {"do": text}
    yield {"do": "login", "key": text}
    yield {"do": "look", "view": text, "look": text, "first": text, "last": text}
    yield {"do": "close", "view": text}
    yield {"do": "ping", "id": text}


@pytest.mark.parametrize(("role", "form"), [*(("viewer", form) for form in CODES), ("operator", "escaped")])
def test_at_the_door_no_field_of_any_message_is_run(stage: Stage, tmp_path: Path, role: str, form: str) -> None:
    """Whoever sends it, over the WebSocket or over HTTP, and whatever is answered."""
    text = CODES[form](creating(tmp_path / "marker"))
    key = {"viewer": stage.viewer_key, "operator": stage.operator_key}[role]
    for message in messages_with(text):
        with stage.enter_raw(key) as client:
            client.sendall(frame(TEXT, json.dumps(message).encode()))
            _hear_it_out(client)
        described = {name: value for name, value in message.items() if name not in ("do", "view")}
        stage.ask("POST", "/rows", key=key, body=described)
    stage.ask("POST", "/control/message", key=key, body={"usersTopic": text, "accountsTopic": text})

    assert not (tmp_path / "marker").exists()


def _hear_it_out(client: socket.socket) -> None:
    """Return when what was asked for is refused, or its rows are here."""
    for kind, data in heard_frames(client):
        said = "refused" if kind == CLOSE else json.loads(data)["is"]
        if said == "opened":
            client.sendall(frame(TEXT, b'{"do":"look","view":1,"look":1,"first":0,"last":9}'))
        if said in ("refused", "failed", "rows"):
            return
    raise AssertionError("the connection has ended without a word")


def test_at_the_door_paths_and_headers_are_not_run(stage: Stage, tmp_path: Path) -> None:
    """They are texts of a stranger too."""
    code = creating(tmp_path / "marker")
    path = code.replace(" ", "%20").replace("\\", "%5c")
    for asked in (f"/rows/{path}", f"/rows/final_ui?newest={path}", f"/{path}", f"/control/topics?{path}"):
        stage.ask("GET", asked)
    for header in ("Authorization", "Origin", "Host", "User-Agent", "X-Forwarded-For"):
        stage.ask("GET", "/rows/final_ui", headers={header: code})

    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize(
    "text",
    [
        "\\u0022 + 1 + \\u0022",
        '"; System.exit(1); //',
        "`x` == `x`",
        "(a+)+$",
        ".*",
        "\\Q.*\\E",
        "\\E.*\\Q",
        "%",
        "' OR '1'='1",
        "\x00",
        "\\",
        "null",
        "🦊\u202e",
    ],
)
def test_at_the_door_a_text_finds_the_row_that_has_it_and_no_other(stage: Stage, text: str) -> None:
    """A value is compared as it is, whatever it looks like, by each way to compare."""
    stage.write("literal", name=text, email=f"<{text}>")
    stage.await_name("literal", text)
    with enter(stage.settings, stage.viewer_key) as viewer:
        for is_, to in (("equal", text), ("oneOf", [text]), ("startingWith", text), ("endingWith", text)):
            view = viewer.open("final_ui", last=9, columns=["userId"], filter=[{"column": "name", "is": is_, "to": to}])
            assert viewer.views[view].table == [["literal"]], is_
        view = viewer.open("final_ui", last=9, columns=["userId"], search=f"<{text}>")
        assert viewer.views[view].table == [["literal"]]
    assert [row["userId"] for row in stage.rows(search=f"<{text}>")] == ["literal"]

"""What Deephaven does for a key beside showing tables: publish, store, upload, query, complete. None of it is here."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]  # without stubs
import pytest
from deephaven_core.proto import (  # type: ignore[import-untyped]  # without stubs
    console_pb2,
    console_pb2_grpc,
    session_pb2,
    storage_pb2,
    storage_pb2_grpc,
    ticket_pb2,
)
from google.protobuf.any_pb2 import Any as AnyMessage  # type: ignore[import-untyped]  # without stubs
from grpc import RpcError, StatusCode  # type: ignore[import-untyped]  # without stubs
from pyarrow import flight
from pydeephaven import Session
from pydeephaven.ticket import ApplicationTicket, SharedTicket

from tests.attacks.deephaven_calls import is_grpc, over_http
from tests.attacks.plain_deephaven import APPLICATION, NOTES, PlainDeephaven, ticket
from tests.attacks.stage import Stage

PACKAGE = "io.deephaven.proto.backplane.grpc"
SQL = "type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery"


@pytest.fixture
def session(control: PlainDeephaven) -> Iterator[Session]:
    """Of somebody who has the key of the control."""
    found = control.session()
    yield found
    found.close()


def test_control_a_visitor_publishes_a_table_for_others(control: PlainDeephaven, session: Session) -> None:
    """Under a name that another session fetches: what is shown there is what the visitor wants to be shown."""
    mine = session.fetch_table(session.fetch(ApplicationTicket.app_ticket(APPLICATION, NOTES)))  # type: ignore[arg-type]
    forged, shared = mine.update(["text = `forged`"]), SharedTicket.random_ticket()
    session.publish_table(shared, forged)
    other = control.session()
    try:
        assert other.fetch_table(shared).to_arrow().to_pydict()["text"] == ["forged", "forged"]
    finally:
        other.close()


def test_control_a_visitor_writes_moves_and_deletes_files(control: PlainDeephaven, session: Session) -> None:
    """Into the data folder of the server."""
    files = storage_pb2_grpc.StorageServiceStub(session.grpc_channel)
    folder = control.folder / "data" / "storage" / "notebooks"
    files.SaveFile(
        storage_pb2.SaveFileRequest(path="/notebooks/mine.py", contents=b"x"), metadata=session.grpc_metadata
    )
    assert (folder / "mine.py").read_bytes() == b"x"
    moved = storage_pb2.MoveItemRequest(old_path="/notebooks/mine.py", new_path="/notebooks/theirs.py")
    files.MoveItem(moved, metadata=session.grpc_metadata)
    assert not (folder / "mine.py").exists()
    files.DeleteItem(storage_pb2.DeleteItemRequest(path="/notebooks/theirs.py"), metadata=session.grpc_metadata)
    assert not (folder / "theirs.py").exists()


def test_control_a_visitor_uploads_a_table(session: Session) -> None:
    """By Flight's DoPut, of any size."""
    uploaded = session.import_table(pa.table({"text": ["uploaded"]}))

    assert uploaded.to_arrow().to_pydict() == {"text": ["uploaded"]}


def test_control_a_visitor_asks_in_sql(control: PlainDeephaven, session: Session) -> None:
    """By Flight SQL, which is a second language of expressions."""
    wanted = AnyMessage(type_url=SQL, value=b"\x0a\x0cSELECT 1 = 1")
    options = flight.FlightCallOptions(headers=list(session.grpc_metadata))
    with flight.connect(f"grpc://{control.address}") as client:
        info = client.get_flight_info(flight.FlightDescriptor.for_command(wanted.SerializeToString()), options)
        rows = client.do_get(info.endpoints[0].ticket, options).read_all()
    assert rows.num_rows == 1


def test_control_autocomplete_and_console_are_reached(session: Session) -> None:
    """The one works although the console is disabled, the other is refused by a setting only."""
    console = console_pb2_grpc.ConsoleServiceStub(session.grpc_channel)
    opened = console_pb2.AutoCompleteRequest(
        console_id=ticket_pb2.Ticket(ticket=b"x"),
        open_document=console_pb2.OpenDocumentRequest(
            text_document=console_pb2.TextDocumentItem(uri="a", language_id="python", version=1, text="import o")
        ),
    )
    # It ends without an error.
    for _ in console.AutoCompleteStream(iter([opened]), metadata=session.grpc_metadata, timeout=3):
        pass
    with pytest.raises(RpcError) as said:
        console.ExecuteCommand(console_pb2.ExecuteCommandRequest(code="1"), metadata=session.grpc_metadata)
    assert said.value.code() is not StatusCode.UNAVAILABLE


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with what is in it."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("who", ["", "viewer", "operator"])
def test_at_the_door_the_same_calls_change_nothing(stage: Stage, who: str) -> None:
    """No file comes, goes or changes, and no name is there afterwards that was not there before."""
    given = {"Authorization": f"Bearer {stage.keys[who]}"} if who else {}
    source, target = ticket_pb2.Ticket(ticket=ticket(NOTES)), ticket_pb2.Ticket(ticket=b"s/mine")
    before = files_of(stage.settings.data_dir)
    calls = {
        f"{PACKAGE}.SessionService/PublishFromTicket": session_pb2.PublishRequest(source_id=source, result_id=target),
        f"{PACKAGE}.StorageService/SaveFile": storage_pb2.SaveFileRequest(path="/mine.py", contents=b"x"),
        f"{PACKAGE}.StorageService/MoveItem": storage_pb2.MoveItemRequest(old_path="../key", new_path="/key"),
        f"{PACKAGE}.StorageService/DeleteItem": storage_pb2.DeleteItemRequest(path="../../key"),
        "io.deephaven.proto.backplane.script.grpc.ConsoleService/ExecuteCommand": console_pb2.ExecuteCommandRequest(
            code="open('mine', 'w')"
        ),
    }
    for method, request in calls.items():
        answer, body = over_http(stage.port, method, request.SerializeToString(), given)
        assert not is_grpc(answer, body)
    with pytest.raises(flight.FlightUnavailableError), flight.connect(f"grpc://127.0.0.1:{stage.port}") as client:
        client.do_put(flight.FlightDescriptor.for_path("mine"), pa.schema([("text", pa.string())]))[0].close()

    assert files_of(stage.settings.data_dir) == before
    for name in ("mine", "s/mine", "h/mine", "a/livejoin/f/notes", "notes"):
        assert stage.ask("POST", "/rows", key=stage.operator_key, body={"table": name}).status == 404

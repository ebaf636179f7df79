"""Every call that Deephaven knows is unknown at the door, and nothing that could answer it is even loaded."""

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from tests.attacks.deephaven_calls import NEW_SESSION, every_method, is_grpc, over_http, over_http2, over_websocket
from tests.attacks.plain_deephaven import PlainDeephaven
from tests.attacks.stage import Stage, jcmd
from websocket_frames import TEXT, frame, heard_frames

SERVER_PACKAGES = (
    "io.grpc.",
    "org.eclipse.jetty.",
    "io.deephaven.server.",
    "org.apache.arrow.flight.",
    "io.netty.channel.",
)
HARMLESS = {
    "io.deephaven.server.plugin.python.LivePyObjectWrapper",
    "io.grpc.stub.StreamObserver",
    "io.grpc.StatusRuntimeException",
}
"""What Deephaven's Python library names when it is imported: a holder of Python objects, and an interface. The
exception comes with an archive of classes, which loads what those in it may catch."""


def listening(pid: int) -> set[tuple[str, int]]:
    """Where a process and its children listen, for whatever protocol."""
    process = psutil.Process(pid)
    return {
        (connection.laddr.ip.removeprefix("::ffff:"), connection.laddr.port)
        for one in (process, *process.children(recursive=True))
        for connection in one.net_connections("all")
        if connection.status == psutil.CONN_LISTEN
    }


def loaded_server_classes(pid: int) -> set[str]:
    """The classes of a server that the JVM of a process has loaded."""
    lines = [line.lstrip("| -") for line in jcmd(pid, "VM.class_hierarchy").splitlines()]
    return {line.split("/0x")[0] for line in lines if line.startswith(SERVER_PACKAGES)}


def test_the_list_comes_from_the_installation() -> None:
    """It has the services that are known to be dangerous, so it is not empty by mistake."""
    methods = every_method()

    assert NEW_SESSION in methods
    for known in ("ConsoleService/ExecuteCommand", "StorageService/SaveFile", "FlightService/DoPut", "Health/Check"):
        assert any(method.endswith(known) for method in methods)
    assert len(methods) > 100


def test_control_every_method_is_answered_as_grpc(control: PlainDeephaven) -> None:
    """Over gRPC-web, over HTTP/2 and inside of a WebSocket of another site: if only that this needs a session."""
    for method in every_method():
        assert is_grpc(*over_http(control.port, method)), method
        assert over_http2(control.port, method), method
        assert over_websocket(control.port, method, origin="http://elsewhere.example"), method


@pytest.mark.parametrize("who", ["", "viewer", "operator"])
def test_at_the_door_no_method_is_answered_as_grpc(stage: Stage, who: str) -> None:
    """Whichever key comes with it, over each of the three ways."""
    headers = {"Authorization": f"Bearer {stage.keys[who]}"} if who else {}
    for method in every_method():
        answer, body = over_http(stage.port, method, headers=headers)
        assert answer.status in (404, 405), method
        assert not is_grpc(answer, body), method
        assert not over_http2(stage.port, method, headers), method
        with pytest.raises(InvalidStatus):
            over_websocket(stage.port, method, headers=headers)


def test_at_the_door_a_call_inside_of_the_websocket_ends_it(stage: Stage) -> None:
    """Where somebody is logged in, frames of Deephaven's protocol are no messages, whatever method they name."""
    for number, method in enumerate(every_method()):
        call = b"\0\0\0\1" + f"grpc-websockets-path:/{method}\r\nx-grpc-web:1\r\n".encode()
        with stage.enter_raw() as client:
            client.sendall(frame(TEXT if number % 2 else 2, call))
            heard = [data for _, data in heard_frames(client)]
        assert len(heard) == 3, method
        assert b"welcome" in heard[0], method
        assert int.from_bytes(heard[2][:2], "big") == 4400, method


def test_control_a_server_of_deephaven_is_loaded(control: PlainDeephaven) -> None:
    """What the next test looks for can be seen where there is one."""
    loaded = loaded_server_classes(control.process.pid)
    for package in ("io.grpc.", "org.eclipse.jetty.", "io.deephaven.server."):
        assert any(name.startswith(package) for name in loaded)
    assert (control.host, control.port) in listening(control.process.pid)


def test_the_table_server_has_one_socket_on_loopback_and_no_server_of_deephaven(stage: Stage) -> None:
    """Nothing of gRPC, Jetty, Netty's channels, Flight or Deephaven's server is loaded that could answer anybody."""
    assert listening(stage.served.process.pid) == {("127.0.0.1", stage.port)}
    assert loaded_server_classes(stage.served.process.pid) <= HARMLESS

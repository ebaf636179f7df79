"""What somebody gets who has no key: every row of a plain Deephaven, and nothing at the door.

What is tried at the door in Deephaven's language is nothing there with a key either.
"""

import grpc  # type: ignore[import-untyped]  # without stubs
import pytest
from deephaven_core.proto import session_pb2, session_pb2_grpc  # type: ignore[import-untyped]  # without stubs
from pydeephaven import DHError, Session
from websockets.exceptions import InvalidStatus

from tests.attacks.deephaven_calls import NEW_SESSION, is_grpc, over_http, over_http2, over_websocket
from tests.attacks.plain_deephaven import KEY, PSK, PlainDeephaven, read_without_login
from tests.attacks.stage import Stage

STRANGER = "http://elsewhere.example"


def test_control_a_session_is_handed_out_for_nothing_and_reads_tables(control: PlainDeephaven) -> None:
    """The deprecated NewSession asks for no credentials, and its token is as good as that of a key."""
    with control.channel() as channel:
        handed = session_pb2_grpc.SessionServiceStub(channel).NewSession(session_pb2.HandshakeRequest())
    assert "of the control" in read_without_login(control.address, handed.session_token)


def test_control_the_login_that_everybody_uses_does_ask(control: PlainDeephaven) -> None:
    """So the key is not off: it is walked around."""
    with pytest.raises(DHError):
        Session(host=control.host, port=control.port, auth_type="Anonymous")


def test_control_who_has_the_key_is_let_in(control: PlainDeephaven) -> None:
    """By the same call that is tried at the door with both of its keys."""
    session = Session(host=control.host, port=control.port, auth_type=PSK, auth_token=KEY)
    assert session.is_alive
    session.close()


@pytest.mark.parametrize("who", ["", "viewer", "operator"])
@pytest.mark.parametrize("auth_type", ["Anonymous", "Bearer", PSK])
def test_at_the_door_there_is_no_session_to_be_had(stage: Stage, who: str, auth_type: str) -> None:
    """Neither by gRPC itself nor by Deephaven's own client, whichever key they bring; nobody answers that language."""
    key = stage.keys[who]
    authorization = f"{auth_type} {key}".strip()
    with grpc.insecure_channel(f"127.0.0.1:{stage.port}") as channel:
        with pytest.raises(grpc.RpcError) as refused:
            session_pb2_grpc.SessionServiceStub(channel).NewSession(
                session_pb2.HandshakeRequest(), timeout=3, metadata=[("authorization", authorization)]
            )
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    with pytest.raises(DHError):
        Session(host="127.0.0.1", port=stage.port, auth_type=auth_type, auth_token=key)
    assert not over_http2(stage.port, NEW_SESSION, {"Authorization": authorization})


def test_control_a_page_of_any_site_may_read_what_a_call_answers(control: PlainDeephaven) -> None:
    """The answer allows the origin that asked, whichever it is."""
    answer, body = over_http(control.port, NEW_SESSION, headers={"Origin": STRANGER})

    assert is_grpc(answer, body)
    assert answer.headers["access-control-allow-origin"] == STRANGER


def test_at_the_door_a_page_of_another_site_reads_nothing(stage: Stage) -> None:
    """It is refused, and what it is told is not for it to read."""
    answer, body = over_http(stage.port, NEW_SESSION, headers={"Origin": STRANGER})

    assert answer.status == 403
    assert not is_grpc(answer, body)
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_control_a_websocket_of_any_site_gets_a_session(control: PlainDeephaven) -> None:
    """Nothing looks at the origin, and the method stands inside of the frames where no proxy sees it."""
    heard = over_websocket(control.port, NEW_SESSION, origin=STRANGER)

    assert any(b"Bearer " in part for part in heard)


@pytest.mark.parametrize("who", ["", "viewer", "operator"])
@pytest.mark.parametrize("origin", [STRANGER, ""])
def test_at_the_door_no_websocket_speaks_grpc(stage: Stage, origin: str, who: str) -> None:
    """That of another site is not even opened, nor is that of a program at any path but the one that there is."""
    headers = {"Authorization": f"Bearer {stage.keys[who]}"} if who else {}
    with pytest.raises(InvalidStatus) as refused:
        over_websocket(stage.port, NEW_SESSION, origin=origin, headers=headers)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("table", ["final_ui", "orchestrator_status", "control_raw", "dead_letters", "generations"])
def test_at_the_door_no_row_is_sent_without_a_key(stage: Stage, table: str) -> None:
    """Not of any table, by any way in, with no key, an empty one or a wrong one."""
    stage.write("secret", name="nobody-may-read-this")
    answers = [
        stage.ask("GET", f"/rows/{table}", key=""),
        stage.ask("POST", "/rows", key="", body={"table": table}),
        stage.ask("GET", f"/rows/{table}", key="", headers={"Authorization": "Bearer "}),
        stage.ask("GET", f"/rows/{table}", key="", headers={"Authorization": f"Basic {stage.viewer_key}"}),
        stage.ask("GET", f"/rows/{table}?key={stage.viewer_key}", key=""),
    ]

    assert {answer.status for answer in answers} == {401}
    assert all(b"nobody-may" not in answer.body and b"userId" not in answer.body for answer in answers)
    assert stage.ask("GET", f"/rows/{table}").status == 200


def test_nothing_is_served_beside_the_documented_paths(stage: Stage) -> None:
    """Without a key there is the page and health, and none of them has a row."""
    for path in ("/", "/healthz", "/readyz"):
        assert stage.ask("GET", path, key="").status == 200
    for path in ("/control/topics", "/rows/final_ui", "/declaration", "/metrics"):
        assert stage.ask("GET", path, key="").status == 401

"""Tricks with JSON, numbers, paths and heads of requests: each has the dull answer that it should have."""

import json
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from await_that import await_that
from door_client import DoorClient
from tests.attacks.stage import Attacked, Stage
from websocket_frames import CLOSE, TEXT, frame, hear_welcome, heard_frames

HUGE = "1" + "0" * 400


ODD = [
    '{"do":"open","view":1,"table":"nothing","table":"final_ui","view":2}',
    '{"do":"ping","id":NaN}',
    '{"do":"ping","id":1e400}',
    f'{{"do":"ping","id":{HUGE}}}',
    '{"do":"ping","id":1}{"do":"ping","id":2}',
    '{"do":"ping","id":"\\ud800"}',
    '{"do":"open","view":1,"table":"\\ud800"}',
    '{"do":"open","view":1,"table":"final_ui\\u0000"}',
    '{"do":"open","view":1,"table":"final_ui","\\ud800":1}',
    '{"do":"open","view":1,"table":"final_ui","__proto__":{"a":1}}',
    '{"do":["open"],"view":1,"table":"final_ui"}',
    "\ufeff" + '{"do":"ping","id":1}',
    '{"a":' * 5_000 + "1" + "}" * 5_000,
    "[" * 30_000 + "]" * 30_000,
    '"' + "\\u0000" * 10_000 + '"',
    "",
]


def answer_to(server: Attacked, message: str) -> tuple[int, bytes] | None:
    """What is answered to a message after the login; nothing where it is passed over or the line goes dead."""
    with server.enter_raw() as client:
        client.settimeout(2.0)
        client.sendall(frame(TEXT, message.encode()))
        heard = heard_frames(client)
        hear_welcome(heard)
        try:
            return next(heard, None)
        except OSError:
            return None


def is_dull(answer: tuple[int, bytes] | None) -> bool:
    """A view that is opened or not, or the frame that closes and says why."""
    if answer is None:
        return False
    kind, data = answer
    if kind == CLOSE:
        return int.from_bytes(data[:2], "big") == 4400
    return json.loads(data)["is"] in ("opened", "failed")


def test_control_odd_json_confuses_a_server_that_believes_what_it_is_told(unguarded: Attacked) -> None:
    """Most of it is taken for something, or ends the connection without a word."""
    assert sum(not is_dull(answer_to(unguarded, message)) for message in ODD) >= len(ODD) // 2


@pytest.mark.parametrize("message", ODD, ids=range(len(ODD)))
def test_odd_json_is_a_message_or_ends_the_connection(stage: Stage, message: str) -> None:
    """It is answered, or the frame that closes says why; it is never passed over in silence."""
    assert is_dull(answer_to(stage, message))


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", str(2**63), str(-(2**63) - 1), "1e308", f'"{"9" * 40}"'])
@pytest.mark.parametrize("is_", ["equal", "less", "greater", "greaterOrEqual"])
def test_numbers_beyond_any_column_are_answered(stage: Stage, viewer: DoorClient, number: str, is_: str) -> None:
    """With the rows that they compare so with: all of them or none."""
    question = f'{{"column":"age","is":"{is_}","to":{number}}}'
    viewer.socket.send(f'{{"do":"open","view":1,"table":"final_ui","filter":[{question}]}}')
    assert viewer.hear()["is"] == "opened"
    viewer.say(do="look", view=1, look=1, first=0, last=0)
    [change] = viewer.hear_until("rows")["changes"]
    is_all = (is_ == "less") != number.startswith("-") if is_ != "equal" else False
    assert (change["size"] > 0) == is_all
    answer = stage.ask("POST", "/rows?newest=1", body=f'{{"table":"final_ui","filter":[{question}]}}'.encode())
    assert len(answer.rows) == is_all


def test_one_of_many_decimals_is_found_whatever_the_sign_of_zero(stage: Stage) -> None:
    """As numbers compare: the zeros are one, what is not a number is only itself, and null is none of them."""
    for user, balance in {"zero": 0.0, "minus": -0.0, "half": 2.5, "none": None, "other": 2.25}.items():
        stage.write(f"decimal {user}", balance=balance)
    kept = {"column": "userId", "is": "startingWith", "to": "decimal "}
    await_that(lambda: len(stage.rows(filter=[kept])) == 5)
    for zero in (0.0, -0.0):
        asked = {"column": "balance", "is": "oneOf", "to": [3.5, zero, "NaN", 2.5, 1e300, "Infinity", 2.5]}
        found = {row["userId"].removeprefix("decimal ") for row in stage.rows(filter=[kept, asked])}
        assert found == {"zero", "minus", "half"}


A_THOUSAND_TIMES = {"table": "final_ui", "columns": ["name"] * 1_000}


def test_control_one_column_a_thousand_times_is_written_a_thousand_times(unguarded: Attacked) -> None:
    """A hundred rows of some bytes become more than a megabyte."""
    answer = unguarded.ask("POST", "/rows", body=A_THOUSAND_TIMES)
    assert (answer.status, len(answer.body) > 1_000_000) == (200, True)


def test_one_column_a_thousand_times_is_refused(stage: Stage) -> None:
    """One short message would else be answered by a thousand times the rows."""
    assert stage.ask("POST", "/rows", body=A_THOUSAND_TIMES).status == 400


@pytest.mark.parametrize(
    "path",
    [
        "/..%2f..%2f..%2fpyproject.toml",
        "/%2e%2e/%2e%2e/key",
        "/../../key",
        "//etc/passwd",
        "/..%5c..%5ckey.txt",
        "/%00key.txt",
        "/assets/..%2f..%2fkey.txt",
        "/rows/..%2fconfig.json",
        "/rows/%2e%2e%2fhealthz",
        "/rows/final_ui%00",
        "/%ff%fe.js",
    ],
)
def test_no_path_leads_out_of_the_page(stage: Stage, path: str) -> None:
    """The answer is the page itself or that there is nothing, and never a file of somebody else."""
    names = f"Host: 127.0.0.1\r\nAuthorization: Bearer {stage.viewer_key}\r\nConnection: close\r\n"
    answer = stage.say_raw(f"GET {path} HTTP/1.1\r\n{names}\r\n".encode())

    status = int(answer.split(b" ", 2)[1])
    assert status in (200, 301, 307, 404)
    assert status != 200 or b"<lj-app" in answer
    for secret in (stage.viewer_key.encode(), b"root:", b"[project]", Path(__file__).name.encode()):
        assert secret not in answer


TWO_MEANINGS = [
    "POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello",
    "POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: elsewhere.example\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\r\n",
    "GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1@elsewhere.example\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1.elsewhere.example\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "x" * 600_000 + "\r\n\r\n",
]
TWO_LENGTHS, TOO_LONG = TWO_MEANINGS[0], TWO_MEANINGS[-1]


def first_status(server: Attacked, request: str) -> int:
    """Of the answer to a request."""
    with socket.create_connection(("127.0.0.1", server.port), 1.0) as client:
        with suppress(OSError):
            client.sendall(request.encode())
        return int(client.recv(65_536).split(b" ", 2)[1])


def with_one_behind(server: Attacked, request: str) -> bytes:
    """Everything that is answered to a request that hides a second one."""
    hidden = f"GET /rows/final_ui HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.viewer_key}\r\n\r\n"
    return server.say_raw((request + hidden).encode(), until_end=1.0)


def test_control_without_the_guard_a_request_can_have_two_meanings(unguarded: Attacked) -> None:
    """What is hidden behind one is answered, names of others are answered to, and a head may be as long as it likes."""
    assert b"userId" in with_one_behind(unguarded, TWO_LENGTHS)
    strange = [request for request in TWO_MEANINGS if "GET" in request and request.count("elsewhere.example") > 0]
    answered = [first_status(unguarded, request) for request in (TOO_LONG, *strange)]
    assert answered.count(200) >= 3, answered


@pytest.mark.parametrize("request_", TWO_MEANINGS, ids=range(len(TWO_MEANINGS)))
def test_a_request_with_two_meanings_has_none(stage: Stage, request_: str) -> None:
    """It is refused, and what is hidden behind it is not taken for a second request."""
    assert first_status(stage, request_) >= 400
    if request_ == TWO_LENGTHS:
        assert b"userId" not in with_one_behind(stage, request_)


def test_control_without_the_guard_a_browser_is_told_nothing(unguarded: Attacked) -> None:
    """An answer could be framed, and be taken for a script."""
    headers = unguarded.ask("GET", "/healthz", key="").headers
    assert {"content-security-policy", "x-content-type-options", "cross-origin-resource-policy"}.isdisjoint(headers)


def test_every_answer_carries_what_keeps_a_browser_careful(stage: Stage) -> None:
    """Whatever is asked for, and whether it is there or not."""
    for path in ("/", "/healthz", "/rows/final_ui", "/nothing.js", "/control/topics"):
        answer = stage.ask("GET", path, key="")
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"

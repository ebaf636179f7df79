"""Tricks with JSON, numbers, paths and heads of requests: each has the dull answer that it should have."""

import json
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from attacks.stage import CLOSE, TEXT, Stage, frame, heard_frames
from door_client import DoorClient

HUGE = "1" + "0" * 400


@pytest.mark.parametrize(
    "message",
    [
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
    ],
    ids=range(16),
)
def test_odd_json_is_a_message_or_ends_the_connection(stage: Stage, message: str) -> None:
    """It is answered, or the frame that closes says why; it is never passed over in silence."""
    with stage.enter_raw() as client:
        client.sendall(frame(TEXT, message.encode()))
        heard = heard_frames(client)
        assert b"welcome" in next(heard)[1]
        kind, data = next(heard)
        assert kind == CLOSE or json.loads(data)["is"] in ("opened", "failed")
        assert kind != CLOSE or int.from_bytes(data[:2], "big") == 4400


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


def test_one_column_a_thousand_times_is_refused(stage: Stage) -> None:
    """One short message would else be answered by a thousand times the rows."""
    asked = {"table": "final_ui", "columns": ["name"] * 1_000}

    assert stage.ask("POST", "/rows", body=asked).status == 400


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


@pytest.mark.parametrize(
    "request_",
    [
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
    ],
    ids=range(13),
)
def test_a_request_with_two_meanings_has_none(stage: Stage, request_: str) -> None:
    """It is refused, and what is hidden behind it is not taken for a second request."""
    hidden = f"GET /rows/final_ui HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {stage.viewer_key}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", stage.port), 1.0) as client:
        with suppress(OSError):
            client.sendall(request_.encode())
        heard = client.recv(65_536)
    assert int(heard.split(b" ", 2)[1]) >= 400
    if "Content-Length: 5\r\n" in request_ and "chunked" in request_:
        assert b"userId" not in stage.say_raw((request_ + hidden).encode(), until_end=1.0)


def test_every_answer_carries_what_keeps_a_browser_careful(stage: Stage) -> None:
    """Whatever is asked for, and whether it is there or not."""
    for path in ("/", "/healthz", "/rows/final_ui", "/nothing.js", "/control/topics"):
        answer = stage.ask("GET", path, key="")
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"

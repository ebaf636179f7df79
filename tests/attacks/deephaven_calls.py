"""Every call that the installed Deephaven knows, and the three ways in which a stranger can make it.

The list comes from the class files of the installation: a method that a later version brings is in it.
"""

import http.client
import re
import socket
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Subprotocol

SECONDS = 3.0
A_MOMENT = 0.5
NEW_SESSION = "io.deephaven.proto.backplane.grpc.SessionService/NewSession"
MULTIPLEX = Subprotocol("grpc-websockets-multiplex")
GRPC_WEB = "application/grpc-web+proto"
_METHOD = re.compile(rb"((?:[a-z]\w*\.)+[A-Z]\w*/[A-Z]\w*)")
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4


@cache
def every_method() -> tuple[str, ...]:
    """As `package.Service/Method`, sorted."""
    spec = find_spec("deephaven_server")
    assert spec
    assert spec.submodule_search_locations
    jars = Path(spec.submodule_search_locations[0], "jars").glob("*.jar")
    return tuple(sorted({method for jar in jars for method in _methods_in(jar)}))


def message(data: bytes = b"") -> bytes:
    """A message as gRPC frames it."""
    return struct.pack(">BI", 0, len(data)) + data


def over_http(
    port: int, method: str, data: bytes = b"", headers: Mapping[str, str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """The call as gRPC-web, which any page of any browser can make; the answer and its body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        wanted = {"content-type": GRPC_WEB, "x-grpc-web": "1", **(headers or {})}
        connection.request("POST", f"/{method}", message(data), wanted)
        answer = connection.getresponse()
        return answer, answer.read()


def is_grpc(answer: http.client.HTTPResponse, body: bytes) -> bool:
    """Whether an answer has the status of a call, in a header or behind the messages."""
    return "grpc-status" in answer.headers or b"grpc-status" in body


def over_http2(port: int, method: str, headers: Mapping[str, str] | None = None) -> bool:
    """Whether the call is answered as HTTP/2, which is what gRPC itself speaks."""
    names = {
        ":method": "POST",
        ":scheme": "http",
        ":path": f"/{method}",
        ":authority": f"127.0.0.1:{port}",
        "content-type": "application/grpc",
        "te": "trailers",
        **{name.lower(): text for name, text in (headers or {}).items()},
    }
    call = _frame(_HEADERS, _END_HEADERS, 1, b"".join(_literal(*pair) for pair in names.items()))
    with socket.create_connection(("127.0.0.1", port), SECONDS) as client:
        client.sendall(_PREFACE + _frame(_SETTINGS, 0, 0, b"") + call + _frame(_DATA, _END_STREAM, 1, message()))
        heard = b""
        while not _answers_stream(heard):
            try:
                part = client.recv(65_536)
            except ConnectionError:
                return False
            if not part:
                return False
            heard += part
    return True


def over_websocket(
    port: int, method: str, data: bytes = b"", origin: str = "", headers: Mapping[str, str] | None = None
) -> list[bytes]:
    """The call inside of a WebSocket, as Deephaven's own pages make it; what comes back up to the end of the call."""
    given = "".join(f"{name.lower()}:{text}\r\n" for name, text in (headers or {}).items())
    head = f"grpc-websockets-path:/{method}\r\ncontent-type:application/grpc-web+proto\r\nx-grpc-web:1\r\n{given}"
    heard: list[bytes] = []
    with connect(
        f"ws://127.0.0.1:{port}/{method}",
        subprotocols=[MULTIPLEX],
        origin=origin or None,  # type: ignore[arg-type]  # any text is one
        additional_headers=headers,
        compression=None,
        open_timeout=SECONDS,
        close_timeout=0.1,
    ) as stream:
        stream.send(struct.pack(">I", 1) + head.encode())
        stream.send(struct.pack(">IB", 1, 0) + message(data))
        stream.send(struct.pack(">IB", 1, 1))
        try:
            while not heard or b"grpc-status" not in heard[-1]:
                part = stream.recv(A_MOMENT if heard else SECONDS)
                heard.append(part if isinstance(part, bytes) else part.encode())
        except TimeoutError:
            # A call that goes on for ever has been answered, too.
            assert heard, method
    return heard


def _methods_in(jar: Path) -> Iterator[str]:
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith("Grpc.class"):
                yield from (found.decode() for found in _METHOD.findall(archive.read(name)))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _literal(name: str, value: str) -> bytes:
    """A header that is in no table, neither compressed nor kept."""
    assert max(len(name), len(value)) < 127
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def _answers_stream(heard: bytes) -> bool:
    """Whether there are the headers of an answer to the first stream among whole frames."""
    while len(heard) >= 9:
        length, kind = int.from_bytes(heard[:3], "big"), heard[3]
        stream = int.from_bytes(heard[5:9], "big")
        if kind == _HEADERS and stream == 1:
            return True
        heard = heard[9 + length :]
    return False

"""A WebSocket by hand, byte by byte, for what no client would send."""

import base64
import os
import socket
import struct
from collections.abc import Iterator

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def handshake(port: int, path: str = "/tables", **headers: str) -> tuple[socket.socket, bytes]:
    """A plain socket that has asked for a WebSocket, and the head of the answer. Whoever asks closes it."""
    nonce = base64.b64encode(os.urandom(16)).decode()
    lines = {
        "Host": f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": nonce,
        "Sec-WebSocket-Version": "13",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    client = socket.create_connection(("127.0.0.1", port), 10.0)
    client.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer and (part := client.recv(1)):
        answer += part
    return client, answer


def frame(kind: int, data: bytes, *, is_last: bool = True) -> bytes:
    """A frame of a client, with a mask that changes nothing."""
    size = len(data)
    head = bytes([is_last << 7 | kind])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65_536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    return head + b"\0\0\0\0" + data


def heard_frames(client: socket.socket) -> Iterator[tuple[int, bytes]]:
    """What comes over a WebSocket, as kinds and data, up to the frame that closes it or the end of the connection."""
    with client.makefile("rb") as stream:
        while len(head := stream.read(2)) == 2:
            size = head[1] & 0x7F
            if size == 126:
                size = int.from_bytes(stream.read(2), "big")
            elif size == 127:
                size = int.from_bytes(stream.read(8), "big")
            yield head[0] & 0x0F, stream.read(size)
            if head[0] & 0x0F == CLOSE:
                return


def hear_welcome(heard: Iterator[tuple[int, bytes]]) -> None:
    """What whoever is let in hears first, where there are tables."""
    for is_ in (b"welcome", b"declared"):
        assert b'"is":"%s"' % is_ in next(heard)[1]


def hear_to_the_end(client: socket.socket, said: bytes = b"") -> bytes:
    """Everything that comes until the other side ends it, or the socket's patience does."""
    heard = b""
    try:
        client.sendall(said)
        while part := client.recv(65_536):
            heard += part
    except OSError:
        pass
    return heard

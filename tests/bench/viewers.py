"""Many who look at rows over WebSockets, in one process that does as little as it can while it measures.

What comes is kept with the moment in which it came, and is read when the time is over: so a hundred of them hardly
cost more than one here, and what is measured is the server. `many_viewers.py` starts this.
"""

import json
import os
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

TEXT, PING, PONG = 1, 9, 10
SETTLING_SECONDS = 1.0
AT_ONCE = 1 << 18


@dataclass
class Viewer:
    """One connection that looks at the first rows of a view."""

    connection: socket.socket
    heard: bytearray = field(default_factory=bytearray)
    """What came before it was measured."""
    parts: list[tuple[int, bytes]] = field(default_factory=list)
    """What came since, and when, in nanoseconds."""
    unread: bytearray = field(default_factory=bytearray)
    """The end of what came: the beginning of a frame."""

    def hear(self) -> None:
        """Keep what has come, and answer pings, without which a server takes somebody for gone."""
        part = self.connection.recv(AT_ONCE)
        self.parts.append((time.time_ns(), part))
        assert part, "the server has ended a connection"
        self.unread += part
        read = 0
        for end, kind, data in frames(self.unread):
            read = end
            if kind == PING:
                self.connection.sendall(bytes([0x80 | PONG, 0x80 | len(data)]) + bytes(4) + data)
        del self.unread[:read]

    def say(self, message: dict[str, object]) -> None:
        """Send a message, with a mask that changes nothing."""
        data = json.dumps(message).encode()
        self.connection.sendall(bytes([0x80 | TEXT, 0x80 | 126]) + len(data).to_bytes(2, "big") + bytes(4) + data)

    def await_answer(self, *kinds: str) -> None:
        """Return when a message of one of these kinds has come."""
        while True:
            for end, kind, data in frames(self.heard):
                message = json.loads(data) if kind == TEXT else {"is": ""}
                assert message["is"] not in ("refused", "failed"), message
                if message["is"] in kinds:
                    del self.heard[:end]
                    self.unread = bytearray(self.heard)
                    return
            part = self.connection.recv(AT_ONCE)
            assert part, "the server has ended a connection"
            self.heard += part

    def sightings(self, since: int, written: Callable[[list[Any]], int]) -> Iterator[tuple[int, float]]:
        """When each changed row came, in nanoseconds, and how late it was, in milliseconds.

        `written` tells when a row was written, in microseconds; those written before `since` are left out.
        """
        stream, moments = bytearray(self.heard), [(len(self.heard), 0)]
        for moment, part in self.parts:
            stream += part
            moments.append((len(stream), moment))
        at = 0
        for end, kind, data in frames(stream):
            while moments[at][0] < end:
                at += 1
            for change in json.loads(data).get("changes", ()) if kind == TEXT else ():
                for row in change["rows"] if "at" in change else ():
                    changed = written(row) * 1_000
                    if changed >= since:
                        yield moments[at][1], (moments[at][1] - changed) / 1e6

    def delays(self, since: int) -> Iterator[float]:
        """How late each changed row was, in milliseconds; the second cell is when it was written, in microseconds."""
        return (delay for _, delay in self.sightings(since, lambda row: int(row[1])))


def frames(stream: bytearray) -> Iterator[tuple[int, int, bytes]]:
    """The whole messages in a stream: the place where each ends, its kind and what it says."""
    at = 0
    while len(stream) >= at + 2:
        kind, size, begin = stream[at] & 0x0F, stream[at + 1], at + 2
        if size >= 126:
            width = 2 if size == 126 else 8
            size, begin = int.from_bytes(stream[begin : begin + width], "big"), begin + width
        at = begin + size
        if len(stream) < at:
            return
        yield at, kind, bytes(stream[begin:at])


def enter(port: int, key: str, view: dict[str, object], seen: int) -> Viewer:
    """Somebody who looks."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    secret = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"  # noqa: S105  the protocol's, and no secret
    connection.sendall(f"GET /tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{upgrade}{secret}\r\n".encode())
    viewer = Viewer(connection)
    while (end := viewer.heard.find(b"\r\n\r\n")) < 0:
        viewer.heard += connection.recv(AT_ONCE)
    assert viewer.heard.startswith(b"HTTP/1.1 101"), bytes(viewer.heard)
    del viewer.heard[: end + 4]
    viewer.say({"do": "login", "key": key})
    viewer.await_answer("welcome")
    viewer.say({"do": "open", "view": 1, **view})
    viewer.await_answer("opened")
    viewer.say({"do": "look", "view": 1, "look": 1, "first": 0, "last": seen - 1})
    viewer.await_answer("rows")
    return viewer


def hear(viewers: list[Viewer], seconds: float) -> None:
    """Keep what comes, for so many seconds."""
    ready = select.epoll()
    by_number = {viewer.connection.fileno(): viewer for viewer in viewers}
    for number in by_number:
        ready.register(number, select.EPOLLIN)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        for number, _ in ready.poll(left):
            by_number[number].hear()


def main() -> None:
    """Look, measure, and tell what was seen; what is to be done comes over standard input, with the key."""
    asked = json.load(sys.stdin)
    viewers = [enter(asked["port"], asked["key"], view, asked["seen"]) for view in asked["views"]]
    hear(viewers, SETTLING_SECONDS)
    sys.stdout.write("looking\n")
    sys.stdout.flush()
    began, used = time.time_ns(), sum(os.times()[:2])
    hear(viewers, asked["seconds"])
    cores = (sum(os.times()[:2]) - used) / asked["seconds"]
    delays = [sorted(viewer.delays(began)) for viewer in viewers]
    together = sorted(delay for one in delays for delay in one)
    told = {
        "p50": _share(together, 0.5),
        "p99": _share(together, 0.99),
        "longest": together[-1],
        "worst p50": max(_share(one, 0.5) for one in delays),
        "rows": len(together),
        "fewest": min(len(one) for one in delays),
        "cores": cores,
    }
    sys.stdout.write(json.dumps(told) + "\n")


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


if __name__ == "__main__":
    main()

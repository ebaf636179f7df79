"""A client of the door in Python: it logs in, opens views and keeps the rows that it is told, as the page does."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_socket

from livejoin.access.keys import server_key
from livejoin.settings.settings import Settings

ANSWER_SECONDS = 10.0


@dataclass
class Seen:
    """A view as it was last told."""

    columns: list[dict[str, Any]]
    look: int = 0
    first: int = 0
    last: int = -1
    size: int = 0
    generation: int | None = None
    rows: dict[int, list[Any]] = field(default_factory=dict)

    def take(self, change: dict[str, Any]) -> None:
        """Apply a change, as docs/protocol.md tells."""
        if change["look"] != self.look:
            return
        self.size, self.generation = change["size"], change["generation"]
        places = change.get("at")
        if places is None:
            self.rows = {}
            places = range(change["first"], change["first"] + len(change["rows"]))
        self.rows.update(zip(places, change["rows"], strict=True))
        self.rows = {place: row for place, row in self.rows.items() if place < self.size}

    @property
    def table(self) -> list[list[Any]]:
        """The rows in their order, which have no gap."""
        end = min(self.last + 1, self.size)
        assert sorted(self.rows) == list(range(self.first, max(self.first, end))), (sorted(self.rows), self)
        return [self.rows[place] for place in sorted(self.rows)]


class DoorClient:
    """One connection that is let in. Made by `enter`, which closes it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.views: dict[int, Seen] = {}
        self.declared: dict[str, Any] = {}
        """What is declared, as it was last told."""
        self._numbers = count(1)
        self._looks = count(1)

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = ANSWER_SECONDS) -> dict[str, Any]:
        """The next message; what it says of rows is taken in. Raises TimeoutError."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.declared = message.get("declaration", self.declared)
        for change in message.get("changes", []):
            if change["view"] in self.views:
                self.views[change["view"]].take(change)
        return message

    def hear_until(self, is_: str) -> dict[str, Any]:
        """The next message of that kind."""
        while (message := self.hear())["is"] != is_:
            pass
        return message

    def open(self, table: str, *, do: str = "open", first: int = 0, last: int = 999, **view: Any) -> int:
        """Open a view, look at it, and return its number when its rows are here."""
        number = next(self._numbers)
        self.say(do=do, view=number, table=table, **view)
        answer = self.hear()
        while answer.get("view") != number:
            answer = self.hear()
        assert answer["is"] == "opened", answer
        self.views[number] = Seen(answer["columns"])
        self.look(number, first, last)
        return number

    def look(self, view: int, first: int, last: int) -> None:
        """Look at other rows, and return when they are here."""
        seen = self.views[view]
        seen.look, seen.first, seen.last = next(self._looks), first, last
        self.say(do="look", view=view, look=seen.look, first=first, last=last)
        while not self._is_answered(self.hear(), view):
            pass

    def close(self, view: int) -> None:
        """End a view."""
        del self.views[view]
        self.say(do="close", view=view)

    def _is_answered(self, message: dict[str, Any], view: int) -> bool:
        looks = [change["look"] for change in message.get("changes", []) if change["view"] == view]
        return self.views[view].look in looks


@contextmanager
def enter(settings: Settings, key: str | None = None) -> Iterator[DoorClient]:
    """Somebody who is let in with the key of the settings, or another one."""
    with connect_socket(socket_url(settings), compression=None, max_size=None) as socket:
        client = DoorClient(socket)
        client.say(do="login", key=key if key is not None else server_key(settings))
        welcome = client.hear()
        assert welcome["is"] == "welcome", welcome
        # The server that a test asks has its tables.
        assert client.hear()["is"] == "declared"
        yield client


def socket_url(settings: Settings) -> str:
    """Where the WebSocket is."""
    return f"ws{settings.page_url.removeprefix('http')}tables"

"""Visitors who ask again and again, as often as they may, and those who hear everything that is answered."""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from tests.attacks.stage import Attacked
from websocket_frames import TEXT, frame, heard_frames


@contextmanager
def hearing(client: socket.socket) -> Iterator[threading.Semaphore]:
    """Somebody who reads everything, so that nothing waits for him, and counts the views that are there."""
    opened = threading.Semaphore(0)
    threading.Thread(target=_hear_opened, args=(client, opened), daemon=True).start()
    yield opened
    # The thread that reads would keep it open.
    client.shutdown(socket.SHUT_RDWR)


def _hear_opened(client: socket.socket, opened: threading.Semaphore) -> None:
    """Read everything, and count the views that are there."""
    try:
        for _, data in heard_frames(client):
            if data.startswith(b'{"is":"opened"'):
                opened.release()
    except (OSError, ValueError):
        return


class Restless:
    """Somebody who says some messages again and again, in a thread."""

    def __init__(self, client: socket.socket, pause: float) -> None:
        self._client = client
        self._pause = pause
        self._over = threading.Event()
        self.is_cut_off = False

    def say(self, messages: Sequence[dict[str, Any]]) -> None:
        """Until it is over, or nobody listens any more."""
        for turn in count():
            # Another place every time, so that nothing of the one before is of use.
            told = [{**message, **_elsewhere(message, turn)} for message in messages]
            try:
                self._client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in told))
            except OSError:
                self.is_cut_off = True
                return
            if self._over.wait(self._pause):
                return

    def stop(self) -> None:
        """Say nothing more."""
        self._over.set()


@contextmanager
def restless(stage: Attacked, *messages: dict[str, Any], pace: float = 0.0) -> Iterator[Restless]:
    """Somebody who says these nearly as often as he may; where he may at any pace, as often as that in a second."""
    pause = 1.1 * len(messages) / (pace or stage.settings.limits.messages_per_second)
    with stage.enter_raw() as client, hearing(client) as opened:
        if any(message["do"] == "look" for message in messages):
            client.sendall(frame(TEXT, json.dumps({"do": "open", "view": 0, "table": "final_ui"}).encode()))
            assert opened.acquire(timeout=20.0)
        found = Restless(client, pause)
        thread = threading.Thread(target=found.say, args=[messages])
        thread.start()
        try:
            yield found
        finally:
            found.stop()
            thread.join()


_OTHERS = count(1)
"""Numbers that no row has: a view for which one is left out is another view than all before."""


def _elsewhere(message: dict[str, Any], turn: int) -> dict[str, Any]:
    if message["do"] == "look":
        return {"look": turn, "first": turn % 1_000, "last": turn % 1_000 + 4_999}
    if message["do"] == "open":
        kept = {"column": "age", "is": "notEqual", "to": -next(_OTHERS)}
        return {"view": turn + 1, "filter": [*message.get("filter", []), kept]}
    return {"view": turn + (message["do"] == "copy")}

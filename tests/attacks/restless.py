"""Visitors who ask again and again, as often as they may, and those who hear everything that is answered."""

import json
import socket
import threading
from collections.abc import Iterator
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


@contextmanager
def restless(stage: Attacked, *messages: dict[str, Any]) -> Iterator[threading.Event]:
    """Somebody who says these again and again, nearly as often as he may; set where he was cut off for it."""
    pause, over, cut_off = (
        1.1 * len(messages) / stage.settings.limits.messages_per_second,
        threading.Event(),
        threading.Event(),
    )

    def say(client: socket.socket) -> None:
        for turn in count():
            # Another place every time, so that nothing of the one before is of use.
            told = [{**message, **_elsewhere(message, turn)} for message in messages]
            try:
                client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in told))
            except OSError:
                cut_off.set()
                return
            if over.wait(pause):
                return

    with stage.enter_raw() as client, hearing(client) as opened:
        client.sendall(frame(TEXT, json.dumps({"do": "open", "view": 0, "table": "final_ui"}).encode()))
        assert opened.acquire(timeout=20.0)
        thread = threading.Thread(target=say, args=[client])
        thread.start()
        try:
            yield cut_off
        finally:
            over.set()
            thread.join()


def _elsewhere(message: dict[str, Any], turn: int) -> dict[str, int]:
    if message["do"] == "look":
        return {"look": turn, "first": turn % 1_000, "last": turn % 1_000 + 4_999}
    return {"view": turn + (message["do"] == "copy")}

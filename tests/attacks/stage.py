"""What is attacked, in words that attacks need: keys, rows that move, and what the process holds."""

import http.client
import json
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psutil

from await_that import await_that
from door_client import DoorClient
from livejoin.kafka.reading import read_to_end
from livejoin.settings.settings import Settings
from ports import free_ports
from table_server import Pipeline, ServeProcess, reader
from tests.attacks.unguarded import NO_LIMITS, START
from websocket_frames import TEXT, frame, handshake, hear_to_the_end

VIEWER_KEY, OPERATOR_KEY = "the-key-of-the-viewers", "the-key-of-the-operators"
GIVEN_KEY, GIVEN_VARIABLE = "the-key-that-the-environment-gives", "LIVEJOIN_ACCESS__VIEWER__KEYS__GIVEN"
ROWS = 6_000
SECONDS = 10.0


def write_keys(folder: Path) -> Path:
    """A file with a key for each role."""
    file = folder / "keys.toml"
    file.touch(0o600)
    file.write_text(f"[viewer]\nwall = '{VIEWER_KEY}'\n[operator]\nana = '{OPERATOR_KEY}'\n", encoding="utf-8")
    return file


@dataclass(frozen=True)
class Answer:
    """What HTTP has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows in it."""
        assert self.status == 200, (self.status, self.body[:500])
        return [json.loads(line) for line in self.body.split(b"\n") if line]


class Attacked:
    """A server, from outside and from inside."""

    def __init__(self, served: ServeProcess) -> None:
        self.served = served
        self.settings = served.settings
        self.port = served.settings.web.port
        self.viewer_key = VIEWER_KEY
        self.operator_key = OPERATOR_KEY
        self.keys = {"": "", "viewer": VIEWER_KEY, "operator": OPERATOR_KEY}
        """Those that a stranger may have: none, or that of a role."""

    def ask(
        self,
        method: str,
        path: str,
        *,
        key: str | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask over HTTP, with the viewers' key unless there is another one; an empty key is none."""
        key = self.viewer_key if key is None else key
        given = {"Authorization": f"Bearer {key}"} if key else {}
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)) as connection:
            connection.request(method, path, sent, {**given, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.headers.items()), answer.read())

    def rows(self, newest: int = 100, **view: Any) -> list[dict[str, Any]]:
        """The rows of a view of `final_ui`."""
        return self.ask("POST", f"/rows?newest={newest}", body={"table": "final_ui", **view}).rows

    def await_name(self, user: str, name: str) -> None:
        """Return when the row of a user has that name."""
        asked = [{"column": "userId", "is": "equal", "to": user}]
        await_that(lambda: [row["name"] for row in self.rows(filter=asked)] == [name])

    def say_raw(self, said: bytes, *, until_end: float = SECONDS) -> bytes:
        """Everything that is answered to these bytes, until the server ends the connection, or that many seconds."""
        with socket.create_connection(("127.0.0.1", self.port), until_end) as client:
            return hear_to_the_end(client, said)

    def enter_raw(self, key: str | None = None) -> socket.socket:
        """A plain socket that is logged in; whoever asks closes it."""
        client, head = handshake(self.port)
        assert b" 101 " in head, head
        client.sendall(frame(TEXT, json.dumps({"do": "login", "key": key or self.viewer_key}).encode()))
        return client

    @property
    def log(self) -> str:
        """What the server has logged."""
        return self.served.log.read_text(encoding="utf-8", errors="replace")

    @property
    def megabytes(self) -> float:
        """What the process holds of the memory."""
        return float(psutil.Process(self.served.process.pid).memory_info().rss / 2**20)

    def objects(self, *names: str) -> dict[str, int]:
        """How many objects of these classes of livejoin are alive in the JVM."""
        found = dict.fromkeys(names, 0)
        for line in jcmd(self.served.process.pid, "GC.class_histogram").splitlines():
            words = line.split()
            if len(words) >= 4 and words[3].removeprefix("livejoin.") in found and words[3].startswith("livejoin."):
                found[words[3].removeprefix("livejoin.")] = int(words[1])
        return found


def start_unguarded(settings: Settings) -> ServeProcess:
    """One without protections beside the server with these settings, with the same topics. Who starts it kills it."""
    [port] = free_ports(1)
    web, folder = settings.web.model_copy(update={"port": port}), settings.data_dir.parent
    changed = {"web": web, "limits": NO_LIMITS, "data_dir": folder / "unguarded"}
    return ServeProcess(settings.model_copy(update=changed), folder / "unguarded.log", ("-c", START))


class Stage(Attacked):
    """The server as it is, and a hand that writes rows."""

    def __init__(self, served: ServeProcess) -> None:
        super().__init__(served)
        self._versions = count(2)
        self._pipeline = Pipeline(served.settings)
        self._pipeline.create_topics()
        self._pipeline.cluster.ensure(served.settings.topics.control)
        self._shown = self._pipeline.open()
        self._fill()
        self._pipeline.go_live(self._shown)
        self.await_rows(served.settings)

    def _fill(self) -> None:
        for number in range(ROWS):
            self._put(f"u{number}", 1, name=f"person {number}", age=number % 90, balance=number / 4)

    def await_rows(self, settings: Settings) -> None:
        """Return when the rows are shown there."""
        with reader(settings) as first:
            first.await_generation(self._shown.number)

    def write(self, user: str, **row: Any) -> None:
        """Set a row of `final_ui`; returns when it is on its way."""
        self.hurry(user, **row)
        self._pipeline.flush()

    def hurry(self, user: str, **row: Any) -> None:
        """The same, and somebody else flushes."""
        self._put(user, next(self._versions), **row)

    def control_messages(self) -> list[bytes]:
        """Everything that was written to the control topic."""
        records = read_to_end(self._pipeline.cluster, self.settings.topics.control)
        return [record.value() or b"" for record in records]

    def _put(self, user: str, version: int, **row: Any) -> None:
        self._pipeline.upsert(
            self._shown, "final_ui", user, version, **{"userId": user, "name": "", "email": "", **row}
        )


class Onlooker:
    """Somebody who looks at one row, and hears of its changes unless the server is harmed."""

    _beats = count(1)
    """Of all of them: several look at the same row, and what one of them has written is no news of another's."""

    def __init__(self, stage: Stage, client: DoorClient) -> None:
        self._stage = stage
        self._client = client
        self._view = client.open(
            "final_ui", columns=["age"], filter=[{"column": "userId", "is": "equal", "to": "beat"}]
        )

    def hear_a_beat(self, *, within: float = 1.0) -> float:
        """Have the row changed, and return after how many seconds that was heard."""
        beat, began = next(self._beats), time.monotonic()
        self._stage.write("beat", age=beat)
        while self._client.views[self._view].table != [[beat]]:
            left = began + within - time.monotonic()
            assert left > 0, f"the onlooker has heard nothing for {within} s"
            try:
                self._client.hear(left)
            except TimeoutError:
                continue
        return time.monotonic() - began


def jcmd(pid: int, what: str) -> str:
    """What the JVM of a process says of itself."""
    done = subprocess.run(["jcmd", str(pid), what], capture_output=True, text=True, check=True, timeout=60)  # noqa: S607
    return done.stdout

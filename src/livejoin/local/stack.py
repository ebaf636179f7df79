"""What `livejoin up` runs: the services, the order they start in, and how each shows that it is ready."""

import fcntl
import http.client
import json
import os
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from livejoin.errors import KafkaTrouble, LivejoinError
from livejoin.http.ports import describe_process
from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.local.supervise.rotated_log import retire
from livejoin.secrecy.environment import without_settings
from livejoin.settings.settings import Settings

KEY_VARIABLES = "LIVEJOIN_ACCESS"
NOTE = "up.pid"
"""Where in its data folder a `livejoin up` says which process it is, and where its page is."""
PROBE_SECONDS = 1.0
PIPELINE_NICENESS = 7
"""People look at the table server: it keeps up with live events and with what a backfill writes, also while Spark could
use every processor there is."""


class AlreadyRunning(LivejoinError):
    """Another `livejoin up` works in the same data folder."""


@dataclass(frozen=True, slots=True)
class Service:
    """A child with what makes it ready, what is told then, and what is told while it takes long."""

    child: Child
    is_ready: Callable[[], bool]
    ready: str
    waits_for: Callable[[], str] = str


class Stack:
    """The services for these settings. `options` are handed on, so that every process reads the same settings."""

    def __init__(self, settings: Settings, options: list[str]) -> None:
        self._settings = settings
        self._options = options

    def broker(self) -> Service:
        """The embedded broker; ready when people can use it and it has the source topics."""
        kafka = EmbeddedKafka(self._settings)
        command = kafka.prepare()
        cluster = Cluster(self._settings.kafka_client)

        def is_ready() -> bool:
            try:
                cluster.wait_until_reachable(PROBE_SECONDS)
                kafka.open_to_people()
            except KafkaTrouble:
                return False
            return True

        address = self._settings.people_client.bootstrap_servers
        return Service(self._child("broker", command, without_settings(), grace=3.0), is_ready, address)

    def tables(self) -> Service:
        """The table server and the page; ready when its engine is, which is later than the page."""
        health = f"{self._settings.local_url}healthz"

        def engine() -> str:
            components = asked(health)[1].get("components")
            return str(components.get("engine", "")) if isinstance(components, dict) else ""

        return Service(
            self._child("serve", self._livejoin("serve"), {**os.environ}, grace=4.0),
            lambda: engine() == "ok",
            f"page and tables at {self._settings.page_url}",
            lambda: "the engine of the tables starts",
        )

    def pipeline(self) -> Service:
        """Spark; ready when the table server shows a live generation of it."""
        ready = f"{self._settings.local_url}readyz"
        own = f"http://{self._settings.pipeline.host}:{self._settings.pipeline.port}/readyz"

        def waits_for() -> str:
            # Its own word first; the table server's when it has done its part.
            told = (str(asked(url)[1].get("reason", "")) for url in (own, ready))
            return next(filter(None, told), "Spark starts")

        return Service(
            self._child("pipeline", self._livejoin("pipeline"), _without_keys(), grace=6.0, niceness=PIPELINE_NICENESS),
            lambda: answers(ready),
            "a generation is live",
            waits_for,
        )

    def demo(self) -> Service:
        """The demo producer; ready when it says that it sends."""
        child = self._child("demo", self._livejoin("demo"), _without_keys(), grace=1.0)
        return Service(child, lambda: bool(child.last_lines()), f"{self._settings.demo.rate:g} events per second")

    def _livejoin(self, verb: str) -> list[str]:
        return [sys.executable, "-P", "-m", "livejoin", verb, *self._options]

    def _child(self, name: str, command: list[str], env: dict[str, str], *, grace: float, niceness: int = 0) -> Child:
        log = self._settings.data_dir / "logs" / f"{name}.log"
        retire(log)
        return Child(name, command, log, grace=grace, niceness=niceness, env=env)


def _without_keys() -> dict[str, str]:
    """The environment, without the keys that it may have: they reach the one process that needs them."""
    return {name: text for name, text in os.environ.items() if not name.upper().startswith(KEY_VARIABLES)}


@contextmanager
def only_one(settings: Settings) -> Iterator[None]:
    """Hold the data folder; raise AlreadyRunning that names the process that has it."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with (settings.data_dir / NOTE).open("a+", encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held.seek(0)
            owner, page = _noted(held.read())
            who = describe_process(owner) if owner is not None else "another process"
            where = f", with its page at {page}" if page else ""
            raise AlreadyRunning(
                f"`livejoin up` already runs in {settings.data_dir}: {who}{where}",
                do="use that one, stop it, or give this one its own data_dir and ports with --set",
            ) from None
        held.truncate(0)
        # Who comes later has settings of his own, which say nothing of this one's address.
        held.write(f"{os.getpid()}\n{settings.page_url}")
        held.flush()
        yield


def noted_owner(data_dir: Path) -> int | None:
    """The `livejoin up` that has held this data folder last, by its process id; it may have ended since."""
    try:
        return _noted((data_dir / NOTE).read_text(encoding="utf-8"))[0]
    except (OSError, ValueError):
        return None


def _noted(text: str) -> tuple[int | None, str]:
    """What `only_one` writes: a process, and its page."""
    owner, _, page = text.partition("\n")
    return int(owner) if owner.isdecimal() else None, page.strip()


def answers(url: str) -> bool:
    """Whether a GET is answered with 200 right away."""
    return asked(url)[0] == http.HTTPStatus.OK


def asked(url: str) -> tuple[int, dict[str, Any]]:
    """The status of a GET and the JSON object that comes with it; 0 where nobody answers right away.

    No proxy is asked: the address is this machine's.
    """
    parts = urlsplit(url)
    if parts.scheme == "https":
        # The certificate is for the name that people use, and nothing is told to who answers.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            parts.hostname or "", parts.port, timeout=PROBE_SECONDS, context=context
        )
    else:
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PROBE_SECONDS)
    try:
        connection.request("GET", parts.path)
        answer = connection.getresponse()
        found = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError):
        return 0, {}
    else:
        return answer.status, found if isinstance(found, dict) else {}
    finally:
        connection.close()

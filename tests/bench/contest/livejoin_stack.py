"""livejoin: its pipeline and its table server, looked at over a WebSocket, as the page does."""

import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.error import HTTPError, URLError

import httpx
import orjson
import psutil

from contest.contestant import Contestant, Sighting, below
from contest.events import WATCHED_PREFIX, Pair, Row
from livejoin.access.keys import server_key
from livejoin.local.stack import PIPELINE_NICENESS
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.settings import Settings
from ports import free_ports
from viewers import Viewer, enter, hear

TABLE = "final_ui"
COLUMNS = ["userId", "age", "balance"]


class Livejoin(Contestant):
    """As `livejoin up` starts it, at a broker that is there already. One row for each key, as peers have it."""

    seen_at = "a client of the door"

    def __init__(self, name: str = "livejoin", python: str = sys.executable, **settings: str) -> None:
        """Another Python is that of another checkout, for what was before a change and after it in one run."""
        self.name = name
        self.settings: Mapping[str, str] = {"left.keep": "latest", "right.keep": "latest"} | settings
        self._python = python
        self._children: list[Child] = []
        self._own: Settings
        self._pair: Pair

    def start(self, bootstrap: str, pair: Pair, folder: Path) -> None:
        """Both processes at once; they wait for each other."""
        web, monitor = free_ports(2)
        given = {
            **self.settings,
            "data_dir": str(folder),
            "kafka.bootstrap.servers": bootstrap,
            "topics.prefix": f"contest-{folder.name}",
            "topics.control": f"contest-{folder.name}-control",
            "left.topic": pair.users,
            "right.topic": pair.accounts,
            "web.port": str(web),
            "pipeline.port": str(monitor),
        }
        pairs = [f"{name}={value}" for name, value in given.items()]
        self._own, self._pair = load_settings(None, overrides_from(pairs)), pair
        for verb, niceness in (("pipeline", PIPELINE_NICENESS), ("serve", 0)):
            command = [self._python, "-m", "livejoin", verb, *(f"--set={one}" for one in pairs)]
            child = Child(verb, command, folder.with_name(f"{folder.name}-{verb}.log"), niceness=niceness)
            child.start()
            self._children.append(child)

    @property
    def own(self) -> Settings:
        """What it was started with."""
        return self._own

    def rows(self) -> dict[str, Row] | None:
        """Asked for over HTTP, when there are as many as there are keys."""
        for child in self._children:
            assert child.running, child.last_lines()
        try:
            if int(self._ask(1).headers["livejoin-size"]) != self._pair.keys:
                return None
            lines = self._ask(self._pair.keys).text.splitlines()
        except (httpx.HTTPError, URLError, HTTPError, FileNotFoundError, KeyError):
            return None
        return dict(map(_row, lines))

    def watch(self, seconds: float) -> list[Sighting]:
        """The keys that are looked at are those of one view."""
        viewer = self.viewer()
        hear([viewer], seconds)
        viewer.connection.close()
        return [Sighting(at, delay) for at, delay in viewer.sightings(0, _moment)]

    def viewer(self) -> Viewer:
        """Somebody who looks at them; whoever asks closes the connection."""
        filters = [{"column": "userId", "is": "startingWith", "to": WATCHED_PREFIX}]
        view: dict[str, object] = {"table": TABLE, "columns": COLUMNS, "filter": filters}
        return enter(self._own.web.port, server_key(self._own), view, self._pair.watched)

    def processes(self) -> list[psutil.Process]:
        """The guards of supervision belong to it."""
        return below(*(child.pid for child in self._children if child.pid is not None))

    def stop(self) -> None:
        """Both at once, so that neither waits for the other."""
        for child in self._children:
            child.stop()
        self._children = []

    def _ask(self, newest: int) -> httpx.Response:
        bearer = {"Authorization": f"Bearer {server_key(self._own)}"}
        address = f"{self._own.page_url}rows?newest={newest}"
        asked = {"table": TABLE, "columns": COLUMNS}
        return httpx.post(address, headers=bearer, json=asked, timeout=60).raise_for_status()


def _row(line: str) -> tuple[str, Row]:
    row = orjson.loads(line)
    user, account = (None if row[name] is None else int(row[name]) for name in ("age", "balance"))
    return row["userId"], (user, account)


def _moment(row: list[str | float | None]) -> int:
    """Of the newest event in a row, in microseconds."""
    return max(int(cell) for cell in row[1:] if cell is not None)

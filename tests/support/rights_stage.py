"""The real processes of livejoin on a broker with an authorizer, each with a login that may do what is listed.

Their topics, a pool of view topics among them, were made by somebody else.
"""

import json
import os
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from await_that import await_that
from deployment import Deployment
from guest import Guest
from livejoin.access.keys import server_key
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.topics.plan import own_topics
from livejoin.topics.rights import Operation, Right, Who, rights
from ports import free_ports
from table_server import reader

PATIENCE = 120.0
NAME = "rights"
OTHER = f"{NAME}-other"
"""Where the users are swapped to."""


class RightsStage(Deployment):
    """A pipeline, a table server and an operator. The test itself may do everything. Who starts it stops it."""

    def __init__(self, broker: Settings, folder: Path) -> None:
        web, monitor = free_ports(2)
        views = [f"{NAME}-view-{letter}" for letter in "abc"]
        self._overrides: dict[str, Any] = {
            "data_dir": str(folder / "data"),
            "left": {"topic": f"{NAME}-users"},
            "right": {"topic": f"{NAME}-accounts"},
            "topics": {"control": f"{NAME}-control", "prefix": NAME, "views": views, "create": False},
            "web": {"port": web},
            "pipeline": {"port": monitor},
            "server": {"heap": "800m"},
            "swap": {"linger_seconds": 60.0},
        }
        super().__init__(load_settings(None, {**self._overrides, "kafka": broker.kafka}))
        self._folder = folder
        self.guests = {who: Guest(broker.kafka_client, f"{NAME}-{who}") for who in Who}
        for topic in (*self.settings.source_topics, self.settings.topics.control, OTHER):
            self.cluster.ensure(topic)
        for planned in own_topics(self.settings):
            self.cluster.ensure(planned.name, config=planned.config)
        for who, guest in self.guests.items():
            guest.allow_all(self.listed(who))
        self.pipeline, self.serve = (self._child(who) for who in (Who.PIPELINE, Who.SERVE))

    def listed(self, who: Who) -> list[Right]:
        """What this one needs, also for the topic that is swapped to, and for `swap --wait`."""
        users = self.settings.left.topic_name
        found = [right for right in rights(self.settings) if right.who is who]
        other = [Right(who, right.operation, OTHER, right.why) for right in found if right.topic == users]
        return [right for right in found if right.needed or who is Who.OPERATOR] + other

    def start(self) -> None:
        """Start both and return when rows can be seen."""
        self.pipeline.start()
        self.serve.start()
        await_that(self._is_ready, timeout=PATIENCE)

    def stop(self) -> None:
        """Stop both."""
        self.serve.stop()
        self.pipeline.stop()

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of the operator."""
        line = [sys.executable, "-m", "livejoin", *arguments, f"--config={self._config(Who.OPERATOR)}"]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE)

    def produce(self, topic: str, value: bytes) -> None:
        """Write an event of somebody else."""
        producer = self.cluster.producer()
        producer.produce(topic, value)
        assert producer.flush(30) == 0

    def await_row(self, table: str, **cells: Any) -> None:
        """Return when a table has a row with these cells."""

        def there() -> bool:
            with reader(self.settings) as viewer:
                rows = viewer.rows(table)
            assert any(cells.items() <= row.items() for row in rows), (rows, self.health())
            return True

        await_that(there, timeout=PATIENCE)

    def await_told(self, right: Right) -> None:
        """Return when health names the right that is missing."""
        refusal = self.guests[right.who].refused(right)

        def told() -> bool:
            said = self.health()
            assert any(refusal in text for text in said.values()), said
            return True

        await_that(told, timeout=PATIENCE)

    def await_well(self) -> None:
        """Return when nothing is wrong any more."""

        def well() -> bool:
            said = {name: why for name, why in self.health().items() if why != "ok"}
            assert not said, said
            return True

        await_that(well, timeout=PATIENCE)

    def health(self) -> dict[str, str]:
        """What the table server says of itself and of the pipeline."""
        found: dict[str, str] = self.ask("healthz")["components"]
        return found

    def ask(self, path: str, body: dict[str, str] | None = None) -> Any:
        """What the door answers to somebody with a key, whatever the status."""
        headers = {"authorization": f"Bearer {server_key(self.settings)}", "content-type": "application/json"}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self.settings.page_url}{path}", data, headers)  # noqa: S310  our own
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  our own
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            return json.load(refused)

    @property
    def used(self) -> set[str]:
        """The view topics that generations have at this moment."""
        return {generation.view_topic for generation in self.registry.generations.values()}

    def right(self, who: Who, operation: Operation, topic: str) -> Right:
        """One of those that are listed."""
        [found] = [r for r in rights(self.settings) if (r.who, r.operation, r.topic) == (who, operation, topic)]
        return found

    def _is_ready(self) -> bool:
        assert self.pipeline.running, self.pipeline.last_lines()
        with suppress(OSError):
            return bool(self.ask("readyz")["ready"])
        return False

    def _child(self, who: Who) -> Child:
        command = [sys.executable, "-m", "livejoin", who, f"--config={self._config(who)}"]
        return Child(who, command, self._folder / f"{who}.log", env=os.environ)

    def _config(self, who: Who) -> Path:
        file = self._folder / f"{who}.toml"
        sections = {name: value for name, value in self._overrides.items() if isinstance(value, dict)}
        sections["kafka"] = self.guests[who].properties
        lines = [f"data_dir = {json.dumps(self._overrides['data_dir'])}"]
        for name, section in sections.items():
            lines += [f"[{name}]", *(f'"{key}" = {json.dumps(value)}' for key, value in section.items())]
        file.write_text("\n".join(lines), encoding="utf-8")
        return file

"""The real processes of livejoin on a broker that asks who one is."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from await_that import await_that
from deployment import Deployment
from livejoin.access.keys import server_key
from livejoin.local.stack import PIPELINE_NICENESS
from livejoin.local.supervise.child import Child
from livejoin.model.generation import State
from livejoin.settings.loader import load_settings
from ports import free_ports

START_SECONDS = 240.0


class Whole(Deployment):
    """A pipeline and a table server with a livejoin.toml and a file of client properties. Who starts it stops it."""

    def __init__(self, folder: Path, name: str, kafka: Mapping[str, str], in_file: Mapping[str, str]) -> None:
        """`kafka` are properties of the toml, `in_file` those of the file, if there are any."""
        self.folder = folder
        self._properties = folder / "client.properties"
        self.exchange(in_file)
        web, monitor = free_ports(2)
        sections: dict[str, dict[str, Any]] = {
            "kafka": {**kafka, **({"file": str(self._properties)} if in_file else {})},
            "left": {"topic": f"{name}-users"},
            "right": {"topic": f"{name}-accounts"},
            "topics": {each: f"{name}-{each}" for each in ("control", "prefix")},
            "web": {"port": web},
            "pipeline": {"port": monitor},
            "swap": {"linger_seconds": 0.5},
        }
        lines = [f"data_dir = {json.dumps(str(folder / 'data'))}"]
        for section, values in sections.items():
            lines += [f"[{section}]", *(f"{json.dumps(each)} = {json.dumps(value)}" for each, value in values.items())]
        config = folder / "livejoin.toml"
        config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        super().__init__(load_settings(config))
        self.pipeline = self._livejoin("pipeline", config, niceness=PIPELINE_NICENESS)
        self.serve = self._livejoin("serve", config)

    def _livejoin(self, verb: str, config: Path, niceness: int = 0) -> Child:
        command = [sys.executable, "-m", "livejoin", verb, f"--config={config}"]
        return Child(verb, command, self.folder / "data" / f"{verb}.log", niceness=niceness, env={**os.environ})

    def exchange(self, properties: Mapping[str, str]) -> None:
        """Put other client properties into the file, as an editor replaces it."""
        draft = self._properties.with_suffix(".draft")
        draft.touch(0o600)
        draft.write_text("".join(f"{each}={_escaped(text)}\n" for each, text in properties.items()), encoding="utf-8")
        draft.replace(self._properties)

    @contextmanager
    def renewing(self) -> Iterator[None]:
        """Whoever exchanges something meanwhile goes on when Spark has been told so."""
        before = self._renewed
        yield
        await_that(lambda: self._renewed > before)

    @property
    def _renewed(self) -> int:
        return self.pipeline.log.read_text(encoding="utf-8").count("Spark connects with other properties")

    @property
    def url(self) -> str:
        """The address that opens the page logged in."""
        return f"{self.settings.page_url}#key={server_key(self.settings)}"

    def start(self) -> None:
        """Start both; they have what they join, and no rows."""
        for topic in (*self.settings.source_topics, self.settings.topics.control):
            self.cluster.ensure(topic)
        self.settings.data_dir.mkdir(mode=0o700, exist_ok=True)
        self.pipeline.start()
        self.serve.start()

    def await_first(self) -> None:
        """Return when generation 1 is live and its tables are served."""

        def live() -> bool:
            assert self.pipeline.running, self.pipeline.last_lines()
            assert self.serve.running, self.serve.last_lines()
            found = self.registry.live
            assert found is not None, self.pipeline.last_lines()
            assert "tables are served" in self.serve.log.read_text(encoding="utf-8")
            return found.state is State.LIVE

        await_that(live, timeout=START_SECONDS)

    @property
    def live_users(self) -> str:
        """The topic of users that is shown."""
        live = self.registry.live
        assert live is not None
        return live.request.left_topic

    def stop(self) -> None:
        """Stop both."""
        self.serve.stop()
        self.pipeline.stop()

    def produce(self, topic: str, *rows: dict[str, Any]) -> None:
        """Send row events and wait until the broker has them."""
        producer = self.cluster.producer()
        for row in rows:
            producer.produce(topic, value=json.dumps(row))
        assert producer.flush(60) == 0

    def processes(self) -> list[psutil.Process]:
        """All of it."""
        starts = [psutil.Process(child.pid) for child in (self.pipeline, self.serve) if child.pid is not None]
        return [process for start in starts for process in (start, *start.children(recursive=True))]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n")

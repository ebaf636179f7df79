"""The real processes of livejoin on a broker that asks who one is."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import psutil

from await_that import await_that
from conftest import free_ports
from deployment import Deployment
from livejoin.generation import State
from livejoin.settings import load_settings
from livejoin.stack import PIPELINE_NICENESS
from livejoin.supervise.child import Child

START_SECONDS = 240.0


class Whole(Deployment):
    """A pipeline and a table server with a livejoin.toml and a file of client properties. Who starts it stops it."""

    def __init__(self, folder: Path, name: str, kafka: dict[str, str], in_file: dict[str, str]) -> None:
        self.folder = folder
        properties = folder / "client.properties"
        properties.write_text("".join(f"{each}={_escaped(text)}\n" for each, text in in_file.items()), encoding="utf-8")
        properties.chmod(0o600)
        web, monitor = free_ports(2)
        topics = {each: f"{name}-{each}" for each in ("users", "accounts", "control", "prefix")}
        sections: dict[str, dict[str, Any]] = {
            "kafka": {**kafka, **({"file": str(properties)} if in_file else {})},
            "topics": topics,
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

    def start(self) -> None:
        """Start both; they have what they join, and no rows."""
        topics = self.settings.topics
        for topic in (topics.users, topics.accounts, topics.control):
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
            assert found is not None
            assert "tables are served" in self.serve.log.read_text(encoding="utf-8")
            return found.state is State.LIVE

        await_that(live, timeout=START_SECONDS)

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

"""A running `livejoin up`, as a person has it, with commands against it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from await_that import await_that
from deployment import Deployment
from livejoin.access.keys import server_key
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.settings.loader import load_settings, overrides_from
from ports import broker_ports, free_ports

START_SECONDS = 180
VIEWER_KEY, OPERATOR_KEY = "of those who look on", "of the operators"
"""What the stack of the tests wants from who looks at the page, and from who swaps there."""
GIVEN_KEY, GIVEN_VARIABLE = "of those whom the environment knows", "LIVEJOIN_ACCESS__VIEWER__KEYS__GIVEN"


@dataclass
class Up:
    """A running `livejoin up`."""

    process: subprocess.Popen[str]
    settings: list[str]
    bootstrap: str
    data: Path
    config: Path | None = None
    python: str = sys.executable
    """The Python that has the livejoin which runs."""
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address that opens the page logged in, as somebody who looks on where there are such keys."""
        settings = self.deployment.settings
        assert f"  Open  {settings.page_url}" in self.said, "\n".join(["up printed no address to open:", *self.said])
        return f"{settings.page_url}#key={VIEWER_KEY if settings.access.file else server_key(settings)}"

    def produce(self, topic: str, key: str | None, value: Any) -> None:
        """Send one record and wait until the broker has it; a dict is sent as JSON."""
        producer = Cluster(KafkaClient({"bootstrap.servers": self.bootstrap})).producer()
        producer.produce(topic, key=key, value=json.dumps(value) if isinstance(value, dict) else value)
        assert producer.flush(10) == 0

    @property
    def deployment(self) -> Deployment:
        """The same, through its topics: looking there costs less than a command."""
        pairs = [value for name, value in batched(self.settings) if name == "--set"]
        return Deployment(load_settings(self.config, overrides_from(pairs)))

    def show(self, users: str, accounts: str) -> None:
        """Make these topics live, unless they are already."""
        live = self.deployment.registry.live
        if live is None or (live.request.left_topic, live.request.right_topic) != (users, accounts):
            swap = self.command("swap", "--users", users, "--accounts", accounts, "--wait", "--timeout", "90")
            subprocess.run(swap, check=True, capture_output=True, timeout=120)

    def await_one_generation(self) -> int:
        """Return the number of the generation that is shown, when there is no other one any more."""
        deployment = self.deployment
        await_that(lambda: len(deployment.registry.generations) == 1, timeout=30)
        return deployment.live_number

    def command(self, *arguments: str) -> list[str]:
        """A command against this stack."""
        return [self.python, "-m", "livejoin", *arguments, *self.settings]

    def livejoin(self, *arguments: str) -> Any:
        """Run a command against this stack and return its JSON."""
        command = self.command(*arguments, "--json")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def write_keys(folder: Path) -> Path:
    """A file with a key for each role."""
    file = folder / "keys.toml"
    file.touch(0o600)
    file.write_text(f"[viewer]\nwall = '{VIEWER_KEY}'\n[operator]\nana = '{OPERATOR_KEY}'\n", encoding="utf-8")
    return file


def batched(words: list[str]) -> list[tuple[str, str]]:
    """Options with their values."""
    return list(zip(words[::2], words[1::2], strict=True))


def start_up(
    data: Path,
    *pairs: str,
    config: Path | None = None,
    python: str = sys.executable,
    env: Mapping[str, str] | None = None,
) -> Up:
    """Start the stack without demo data, on ports of its own, and return when it is ready; `env` comes to its own."""
    (web, monitor), broker = free_ports(2), broker_ports()
    ports = [*(f"broker.{name}={number}" for name, number in broker.items())]
    ports += [f"web.port={web}", f"pipeline.port={monitor}"]
    settings = [part for pair in (f"data_dir={data}", *ports, *pairs) for part in ("--set", pair)]
    settings += ["--config", str(config)] if config else []
    process = subprocess.Popen(
        [python, "-u", "-m", "livejoin", "up", "--no-demo", *settings],
        cwd=data,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    running = Up(process, settings, f"127.0.0.1:{broker['port']}", data, config, python)
    try:
        _await_start(running)
    except BaseException:
        # Also where somebody has interrupted the tests: nobody else knows of it yet.
        end_up(running)
        raise
    return running


def _await_start(running: Up) -> None:
    """Return when it says how to stop it."""
    assert running.process.stdout is not None
    deadline = time.monotonic() + START_SECONDS
    for line in running.process.stdout:
        running.said.append(line.rstrip())
        if "Ctrl-C stops" in line:
            return
        assert time.monotonic() < deadline, "\n".join(running.said)
    raise AssertionError("\n".join(["up has ended:", *running.said]))


def end_up(running: Up) -> None:
    """Kill what is left of it."""
    process = running.process
    for child in [*descendants(process.pid), psutil.Process(process.pid)] if process.poll() is None else []:
        child.kill()
    process.wait()


def descendants(pid: int) -> list[psutil.Process]:
    """Every process below that one."""
    return psutil.Process(pid).children(recursive=True)

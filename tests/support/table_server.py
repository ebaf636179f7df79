"""A real table server in a process of its own, and a hand that writes what the pipeline would write."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import httpx

import view_records
from await_that import await_that
from livejoin.access.keys import server_key
from livejoin.client.tables import TableClient, connect
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.writer import Writer
from livejoin.model.declaration import Declaration, Keep
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import BUILDING, Generation, Request, State
from livejoin.model.registry import Current, Pulse, Record
from livejoin.pipeline.control.vitals import PULSE_SECONDS
from livejoin.process.worker import Worker
from livejoin.settings.settings import Settings
from livejoin.wire.records import key_of, to_json
from livejoin.wire.view_record import EVERYTHING, FORMAT, TAKEN, Taken, key_prefix
from ports import free_ports

NOW = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
ALL = replace(DEFAULT, right=replace(DEFAULT.right, keep=Keep.ALL))
"""The default, but that every event of both sources is kept: no table mirrors another one by a left join."""


def settings_of_server(broker: Settings, data_dir: Path, *, prefix: str, origins: Sequence[str] = ()) -> Settings:
    """Settings of a table server of one's own at that broker: its port, its topics, and a heap of a test's size."""
    [web_port] = free_ports(1)
    return broker.model_copy(
        update={
            "data_dir": data_dir,
            "topics": broker.topics.model_copy(update={"prefix": prefix}),
            "server": broker.server.model_copy(update={"heap": "800m"}),
            "web": broker.web.model_copy(update={"port": web_port, "origins": list(origins)}),
        }
    )


class ServeProcess:
    """`livejoin serve` with these settings; whoever starts it stops it."""

    def __init__(
        self,
        settings: Settings,
        log: Path,
        start: Sequence[str] = ("-m", "livejoin"),
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`start` is what Python runs in place of the command; `env` comes to the environment."""
        self.settings = settings
        self.log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, *start, "serve", *_options(settings)],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
            )

    def answer(self, path: str) -> Any:
        """The JSON that the HTTP side answers, whatever the status."""
        with urllib.request.build_opener(_AnyStatus).open(f"{self.settings.page_url}{path}", timeout=5) as found:
            return json.load(found)

    def await_tables(self) -> None:
        """Return when the exports can be fetched."""
        await_that(self._serves, timeout=120.0)

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        self.process.terminate()
        return self.process.wait(10.0)

    def kill(self) -> None:
        """End it at once, as a crash does, also where it stands still or is over already."""
        self.process.kill()
        self.process.wait()

    def _serves(self) -> bool:
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
        return b"tables are served" in self.log.read_bytes()


class Heart(Worker):
    """Beats for a pipeline until it is stopped."""

    def __init__(self, cluster: Cluster, topic: str) -> None:
        super().__init__("heart")
        self._state = Writer(cluster, topic)

    def _run(self) -> None:
        while not self._stop.wait(PULSE_SECONDS):
            self.beat()

    def beat(self, **problems: str) -> None:
        """Tell that the pipeline lives, and what is wrong with it."""
        pulse = Pulse(at=datetime.now(UTC), problems=problems)
        self._state.write(key_of(pulse), to_json(pulse))


class Pipeline:
    """Writes view topics, logs and the registry as the pipeline does."""

    def __init__(self, settings: Settings) -> None:
        self.topics = settings.own_topics
        self.cluster = Cluster(settings.kafka_client)
        self.heart = Heart(self.cluster, self.topics.state)
        self._producer = self.cluster.producer(**{"linger.ms": 5})
        self._numbers = count(1)

    def create_topics(self) -> None:
        """The topics that a pipeline creates when it starts, and sources for it."""
        for topic in (self.topics.state, self.topics.control_log, self.topics.dead_letters):
            self.cluster.ensure(topic)
        for topic in ("users", "accounts"):
            self.cluster.ensure(topic, partitions=2)
        self.heart.start()

    def revive(self) -> None:
        """Beat again after the heart was stopped."""
        self.heart = Heart(self.cluster, self.topics.state)
        self.heart.start()

    def open(
        self,
        *,
        users: str = "users",
        view_format: int = FORMAT,
        view_topic: str = "",
        declaration: Declaration = ALL,
        taken: int = 0,
        **asked: Any,
    ) -> Generation:
        """The next generation, which is being built, with a view topic; unless asked, none of its tables mirrors."""
        number = next(self._numbers)
        generation = Generation(
            number=number,
            request=Request(declaration, users, "accounts", **asked),
            view_topic=view_topic or self.topics.view(number),
            view_format=view_format,
            taken=taken,
            state=State.BACKFILLING,
            requested=NOW,
            since=NOW,
        )
        self.cluster.ensure(generation.view_topic, partitions=2)
        return self.record(generation)

    def take(self, generation: Generation, epoch: int) -> None:
        """Say that its view topic is its own from that epoch on."""
        for partition in (0, 1):
            self.send(generation.view_topic, TAKEN, Taken(generation.number, epoch).to_json(), partition=partition)

    def upsert(self, generation: Generation, table: str, row_id: str, version: int, **row: Any) -> None:
        """Set a row, whose values are as the wire has them."""
        self._write_whole(generation, view_records.row(table, row_id, version, row, generation.request.declaration))

    def delete(self, generation: Generation, table: str, row_id: str, version: int) -> None:
        """Delete a row."""
        self._write_whole(generation, view_records.deletion(table, row_id, version, generation.request.declaration))

    def write(self, generation: Generation, record: view_records.Keyed) -> None:
        """Any record of the view topic."""
        key, value = record
        self.send(generation.view_topic, key, value)

    def _write_whole(self, generation: Generation, record: view_records.Keyed) -> None:
        """A row that waits for no other one of its event, as a backfill writes them."""
        key, value = record
        self.write(generation, (f"{key_prefix(EVERYTHING)}{key}", value))

    def send(
        self, topic: str, key: str, value: bytes | None, headers: dict[str, str] | None = None, partition: int = 0
    ) -> None:
        """Any record."""
        self._producer.produce(topic, value, key, partition=partition, headers=[*(headers or {}).items()])
        self._producer.poll(0)

    def flush(self) -> None:
        """Return when everything is on the broker."""
        assert self._producer.flush(10) == 0

    def record(self, generation: Generation) -> Generation:
        """Write a generation's record into the registry."""
        self._register(generation)
        return generation

    def go_live(
        self,
        generation: Generation,
        *,
        why: str = "",
        view_ends: dict[int, int] | None = None,
        lingering: int | None = None,
    ) -> Generation:
        """Everything is written, up to these ends: make it the current one."""
        self.flush()
        ends = view_ends or self.cluster.end_offsets(generation.view_topic)
        if generation.state is State.BACKFILLING:
            generation = generation.move(State.LOADING, why=why, now=NOW)
        self.record(replace(generation, view_ends=ends))
        self._register(Current(generation=generation.number, lingering=lingering, at=NOW, why=why))
        live = generation.move(State.LIVE, why=why, now=NOW) if generation.state is not State.LIVE else generation
        return replace(live, view_ends=ends)

    def close(self, generation: Generation) -> None:
        """The generation is over: its topic goes, and its record."""
        over = State.SUPERSEDED if generation.state in BUILDING else State.CLOSED
        self.record(generation.move(over, why="", now=NOW))
        self.cluster.delete(generation.view_topic)

    def _register(self, record: Record) -> None:
        self.send(self.topics.state, key_of(record), to_json(record))
        self.flush()


class Reader:
    """Reads tables, as a viewer does."""

    def __init__(self, client: TableClient) -> None:
        self.client = client

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        return self.client.newest(table, 100_000).rows

    def status(self) -> dict[str, Any]:
        """The status row."""
        [row] = self.rows("orchestrator_status")
        return row

    def await_generation(self, number: int) -> None:
        """Return when that generation is shown."""
        await_that(lambda: self.status()["generation"] == number)


@contextmanager
def reader(settings: Settings) -> Iterator[Reader]:
    """A reader that is logged in."""
    with connect(settings) as client:
        yield Reader(client)


def declaration(served: ServeProcess, key: str | None = None) -> dict[str, Any]:
    """What the server says over HTTP that it joins, to who has that key, or that of the settings."""
    bearer = {"Authorization": f"Bearer {key or server_key(served.settings)}"}
    found: dict[str, Any] = (
        httpx.get(f"{served.settings.page_url}declaration", headers=bearer).raise_for_status().json()
    )
    return found


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    def http_response(self, request: Any, response: Any) -> Any:  # noqa: ARG002  the signature is urllib's
        return response


def _options(settings: Settings) -> list[str]:
    pairs = {
        "data_dir": settings.data_dir,
        "topics.prefix": settings.topics.prefix,
        "topics.control": settings.topics.control,
        **{f"server.{name}": value for name, value in settings.server.model_dump(exclude_defaults=True).items()},
        "web.port": settings.web.port,
        "web.origins": ",".join(settings.web.origins),
        **{f"limits.{name}": value for name, value in settings.limits.model_dump(exclude_defaults=True).items()},
        **{f"kafka.{name}": value for name, value in settings.kafka.items()},
    }
    if settings.access.file:
        viewer = settings.access.viewer
        hidden = {"access.viewer.hidden": ",".join(viewer.hidden), "access.viewer.export": viewer.export}
        pairs = {**pairs, "access.file": settings.access.file, **hidden}
    return [option for name, value in pairs.items() for option in ("--set", f"{name}={value}")]

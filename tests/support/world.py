"""The real processes of livejoin on a broker of their own, for tests that break them."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)

from await_that import await_that
from deployment import Deployment
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.stack import PIPELINE_NICENESS
from livejoin.local.supervise.child import Child
from livejoin.model.declaration import JOINED_TABLE
from livejoin.model.generation import Generation, State
from livejoin.model.registry import Epoch
from livejoin.process.crash_point import VARIABLE
from livejoin.settings.loader import load_settings, overrides_from
from ports import broker_ports, free_ports
from relay import Relay
from view_topic import ViewTopic
from wires import Wires

MEND_SECONDS = 90.0


class World(Deployment):
    """A broker that may be killed, a real `livejoin pipeline` on it, and a `livejoin serve` for who starts it.

    Where it is wired, each of these processes has a way of its own to the broker, which a test can cut.
    """

    def __init__(self, folder: Path, *pairs: str, wired: bool = False, of_other: Sequence[str] = ()) -> None:
        """`of_other` are settings of the other pipeline alone."""
        web, monitor, self.other_monitor = free_ports(3)
        ports = [f"broker.{name}={number}" for name, number in broker_ports().items()]
        ports += [f"web.port={web}", f"pipeline.port={monitor}"]
        # Those that are given win over those that are chosen here.
        self.pairs = (f"data_dir={folder}", *ports, *pairs)
        self.options = [f"--set={pair}" for pair in self.pairs]
        super().__init__(load_settings(None, overrides_from([*self.pairs])))
        self.crash_file = folder / "crash"
        self._folder = folder
        self._kafka = EmbeddedKafka(self.settings)
        self._wires = Wires(("pipeline", "other", "serve") if wired else ())
        self.broker = self._prepared_broker()
        self.pipeline = self._livejoin("pipeline", niceness=PIPELINE_NICENESS)
        # For who wants a standby; it tells of itself at a port of its own.
        own = [f"--set={pair}" for pair in (f"pipeline.port={self.other_monitor}", *of_other)]
        self.other = self._livejoin("pipeline", *own, way="other", niceness=PIPELINE_NICENESS)
        self.serve = self._livejoin("serve")

    @property
    def wires(self) -> dict[str, Relay]:
        """The ways to the broker: of the pipeline, of the other one, and of the table server."""
        return self._wires.relays

    def _prepared_broker(self) -> Child:
        command = self._kafka.prepare()
        self._wires.lead_to(self.settings)
        return Child("broker", command, self._folder / "broker.log")

    def restart_broker(self) -> None:
        """Start the broker as `up` does, with the password that is in its file; clients log in with it from then on."""
        self.broker = self._prepared_broker()
        self.broker.start()
        for client in ("cluster", "_control"):
            vars(self).pop(client, None)
        self.cluster.wait_until_reachable(60)

    def _livejoin(self, verb: str, *more: str, way: str = "", niceness: int = 0) -> Child:
        """A process that takes its own way to the broker, if there is one."""
        way = way or verb
        wire = [f"--set={self._wires.setting(way)}"] if way in self.wires else []
        command = [sys.executable, "-m", "livejoin", verb, *self.options, *more, *wire]
        env = {**os.environ, VARIABLE: str(self.crash_file)}
        return Child(way, command, self._folder / f"{way}.log", niceness=niceness, env=env)

    def start(self, timeout: float = 180.0) -> None:
        """Start both and return when generation 1 is live."""
        self.broker.start()
        self.cluster.wait_until_reachable(60)
        self._kafka.open_to_people()
        self.pipeline.start()
        self.await_number(1, timeout=timeout)

    def stop(self) -> None:
        """Stop all."""
        self.serve.stop()
        self.other.stop()
        self.pipeline.stop()
        self.broker.stop()
        self._wires.close()

    def show_what_is_set(self) -> Generation:
        """Make live what the settings ask for, whichever topics or join were before; returns their generation."""
        asked, shown = self.settings.request, self.registry.live
        if shown is None or shown.request != asked:
            self.swap(asked.left_topic, asked.join)

        def found() -> Generation | None:
            live = self.await_live(asked.left_topic, MEND_SECONDS)
            return live if live.request == asked else None

        return await_that(found, timeout=MEND_SECONDS)

    @property
    def epoch(self) -> Epoch:
        """Which pipeline writes."""
        found = self.registry.epoch
        assert found is not None
        return found

    @property
    def writer(self) -> Child:
        """The pipeline that writes, of the two."""
        process = process_of(self.epoch.writer)
        found = [child for child in (self.pipeline, self.other) if process in {one.pid for one in below(child)}]
        assert found, f"the process that writes, {process}, is gone"
        return found[0]

    @property
    def standby(self) -> Child:
        """The one that does not."""
        return self.other if self.writer is self.pipeline else self.pipeline

    def monitor_of(self, pipeline: Child) -> int:
        """The port where it tells how it is."""
        return self.settings.pipeline.port if pipeline is self.pipeline else self.other_monitor

    def await_number(self, number: int, *, timeout: float = MEND_SECONDS) -> Generation:
        """Return the generation when it is the current one and live."""

        def live() -> Generation | None:
            found = self.registry.live
            assert self.pipeline.running, self.pipeline.last_lines()
            return found if found and found.number == number and found.state is State.LIVE else None

        return await_that(live, timeout=timeout)

    def await_newer(self, number: int) -> int:
        """Return the number of the generation that has come after this one, when it is the current one and live."""

        def newer() -> int:
            found = self.registry.live
            assert found is not None
            assert found.number > number
            return found.number

        return self.await_number(await_that(newer, timeout=MEND_SECONDS)).number

    def produce(self, topic: str, user_id: str, partition: int = 0, **row: Any) -> None:
        """Send one row event and wait until the broker has it."""
        producer = self.cluster.producer(**{"message.max.bytes": 2_000_000})
        producer.produce(topic, value=json.dumps({"userId": user_id, **row}), partition=partition)
        assert producer.flush(30) == 0

    def view(self, generation: int) -> ViewTopic:
        """The view topic of a generation; whoever asks for it closes it."""
        return ViewTopic(self.cluster, self.settings.own_topics.view(generation), self.settings.request)

    def users(self, generation: int) -> set[str]:
        """Who is in final_ui of that generation."""
        view = self.view(generation)
        try:
            view.read_available()
            return {row[0] for row in view.tables()[JOINED_TABLE]}
        finally:
            view.close()

    def await_users(self, generation: int, *user_ids: str) -> None:
        """Return when all of these are in final_ui of that generation."""
        view = self.view(generation)
        try:

            def shown() -> bool:
                view.read_available()
                assert set(user_ids) <= {row[0] for row in view.tables()[JOINED_TABLE]}
                return True

            await_that(shown, timeout=MEND_SECONDS)
        finally:
            view.close()

    def let_a_query_die(self, generation: int, user_id: str) -> str:
        """Have the broker refuse a row of that user, which kills the query that writes it; returns what is told of it.

        When this returns, the broker takes the row, and nobody has waited for the query.
        """
        view = self.settings.own_topics.view(generation)
        self._set_limit(view, 150_000)
        # Beyond the client's batch size, or it would split and send batches for ever instead of failing.
        self.produce(self.settings.left.topic_name, user_id, name="x" * 200_000)

        def troubled() -> str:
            # Spark notices that a row was refused when it writes the next one.
            self.produce(self.settings.right.topic_name, user_id, balance=1)
            found = self.registry.of(generation)
            assert found.state is State.RECOVERING
            return found.message

        try:
            return await_that(troubled, timeout=MEND_SECONDS)
        finally:
            self._set_limit(view, self.settings.events.row_bytes)

    def _set_limit(self, topic: str, size: int) -> None:
        """Change how large a record of a topic may be."""
        limit = ConfigEntry("max.message.bytes", str(size), incremental_operation=AlterConfigOpType.SET)
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[limit])
        admin = AdminClient({**self.settings.kafka_client.librdkafka()})
        for future in admin.incremental_alter_configs([resource]).values():
            future.result()


def process_of(pipeline: str) -> int:
    """The process of a pipeline, by the name that it has in the registry."""
    return int(pipeline.split("/")[1])


def below(child: Child) -> list[psutil.Process]:
    """The processes of a child, without its guard."""
    try:
        return psutil.Process(child.pid).children(recursive=True) if child.pid is not None else []
    except psutil.NoSuchProcess:
        return []

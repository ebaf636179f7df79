"""The pipeline as a process: what it emits, and what it does when the world around it breaks."""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions

from await_that import await_that
from conftest import free_ports
from livejoin.embedded.kafka import EmbeddedKafka
from livejoin.generation import Generation, State
from livejoin.kafka import Cluster, read_to_end
from livejoin.pipeline.state_topic import read_registry
from livejoin.registry import Registry
from livejoin.schema import FINAL_UI
from livejoin.settings import Settings, load_settings
from livejoin.supervise.child import Child
from view_topic import ViewTopic

OUTAGE_SECONDS = 30.0
MEND_SECONDS = 90.0


class World:
    """A broker that may be killed, and a real `livejoin pipeline` on it."""

    def __init__(self, folder: Path) -> None:
        port, controller_port = free_ports(2)
        pairs = [f"data_dir={folder}", f"broker.port={port}", f"broker.controller_port={controller_port}"]
        self.settings: Settings = load_settings(
            None, {"data_dir": folder, "broker": {"port": port, "controller_port": controller_port}}
        )
        self.cluster = Cluster(self.settings.kafka_client)
        self._kafka = EmbeddedKafka(self.settings)
        self.broker = Child("broker", self._kafka.prepare(), folder / "broker.log")
        command = [sys.executable, "-m", "livejoin", "pipeline", *(f"--set={pair}" for pair in pairs)]
        self.pipeline = Child("pipeline", command, folder / "pipeline.log")

    def start(self) -> None:
        """Start both and return when generation 1 is live."""
        self.broker.start()
        self.cluster.wait_until_reachable(60)
        self._kafka.create_source_topics()
        self.pipeline.start()
        self.await_live(1, timeout=180)

    def stop(self) -> None:
        """Stop both."""
        self.pipeline.stop()
        self.broker.stop()

    @property
    def registry(self) -> Registry:
        """What the state topic says."""
        topic = self.settings.own_topics.state
        return read_registry(self.cluster, topic) if topic in self.cluster.topic_names() else Registry()

    def await_live(self, number: int, *, timeout: float = MEND_SECONDS) -> Generation:
        """Return the generation when it is the current one and live."""

        def live() -> Generation | None:
            found = self.registry.live
            assert self.pipeline.running, self.pipeline.last_lines()
            return found if found and found.number == number and found.state is State.LIVE else None

        return await_that(live, timeout=timeout)

    def produce(self, topic: str, user_id: str, partition: int = 0, **row: Any) -> None:
        """Send one row event and wait until the broker has it."""
        producer = self.cluster.producer(**{"message.max.bytes": 2_000_000})
        producer.produce(topic, key=user_id, value=json.dumps({"userId": user_id, **row}), partition=partition)
        assert producer.flush(30) == 0

    def view(self, generation: int) -> ViewTopic:
        """The view topic of a generation; whoever asks for it closes it."""
        return ViewTopic(self.cluster, self.settings.own_topics.view(generation))

    def await_final(self, generation: int, *user_ids: str) -> None:
        """Return when these users, and no others, are in final_ui of that generation."""
        view = self.view(generation)
        try:

            def shown() -> bool:
                view.read_available()
                assert {row[0] for row in view.table(FINAL_UI)} == set(user_ids)
                return True

            await_that(shown, timeout=MEND_SECONDS)
        finally:
            view.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One broker and one pipeline for all faults, one after the other."""
    world = World(tmp_path_factory.mktemp("faults"))
    try:
        world.start()
        yield world
    finally:
        world.stop()


def test_an_event_emits_what_it_changed_and_no_more(world: World) -> None:
    """On a key with 1,000 rows a user event emits one row, and an account event the rows that it changes."""
    rows = 1_000
    producer = world.cluster.producer()
    for number in range(rows):
        producer.produce("users", key="many", value=json.dumps({"userId": "many", "age": number}))
    assert producer.flush(30) == 0
    view = world.view(1)
    try:
        view.await_events(rows, MEND_SECONDS)
        view.records.clear()
        world.produce("users", "many", name="one more")
        view.await_events(rows + 1, MEND_SECONDS)
        assert tables_of(view) == {"users_ui": 1, "final_ui": 1, "progress": 1}
        view.records.clear()
        world.produce("accounts", "many", balance=1)
        view.await_events(rows + 2, MEND_SECONDS)
        assert tables_of(view) == {"accounts_ui": 1, "final_ui": rows + 1, "progress": 1}
        producer.produce("users", key="many", value=None)
        producer.produce("accounts", key="many", value=None)
        assert producer.flush(30) == 0
        view.await_events(rows + 4, MEND_SECONDS)
        assert not any(view.tables().values())
    finally:
        view.close()


def test_a_flood_of_bad_events_leaves_no_state(world: World) -> None:
    """Rejected events are written once each, by a query that keeps no state at all."""
    flood = 2_000
    producer = world.cluster.producer()
    for number in range(flood):
        producer.produce("accounts", value=f"bad {number}")
    assert producer.flush(30) == 0
    topic = world.settings.own_topics.dead_letters
    await_that(lambda: world.cluster.end_offsets(topic)[0] >= flood, timeout=MEND_SECONDS)
    letters = [record.key() for record in read_to_end(world.cluster, topic)]
    assert len(letters) == len(set(letters)) == flood
    checkpoints = world.settings.data_dir / "checkpoints" / "1"
    assert (checkpoints / "join" / "state").exists()
    assert not (checkpoints / "dead-letters" / "state").exists()


def test_partitions_that_are_added_are_read(world: World) -> None:
    """An event in a new partition is shown, long before the running batch of Real-Time Mode would have ended."""
    world.produce("users", "ann", name="Ann")
    world.await_final(1, "ann")
    admin = AdminClient({**world.settings.kafka_client})
    for future in admin.create_partitions([NewPartitions("users", 2)]).values():
        future.result()
    await_that(lambda: len(world.cluster.partitions("users")) == 2)
    world.produce("users", "bob", partition=1, name="Bob")
    world.await_final(1, "ann", "bob")


def test_a_broker_outage_is_survived(world: World) -> None:
    """The broker is gone for 30 s; what is produced after it is back is shown by the same generation."""
    world.broker.kill()
    # An outage is a length of time: there is nothing else to wait for.
    time.sleep(OUTAGE_SECONDS)
    world.broker.start()
    world.cluster.wait_until_reachable(60)
    world.produce("users", "cy", name="Cy")
    world.await_final(1, "ann", "bob", "cy")


def test_the_largest_events_that_are_allowed_are_joined(world: World) -> None:
    """A row made of two events of almost the largest size reaches the view topic and stops nothing."""
    text = "x" * (world.settings.events.max_bytes - 100)
    world.produce("users", "dan", name=text)
    world.produce("accounts", "dan", accountType=text)
    world.await_final(1, "ann", "bob", "cy", "dan")


def test_a_view_topic_that_is_deleted_is_built_afresh(world: World) -> None:
    """A generation that has lost its view topic is replaced by a new one with every row, and leaves nothing behind."""
    world.cluster.delete(world.settings.own_topics.view(1))
    world.await_live(2)
    world.await_final(2, "ann", "bob", "cy", "dan")
    await_that(lambda: [*world.registry.generations] == [2])
    await_that(lambda: [f.name for f in (world.settings.data_dir / "checkpoints").iterdir()] == ["2"])


def test_a_source_that_is_created_again_is_built_afresh(world: World) -> None:
    """Other events under the same name make a new generation, and the message says what happened."""
    world.cluster.delete("users")
    world.cluster.ensure("users")
    world.produce("users", "eve", name="Eve")
    messages: list[str] = []

    def created() -> bool:
        messages.extend(g.message for g in world.registry.generations.values() if g.number > 2)
        return bool(messages)

    await_that(created, timeout=MEND_SECONDS)
    assert "'users'" in messages[0]
    newest = await_that(lambda: max(world.registry.generations), timeout=MEND_SECONDS)
    world.await_live(newest)
    world.await_final(newest, "eve")


def tables_of(view: ViewTopic) -> Counter[str]:
    """How many records of each table were emitted."""
    return Counter((record.key() or b"").decode().partition("/")[0] for record in view.records)

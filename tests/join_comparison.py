"""The join, in a real Spark on a real broker, beside the model: every row of every table, for every setting.

It takes minutes, nearly all of them Spark's, so it goes on beside other tests: the fixture `comparison` begins it.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from confluent_kafka import Message

from await_that import await_that
from histories import MAX_BYTES, PARTITIONS, PHASES, Move
from livejoin.generation import JoinType, Keep, Request
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.schema import SOURCES
from livejoin.settings import Settings
from model import Event, Order, Tables, cut, judge, tables
from view_topic import ViewRows, ViewTopic

SPARK_SECONDS = 240.0
"""Other tests use the processors too."""
HISTORIES = 400
PREFIX = "property"
TOPICS = {source.name: f"property-{source.name}" for source in SOURCES}
REQUESTS = [
    Request(
        users_topic=TOPICS["users"],
        accounts_topic=TOPICS["accounts"],
        join=join,
        keep_users=keep_users,
        keep_accounts=keep_accounts,
    )
    for join, keep_users, keep_accounts in product(JoinType, Keep, Keep)
]
REQUESTS += [
    request.model_copy(update={"keep_limit": 2})
    for request in REQUESTS
    if request.keep_users is Keep.ALL and request.join is not JoinType.INNER
]


@dataclass
class Comparison:
    """What was compared, what was wrong, and the dead letters. Who makes it runs it, in any thread, and stops it."""

    broker: Settings
    folder: Path
    moves: list[Move]
    compared: dict[str, str] = field(default_factory=dict)
    """In words, for each phase: backfill, live, restart."""
    wrong: list[str] = field(default_factory=list)
    bad: dict[str, bytes | None] = field(default_factory=dict)
    """The values of the events that are not valid, by the key of their dead letter."""
    letters: dict[str, Message] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Nothing is started yet."""
        self._cluster = Cluster(self.broker.kafka_client)
        self._pipeline = Pipeline(self.broker, self.folder)

    def run(self) -> "Comparison":
        """Backfill, live events, a kill -9, and events that arrived meanwhile."""
        for topic in TOPICS.values():
            self._cluster.ensure(topic, partitions=PARTITIONS)
        phases = [[move for move in self.moves if move.phase == phase] for phase in range(PHASES)]
        epoch = time.time_ns() // 1_000_000
        events = produce(self._cluster, phases[0], epoch)
        self._pipeline.start()
        views = [ViewTopic(self._cluster, f"{PREFIX}.view.{n}", request) for n, request in enumerate(REQUESTS, 1)]
        try:
            self._compare("backfill", views, events)
            events += produce(self._cluster, phases[1], epoch)
            self._compare("live", views, events)
            self._pipeline.kill()
            events += produce(self._cluster, phases[2], epoch)
            self._pipeline.start()
            self._compare("restart", views, events)
        finally:
            for view in views:
                view.close()
        self.bad = {
            f"{TOPICS[event.source]}/{event.order.partition}/{event.order.offset}": event.value
            for event in events
            if judge(event, MAX_BYTES) is None
        }
        self.letters = {(record.key() or b"").decode(): record for record in self._await_letters()}
        # So many live queries would take processor time from the tests that still run.
        self.stop()
        return self

    def stop(self) -> None:
        """End Spark."""
        self._pipeline.kill()

    def _compare(self, phase: str, views: list[ViewTopic], events: list[Event]) -> None:
        """Every row of every table of every generation must be the model's, also when the topic is compacted."""
        valid = sum(judge(event, MAX_BYTES) is not None for event in events)
        wrong: list[str] = []
        rows = 0
        for view, request in zip(views, REQUESTS, strict=True):
            view.await_events(valid, timeout=SPARK_SECONDS)
            expected: Tables = tables(events, request, MAX_BYTES)
            counts = (valid, cut(events, request, MAX_BYTES))
            rows += sum(sum(table.values()) for table in expected.values())
            asked = f"{request.join} join, {request.keep_users}, {request.keep_accounts}, {request.keep_limit}"
            wrong += _differences(f"{phase}, {asked}", view, expected, counts)
            wrong += _differences(f"{phase}, compacted, {asked}", view.compacted(), expected, counts)
        self.wrong += wrong
        self.compared[phase] = (
            f"{len(events)} events, {valid} valid, {len(REQUESTS)} cases, {rows} rows compared, {len(wrong)} wrong"
        )

    def _await_letters(self) -> list[Message]:
        """The dead letters, when there are that many different ones; every generation writes each of them."""

        def found() -> list[Message]:
            records = read_to_end(self._cluster, f"{PREFIX}.dead-letters")
            assert len({record.key() for record in records}) >= len(self.bad)
            return records

        return await_that(found, timeout=SPARK_SECONDS)


def _differences(name: str, view: ViewRows, expected: Tables, counts: tuple[int, int]) -> list[str]:
    """What is wrong, in words; `counts` are the valid events and those that a limit has cut off."""
    found = view.tables()
    wrong = [
        f"{name}, {table}: missing {rows - found[table]}, not expected {found[table] - rows}"
        for table, rows in expected.items()
        if rows != found[table]
    ]
    if (view.events, view.cut) != counts:
        wrong.append(f"{name}: {view.events} events and {view.cut} cut ones, not {counts}")
    return wrong


class Pipeline:
    """The process of tests/spark_generations.py; a test may kill and start it again."""

    def __init__(self, broker: Settings, folder: Path) -> None:
        overrides = {
            "kafka": broker.kafka_client.librdkafka(),
            "data_dir": str(folder / "data"),
            "jars": {"dir": str(broker.jars.folder)},
            "topics": {"prefix": PREFIX},
            "events": {"max_bytes": MAX_BYTES},
            "spark": {"slots": 256, "driver_memory": "2g"},
        }
        # As they are now: the tests beside which it runs have settings and folders of their own.
        self._env = {name: value for name, value in os.environ.items() if not name.startswith("LIVEJOIN_")}
        self._file = folder / "generations.json"
        requests = [request.model_dump(mode="json") for request in REQUESTS]
        self._file.write_text(json.dumps({"settings": overrides, "requests": requests}))
        self._log = folder / "spark.log"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and return when every generation is live."""
        program = Path(__file__).with_name("spark_generations.py")
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, str(program), str(self._file)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self._file.parent,
                env=self._env,
            )
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line.strip())
            if said[-1] == "LIVE":
                return
        raise AssertionError(f"the pipeline ended after {said}:\n{self._log.read_text()[-4000:]}")

    def kill(self) -> None:
        """SIGKILL; Spark's JVM follows, because its standard input closes."""
        if self._process:
            self._process.kill()
            self._process.wait()


def produce(cluster: Cluster, moves: list[Move], epoch: int) -> list[Event]:
    """Send records, in order, and return them with the offsets that the broker gave them."""
    events: list[Event] = []
    producer = cluster.producer()
    for move in moves:

        def delivered(error: object, message: object, move: Move = move) -> None:
            assert error is None, error
            order = Order(epoch + move.timestamp, move.partition, message.offset())  # type: ignore[attr-defined]
            events.append(Event(move.source, order, move.key, move.value))

        producer.produce(
            TOPICS[move.source],
            key=move.key,
            value=move.value,
            partition=move.partition,
            timestamp=epoch + move.timestamp,
            on_delivery=delivered,
        )
        producer.poll(0)
    assert producer.flush(30) == 0
    return events

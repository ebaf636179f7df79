"""Every row of every table, for every join and keep setting, against the model: backfill, live, and after a kill -9."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import cast

import pytest
from confluent_kafka import Message

from await_that import await_that
from histories import MAX_BYTES, PARTITIONS, PHASES, REASONS, Move, collect_histories
from livejoin import dead_letter
from livejoin.generation import JoinType, Keep, Request
from livejoin.kafka import Cluster, read_to_end
from livejoin.schema import SOURCES
from livejoin.settings import Settings
from model import Event, Order, Tables, cut, judge, tables
from view_topic import ViewTopic

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
LIMITED = [(JoinType.LEFT, Keep.ALL), (JoinType.ASOF, Keep.LATEST)]
REQUESTS += [
    request.model_copy(update={"keep_limit": 2})
    for request in REQUESTS
    if request.keep_users is Keep.ALL and (request.join, request.keep_accounts) in LIMITED
]


class Pipeline:
    """The process of tests/spark_generations.py; a test may kill and start it again."""

    def __init__(self, broker: Settings, folder: Path) -> None:
        overrides = {
            "kafka": broker.kafka_client,
            "data_dir": str(folder / "data"),
            "jars": {"dir": str(broker.jars.folder)},
            "topics": {"prefix": PREFIX},
            "events": {"max_bytes": MAX_BYTES},
            "spark": {"slots": 256, "driver_memory": "2g"},
        }
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
                [sys.executable, str(program), str(self._file)], stdout=subprocess.PIPE, stderr=log, text=True
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


@pytest.fixture
def pipeline(broker: Settings, tmp_path: Path) -> Iterator[Pipeline]:
    """A pipeline process that is gone after the test."""
    process = Pipeline(broker, tmp_path)
    yield process
    process.kill()


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


def compare(views: list[ViewTopic], events: list[Event], record: Callable[[str, object], None], phase: str) -> None:
    """Every row of every table of every generation must be the model's."""
    valid = sum(judge(event, MAX_BYTES) is not None for event in events)
    wrong: list[str] = []
    rows = 0
    for view, request in zip(views, REQUESTS, strict=True):
        view.await_events(valid, timeout=120)
        expected: Tables = tables(events, request, MAX_BYTES)
        found = view.tables()
        rows += sum(sum(table.values()) for table in expected.values())
        name = (
            f"{request.join} join, users {request.keep_users}, accounts {request.keep_accounts}, {request.keep_limit}"
        )
        wrong += [
            f"{name}, {table}: missing {expected[table] - found[table]}, not expected {found[table] - expected[table]}"
            for table in expected
            if expected[table] != found[table]
        ]
        assert view.events == valid
        assert view.cut == cut(events, request, MAX_BYTES)
    record(
        phase, f"{len(events)} events, {valid} valid, {len(REQUESTS)} cases, {rows} rows compared, {len(wrong)} wrong"
    )
    assert not wrong, f"after {phase}:\n" + "\n".join(wrong)


@pytest.mark.timeout(600)
def test_every_table_is_what_the_model_says(
    broker: Settings, pipeline: Pipeline, record_property: Callable[[str, object], None]
) -> None:
    """Backfill, live events and events after a kill -9 give the model's rows, and no bad event is lost or repeated."""
    cluster = Cluster(broker.kafka_client)
    for topic in TOPICS.values():
        cluster.ensure(topic, partitions=PARTITIONS)
    moves = [move for history in collect_histories(HISTORIES, "user") for move in history]
    phases = [[move for move in moves if move.phase == phase] for phase in range(PHASES)]

    epoch = time.time_ns() // 1_000_000
    events = produce(cluster, phases[0], epoch)
    pipeline.start()
    views = [ViewTopic(cluster, f"{PREFIX}.view.{number}") for number in range(1, len(REQUESTS) + 1)]
    try:
        compare(views, events, record_property, "backfill")
        events += produce(cluster, phases[1], epoch)
        compare(views, events, record_property, "live")
        pipeline.kill()
        events += produce(cluster, phases[2], epoch)
        pipeline.start()
        compare(views, events, record_property, "restart")
    finally:
        for view in views:
            view.close()

    bad = {
        f"{TOPICS[event.source]}/{event.order.partition}/{event.order.offset}": event.value
        for event in events
        if judge(event, MAX_BYTES) is None
    }
    letters = {(record.key() or b"").decode(): record for record in await_letters(cluster, len(bad))}
    assert letters.keys() == bad.keys()
    for position, letter in letters.items():
        headers = dict(cast("list[tuple[str, bytes]]", letter.headers()))
        assert letter.value() == (bad[position] or b"")
        value = bad[position]
        if value in REASONS:
            assert headers[dead_letter.REASON].decode() == REASONS[value]


def await_letters(cluster: Cluster, count: int) -> list[Message]:
    """The dead letters, when there are that many different ones; every generation writes each of them."""

    def found() -> list[Message]:
        records = read_to_end(cluster, f"{PREFIX}.dead-letters")
        assert len({record.key() for record in records}) >= count
        return records

    return await_that(found, timeout=120)

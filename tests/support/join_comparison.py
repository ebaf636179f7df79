"""The join, in a real Spark on a real broker, beside the model: every row of every table, for every setting.

It takes minutes, nearly all of them Spark's, so it goes on beside other tests: the fixture `comparison` begins it.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from confluent_kafka import Message, Producer

from await_that import await_that
from declarations import collect_requests
from histories import COMPRESSIONS, MAX_BYTES, PARTITIONS, PHASES, Fate, Move, collect_histories, large_history
from join_model import Event, Order, Tables, cut, judge, tables, valid_events, valid_keys
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.model.declaration import Declaration, Keep, Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType, Request
from livejoin.pipeline.spark.query import JOIN
from livejoin.settings.generation import KeepSettings
from livejoin.settings.settings import Settings
from livejoin.wire.dead_letter import place_of
from livejoin.wire.records import to_json
from sender import ANY_TIME
from view_topic import ViewRows, ViewTopic

SPARK_SECONDS = 240.0
"""Other tests use the processors too."""
HISTORIES = 400
SLOTS = 16
"""What each generation may take at the most."""
TRANSACTION = 150
"""How many records are sent while a transaction is open."""
LARGE = {"message.max.bytes": 2_000_000}
PREFIX = "property"
EPOCHS = 1000
TOPICS = {side: f"property-{side}" for side in Side}


def _keeping(left: Keep, right: Keep) -> Declaration:
    return replace(DEFAULT, left=replace(DEFAULT.left, keep=left), right=replace(DEFAULT.right, keep=right))


REQUESTS = [
    Request(_keeping(left, right), TOPICS[Side.LEFT], TOPICS[Side.RIGHT], join)
    for join, left, right in product(JoinType, Keep, Keep)
]
REQUESTS += [
    replace(request, keep_limit=2)
    for request in REQUESTS
    if request.declaration.left.keep is Keep.ALL and request.join is not JoinType.INNER
]
UNLIMITED, LIMITED = 0, len(REQUESTS)
"""Where the same is asked without a limit, and with that which nobody has to set."""
REQUESTS.append(replace(REQUESTS[UNLIMITED], keep_limit=KeepSettings().limit))
"""Every way to join and to keep."""
DECLARED_HISTORIES = 40
SHORT, SHORT_BATCH = (1, 6, 11, 16), "8 seconds"
"""The generations whose batches end while events flow, so that they recover from what a live query has committed."""
WIDE, VIEW_PARTITIONS = (2, 6, 17), 3
"""The generations whose view topic has several partitions."""


@dataclass(frozen=True)
class Sent:
    """A record for a topic."""

    topic: str
    move: Move


@dataclass
class Comparison:
    """What was compared, what was wrong, and the dead letters. Who makes it runs it, in any thread, and stops it."""

    broker: Settings
    folder: Path
    requests: list[Request]
    sent: list[Sent]
    compared: dict[str, str] = field(default_factory=dict)
    """In words, for each phase: backfill, live, after a batch has ended, restart."""
    wrong: list[str] = field(default_factory=list)
    bad: dict[str, Event] = field(default_factory=dict)
    """The events that are not valid, by the key of their dead letter."""
    topic_ids: dict[str, str] = field(default_factory=dict)
    """Of the topics of these events."""
    letters: dict[str, Message] = field(default_factory=dict)
    written: list[int] = field(default_factory=list)
    """How many records each request has written of live events."""
    live_commits: dict[int, int] = field(default_factory=dict)
    """How many batches of its live query each generation had committed when it was killed."""
    state_keys: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each generation of `SHORT`, how many keys are in its state, and how many have valid events."""
    homes: dict[int, dict[tuple[object, ...], set[int]]] = field(default_factory=dict)
    """Of each generation, the partitions of its view topic in which records of a key stand."""

    def __post_init__(self) -> None:
        """Nothing is started yet."""
        self._cluster = Cluster(self.broker.kafka_client)
        self._pipeline = Pipeline(self.broker, self.folder, self.requests)

    def run(self) -> "Comparison":
        """Backfill, live events, some more after a batch has ended, a kill -9, and events that arrived meanwhile."""
        for topic in {topic for request in self.requests for topic in request.topics.values()}:
            self._cluster.ensure(topic, partitions=PARTITIONS, config=ANY_TIME)
        phases = [[sent for sent in self.sent if sent.move.phase == phase] for phase in range(PHASES)]
        epoch = time.time_ns() // 1_000_000
        events = produce(self._cluster, phases[0], epoch)
        self._pipeline.start()
        views = [ViewTopic(self._cluster, f"{PREFIX}.view.{n}", request) for n, request in enumerate(self.requests, 1)]
        try:
            self._compare("backfill", views, events)
            backfilled = self._commits()
            before = [len(view.records) for view in views]
            events += produce(self._cluster, phases[1], epoch)
            self._compare("live", views, events)
            self.written = [len(view.records) - count for view, count in zip(views, before, strict=True)]
            self._await_commits()
            events += produce(self._cluster, phases[2], epoch)
            self._compare("after a batch", views, events)
            self._pipeline.kill()
            self.live_commits = {number: count - backfilled[number] for number, count in self._commits().items()}
            events += produce(self._cluster, phases[3], epoch)
            self._pipeline.start()
            self._compare("restart", views, events)
            self.homes = {number: view.homes() for number, view in enumerate(views, 1)}
        finally:
            for view in views:
                view.close()
        judged_by = {
            request.topic_of(side): request.declaration.source(side) for request in self.requests for side in Side
        }
        self.bad = {
            f"{event.topic}/{event.order.partition}/{event.order.offset}": event
            for event in events
            if judge(event, judged_by[event.topic], MAX_BYTES) is None
        }
        sources = {place.split("/")[0] for place in self.bad}
        self.topic_ids = {topic: found.topic_id for topic, found in self._cluster.describe(sources).items()}
        self.letters = {place_of((record.key() or b"").decode()): record for record in self._await_letters()}
        # So many live queries would take processor time from the tests that still run.
        found = self._pipeline.end()
        valid = {number: valid_keys(events, self.requests[number - 1], MAX_BYTES) for number in SHORT}
        self.state_keys = {number: (found[number], valid[number]) for number in SHORT}
        return self

    def stop(self) -> None:
        """End Spark."""
        self._pipeline.kill()

    def _commits(self) -> dict[int, int]:
        """How many batches the join of each generation has committed."""
        folders = {n: self._pipeline.checkpoints / str(n) / JOIN / "commits" for n in range(1, len(self.requests) + 1)}
        return {number: sum(file.name.isdigit() for file in folder.iterdir()) for number, folder in folders.items()}

    def _await_commits(self) -> None:
        """Return when every short batch in which an event was that is there by now has ended."""
        before = self._commits()

        def ended() -> bool:
            self._pipeline.still_runs()
            now = self._commits()
            return all(now[number] > before[number] for number in SHORT)

        await_that(ended, timeout=SPARK_SECONDS)

    def _compare(self, phase: str, views: list[ViewTopic], events: list[Event]) -> None:
        """Every row of every table of every generation must be the model's, also when the topic is compacted."""
        wrong: list[str] = []
        rows, all_valid = 0, 0
        for view, request in zip(views, self.requests, strict=True):
            valid = valid_events(events, request, MAX_BYTES)
            all_valid += valid
            view.await_events(valid, SPARK_SECONDS, self._pipeline.still_runs)
            expected: Tables = tables(events, request, MAX_BYTES)
            counts = (valid, cut(events, request, MAX_BYTES))
            rows += sum(sum(table.values()) for table in expected.values())
            keep = "with ".join(source.keep for source in request.declaration.sources)
            asked = f"{request.join} join, {keep}, {request.keep_limit}"
            if request.topics != REQUESTS[0].topics:
                asked += f" of {request.declaration}"
            wrong += _differences(f"{phase}, {asked}", view, expected, counts)
            wrong += _differences(f"{phase}, compacted, {asked}", view.compacted(), expected, counts)
        self.wrong += wrong
        self.compared[phase] = (
            f"{len(events)} events, {all_valid} joined in {len(views)} cases, {rows} rows compared, {len(wrong)} wrong"
        )

    def _await_letters(self) -> list[Message]:
        """The dead letters, when there are that many different ones; every generation writes each of them."""

        def found() -> list[Message]:
            records = read_to_end(self._cluster, f"{PREFIX}.dead-letters")
            assert len({place_of((record.key() or b"").decode()) for record in records}) >= len(self.bad)
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
    """The process of tests/support/spark_generations.py; a test may kill and start it again."""

    def __init__(self, broker: Settings, folder: Path, asked: list[Request]) -> None:
        overrides = {
            "kafka": broker.kafka_client.librdkafka(),
            "data_dir": str(folder / "data"),
            "jars": {"dir": str(broker.jars.folder)},
            "topics": {"prefix": PREFIX},
            "events": {"max_bytes": MAX_BYTES},
            "spark": {"slots": SLOTS * len(asked), "driver_memory": "2g"},
        }
        # As they are now: the tests beside which it runs have settings and folders of their own.
        self._env = {name: value for name, value in os.environ.items() if not name.startswith("LIVEJOIN_")}
        self._file = folder / "generations.json"
        requests = [to_json(request).decode() for request in asked]
        self._given: dict[str, Any] = {
            "settings": overrides,
            "requests": requests,
            "epoch": 1,
            "short": SHORT,
            "batch": SHORT_BATCH,
            "wide": WIDE,
            "partitions": VIEW_PARTITIONS,
        }
        self.checkpoints = folder / "data" / "checkpoints" / PREFIX
        self._log = folder / "spark.log"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and return when every generation is live."""
        program = Path(__file__).with_name("spark_generations.py")
        self._file.write_text(json.dumps(self._given))
        # Each start has epochs of its own, for every query that it may start.
        self._given["epoch"] += EPOCHS
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
        raise AssertionError(f"the pipeline ended after {said}:\n{self._last_words()}")

    def still_runs(self) -> None:
        """Raise where it has ended by itself, with what it said last."""
        assert self._process is not None
        assert self._process.poll() is None, f"the pipeline ended:\n{self._last_words()}"

    def _last_words(self) -> str:
        return self._log.read_text()[-4000:]

    def end(self) -> dict[int, int]:
        """Tell it to stop; what it says then of the states of `SHORT`."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.terminate()
        said = self._process.stdout.read().splitlines()
        assert self._process.wait(SPARK_SECONDS) == 0, self._last_words()
        return {int(number): keys for number, keys in json.loads(said[-1]).items()}

    def kill(self) -> None:
        """SIGKILL; Spark's JVM follows, because its standard input closes."""
        if self._process:
            self._process.kill()
            self._process.wait()


def produce(cluster: Cluster, records: list[Sent], epoch: int) -> list[Event]:
    """Send records, in transactions or not, and return those that count, with the offsets that the broker gave them."""
    events: list[Event] = []
    plain = {kind: cluster.producer(**{"compression.type": kind, **LARGE}) for kind in COMPRESSIONS}
    committing, aborting = (
        cluster.producer(**{"transactional.id": f"{PREFIX}-{fate}", "compression.type": kind, **LARGE})
        for fate, kind in ((Fate.COMMITTED, "zstd"), (Fate.ABORTED, "lz4"))
    )
    for producer in (committing, aborting):
        producer.init_transactions(30)
    # Several transactions one after the other, and both kinds at the same time, with what is in none in between.
    for first in range(0, len(records), TRANSACTION):
        committing.begin_transaction()
        aborting.begin_transaction()
        for sent in records[first : first + TRANSACTION]:
            in_transaction = {Fate.COMMITTED: committing, Fate.ABORTED: aborting}
            _send(in_transaction.get(sent.move.fate, plain[sent.move.compression]), sent, epoch, events)
        # What is not sent yet would not be sent at all where a transaction is aborted.
        assert not any(producer.flush(30) for producer in (*plain.values(), committing, aborting))
        committing.commit_transaction(30)
        aborting.abort_transaction(30)
    return events


def _send(producer: Producer, sent: Sent, epoch: int, events: list[Event]) -> None:
    move = sent.move
    time = epoch + move.timestamp if move.time is None else move.time

    def delivered(error: object, message: Message) -> None:
        assert error is None, error
        if move.fate is not Fate.ABORTED:
            order = Order(time, move.partition, message.offset() or 0)
            events.append(Event(sent.topic, order, move.key, move.value))

    producer.produce(
        sent.topic,
        key=move.key,
        value=move.value,
        partition=move.partition,
        timestamp=time,
        headers=move.headers,
        on_delivery=delivered,
    )
    producer.poll(0)


def everything_asked(seed: int, declarations: int) -> tuple[list[Request], list[Sent]]:
    """What is compared: every setting of the default declaration, and declarations that nobody would think of.

    Each of these has topics and histories of its own.
    """
    histories = [
        *collect_histories(HISTORIES, "user", seed),
        # Of what is too large for one record at every start, only at the first one, and only at the second one.
        large_history("large", (90, 60, 30, 90), ended=45),
        large_history("shrinking", (90, 3, 1, 3), ended=88),
        large_history("growing", (3, 90, 1, 3), ended=1),
    ]
    sent = [Sent(TOPICS[move.side], move) for history in histories for move in history]
    declared = collect_requests(declarations, seed)
    for number, request in enumerate(declared):
        found = collect_histories(DECLARED_HISTORIES, "key", seed + number, request.declaration)
        sent += [Sent(request.topic_of(move.side), move) for history in found for move in history]
    return [*REQUESTS, *declared], sent

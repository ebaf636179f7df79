"""Kafka Streams: two tables, a left join, and a topic with its rows. What shows that topic to somebody is not there."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import orjson
import psutil
from confluent_kafka import Consumer, TopicPartition

from contest.contestant import Contestant, Sighting, below
from contest.events import WATCHED_PREFIX, Pair, Row
from livejoin.jvm.jars import Jar, Use, broker_classpath, fetch_jars
from livejoin.jvm.java import java
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.settings.loader import load_settings

SOURCE = Path(__file__).with_name("StreamsJoin.java")
PARTITIONS = 2
JARS = (
    Jar(
        Use.BROKER,
        "org.apache.kafka",
        "kafka-streams",
        "4.2.1",
        "1ae087197b4a65d40f3e526a88a14003a8ac2e24e1edb6d6cfe897da0781c60b",
    ),
    Jar(
        Use.BROKER,
        "org.rocksdb",
        "rocksdbjni",
        "10.1.3",
        "e7f925287d9fe2574fb7c7a86f7facaa9b8ab602a2eed0e598bf633528121498",
    ),
)


class KafkaStreams(Contestant):
    """One JVM."""

    name = "Kafka Streams"
    seen_at = "a consumer of its topic"
    settings: Mapping[str, str] = {
        "num.stream.threads": "2",
        "statestore.cache.max.bytes": "0",
        "commit.interval.ms": "1000",
        "-Xmx": "1g",
    }

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes]
        self._consumer: Consumer
        self._rows: dict[str, Row] = {}

    def start(self, bootstrap: str, pair: Pair, folder: Path) -> None:
        """Returns when the program is compiled and started."""
        folder.mkdir()
        settings = load_settings(None, {"data_dir": folder, "jars": {"dir": Path(".cache/contest").absolute()}})
        fetch_jars(settings, JARS)
        own = [jar.path(settings.jars.folder) for jar in JARS]
        classpath = ":".join(map(str, [*own, *broker_classpath(load_settings(None, {}))]))
        topic = f"{folder.name}-joined"
        Cluster(KafkaClient({"bootstrap.servers": bootstrap})).ensure(topic, partitions=PARTITIONS)
        # The program is run from its source: compiling it takes a second that is not counted to the others either.
        asked = [folder.name, bootstrap, pair.users, pair.accounts, topic, folder / "state"]
        options = [f"{name}={value}" for name, value in self.settings.items() if not name.startswith("-")]
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [java(), "-Xmx1g", "-cp", classpath, str(SOURCE), *map(str, asked), *options], stdout=log, stderr=log
            )
        self._consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topic, "enable.auto.commit": False})
        self._consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])

    def rows(self) -> dict[str, Row] | None:
        """Everything that its topic has said so far."""
        self._read(0.1, [])
        return self._rows

    def watch(self, seconds: float) -> list[Sighting]:
        """What comes meanwhile."""
        seen: list[tuple[int, bytes]] = []
        self._read(seconds, seen)
        return [
            Sighting(at, (at / 1_000 - max(user or 0, account or 0)) / 1_000)
            for at, (key, user, account) in ((at, _cells(value)) for at, value in seen)
            if key.startswith(WATCHED_PREFIX)
        ]

    def processes(self) -> list[psutil.Process]:
        """One."""
        return below(self._process.pid)

    def stop(self) -> None:
        """It has nothing to keep."""
        self._consumer.close()
        self._process.kill()
        self._process.wait()

    def _read(self, seconds: float, seen: list[tuple[int, bytes]]) -> None:
        assert self._process.poll() is None, "Kafka Streams has ended"
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            first = self._consumer.poll(left)
            at = time.time_ns()
            for message in [first, *self._consumer.consume(50_000, 0)] if first is not None else []:
                value = message.value()
                if message.error() is None and value is not None:
                    seen.append((at, value))
                    key, user, account = _cells(value)
                    self._rows[key] = (user, account)


def _cells(value: bytes) -> tuple[str, int | None, int | None]:
    row = orjson.loads(value)
    account = row.get("balance")
    return row["userId"], row.get("age"), None if account is None else int(account)

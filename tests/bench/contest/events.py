"""What everybody joins: events with the moment of their sending in them, and what the joined table has to be.

The value of each event is that moment, in microseconds: as `age` of a user and as `balance` of an account. So who sees
a row knows how old its newest event is, and the last two values sent for a key are the whole truth about its row.
"""

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import count

from confluent_kafka import Producer

from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster

STEP = 0.005
WATCHED_PREFIX = "w"
"""Of the keys that somebody looks at."""

Row = tuple[int | None, int | None]
"""The moments of the newest user and of the newest account of a key."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two topics and the keys in them, of which the first `watched` are looked at."""

    name: str
    keys: int
    watched: int = 0

    @property
    def users(self) -> str:
        """The left topic."""
        return f"{self.name}-users"

    @property
    def accounts(self) -> str:
        """The right topic."""
        return f"{self.name}-accounts"

    def key(self, number: int) -> str:
        """The key of that number."""
        return f"{WATCHED_PREFIX if number < self.watched else 'u'}{number:07}"

    def create(self, bootstrap: str, partitions: int = 2) -> None:
        """Make the topics."""
        cluster = Cluster(KafkaClient({"bootstrap.servers": bootstrap}))
        for topic in (self.users, self.accounts):
            cluster.ensure(topic, partitions=partitions)


@dataclass
class Sent:
    """The joined table as it has to be when everything that was sent is in it."""

    rows: dict[str, Row] = field(default_factory=dict)
    events: int = 0

    def add(self, key: str, moment: int, *, is_user: bool) -> None:
        """An event was sent."""
        user, account = self.rows.get(key, (None, None))
        self.rows[key] = (moment, account) if is_user else (user, moment)
        self.events += 1

    def take(self, later: "Sent") -> None:
        """What was sent after this."""
        for key, (user, account) in later.rows.items():
            before = self.rows.get(key, (None, None))
            self.rows[key] = (user or before[0], account or before[1])
        self.events += later.events

    def joined(self) -> dict[str, Row]:
        """A left join: who has no user has no row."""
        return {key: row for key, row in self.rows.items() if row[0] is not None}


class Producing:
    """Hands events to Kafka's client and keeps what they come to."""

    def __init__(self, bootstrap: str, pair: Pair, seed: int, **properties: int) -> None:
        self.sent = Sent()
        self._pair = pair
        self._random = random.Random(seed)  # noqa: S311  any keys will do
        self._producer = Producer(
            {"bootstrap.servers": bootstrap, "enable.idempotence": True, "queue.buffering.max.messages": 500_000}
            | properties
        )
        self._last = 0

    def event(self, number: int, *, is_user: bool) -> None:
        """One event of that key."""
        key = self._pair.key(number)
        # No two events have the same moment, or one could be taken for the other.
        self._last = moment = max(self._last + 1, time.time_ns() // 1_000)
        row: dict[str, object] = (
            {"name": f"Person {number}", "email": f"{key}@example.org", "age": moment}
            if is_user
            else {"accountType": "gold", "balance": moment}
        )
        topic = self._pair.users if is_user else self._pair.accounts
        value = json.dumps({"userId": key, **row})
        while True:
            try:
                self._producer.produce(topic, value, key)
                break
            except BufferError:
                self._producer.poll(0.05)
        self.sent.add(key, moment, is_user=is_user)

    def any_event(self, hot: float) -> None:
        """One event of a random key and side; a share of them is of the keys that are looked at."""
        is_hot = self._pair.watched and self._random.random() < hot
        number = self._random.randrange(self._pair.watched if is_hot else self._pair.keys)
        self.event(number, is_user=self._random.random() < 0.5)

    def poll(self) -> None:
        """Let the client do its work."""
        self._producer.poll(0)

    def flush(self) -> Sent:
        """Return what was sent when all of it is on the broker."""
        assert self._producer.flush(120) == 0
        return self.sent


def fill(bootstrap: str, pair: Pair, events: int) -> Sent:
    """Give every key a user and an account, and go on with random events up to that number; as fast as possible."""
    producing = Producing(bootstrap, pair, seed=1, **{"linger.ms": 20})
    for number in range(pair.keys):
        for is_user in (True, False):
            producing.event(number, is_user=is_user)
    for _ in range(events - 2 * pair.keys):
        producing.any_event(0.0)
    return producing.flush()


class Sender:
    """A process that sends at a steady rate. Who starts it calls `result`, which waits for its end."""

    def __init__(self, bootstrap: str, pair: Pair, rate: int, seconds: float, hot: float = 0.0) -> None:
        asked = [bootstrap, pair.name, pair.keys, pair.watched, rate, seconds, hot]
        command = [sys.executable, "-c", "from contest.events import send; send()", *map(str, asked)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def result(self) -> Sent:
        """What was sent, when all of it is on the broker."""
        told, _ = self._process.communicate()
        assert self._process.returncode == 0
        found = json.loads(told)
        return Sent({key: (row[0], row[1]) for key, row in found["rows"].items()}, found["events"])


def send() -> None:
    """Run in the sender's process."""
    bootstrap, name, keys, watched, rate, seconds, hot = sys.argv[1:]
    producing = Producing(bootstrap, Pair(name, int(keys), int(watched)), seed=time.time_ns(), **{"linger.ms": 0})
    began = time.monotonic()
    for turn in count(1):
        due = began + turn * STEP
        # What took too long is caught up, so the rate is what was asked for.
        while producing.sent.events < turn * STEP * int(rate):
            producing.any_event(float(hot))
        producing.poll()
        if due - began >= float(seconds):
            break
        time.sleep(max(0.0, due - time.monotonic()))
    sent = producing.flush()
    json.dump({"rows": sent.rows, "events": sent.events}, sys.stdout)

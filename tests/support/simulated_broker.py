"""A Kafka broker in memory: topics with ids and offsets, transactions that are fenced, compaction.

It answers at once and never errs. What may happen on the way to it and back is the business of its clients.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from confluent_kafka import KafkaError, KafkaException

from simulated_time import BEGIN, Event, Process, World

TRANSACTION_SECONDS = 10.0
"""After that long without an end, the broker ends a transaction and fences its producer."""


class Fate(Enum):
    """What became of a record."""

    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"


@dataclass(slots=True)
class Entry:
    """A record in its place."""

    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int
    fate: Fate


class Partition:
    """The records of one partition."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.open: list[Entry] = []
        self.end = 0

    def append(self, key: bytes | None, value: bytes | None, timestamp: int, fate: Fate) -> Entry:
        """Add one at the end."""
        entry = Entry(self.end, key, value, timestamp, fate)
        self.entries.append(entry)
        self.end += 1
        if fate is Fate.OPEN:
            self.open.append(entry)
        return entry

    def decide(self, entry: Entry, fate: Fate) -> None:
        """End the transaction of a record; the marker that says so has an offset of its own."""
        entry.fate = fate
        self.open.remove(entry)
        self.end += 1

    @property
    def stable_end(self) -> int:
        """Up to where a reader of what is committed may read: the first record of an open transaction, or the end."""
        return min((entry.offset for entry in self.open), default=self.end)

    def since(self, offset: int) -> list[Entry]:
        """What is committed from there on."""
        first, end = bisect_left(self.entries, offset, key=lambda entry: entry.offset), self.stable_end
        return [entry for entry in self.entries[first:] if entry.fate is Fate.COMMITTED and entry.offset < end]

    def compact(self) -> None:
        """Leave the newest record of each key."""
        end = self.stable_end
        newest = {entry.key: entry.offset for entry in self.entries if entry.fate is Fate.COMMITTED}
        self.entries = [
            entry
            for entry in self.entries
            if entry.offset >= end or (entry.fate is Fate.COMMITTED and newest[entry.key] == entry.offset)
        ]


@dataclass
class Topic:
    """A topic; one that is created again is another one."""

    name: str
    topic_id: str
    partitions: list[Partition]
    config: dict[str, str]


@dataclass
class Transactions:
    """Of one transactional id: the newest epoch counts."""

    epoch: int = 0
    began: float = 0.0
    open: list[tuple[Topic, Partition, Entry]] = field(default_factory=list)


Heard = Callable[[str, Entry, Process], None]


class Broker:
    """Everything that the clients share. `heard` is told of every record that is committed, and by whom."""

    def __init__(self, heard: Heard) -> None:
        self.topics: dict[str, Topic] = {}
        self.changed: defaultdict[str, Event] = defaultdict(Event)
        """Whoever waits for what comes into a topic, by its name."""
        self._heard = heard
        self._made = 0
        self._transactions: dict[str, Transactions] = {}

    def create(self, name: str, partitions: int = 1, config: dict[str, str] | None = None) -> None:
        """Make a topic."""
        if name in self.topics:
            raise KafkaException(KafkaError(KafkaError.TOPIC_ALREADY_EXISTS))
        self._made += 1
        parts = [Partition() for _ in range(partitions)]
        self.topics[name] = Topic(name, f"id-{self._made}", parts, dict(config or {}))

    def delete(self, name: str) -> None:
        """Forget a topic."""
        self.topic(name)
        del self.topics[name]

    def topic(self, name: str) -> Topic:
        """The topic of that name."""
        self._end_what_is_silent()
        found = self.topics.get(name)
        if found is None:
            raise KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART))
        return found

    def append(self, name: str, key: bytes | None, value: bytes | None, process: Process, partition: int = 0) -> Entry:
        """Write a record that belongs to no transaction."""
        entry = self.topic(name).partitions[partition].append(key, value, _timestamp(), Fate.COMMITTED)
        self._heard(name, entry, process)
        self.changed[name].notify()
        return entry

    def begin_epoch(self, transactional_id: str) -> int:
        """Give the right to write to one more producer: what the one before has begun is undone."""
        transactions = self._transactions.setdefault(transactional_id, Transactions())
        self._abort(transactions)
        return transactions.epoch

    def append_within(
        self, transactional_id: str, epoch: int, name: str, key: bytes | None, value: bytes | None
    ) -> None:
        """Write a record of a transaction, which begins with it where none is open."""
        topic = self.topic(name)
        transactions = self._own(transactional_id, epoch)
        if not transactions.open:
            transactions.began = World.now_running.now
        entry = topic.partitions[0].append(key, value, _timestamp(), Fate.OPEN)
        transactions.open.append((topic, topic.partitions[0], entry))

    def commit(self, transactional_id: str, epoch: int, process: Process) -> None:
        """End a transaction; once more is as good as once."""
        self._end_what_is_silent()
        transactions = self._own(transactional_id, epoch)
        for topic, partition, entry in transactions.open:
            partition.decide(entry, Fate.COMMITTED)
            self._heard(topic.name, entry, process)
            self.changed[topic.name].notify()
        transactions.open = []

    def _own(self, transactional_id: str, epoch: int) -> Transactions:
        transactions = self._transactions[transactional_id]
        if transactions.epoch != epoch:
            code = World.now_running.chance.choice(
                [KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH]  # noqa: SLF001
            )
            raise KafkaException(KafkaError(code))
        return transactions

    def _end_what_is_silent(self) -> None:
        for transactions in self._transactions.values():
            if transactions.open and World.now_running.now - transactions.began > TRANSACTION_SECONDS:
                self._abort(transactions)

    def _abort(self, transactions: Transactions) -> None:
        for topic, partition, entry in transactions.open:
            partition.decide(entry, Fate.ABORTED)
            self.changed[topic.name].notify()
        transactions.open = []
        transactions.epoch += 1


def _timestamp() -> int:
    return int((BEGIN.timestamp() + World.now_running.now) * 1000)

"""Events of some people of some pairs, which go on and are all written down."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from confluent_kafka import KafkaError, Message, Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions

from await_that import await_that
from frame_history import History, Sent, topic_of
from join_model import LATEST, Event, Order
from livejoin.kafka.cluster import Cluster
from livejoin.model.declaration import Side

ANY_TIME = {"message.timestamp.after.max.ms": str(2**63 - 1), "retention.ms": "-1"}
"""Records of any time are taken, as by brokers before Kafka 4, and none is too old to be kept."""
PATIENCE_MS = 300_000
"""What the broker was not there for arrives when it is back, once and in order."""
LASTING = 2
"""So many people of each pair are never deleted: no table is ever empty."""
WRONG_TIMES = (1, LATEST + 1, 10**18)
"""Of clocks that are no clocks: about 1970, and what is no time."""


class Sender:
    """Who starts it stops it. One thread sends; any other may ask for more to be sent."""

    def __init__(self, cluster: Cluster, pairs: tuple[str, ...], people: int, rate: float, seed: int) -> None:
        self.history = History()
        self._cluster = cluster
        self._pairs, self._people, self._rate = pairs, people, rate
        self._random = random.Random(seed)  # noqa: S311  not for secrets
        self._marks = count(1)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._flow, name="sender")
        self._partitions = dict.fromkeys(self.topics, 2)
        for topic in self.topics:
            self._create(topic)
        self._producer = self._new_producer()
        self._ahead = 0
        """By how many milliseconds the clock of the producers is wrong."""
        self._newest = 0
        self._back: int | None = None

    @property
    def topics(self) -> list[str]:
        """Everything that it sends to."""
        return [topic_of(pair, side) for pair in self._pairs for side in Side]

    def start(self) -> None:
        """Everybody is there once, and then events go on."""
        for pair in self._pairs:
            self._everybody(pair)
        assert self._producer.flush(60) == 0
        self._thread.start()

    def stop(self) -> None:
        """Send no more; returns when the broker has everything."""
        self._stop.set()
        self._thread.join()
        assert self._producer.flush(120) == 0

    def probe(self, pair: str) -> dict[str, Sent]:
        """An account of everybody of a pair that is newer than whatever was sent; by key."""
        with self.history.lock:
            self._newest += 1
            return {
                key: self._send(Side.RIGHT, key, at=self._newest)
                for key in (f"{pair}-{person}" for person in range(LASTING))
            }

    def jump(self, back: int, ahead: int) -> None:
        """For a moment the clock of the producers goes back by so much, or shows anything; then it goes ahead."""
        self._back = back
        self._stop.wait(3)
        self._back = None
        self._ahead += ahead

    def flood(self, pair: str, bad_events: int) -> None:
        """Send what is not valid, to both topics of a pair, as fast as it goes."""
        for number in range(bad_events):
            topic = topic_of(pair, self._random.choice([*Side]))
            value = f"not an event {number}".encode()
            with self.history.lock:
                self._produce(topic, self._partition(topic), self._now(), None, value)
                self._producer.poll(0)

    def partitions(self, topic: str) -> int:
        """How many it has."""
        return self._partitions[topic]

    def add_partition(self, topic: str) -> None:
        """Give a topic one more; some of the next events go there."""
        with self._nothing_on_its_way():
            more = self._partitions[topic] + 1
            admin = AdminClient({**self._cluster.client.librdkafka()})
            for answer in admin.create_partitions([NewPartitions(topic, more)]).values():
                answer.result(30)
            await_that(lambda: len(self._cluster.partitions(topic)) == more)
            self._partitions[topic] = more

    def recreate(self, topics: list[str]) -> None:
        """Delete topics and create them again at once, with everybody in them; nothing is on its way meanwhile."""
        with self._nothing_on_its_way():
            for topic in topics:
                self._cluster.delete(topic)
                self._partitions[topic] = 2
                self.history.begin_life(topic)
            for topic in topics:
                self._create(topic)
            for pair, side in ((pair, side) for pair in self._pairs for side in Side):
                if topic_of(pair, side) in topics:
                    self._everybody(pair, side)

    @contextmanager
    def _nothing_on_its_way(self) -> Iterator[None]:
        """What was sent counts where it was sent to; who sends later begins anew."""
        with self.history.lock:
            assert self._producer.flush(120) == 0
            yield
            assert self._producer.flush(120) == 0
            self._producer = self._new_producer()

    def _create(self, topic: str) -> None:
        self._cluster.ensure(topic, partitions=self._partitions[topic], config=ANY_TIME)

    def _new_producer(self) -> Producer:
        return self._cluster.producer(**{"linger.ms": 5, "message.timeout.ms": PATIENCE_MS})

    def _everybody(self, pair: str, *sides: Side) -> None:
        for side in sides or tuple(Side):
            for person in range(self._people):
                self._send(side, f"{pair}-{person}")

    def _flow(self) -> None:
        while not self._stop.wait(1 / self._rate):
            # Rows of users stay, so that most events are of accounts, which change them.
            side = self._random.choices([*Side], (1, 9))[0]
            person = self._random.randrange(self._people)
            ends = person >= LASTING and self._random.random() < 0.05
            with self.history.lock:
                self._send(side, f"{self._random.choice(self._pairs)}-{person}", tombstone=ends)
                self._producer.poll(0)

    def _now(self) -> int:
        now = time.time_ns() // 1_000_000 + self._ahead
        if self._back is not None:
            return self._random.choice([now - self._back, now - self._back, *WRONG_TIMES])
        # The clocks of producers differ a little.
        found = now - self._random.randrange(20)
        self._newest = max(self._newest, found)
        return found

    def _partition(self, topic: str) -> int:
        return self._random.randrange(self._partitions[topic])

    def _send(self, side: Side, key: str, *, tombstone: bool = False, at: int | None = None) -> Sent:
        partition = self._partition(topic_of(key.split("-")[0], side))
        moment = self._now() if at is None else at
        sent = self.history.send(side, key, next(self._marks), partition=partition, time=moment, tombstone=tombstone)
        self._produce(sent.topic, partition, moment, key.encode(), sent.value)
        return sent

    def _produce(self, topic: str, partition: int, moment: int, key: bytes | None, value: bytes | None) -> None:
        def delivered(error: KafkaError | None, message: Message) -> None:
            if error is None:
                order = Order(moment, partition, message.offset() or 0)
                self.history.acknowledge(Event(topic, order, key, value))

        self._producer.produce(topic, value, key, partition=partition, timestamp=moment, on_delivery=delivered)

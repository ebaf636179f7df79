"""Kafka's clients, as livejoin uses them, on a broker in memory, and everything that may happen on the way to it.

A request may be slow, get lost, or arrive after its sender has given it up; an answer may get lost after the broker has
done what was asked; and a process may be cut off from the broker altogether.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition
from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]

from simulated_broker import Broker, Topic
from simulated_time import Process, Thread, World

T = TypeVar("T")
EARLIEST, LATEST = type(OffsetSpec.earliest()), type(OffsetSpec.latest())  # type: ignore[no-untyped-call]
ALLOWED = [SimpleNamespace(name=name) for name in ("READ", "WRITE", "DESCRIBE", "DELETE")]
LONG_CUTS = 0.5
"""How often an answer gets lost because the connection does, and for so long that it is not asked for once more."""


@dataclass
class Way:
    """How likely it is that something happens to a request or its answer, and how long both take."""

    lost: float = 0.0
    unanswered: float = 0.0
    unanswered_commit: float = 0.0
    late: float = 0.0
    seconds: float = 0.01


class Network:
    """The broker, and the way to it."""

    now: ClassVar["Network"]
    """The one of the simulation that runs at this moment."""

    def __init__(self, broker: Broker, deleting: Callable[[str], None]) -> None:
        """`deleting` is told of every topic before a client deletes it."""
        self.broker = broker
        self.deleting = deleting
        self.way = Way()
        self._machine = Process("network")
        Network.now = self

    def commit(self, act: Callable[[], None], timeout: float) -> None:
        """Let the broker end a transaction: an answer that gets lost here leaves open whether something is written."""
        self.ask(act, timeout, self.way.unanswered_commit)

    def ask(self, act: Callable[[], T], timeout: float, more_unanswered: float = 0.0) -> T:
        """Let the broker do something; raises KafkaException where no answer comes in time."""
        world, way, begun = World.now_running, self.way, World.now_running.now
        unanswered = way.unanswered + more_unanswered
        process, chance = world.process, world.chance
        world.suspend(way.seconds * chance.random())
        while process.cut_until > world.now:
            _wait_or_give_up(min(process.cut_until, begun + timeout), begun + timeout)
        happens = chance.random()
        if happens < way.lost:
            _wait_or_give_up(begun + timeout, begun + timeout)
        elif happens < way.lost + unanswered:
            _ignore_refusal(act)
            world.tell("the answer is lost")
            if chance.random() < LONG_CUTS:
                process.cut_until = max(process.cut_until, begun + timeout + 1.0)
            _wait_or_give_up(begun + timeout, begun + timeout)
        elif happens < way.lost + unanswered + way.late:
            delay = timeout * 2 * chance.random()
            Thread(lambda: _later(act, delay), "late request", process=self._machine).start()
            _wait_or_give_up(begun + timeout, begun + timeout)
        answer = act()
        world.suspend(way.seconds * chance.random())
        return answer


def _wait_or_give_up(until: float, give_up: float) -> None:
    world = World.now_running
    world.suspend(until - world.now)
    if until >= give_up:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "simulated", retriable=True))  # noqa: SLF001  its name


def _later(act: Callable[[], object], delay: float) -> None:
    World.now_running.suspend(delay)
    _ignore_refusal(act)


def _ignore_refusal(act: Callable[[], object]) -> None:
    """Nobody hears what the broker says to it."""
    try:
        act()
    except KafkaException:
        return


class Answer:
    """Stands for a future that is done."""

    def __init__(self, found: Any = None, error: KafkaException | None = None) -> None:
        self._found = found
        self._error = error

    def done(self) -> bool:
        """It is."""
        return True

    def result(self) -> Any:
        """What was found."""
        if self._error is not None:
            raise self._error
        return self._found


def _answer(act: Callable[[], Any]) -> Answer:
    try:
        return Answer(act())
    except KafkaException as error:
        return Answer(error=error)


class Admin:
    """Stands for `AdminClient`."""

    def __init__(self, _: Mapping[str, Any]) -> None:
        self._network = Network.now
        self._broker = Network.now.broker

    def poll(self, seconds: float) -> None:
        """Wait."""
        World.now_running.suspend(seconds)

    def describe_cluster(self, request_timeout: float) -> Answer:
        """Whether the broker answers."""
        return _answer(lambda: self._network.ask(lambda: None, request_timeout))

    def list_topics(self, timeout: float) -> Any:
        """Every topic."""
        return self._network.ask(lambda: SimpleNamespace(topics=dict(self._broker.topics)), timeout)

    def describe_topics(self, asked: Any, *, request_timeout: float, **_: Any) -> dict[str, Answer]:
        """Each topic."""
        return self._of_each(asked.topic_names, self._describe, request_timeout)

    def create_topics(self, new: list[Any]) -> dict[str, Answer]:
        """Make topics."""
        plans = {topic.topic: topic for topic in new}
        make = self._broker.create
        return self._of_each(plans, lambda name: make(name, plans[name].num_partitions, plans[name].config))

    def delete_topics(self, names: list[str]) -> dict[str, Answer]:
        """Delete topics."""
        return self._of_each(names, self._delete)

    def describe_configs(self, resources: list[Any]) -> dict[str, Answer]:
        """How topics are configured."""
        return self._of_each([resource.name for resource in resources], self._configuration)

    def list_offsets(
        self, asked: Mapping[TopicPartition, Any], *, request_timeout: float, **_: Any
    ) -> dict[Any, Answer]:
        """Offsets of partitions."""
        return self._of_each(asked, lambda place: self._offset(place, asked[place]), request_timeout)

    def _of_each(self, names: Iterable[T], act: Callable[[T], Any], timeout: float = 10.0) -> dict[T, Answer]:
        return self._network.ask(lambda: {name: _answer(partial(act, name)) for name in names}, timeout)

    def _delete(self, name: str) -> None:
        self._network.deleting(name)
        self._broker.delete(name)

    def _describe(self, name: str) -> Any:
        topic = self._broker.topic(name)
        return SimpleNamespace(topic_id=topic.topic_id, partitions=topic.partitions, authorized_operations=ALLOWED)

    def _configuration(self, name: str) -> Any:
        return {key: SimpleNamespace(value=value) for key, value in self._broker.topic(name).config.items()}

    def _offset(self, place: TopicPartition, which: Any) -> Any:
        partition = self._broker.topic(place.topic).partitions[place.partition]
        if isinstance(which, LATEST):
            return SimpleNamespace(offset=partition.end)
        if isinstance(which, EARLIEST):
            # Compaction leaves the beginning where it was.
            return SimpleNamespace(offset=0)
        found = (entry.offset for entry in partition.entries if entry.timestamp >= which.timestamp)
        return SimpleNamespace(offset=next(found, -1))


class Producer:
    """Stands for `Producer`, with a transactional id or without."""

    def __init__(self, properties: Mapping[str, Any]) -> None:
        self._network = Network.now
        self._broker = Network.now.broker
        self._process = World.now_running.process
        self._transactional_id: str = properties.get("transactional.id", "")
        self._epoch = 0
        self._unsent: list[tuple[str, bytes | None, bytes | None, int, Callable[..., None]]] = []

    def init_transactions(self, timeout: float) -> None:
        """Take the right to write."""
        self._epoch = self._network.ask(lambda: self._broker.begin_epoch(self._transactional_id), timeout)

    def begin_transaction(self) -> None:
        """The broker hears of it by its first record."""

    def produce(
        self, topic: str, value: bytes | None, key: bytes | None, partition: int = -1, *, on_delivery: Any
    ) -> None:
        """Send a record by the next flush."""
        self._unsent.append((topic, value, key, partition, on_delivery))

    def flush(self, timeout: float) -> None:
        """Wait for what the broker says to every record."""
        unsent, self._unsent = self._unsent, []
        for topic, value, key, partition, on_delivery in unsent:
            try:
                self._network.ask(self._append(topic, value, key, partition), timeout)
            except KafkaException as error:
                on_delivery(error.args[0], None)
            else:
                on_delivery(None, Message(topic=topic, key=key, value=value))

    def commit_transaction(self, timeout: float) -> None:
        """End the transaction."""
        name, epoch = self._transactional_id, self._epoch
        self._network.commit(lambda: self._broker.commit(name, epoch, self._process), timeout)

    def purge(self) -> None:
        """Nothing waits to be sent."""

    def _append(self, topic: str, value: bytes | None, key: bytes | None, partition: int) -> Callable[[], object]:
        name, epoch = self._transactional_id, self._epoch
        if name:
            return lambda: self._broker.append_within(name, epoch, topic, key, value)
        return lambda: self._broker.append(topic, key, value, self._process, max(0, partition))


class Consumer:
    """Stands for `Consumer`, which reads what is committed."""

    def __init__(self, properties: Mapping[str, Any]) -> None:
        self._network = Network.now
        self._tells_ends = bool(properties.get("enable.partition.eof"))
        self._topic = ""
        self._positions: dict[int, int] = {}
        """What is fetched next."""
        self._ends_told: dict[int, int] = {}
        self._fetched: deque[Message] = deque()

    def assign(self, places: list[TopicPartition]) -> None:
        """Read these, from where they say."""
        for place in places:
            self._topic, self._positions[place.partition] = place.topic, place.offset

    def poll(self, timeout: float) -> Message | None:
        """The next message, if one comes in time."""
        world, process = World.now_running, World.now_running.process
        deadline = world.now + timeout
        while not self._fetched:
            world.suspend(self._network.way.seconds * world.chance.random())
            if process.cut_until <= world.now:
                self._fetch()
            if self._fetched:
                break
            if world.now >= deadline:
                return None
            self._network.broker.changed[self._topic].wait(deadline - world.now)
        return self._fetched.popleft()

    def consume(self, count: int, _: float) -> list[Message]:
        """What else was fetched."""
        taken = [*self._fetched][:count]
        self._fetched.clear()
        return taken

    def position(self, places: list[TopicPartition]) -> list[TopicPartition]:
        """Where reading goes on: behind gaps too, where nothing is fetched and not handed over yet."""
        waits = {message.partition(): message.offset() or 0 for message in reversed(self._fetched)}
        positions = ((p.partition, waits.get(p.partition, self._positions[p.partition])) for p in places)
        return [TopicPartition(self._topic, partition, offset) for partition, offset in positions]

    def close(self) -> None:
        """Nothing to close."""

    def _fetch(self) -> None:
        try:
            topic = self._network.broker.topic(self._topic)
        except KafkaException as error:
            self._fetched.append(Message(topic=self._topic, partition=0, error=error.args[0]))
            return
        for number in self._shuffled():
            self._fetch_partition(topic, number)

    def _shuffled(self) -> list[int]:
        """Nothing is promised of the order of partitions."""
        numbers = [*self._positions]
        World.now_running.chance.shuffle(numbers)
        return numbers

    def _fetch_partition(self, topic: Topic, number: int) -> None:
        partition = topic.partitions[number]
        for entry in partition.since(self._positions[number]):
            stamp = (1, entry.timestamp)
            self._fetched.append(Message(topic.name, number, entry.offset, entry.key, entry.value, timestamp=stamp))
        end = max(self._positions[number], partition.stable_end)
        self._positions[number] = end
        if self._tells_ends and self._ends_told.get(number) != end:
            self._ends_told[number] = end
            error = KafkaError(KafkaError._PARTITION_EOF)  # noqa: SLF001  its public name
            self._fetched.append(Message(topic=topic.name, partition=number, offset=end, error=error))

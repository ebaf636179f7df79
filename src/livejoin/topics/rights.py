"""Which rights livejoin needs on a broker that asks for them: data, in one place.

`livejoin topics` prints them as commands, docs/kafka-permissions.md tells them, and a test runs the whole product with
nothing else. DESCRIBE is not among them where READ, WRITE or DELETE is: Kafka includes it in each of these.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from livejoin.settings.settings import Settings


class Who(StrEnum):
    """The processes and people that log in, each maybe with a login of its own."""

    PIPELINE = "pipeline"
    SERVE = "serve"
    OPERATOR = "operator"
    """Who sends control messages: another service, or a person with `livejoin swap`."""

    @property
    def in_words(self) -> str:
        """For people."""
        return {"pipeline": "the pipeline", "serve": "the table server"}.get(self, "who sends control messages")


class Operation(StrEnum):
    """What Kafka's rights are about, as `kafka-acls.sh` names it."""

    READ = "Read"
    WRITE = "Write"
    CREATE = "Create"
    DELETE = "Delete"
    DESCRIBE = "Describe"
    DESCRIBE_CONFIGS = "DescribeConfigs"
    ALTER_CONFIGS = "AlterConfigs"


class Resource(StrEnum):
    """What a right is on, as the options of `kafka-acls.sh` name it."""

    TOPIC = "topic"
    TRANSACTIONAL_ID = "transactional-id"


@dataclass(frozen=True, slots=True)
class Right:
    """One operation on one topic, or on all topics whose names begin so where it is `prefixed`.

    Where `on` says so, the name is not that of a topic.

    Without one that is not `needed` everything works, and `why` tells what is missed.
    """

    who: Who
    operation: Operation
    topic: str
    why: str
    prefixed: bool = False
    needed: bool = True
    on: Resource = Resource.TOPIC

    @property
    def in_words(self) -> str:
        """What it is on, for people."""
        name = f"{self.topic}*" if self.prefixed else self.topic
        return name if self.on is Resource.TOPIC else f"transactional id {name}"


def rights(settings: Settings) -> list[Right]:
    """Everything that these settings need, for all who log in."""
    return [*_pipeline(settings), *_serve(settings), *_operator(settings)]


def _pipeline(settings: Settings) -> Iterator[Right]:
    topics, own, who = settings.topics, settings.own_topics, Who.PIPELINE
    for source in settings.source_topics:
        yield Right(who, Operation.READ, source, "joins its events; also for every topic that is swapped to")
    yield Right(who, Operation.READ, topics.control, "obeys control messages")
    for name, what in _fixed(settings):
        if name != own.dead_letters:
            yield Right(who, Operation.READ, name, f"reads {what} at its start")
        yield Right(who, Operation.WRITE, name, f"writes {what}")
        if topics.create:
            yield Right(who, Operation.CREATE, name, f"makes the topic for {what}, if it is not there")
    yield Right(
        who,
        Operation.WRITE,
        own.transactional_id,
        "is the only pipeline that writes; another one stands by",
        on=Resource.TRANSACTIONAL_ID,
    )
    yield from _views(settings, who, Operation.WRITE, "writes rows")
    if not own.views:
        yield from _views(settings, who, Operation.CREATE, "makes a topic for each generation")
    emptied = "empties the topic of a generation that is over" if own.views else "deletes it when it is over"
    yield from _views(settings, who, Operation.DELETE, emptied)
    yield from _looked_at(settings, who)


def _looked_at(settings: Settings, who: Who) -> Iterator[Right]:
    why = "finds a topic that is not configured as it has to be; without it nobody is told"
    mends = "mends such a topic; without it the log says what to set"
    for name, _ in _fixed(settings):
        yield Right(who, Operation.DESCRIBE_CONFIGS, name, why, needed=False)
    yield from _views(settings, who, Operation.DESCRIBE_CONFIGS, why, needed=False)
    if settings.topics.create:
        for name, _ in _fixed(settings):
            yield Right(who, Operation.ALTER_CONFIGS, name, mends, needed=False)
        if not settings.own_topics.views:
            yield from _views(settings, who, Operation.ALTER_CONFIGS, mends, needed=False)


def _serve(settings: Settings) -> Iterator[Right]:
    topics, who = settings.topics, Who.SERVE
    for name, what in _fixed(settings):
        yield Right(who, Operation.READ, name, f"shows {what}")
    yield from _views(settings, who, Operation.READ, "shows rows")
    for source in settings.source_topics:
        yield Right(who, Operation.DESCRIBE, source, "tells how far behind the tables are; also of topics swapped to")
        why = "counts its records where it has transactions; without it, what they leave looks like lag"
        yield Right(who, Operation.READ, source, why, needed=False)
    yield Right(who, Operation.WRITE, topics.control, "sends what an operator asks for on the page", needed=False)


def _operator(settings: Settings) -> Iterator[Right]:
    own, who = settings.own_topics, Who.OPERATOR
    yield Right(who, Operation.WRITE, settings.topics.control, "swaps, and rolls back")
    for name in (own.control_log, own.state):
        yield Right(who, Operation.READ, name, "`livejoin swap --wait`: progress and verdict", needed=False)


def _fixed(settings: Settings) -> list[tuple[str, str]]:
    own = settings.own_topics
    return [
        (own.state, "the registry of generations"),
        (own.control_log, "control messages with their verdicts"),
        (own.dead_letters, "dead letters"),
    ]


def _views(settings: Settings, who: Who, operation: Operation, why: str, *, needed: bool = True) -> Iterable[Right]:
    """A right on every topic of the pool, or on all that livejoin makes."""
    own = settings.own_topics
    if own.views:
        return [Right(who, operation, topic, why, needed=needed) for topic in own.views]
    return [Right(who, operation, own.view_prefix, why, prefixed=True, needed=needed)]

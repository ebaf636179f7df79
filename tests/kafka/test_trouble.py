"""What kind of trouble the errors of a real broker are, for somebody who may do little there."""

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from confluent_kafka import Message

from await_that import await_that
from guest import Guest
from livejoin.errors import BrokerUnreachable, KafkaTrouble, LoginRefused, NotAccepted, RightMissing, TopicMissing
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.tail import TopicTail
from livejoin.kafka.writer import Writer
from livejoin.process.backoff import Backoff
from livejoin.settings.settings import Settings

TOPIC = "guarded"
Attempt = Callable[[Cluster, str], object]


@pytest.fixture(scope="module")
def host(broker: Settings) -> Cluster:
    """Who may do everything, with a topic that holds two records."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure(TOPIC)
    for value in (b"first", b"second"):
        Writer(cluster, TOPIC).write(None, value)
    return cluster


@pytest.fixture
def guest(host: Cluster, request: pytest.FixtureRequest) -> Guest:
    """Somebody without a right, another one for each test."""
    return Guest(host.client, f"guest-{abs(hash(request.node.name)):x}")


def allowed(guest: Guest, *operations: str) -> Cluster:
    """The cluster as he sees it with these rights on the topic."""
    if operations:
        guest.allow(TOPIC, *operations)
    return Cluster(guest.client)


@pytest.mark.parametrize(
    ("attempt", "rights", "missing"),
    [
        (lambda cluster, topic: cluster.describe([topic]), [], "DESCRIBE"),
        (lambda cluster, topic: cluster.missing([topic]), [], "DESCRIBE"),
        (lambda cluster, topic: cluster.watermarks(topic), [], "DESCRIBE"),
        (lambda cluster, topic: Writer(cluster, topic).write(None, b"third"), ["DESCRIBE"], "WRITE"),
        (read_to_end, ["DESCRIBE"], "READ"),
        (read_to_end, [], "READ"),
        (Cluster.delete, ["DESCRIBE"], "DELETE"),
    ],
)
def test_a_missing_right_is_named(
    guest: Guest, host: Cluster, attempt: Attempt, rights: list[str], missing: str
) -> None:
    """Who asked, for what, and where; and the command that would grant it."""
    with pytest.raises(RightMissing) as refused:
        attempt(allowed(guest, *rights), TOPIC)

    assert refused.value.what == f"{guest.principal} has no right to {missing} topic {TOPIC!r}"
    assert f"--allow-principal '{guest.principal}' --operation {missing} --topic {TOPIC}" in refused.value.do
    assert [record.value() for record in read_to_end(host, TOPIC)] == [b"first", b"second"]


def test_a_topic_that_may_not_be_created_is_named(guest: Guest) -> None:
    """Also where it is not known whether it is there."""
    with pytest.raises(RightMissing, match="no right to DESCRIBE topic 'not-there'"):
        Cluster(guest.client).ensure("not-there")
    guest.allow("not-there", "DESCRIBE")
    with pytest.raises(RightMissing, match="no right to CREATE topic 'not-there'"):
        Cluster(guest.client).ensure("not-there")


def test_a_writer_goes_on_when_the_right_is_granted(guest: Guest, host: Cluster) -> None:
    """A producer that has failed is useless from then on: the next record gets another one."""
    topic = f"{TOPIC}-to-write"
    host.ensure(topic)
    guest.allow(topic, "DESCRIBE")
    writer = Writer(Cluster(guest.client), topic)
    with pytest.raises(RightMissing):
        writer.write(None, b"refused")
    guest.allow(topic, "WRITE")

    def written() -> bool:
        with suppress(RightMissing):
            return writer.write(None, b"allowed").offset() is not None
        return False

    await_that(written)


def test_a_tail_says_what_it_may_not_read_and_reads_when_it_may(guest: Guest) -> None:
    """A right that is taken away is said as well: rows that stand still must not look well."""
    taken: list[bytes | None] = []

    def take(records: list[Message]) -> None:
        taken.extend(record.value() for record in records)

    tail = TopicTail(allowed(guest, "DESCRIBE"), TOPIC, take)
    tail.start()
    try:
        await_that(lambda: f"{guest.principal} has no right to READ topic {TOPIC!r}" in tail.waiting_for)
        guest.allow(TOPIC, "READ")
        await_that(lambda: taken[:2] == [b"first", b"second"])
        await_that(lambda: not tail.waiting_for)
        guest.take(TOPIC, "READ")
        await_that(lambda: "no right to READ" in tail.waiting_for)
        assert isinstance(tail.trouble, RightMissing)
    finally:
        tail.stop()


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"sasl.password": "another"}, LoginRefused),
        ({"sasl.username": "nobody"}, LoginRefused),
        ({"sasl.mechanism": "SCRAM-SHA-512"}, LoginRefused),
        ({"bootstrap.servers": "127.0.0.1:1"}, BrokerUnreachable),
    ],
)
def test_a_refused_login_is_no_broker_that_is_gone(
    host: Cluster, wrong: dict[str, str], kind: type[KafkaTrouble]
) -> None:
    """By a first question as by any later call; who waits for a broker is not told to start it."""
    with pytest.raises(kind):
        Cluster(KafkaClient({**host.client.librdkafka(), **wrong})).wait_until_reachable(1.0)
    with pytest.raises(kind):
        Cluster(KafkaClient({**host.client.librdkafka(), **wrong})).ping(1.0)


def test_a_refused_login_does_not_make_anybody_wait_for_ever(host: Cluster) -> None:
    """It returns at once to who can tell what is wrong."""
    Cluster(KafkaClient({**host.client.librdkafka(), "sasl.password": "another"})).wait_for_broker(threading.Event())


def test_what_is_missing_or_never_accepted_is_told_apart(host: Cluster) -> None:
    """A topic can appear; a replication factor that the cluster cannot have stays wrong."""
    with pytest.raises(TopicMissing, match="'nowhere' is not on the broker"):
        host.describe(["nowhere"])
    with pytest.raises(NotAccepted, match=r"cleanup\.policy"):
        host.ensure("wrong", config={"cleanup.policy": "forget"})


def test_delays_grow_to_the_longest_and_begin_anew() -> None:
    """Nothing spins, and nothing waits for hours."""
    backoff = Backoff(first=1.0, longest=30.0)
    delays = [backoff.next() for _ in range(40)]

    assert 0.8 <= delays[0] <= 1.0
    assert 3.2 <= delays[2] <= 4.0
    assert all(24.0 <= delay <= 30.0 for delay in delays[5:])
    backoff.reset()
    assert backoff.next() <= 1.0

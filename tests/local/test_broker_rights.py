"""The embedded broker and who has no password: everything with what is theirs, nothing with what is livejoin's.

Each attack is tried twice: on the broker as it is, where it is refused and leaves no effect, and on one that asks no
authorizer, where it succeeds. So an attack that fails for another reason is noticed.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)
from confluent_kafka.cimpl import NewPartitions, NewTopic

from await_that import await_that
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.local.broker_rights import StrangersTopics
from own_broker import OwnBroker, running

OWN, CONTROL = "livejoin.view.1", "control"
SECONDS = 60.0
GROUP = "livejoin-read-to-end"
Attack = Callable[[AdminClient, Cluster], None]


@pytest.fixture(scope="module")
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnBroker]:
    """The broker as livejoin runs it, with a topic of livejoin's own that holds a row."""
    with running(tmp_path_factory.mktemp("protected")) as broker:
        _fill(broker)
        yield broker


@pytest.fixture(scope="module")
def unprotected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnBroker]:
    """The same without an authorizer."""
    with running(tmp_path_factory.mktemp("unprotected"), protected=False) as broker:
        _fill(broker)
        yield broker


def _fill(broker: OwnBroker) -> None:
    for topic in (OWN, CONTROL):
        broker.own.ensure(topic, config={"retention.ms": "1000000"})
    # Beside other tests, a broker that has just started may take longer than a stranger waits.
    _produce(broker.own, OWN, b"row of livejoin", **{"message.timeout.ms": 60_000})


def _produce(cluster: Cluster, topic: str, value: bytes, **properties: Any) -> None:
    """Write one record, or raise what the broker says to it."""
    _send(cluster.producer(**{"message.timeout.ms": 2000, **properties}), topic, value)


def _send(producer: Producer, topic: str, value: bytes) -> None:
    failures: list[KafkaError] = []
    # Kafka's own topic, which is compacted, takes no record without a key.
    producer.produce(
        topic, key=b"key", value=value, on_delivery=lambda error, _: failures.append(error) if error else None
    )
    producer.flush(SECONDS)
    if failures:
        raise KafkaException(failures[0])


def _done(futures: dict[Any, Future[Any]]) -> None:
    for future in futures.values():
        future.result(SECONDS)


def forge_a_row(_: AdminClient, cluster: Cluster) -> None:
    """Write a row that viewers would see."""
    _produce(cluster, OWN, b"forged")


def forge_a_row_in_a_transaction(_: AdminClient, cluster: Cluster) -> None:
    """The same as part of a transaction of one's own."""
    producer = cluster.producer(**{"transactional.id": "of a stranger"})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    _send(producer, OWN, b"forged")
    producer.commit_transaction(SECONDS)


def take_the_right_to_write(_: AdminClient, cluster: Cluster) -> None:
    """Fence the pipeline, again and again if one likes."""
    cluster.producer(**{"transactional.id": "livejoin.pipeline"}).init_transactions(SECONDS)


def read_rows(_: AdminClient, cluster: Cluster) -> None:
    """Read what only viewers may."""
    consumer = cluster.consumer("stranger", **{"group.id": "who reads what is not his"})
    try:
        consumer.subscribe([OWN])
        message = consumer.poll(SECONDS)
        assert message is not None
        if message.error():
            raise KafkaException(message.error())
    finally:
        consumer.close()


def write_a_control_message(_: AdminClient, cluster: Cluster) -> None:
    """Swap, or roll back."""
    _produce(cluster, CONTROL, b"forged")


def write_a_control_message_in_a_transaction(_: AdminClient, cluster: Cluster) -> None:
    """The same as part of a transaction of one's own."""
    producer = cluster.producer(**{"transactional.id": "of a stranger who swaps"})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    # Of a topic that may be seen, it is the transaction that is told why, and not the record.
    producer.produce(CONTROL, b"forged")
    producer.commit_transaction(SECONDS)


def alter_control_settings(admin: AdminClient, _: Cluster) -> None:
    """Let messages expire before they are read."""
    _set_retention(admin, CONTROL)


def add_control_partitions(admin: AdminClient, _: Cluster) -> None:
    """Have messages read in another order than they were sent in."""
    _done(admin.create_partitions([NewPartitions(CONTROL, 2)]))


def delete_control_topic(admin: AdminClient, _: Cluster) -> None:
    """Keep everybody from swapping."""
    _done(admin.delete_topics([CONTROL]))


def create_topic(admin: AdminClient, _: Cluster) -> None:
    """Make the topic that the next generation would be read from."""
    _done(admin.create_topics([NewTopic("livejoin.view.2", num_partitions=1, replication_factor=1)]))


def delete_topic(admin: AdminClient, _: Cluster) -> None:
    """Take the rows away."""
    _done(admin.delete_topics([OWN]))


def add_partitions(admin: AdminClient, _: Cluster) -> None:
    """Spread keys over partitions that nobody expects."""
    _done(admin.create_partitions([NewPartitions(OWN, 2)]))


def delete_records(admin: AdminClient, _: Cluster) -> None:
    """Take the rows away and leave the topic."""
    _done(admin.delete_records([TopicPartition(OWN, 0, 1)]))


def describe_topic_settings(admin: AdminClient, _: Cluster) -> None:
    """Read how a topic of livejoin's is kept."""
    _done(admin.describe_configs([ConfigResource(ConfigResource.Type.TOPIC, OWN)]))


def alter_topic_settings(admin: AdminClient, _: Cluster) -> None:
    """Let the rows expire."""
    _set_retention(admin, OWN)


def _set_retention(admin: AdminClient, topic: str) -> None:
    entry = ConfigEntry("retention.ms", "1", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic, incremental_configs=[entry])
    _done(admin.incremental_alter_configs([resource]))


def alter_broker_settings(admin: AdminClient, _: Cluster) -> None:
    """Change the broker for everybody."""
    entry = ConfigEntry("log.cleaner.threads", "2", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ConfigResource.Type.BROKER, "1", incremental_configs=[entry])
    _done(admin.incremental_alter_configs([resource]))


def become_a_user(admin: AdminClient, _: Cluster) -> None:
    """Make a password of one's own for the user that may do everything."""
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    upsertion = UserScramCredentialUpsertion("livejoin", info, b"hunter2")
    _done(admin.alter_user_scram_credentials([upsertion]))


def commit_offsets(admin: AdminClient, _: Cluster) -> None:
    """Move a group of livejoin's."""
    offsets = ConsumerGroupTopicPartitions(GROUP, [TopicPartition(CONTROL, 0, 7)])
    _done(admin.alter_consumer_group_offsets([offsets]))


def write_internal_topic(_: AdminClient, cluster: Cluster) -> None:
    """Move any group, behind the back of its coordinator: this client id is the one that Kafka lets through."""
    _produce(cluster, "__consumer_offsets", b"forged", **{"client.id": "__admin_client", "enable.idempotence": False})


WRITES: list[Attack] = [write_a_control_message, write_a_control_message_in_a_transaction]
CHANGES: list[Attack] = [add_control_partitions, alter_control_settings]
"""Of the control topic."""
ATTACKS: list[Attack] = [
    forge_a_row,
    forge_a_row_in_a_transaction,
    take_the_right_to_write,
    read_rows,
    create_topic,
    add_partitions,
    describe_topic_settings,
    alter_topic_settings,
    alter_broker_settings,
    become_a_user,
    commit_offsets,
    write_internal_topic,
    *WRITES,
    *CHANGES,
    delete_records,
]
TAKE_AWAY: list[Attack] = [delete_control_topic, delete_topic]
"""What leaves nothing to be looked at."""
ANY: Any = None
"""Filters are annotated for one name, and take none for all."""
EVERY_RULE = AclBindingFilter(
    ResourceType.ANY, ANY, ResourcePatternType.ANY, ANY, ANY, AclOperation.ANY, AclPermissionType.ANY
)
REFUSALS = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    # Who leads a topic that one may not see is not told, and so there is nobody to ask.
    KafkaError._NOENT,  # noqa: SLF001 - public in all but its name
}


def _traces(broker: OwnBroker) -> dict[str, object]:
    """Everything that an attack would have changed, as livejoin sees it."""
    own = broker.own
    admin = AdminClient({**own.client.librdkafka()})
    kept = admin.describe_configs([ConfigResource(ConfigResource.Type.TOPIC, topic) for topic in (OWN, CONTROL)])
    brokers = next(iter(admin.describe_configs([ConfigResource(ConfigResource.Type.BROKER, "1")]).values()))
    users = cast("Future[Any]", admin.describe_user_scram_credentials()).result(SECONDS)
    groups = admin.list_consumer_groups().result(SECONDS)
    return {
        "topics": {name for name in own.topic_names() if name.startswith(("livejoin.", CONTROL))},
        "rows": [record.value() for record in read_to_end(own, OWN)],
        "messages": [record.value() for record in read_to_end(own, CONTROL)],
        "partitions": (own.partitions(OWN), own.partitions(CONTROL)),
        "retention": {found.result(SECONDS)["retention.ms"].value for found in kept.values()},
        "cleaners": brokers.result(SECONDS)["log.cleaner.threads"].value,
        "users": {user: [str(i.mechanism) for i in found.scram_credential_infos] for user, found in users.items()},
        "groups": {group.group_id for group in groups.valid if group.group_id.startswith("livejoin-")},
    }


def test_every_attack_is_refused_and_leaves_nothing(protected: OwnBroker) -> None:
    """A stranger on the open listener is refused by the authorizer, whatever he tries, and nothing has changed."""
    # The topic of the groups' offsets is there once somebody has committed to it.
    commit_offsets_of_ones_own(protected)
    before = _traces(protected)
    assert (before["rows"], before["messages"]) == ([b"row of livejoin"], [])
    people, admin = protected.people, AdminClient({**protected.people.client.librdkafka()})
    for attack in (*ATTACKS, *TAKE_AWAY):
        with pytest.raises(KafkaException) as refused:
            attack(admin, people)
        assert refused.value.args[0].code() in REFUSALS, (attack.__name__, refused.value)
    assert _traces(protected) == before


def test_every_attack_succeeds_where_nobody_is_asked(unprotected: OwnBroker) -> None:
    """The same attacks on a broker without an authorizer: each of them does what it is for."""
    people, admin = unprotected.people, AdminClient({**unprotected.people.client.librdkafka()})
    commit_offsets_of_ones_own(unprotected)
    for attack in ATTACKS:
        attack(admin, people)
    after = _traces(unprotected)
    assert after["topics"] == {OWN, CONTROL, "livejoin.view.2"}
    assert after["messages"] == [b"forged", b"forged"]
    assert after["partitions"] == ([0, 1], [0, 1])
    assert (after["retention"], after["cleaners"]) == ({"1"}, "2")
    assert after["groups"] == {GROUP}
    for attack in TAKE_AWAY:
        attack(admin, people)
    assert not unprotected.own.topic_names() & {OWN, CONTROL}


def test_the_control_topic_can_be_opened_and_closed_again(tmp_path: Path) -> None:
    """By the settings of the next start: then people write messages, and can still not take the topic away.

    Control: livejoin's own login writes to it whatever is set.
    """
    written = 0
    for openness in ("private", "open", "private"):
        broker = OwnBroker(tmp_path, control=openness)
        try:
            broker.start()
            broker.kafka.open_to_people()
            admin = AdminClient({**broker.people.client.librdkafka()})
            tried = [*WRITES, *CHANGES, delete_control_topic]
            refused = [attack for attack in tried if _is_refused(attack, admin, broker)]
            assert refused == (tried[len(WRITES) :] if openness == "open" else tried)
            _produce(broker.own, CONTROL, b"of livejoin", **{"message.timeout.ms": 60_000})
            written += 3 if openness == "open" else 1
            assert len(read_to_end(broker.people, CONTROL)) == written
        finally:
            broker.child.stop()


def _is_refused(attack: Attack, admin: AdminClient, broker: OwnBroker) -> bool:
    try:
        attack(admin, broker.people)
    except KafkaException as error:
        if error.args[0].code() not in REFUSALS:
            raise
        return True
    return False


def commit_offsets_of_ones_own(broker: OwnBroker) -> None:
    """What everybody may do with a group of his own."""
    admin = AdminClient({**broker.people.client.librdkafka()})
    offsets = ConsumerGroupTopicPartitions("of a stranger", [TopicPartition(CONTROL, 0, 0)])
    _done(admin.alter_consumer_group_offsets([offsets]))


def test_what_is_theirs_is_theirs(protected: OwnBroker) -> None:
    """A stranger makes, fills, reads, alters and deletes topics of his own, and writes to the sources."""
    people, admin = protected.people, AdminClient({**protected.people.client.librdkafka()})
    _done(admin.create_topics([NewTopic("theirs", num_partitions=1, replication_factor=1)]))
    producer = people.producer(**{"transactional.id": "theirs"})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    producer.produce("theirs", value=b"theirs")
    producer.commit_transaction(SECONDS)
    _produce(people, "theirs", b"too")
    consumer = people.consumer("theirs", **{"group.id": "theirs"})
    consumer.subscribe(["theirs"])
    assert [m.value() for m in consumer.consume(2, SECONDS)] == [b"theirs", b"too"]
    consumer.commit(asynchronous=False)
    consumer.close()
    _done(admin.create_partitions([NewPartitions("theirs", 2)]))
    entry = ConfigEntry("retention.ms", "1000", incremental_operation=AlterConfigOpType.SET)
    theirs = ConfigResource(ConfigResource.Type.TOPIC, "theirs", incremental_configs=[entry])
    _done(admin.incremental_alter_configs([theirs]))
    # A broker answers from what it knows, and learns of the change a moment after it was made.
    await_that(lambda: _retention_of(admin, "theirs") == "1000")
    _done(admin.delete_records([TopicPartition("theirs", 0, 1)]))
    _done(admin.delete_topics(["theirs"]))
    for topic in ("users", "accounts"):
        _produce(people, topic, b"{}")


def _retention_of(admin: AdminClient, topic: str) -> str | None:
    described = admin.describe_configs([ConfigResource(ConfigResource.Type.TOPIC, topic)])
    retention: str | None = next(iter(described.values())).result(SECONDS)["retention.ms"].value
    return retention


def test_nobody_learns_the_names_of_what_is_livejoins(protected: OwnBroker) -> None:
    """A stranger's list of topics holds his own and the sources."""
    names = protected.people.topic_names()
    assert {"users", "accounts", "control"} <= names
    assert not [name for name in names if name.startswith(("livejoin.", "__"))]


def test_rights_cannot_be_changed_by_strangers(protected: OwnBroker) -> None:
    """A stranger can neither add a permission nor remove what denies him something, nor see either."""
    admin = AdminClient({**protected.people.client.librdkafka()})
    pattern, all_of_it = ResourcePatternType.LITERAL, AclOperation.ALL
    everything = (ResourceType.TOPIC, "*", pattern, "User:ANONYMOUS", "*", all_of_it)
    before = _rules(protected)
    tries: list[Callable[[], object]] = [
        lambda: _done(admin.create_acls([AclBinding(*everything, AclPermissionType.ALLOW)])),
        lambda: _done(admin.delete_acls([EVERY_RULE])),
    ]
    for attempt in tries:
        with pytest.raises(KafkaException) as refused:
            attempt()
        assert refused.value.args[0].code() == KafkaError.CLUSTER_AUTHORIZATION_FAILED
    assert admin.describe_acls(EVERY_RULE).result(SECONDS) == []
    assert _rules(protected) == before


def _rules(broker: OwnBroker) -> set[str]:
    admin = AdminClient({**broker.own.client.librdkafka()})
    return {str(rule) for rule in admin.describe_acls(EVERY_RULE).result(SECONDS)}


def test_nobody_gets_in_while_the_broker_starts(tmp_path: Path) -> None:
    """A stranger who tries all the time, from before the first start to after the second, changes nothing.

    Control: he succeeds with a topic of his own as soon as the broker is open to people.
    """
    stop, made = threading.Event(), {"livejoin.state": 0, "theirs": 0}
    broker = OwnBroker(tmp_path)

    def hammer(topic: str) -> None:
        at_once = {"log_level": 0, "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 20}
        admin = AdminClient({**broker.people.client.librdkafka(), **at_once})
        while not stop.is_set():
            try:
                _done(admin.create_topics([NewTopic(topic, 1, 1)], operation_timeout=0.2, request_timeout=0.5))
                made[topic] += 1
            except KafkaException:
                stop.wait(0.01)
            with suppress(KafkaException):
                _produce(broker.people, topic, b"forged", **at_once, **{"enable.idempotence": False})

    hammers = [threading.Thread(target=hammer, args=(topic,)) for topic in made]
    for thread in hammers:
        thread.start()
    try:
        for start in range(2):
            broker.start()
            assert not broker.own.topic_names() & {"livejoin.state"} or start
            broker.kafka.open_to_people()
            broker.own.ensure("livejoin.state")
            assert read_to_end(broker.own, "livejoin.state") == []
            stop.wait(2.0)
            assert read_to_end(broker.own, "livejoin.state") == []
            broker.child.stop()
    finally:
        stop.set()
        for thread in hammers:
            thread.join()
        broker.child.stop()
    assert made == {"livejoin.state": 0, "theirs": 1}


def test_topics_of_strangers_below_a_new_prefix_are_refused(tmp_path: Path) -> None:
    """Who changes the prefix does not inherit topics that anybody could have filled."""
    with running(tmp_path) as broker:
        people = AdminClient({**broker.people.client.librdkafka()})
        _done(people.create_topics([NewTopic("other.state", num_partitions=1, replication_factor=1)]))
        broker.child.stop()
        other = OwnBroker(tmp_path, prefix="other")
        try:
            other.start()
            for _ in range(2):
                with pytest.raises(StrangersTopics, match=r"other\.state"):
                    other.kafka.open_to_people()
            other.own.delete("other.state")
            other.kafka.open_to_people()
        finally:
            other.child.stop()

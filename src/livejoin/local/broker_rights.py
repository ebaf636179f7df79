"""What people may do on the embedded broker, who reach it without a password: everything with what is theirs.

The broker refuses whatever is not allowed here, so nobody can do anything before `grant`; and what is livejoin's is
denied, which weighs more than any permission. The control topic can be read by people, and written where the settings
open it to them. livejoin's own processes log in, and may do everything.
"""

from collections.abc import Iterable
from typing import Any

from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from livejoin.errors import LivejoinError
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import GROUP_PREFIX, Cluster
from livejoin.settings.machinery import ControlTopic
from livejoin.wire.topic_names import Topics

PEOPLE = "User:ANONYMOUS"
CLUSTER = "kafka-cluster"
KAFKAS_OWN = "__"
"""How the names of Kafka's internal topics begin: offsets of groups, transactions."""
ANSWER_SECONDS = 30.0
CHANGES = (AclOperation.CREATE, AclOperation.DELETE, AclOperation.ALTER, AclOperation.ALTER_CONFIGS)
"""What nobody needs of a topic who only writes to it."""
ANY: Any = None
"""Filters are annotated for one name, and take none for all."""


class StrangersTopics(LivejoinError):
    """Topics with names of livejoin's were there before livejoin was the only one who could make them."""


def allowed() -> list[AclBinding]:
    """Their topics, groups and transactions.

    CREATE on the cluster is not among them: it would create topics of every name, also of those that are denied.
    """
    everything = (ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID)
    return [
        *(_rule(kind, "*", ResourcePatternType.LITERAL, AclPermissionType.ALLOW) for kind in everything),
        _rule(
            ResourceType.BROKER,
            CLUSTER,
            ResourcePatternType.LITERAL,
            AclPermissionType.ALLOW,
            AclOperation.IDEMPOTENT_WRITE,
        ),
    ]


def denied(topics: Topics) -> list[AclBinding]:
    """What is livejoin's, and Kafka's own topics, through which offsets of any group could be written."""
    named = [
        (ResourceType.TOPIC, topics.own_prefix),
        (ResourceType.TOPIC, KAFKAS_OWN),
        (ResourceType.GROUP, GROUP_PREFIX),
        # Who has it could take the right to write from the pipeline.
        (ResourceType.TRANSACTIONAL_ID, topics.own_prefix),
    ]
    return [_rule(kind, name, ResourcePatternType.PREFIXED, AclPermissionType.DENY) for kind, name in named]


def denied_of_control(topic: str, openness: ControlTopic) -> list[AclBinding]:
    """What would swap, or keep others from swapping: of a topic that is open, anything but writing to it."""
    operations = CHANGES if openness is ControlTopic.OPEN else (AclOperation.WRITE, *CHANGES)
    literal, deny = ResourcePatternType.LITERAL, AclPermissionType.DENY
    return [_rule(ResourceType.TOPIC, topic, literal, deny, operation) for operation in operations]


def grant(client: KafkaClient, topics: Topics, control: str, openness: ControlTopic) -> None:
    """Let people in; to be called with livejoin's own login, as often as the broker starts."""
    admin = AdminClient({**client.librdkafka()})
    first, of_control = denied(topics), denied_of_control(control, openness)
    was_denied = all(_exists(admin, rule) for rule in first)
    _create(admin, [*first, *of_control])
    if not was_denied:
        _require_no_topics_of_strangers(admin, client, topics, first)
    _forget_what_was_denied_before(admin, of_control)
    _create(admin, allowed())


def _forget_what_was_denied_before(admin: AdminClient, kept: list[AclBinding]) -> None:
    """Other settings, of an earlier start, may have named another control topic, or may have kept it private."""
    literal, deny = ResourcePatternType.LITERAL, AclPermissionType.DENY
    of_one_topic = AclBindingFilter(ResourceType.TOPIC, ANY, literal, PEOPLE, ANY, AclOperation.ANY, deny)
    found = admin.describe_acls(of_one_topic).result(ANSWER_SECONDS)
    over = [_filter(rule) for rule in found if rule not in kept]
    if over:
        for removal in admin.delete_acls(over).values():
            removal.result(ANSWER_SECONDS)


def _require_no_topics_of_strangers(
    admin: AdminClient, client: KafkaClient, topics: Topics, rules: list[AclBinding]
) -> None:
    """With another prefix than before, topics may be there that anybody could have made and filled."""
    found = sorted(name for name in Cluster(client).topic_names() if name.startswith(topics.own_prefix))
    if found:
        for removal in admin.delete_acls([_filter(rules[0])]).values():
            removal.result(ANSWER_SECONDS)
        raise StrangersTopics(
            f"topics that begin with {topics.own_prefix!r} are on the embedded broker, and livejoin did not make them: "
            f"{', '.join(found)}",
            do="delete them, or set topics.prefix to another name",
        )


def _create(admin: AdminClient, rules: Iterable[AclBinding]) -> None:
    for answer in admin.create_acls([*rules]).values():
        answer.result(ANSWER_SECONDS)


def _exists(admin: AdminClient, rule: AclBinding) -> bool:
    return bool(admin.describe_acls(_filter(rule)).result(ANSWER_SECONDS))


def _filter(rule: AclBinding) -> AclBindingFilter:
    return AclBindingFilter(
        rule.restype,
        rule.name,
        rule.resource_pattern_type,
        rule.principal,
        rule.host,
        rule.operation,
        rule.permission_type,
    )


def _rule(
    kind: ResourceType,
    name: str,
    pattern: ResourcePatternType,
    permission: AclPermissionType,
    operation: AclOperation = AclOperation.ALL,
) -> AclBinding:
    return AclBinding(kind, name, pattern, PEOPLE, "*", operation, permission)

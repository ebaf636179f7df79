"""What people may do on the embedded broker, who reach it without a password: everything with what is theirs.

The broker refuses whatever is not allowed here, so nobody can do anything before `grant`; and what is livejoin's is
denied, which weighs more than any permission. livejoin's own processes log in, and may do everything.
"""

from collections.abc import Iterable

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
from livejoin.wire.topic_names import Topics

PEOPLE = "User:ANONYMOUS"
CLUSTER = "kafka-cluster"
KAFKAS_OWN = "__"
"""How the names of Kafka's internal topics begin: offsets of groups, transactions."""
ANSWER_SECONDS = 30.0


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


def grant(client: KafkaClient, topics: Topics) -> None:
    """Let people in; to be called with livejoin's own login, as often as the broker starts."""
    admin = AdminClient({**client.librdkafka()})
    first = denied(topics)
    was_denied = all(_exists(admin, rule) for rule in first)
    _create(admin, first)
    if not was_denied:
        _require_no_topics_of_strangers(admin, client, topics, first)
    _create(admin, allowed())


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

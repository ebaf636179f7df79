"""Somebody on a broker with an authorizer who has the rights that a test gives him, and no others."""

import re
from collections.abc import Iterable

from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from await_that import await_that
from livejoin.kafka.client import KafkaClient
from livejoin.topics.rights import Resource, Right

PASSWORD = "the password of a guest"  # noqa: S105  it opens a broker of the test only


RESOURCES = {Resource.TOPIC: ResourceType.TOPIC, Resource.TRANSACTIONAL_ID: ResourceType.TRANSACTIONAL_ID}


class Guest:
    """One user of a broker, made by who may do everything there."""

    def __init__(self, host: KafkaClient, name: str) -> None:
        self.name = name
        self.properties = {**host.librdkafka(), "sasl.username": name, "sasl.password": PASSWORD}
        """To log in with."""
        self.client = KafkaClient(self.properties)
        self._admin = AdminClient({**host.librdkafka()})
        self.set_password(PASSWORD)

    @property
    def principal(self) -> str:
        """Who the broker takes him for."""
        return f"User:{self.name}"

    def set_password(self, password: str) -> None:
        """Let him log in with this password from now on."""
        scram = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
        wanted = UserScramCredentialUpsertion(self.name, scram, password.encode())
        for answer in self._admin.alter_user_scram_credentials([wanted]).values():
            answer.result(20)

    def allow(
        self, topic: str, *operations: str, prefixed: bool = False, on: ResourceType = ResourceType.TOPIC
    ) -> None:
        """Give him these rights on a topic, or on all that begin so."""
        rules = [self._rule(topic, operation, prefixed=prefixed, on=on) for operation in operations]
        for answer in self._admin.create_acls(rules).values():
            answer.result(20)
        await_that(lambda: all(self._has(rule) for rule in rules))

    def take(self, topic: str, *operations: str, prefixed: bool = False, on: ResourceType = ResourceType.TOPIC) -> None:
        """Take these rights away again."""
        rules = [self._rule(topic, operation, prefixed=prefixed, on=on) for operation in operations]
        for answer in self._admin.delete_acls([_filter(rule) for rule in rules]).values():
            answer.result(20)
        await_that(lambda: not any(self._has(rule) for rule in rules))

    def allow_all(self, rights: Iterable[Right]) -> None:
        """Give him these rights, as livejoin lists them."""
        for right in rights:
            self.allow(right.topic, _name(right), prefixed=right.prefixed, on=RESOURCES[right.on])

    def take_one(self, right: Right) -> None:
        """Take one of them away again."""
        self.take(right.topic, _name(right), prefixed=right.prefixed, on=RESOURCES[right.on])

    def refused(self, right: Right) -> str:
        """How it is told that he has not this right, also where without it he may not even know of the topic."""
        resource = right.on.replace("-", " ")
        named = f"{resource} '{right.topic}" if right.prefixed else f"{resource} {right.topic!r}"
        return f"{self.principal} has no right to {_name(right)} {named}"

    def _has(self, rule: AclBinding) -> bool:
        return bool(self._admin.describe_acls(_filter(rule)).result(20))

    def _rule(self, topic: str, operation: str, *, prefixed: bool, on: ResourceType) -> AclBinding:
        pattern = ResourcePatternType.PREFIXED if prefixed else ResourcePatternType.LITERAL
        what = (on, topic, pattern, self.principal, "*")
        return AclBinding(*what, AclOperation[operation], AclPermissionType.ALLOW)


def _name(right: Right) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "_", right.operation).upper()


def _filter(rule: AclBinding) -> AclBindingFilter:
    what = (rule.restype, rule.name, rule.resource_pattern_type, rule.principal, rule.host)
    return AclBindingFilter(*what, rule.operation, rule.permission_type)

"""Which client knows a property, which properties are livejoin's own, and what somebody may have meant."""

import difflib

from confluent_kafka import KafkaException, Producer

from livejoin.kafka.java_names import JAVA_NAMES
from livejoin.secrecy.masked import is_secret

NOBODYS = "livejoin.no.such.property"
ALIASES = {
    "metadata.broker.list": "bootstrap.servers",
    "sasl.mechanisms": "sasl.mechanism",
    "compression.codec": "compression.type",
    "sasl.oauthbearer.client.credentials.client.id": "sasl.oauthbearer.client.id",
    "sasl.oauthbearer.client.credentials.client.secret": "sasl.oauthbearer.client.secret",
}
"""Second names of a property, and the one that is used here."""
JAVA_NAME_OF = {
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.send.buffer.bytes": "send.buffer.bytes",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
}
"""What librdkafka only names differently."""
LIBRDKAFKA_NAMES = (
    *ALIASES,
    *JAVA_NAME_OF,
    "broker.address.family",
    "debug",
    "enable.ssl.certificate.verification",
    "https.ca.location",
    "https.ca.pem",
    "message.max.bytes",
    "queued.min.messages",
    "sasl.oauthbearer.client.id",
    "sasl.oauthbearer.client.secret",
    "sasl.oauthbearer.extensions",
    "sasl.oauthbearer.method",
    "sasl.oauthbearer.scope",
    "sasl.password",
    "sasl.username",
    "socket.keepalive.enable",
    "socket.timeout.ms",
    "ssl.ca.location",
    "ssl.ca.pem",
    "ssl.certificate.location",
    "ssl.certificate.pem",
    "ssl.crl.location",
    "ssl.key.location",
    "ssl.key.pem",
    "topic.metadata.refresh.interval.ms",
)
"""Names that people use of librdkafka alone, to be compared with one that nobody knows."""
_EVERY_RECORD = "livejoin waits until every replica in sync has a record, or records could be lost"
_BYTES = "livejoin reads and writes bytes, and makes of them what they are itself"
_NO_COMMITS = "livejoin keeps in its checkpoints how far it has read, and commits nothing"
OWNED = {
    "acks": _EVERY_RECORD,
    "allow.auto.create.topics": "livejoin never creates a source topic",
    "auto.commit.interval.ms": _NO_COMMITS,
    "auto.offset.reset": "the setting swap.start says where a generation begins to read",
    "enable.auto.commit": _NO_COMMITS,
    "enable.auto.offset.store": _NO_COMMITS,
    "enable.idempotence": _EVERY_RECORD,
    "enable.partition.eof": "livejoin needs it as it sets it",
    "group.id": "livejoin reads without groups, and needs no right on any",
    "group.instance.id": "livejoin reads without groups, and needs no right on any",
    "interceptor.classes": "Spark allows none",
    "isolation.level": "livejoin reads what was committed, and nothing of a transaction that was not",
    "key.deserializer": _BYTES,
    "key.serializer": _BYTES,
    "log_level": "livejoin says itself what is wrong",
    "request.required.acks": _EVERY_RECORD,
    "transactional.id": "livejoin names its one writer itself, so that Kafka refuses one that another one has replaced",
    "value.deserializer": _BYTES,
    "value.serializer": _BYTES,
}
"""Properties that livejoin sets itself, and why nobody else does."""


def librdkafka_knows(name: str) -> bool:
    """Whether librdkafka has a property of that name; it has no list, but says so of a single one."""
    return _objection(name, "") != f'No such configuration property: "{name}"'


def librdkafka_objection(name: str, value: str) -> str | None:
    """What librdkafka has against a value; secrets are not repeated."""
    said = _objection(name, value)
    if NOBODYS in said:
        return None
    return "librdkafka does not accept its value" if is_secret(name) else said.strip()


def java_knows(name: str) -> bool:
    """Whether Spark's Kafka client has a property of that name."""
    return name in JAVA_NAMES


def nearest(name: str) -> str | None:
    """The property that somebody may have meant."""
    known = JAVA_NAMES.union(LIBRDKAFKA_NAMES).difference(OWNED)
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.75)), None)


def _objection(name: str, value: str) -> str:
    """Offered together with a name that nobody knows, nothing is ever made of it."""
    try:
        Producer({name: value, NOBODYS: ""})
    except KafkaException as error:
        return str(error.args[0].str())
    except (TypeError, AttributeError):
        # What stands for a function in Python.
        return f'No such configuration property: "{name}"'
    raise AssertionError(f"librdkafka knows {NOBODYS}")

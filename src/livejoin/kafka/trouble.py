"""What kind of trouble an error of Kafka's client is, and so what helps: waiting, a right, a topic, another setting.

A client that cannot log in says so only beside the call: the call itself just gets no answer. What it says beside is
kept as complaints, and decides what a call without an answer means.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException
from cryptography.x509 import load_pem_x509_certificate

from livejoin.errors import BrokerUnreachable, KafkaTrouble, LoginRefused, NotAccepted, RightMissing, TopicMissing
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.identity import CERTIFICATE_TEXT
from livejoin.kafka.login import CLIENT_ID, USERNAME
from livejoin.kafka.refusal import why

FRESH_SECONDS = 10.0
"""How long a complaint explains calls that get no answer: a client that tries again complains again."""
LOGIN = frozenset(
    {
        KafkaError._AUTHENTICATION,  # noqa: SLF001  its public name, here and below
        KafkaError._SSL,  # noqa: SLF001
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.ILLEGAL_SASL_STATE,
    }
)
RIGHTS = frozenset(
    {
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    }
)
MISSING = frozenset(
    {
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError._UNKNOWN_TOPIC,  # noqa: SLF001
        KafkaError._UNKNOWN_PARTITION,  # noqa: SLF001
    }
)
STOPS_READING = MISSING | {KafkaError.TOPIC_AUTHORIZATION_FAILED}
"""Of what a consumer says, what it cannot go on with. That it may not join its group is said too, and it never does."""
FINAL = frozenset(
    {
        KafkaError.POLICY_VIOLATION,
        KafkaError.INVALID_REPLICATION_FACTOR,
        KafkaError.INVALID_CONFIG,
        KafkaError.INVALID_PARTITIONS,
        KafkaError.INVALID_REQUEST,
        KafkaError.TOPIC_EXCEPTION,
        KafkaError.MSG_SIZE_TOO_LARGE,
        KafkaError.UNSUPPORTED_VERSION,
        KafkaError._UNSUPPORTED_FEATURE,  # noqa: SLF001
        KafkaError._INVALID_ARG,  # noqa: SLF001
    }
)


class Complaints:
    """What a client says of its connections, newest last. Its methods may be called by any thread."""

    def __init__(self, client: KafkaClient) -> None:
        self.client = client
        self._newest: deque[tuple[float, KafkaError]] = deque(maxlen=16)
        self._lock = threading.Lock()
        self._explained: tuple[str, LoginRefused | None] = ("", None)

    def add(self, error: KafkaError) -> None:
        """Take in one; to be given to a client as its `error_cb`."""
        with self._lock:
            self._newest.append((time.monotonic(), error))

    def clear(self) -> None:
        """Forget them: the broker has answered."""
        with self._lock:
            self._newest.clear()

    @property
    def about_login(self) -> bool:
        """Whether one of them is about logging in."""
        return any(error.code() in LOGIN for error in self._fresh())

    @property
    def reason(self) -> str:
        """The newest that says more than that no broker is connected; empty where there is none."""
        said = (error for error in reversed(self._fresh()) if error.code() != KafkaError._ALL_BROKERS_DOWN)  # noqa: SLF001
        return next((error.str() for error in said), "")

    @property
    def texts(self) -> list[str]:
        """What they say."""
        return [error.str() for error in self._fresh()]

    def refusal(self) -> LoginRefused | None:
        """Why this client is not let in, where that is what they mean.

        Some of them have to be looked into, by a connection of its own; the same ones are not looked into again.
        """
        texts = self.texts
        if not texts:
            return None
        if self._explained[0] != texts[-1]:
            found = why(self.client, texts)
            self._explained = (texts[-1], LoginRefused(found.what, do=found.do) if found else None)
        return self._explained[1]

    def _fresh(self) -> list[KafkaError]:
        oldest = time.monotonic() - FRESH_SECONDS
        with self._lock:
            return [error for at, error in self._newest if at >= oldest]


def trouble_of(
    error: KafkaError, complaints: Complaints, operation: str, topic: str | None, transactional_id: str = ""
) -> KafkaTrouble:
    """The error of a call as trouble of one kind; the operation is named as in Kafka's rights."""
    code, client = error.code(), complaints.client
    at = client.bootstrap_servers
    if code == KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        return RightMissing(principal_of(client), operation, None, transactional_id)
    if code in RIGHTS:
        return RightMissing(principal_of(client), operation, topic)
    if code in MISSING and topic is not None:
        return TopicMissing(
            f"topic {topic!r} is not on the broker at {at}",
            do=f"create {topic!r}, or correct the setting or the message that names it",
        )
    if code in FINAL:
        resource = f" topic {topic!r}" if topic else ""
        return NotAccepted(
            f"the broker at {at} does not accept to {operation}{resource}: {error.str()}",
            do="correct the setting that it names, or ask who runs the cluster",
        )
    if code in LOGIN:
        complaints.add(error)
    return complaints.refusal() or BrokerUnreachable(
        f"no Kafka broker answers at {at} ({complaints.reason or error.str()})",
        do="start it, or correct kafka.bootstrap.servers (`livejoin config` shows what is in force)",
    )


@contextmanager
def needed_to(operation: str, otherwise: Mapping[str, str] | None = None) -> Iterator[None]:
    """What topics are looked at for, or some of them `otherwise`: who may not even see one is told of that right.

    Kafka refuses DESCRIBE first. It is in READ and in WRITE, and would alone be of no use.
    """
    try:
        yield
    except RightMissing as missing:
        if missing.operation != "DESCRIBE" or missing.topic is None:
            raise
        needed = (otherwise or {}).get(missing.topic, operation)
        raise RightMissing(missing.principal, needed, missing.topic) from missing


def kafka_error(error: KafkaException) -> KafkaError:
    """What an exception of the client holds."""
    found = error.args[0]
    return found if isinstance(found, KafkaError) else KafkaError(KafkaError._FAIL, str(error))  # noqa: SLF001


def principal_of(client: KafkaClient) -> str:
    """Who the broker takes this client for, as far as its properties tell."""
    properties = client.librdkafka()
    if USERNAME in properties:
        return f"User:{properties[USERNAME]}"
    if CLIENT_ID in properties:
        return f"the principal of the client {properties[CLIENT_ID]!r}"
    if CERTIFICATE_TEXT in properties:
        subject = load_pem_x509_certificate(properties[CERTIFICATE_TEXT].encode()).subject
        return f"User:{subject.rfc4514_string()}"
    return "User:ANONYMOUS"

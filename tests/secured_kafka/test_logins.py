"""Every way of logging in, by both clients, with properties in both dialects."""

import re
from pathlib import Path

import pytest
from confluent_kafka import TopicPartition

from await_that import await_that
from certificates import STORE_PASSWORD
from java_client import visits
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.jaas import login_line
from livejoin.kafka.login import LOGIN_MODULES, OIDC_HANDLER
from livejoin.kafka.writer import Writer
from livejoin.pipeline.spark.renewal import in_force, renewable
from secured_broker import PASSWORD, USER, SecuredBroker

TOPIC = "visited"
WAYS = (
    "plain",
    "scram-256",
    "scram-512",
    "plain, of Java, with a JKS",
    "scram-256, of Java, with a PKCS12",
    "scram-512, of Java, with a text",
    "token",
    "token over https, with scope and extensions",
    "token over https, of Java",
    "token in the clear, with extensions",
    "certificate",
    "certificate with an encrypted key",
    "certificate, of Java, in a JKS",
    "certificate in a PKCS12",
    "certificate, of Java, in texts",
)

UNTRANSLATED = ("scram-256", "token", "certificate")
LOOKS, DOES_NOT_LOOK = "looks for what is in force", "believes what it was told"
QUICK = {"default.api.timeout.ms": "2000", "request.timeout.ms": "1500"}


def password_in_java(broker: SecuredBroker, mechanism: str) -> dict[str, str]:
    """A login by a password, as Java's client is told."""
    line = login_line(LOGIN_MODULES[mechanism], username=USER, password=PASSWORD)
    address = {**broker.address("sasl"), "sasl.mechanism": mechanism, "sasl.jaas.config": line}
    del address["ssl.ca.location"]
    return address


def given(broker: SecuredBroker, folder: Path) -> dict[str, dict[str, str]]:
    """The properties of each way."""
    ca, store = str(broker.folder / "ca.pem"), {"ssl.truststore.password": STORE_PASSWORD}
    jks, p12 = broker.authority.truststore(folder / "ca.jks", "JKS"), folder / "ca.p12"
    broker.authority.truststore(p12, "PKCS12")
    private = {**broker.token(), "sasl.oauthbearer.token.endpoint.url": broker.https_token_url}
    trusted = {"ssl.truststore.type": "PEM", "ssl.truststore.location": ca}
    named = {"clientId": USER, "clientSecret": PASSWORD, "scope": "read write", "extension_team": "ours"}
    me = broker.authority.intermediate("between").issue(USER)
    mutual = broker.address("mutual")
    (folder / "me.pem").write_text(me.chain_pem, encoding="utf-8")
    (folder / "me.key").write_text(me.key_pem(password=PASSWORD), encoding="utf-8")
    java_texts = {"ssl.keystore.certificate.chain": me.chain_pem, "ssl.keystore.key": me.key_pem()}
    sealed = {"ssl.certificate.location": str(folder / "me.pem"), "ssl.key.location": str(folder / "me.key")}
    own_store = {"ssl.keystore.password": STORE_PASSWORD}
    found = [
        broker.password("PLAIN"),
        broker.password("SCRAM-SHA-256"),
        broker.password("SCRAM-SHA-512"),
        {**password_in_java(broker, "PLAIN"), "ssl.truststore.location": str(jks), **store},
        {**password_in_java(broker, "SCRAM-SHA-256"), "ssl.truststore.location": str(p12), **store},
        {**password_in_java(broker, "SCRAM-SHA-512"), "ssl.truststore.certificates": broker.authority.pem},
        broker.token(),
        {
            **private,
            "https.ca.location": ca,
            "sasl.oauthbearer.scope": "read write",
            "sasl.oauthbearer.extensions": "team=ours",
        },
        {
            **{name: private[name] for name in ("bootstrap.servers", "security.protocol", "sasl.mechanism")},
            "sasl.oauthbearer.token.endpoint.url": broker.https_token_url,
            "sasl.login.callback.handler.class": OIDC_HANDLER,
            "sasl.jaas.config": login_line(LOGIN_MODULES["OAUTHBEARER"], **named, **trusted),
            **trusted,
        },
        {**broker.token(listener="wired_token"), "sasl.oauthbearer.extensions": "team=ours"},
        broker.certificate(),
        {**mutual, **sealed, "ssl.key.password": PASSWORD},
        {**mutual, "ssl.keystore.location": str(me.jks(folder / "me.jks")), **own_store},
        {**mutual, "ssl.keystore.location": str(me.p12(folder / "me.p12")), **own_store},
        {**mutual, "ssl.keystore.type": "PEM", **java_texts},
    ]
    return dict(zip(WAYS, found, strict=True))


@pytest.fixture(scope="module")
def clients(secured: SecuredBroker, tmp_path_factory: pytest.TempPathFactory) -> dict[str, KafkaClient]:
    """A client for each way, of a user who may do everything with a topic."""
    Cluster(secured.settings.kafka_client).ensure(TOPIC)
    return {name: KafkaClient(each) for name, each in given(secured, tmp_path_factory.mktemp("clients")).items()}


@pytest.mark.parametrize("way", WAYS)
def test_livejoins_own_processes_log_in(clients: dict[str, KafkaClient], way: str) -> None:
    """They ask for topics, write, and read what they wrote, without a right on any group."""
    cluster = Cluster(clients[way])
    assert TOPIC in cluster.topic_names()
    written = Writer(cluster, TOPIC).write(way, way.encode())
    consumer = cluster.consumer("visit")
    try:
        consumer.assign([TopicPartition(TOPIC, 0, written.offset() or 0)])
        # What it says about groups is passing, and nobody here reads with one.
        read = await_that(lambda: next((m for m in consumer.consume(2, 1.0) if m.error() is None), None))
        assert read.value() == way.encode()
    finally:
        consumer.close()


@pytest.fixture(scope="module")
def seen(clients: dict[str, KafkaClient], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What Spark's client saw, each way."""
    folder = tmp_path_factory.mktemp("java") / "clients"
    return visits(folder, TOPIC, {name: renewable(each.java()) for name, each in clients.items()})


@pytest.mark.parametrize("way", WAYS)
def test_sparks_client_logs_in(seen: dict[str, str], way: str) -> None:
    """It does the same, each way."""
    assert seen[way] == "read"


def test_scopes_reach_the_provider(
    secured: SecuredBroker, clients: dict[str, KafkaClient], seen: dict[str, str]
) -> None:
    """Both clients ask for the scope that was set."""
    assert seen
    before = secured.provider.scopes.count("read write")
    assert before >= 1
    assert TOPIC in Cluster(clients["token over https, with scope and extensions"]).topic_names()
    assert secured.provider.scopes.count("read write") > before


def logins(overheard: list[bytes]) -> set[tuple[str, str]]:
    """Who has logged in by a token on a wire, librdkafka or Java, and with which extensions."""
    found = re.findall(rb"(.{16})n,,\x01auth=Bearer [\w.-]+\x01(.*?)\x01", b"".join(overheard), re.DOTALL)
    return {("librdkafka" if b"rdkafka" in head else "Java", extensions.decode()) for head, extensions in found}


def test_extensions_reach_the_broker(
    secured: SecuredBroker, clients: dict[str, KafkaClient], seen: dict[str, str]
) -> None:
    """Both clients say them beside their token, where the broker looks for them; who is told none says none."""
    way, overheard = "token in the clear, with extensions", secured.wires["wired_token"].overheard
    assert overheard is not None
    assert seen[way] == "read"
    assert TOPIC in Cluster(clients[way]).topic_names()
    assert logins(overheard) == {("librdkafka", "team=ours"), ("Java", "team=ours")}
    overheard.clear()
    assert TOPIC in Cluster(KafkaClient(secured.token(listener="wired_token"))).topic_names()
    assert logins(overheard) == {("librdkafka", "")}


@pytest.fixture(scope="module")
def seen_otherwise(
    secured: SecuredBroker, clients: dict[str, KafkaClient], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What Spark's client saw who was told the properties of librdkafka, or a secret that is no longer right."""
    told = KafkaClient({**secured.token(), "sasl.oauthbearer.client.secret": "of yesterday"}).java()
    untranslated = {way: clients[way].librdkafka() | QUICK for way in UNTRANSLATED}
    asked = {**untranslated, LOOKS: renewable(told), DOES_NOT_LOOK: told | QUICK}
    return visits(tmp_path_factory.mktemp("java") / "clients", TOPIC, asked, in_force(clients["token"]))


@pytest.mark.parametrize("way", UNTRANSLATED)
def test_what_java_would_be_given_untranslated_does_not_work(seen_otherwise: dict[str, str], way: str) -> None:
    """The control case: with the properties of librdkafka, Spark's client does not log in."""
    assert seen_otherwise[way] != "read"


def test_sparks_client_logs_in_with_what_is_in_force(seen_otherwise: dict[str, str]) -> None:
    """And not with the secret that it was told once. `test_whole_ways.py` has the same for passwords and keys."""
    assert seen_otherwise[LOOKS] == "read"
    assert "no such client" in seen_otherwise[DOES_NOT_LOOK]

"""What is said where a broker or a provider does not let a client in: the cause, and the setting to correct."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from await_that import await_that
from certificates import new_authority
from livejoin.errors import BrokerUnreachable
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import QUIET, Cluster
from livejoin.kafka.jaas import login_line
from livejoin.kafka.login import LOGIN_MODULES
from livejoin.kafka.refusal import Refusal, why
from secured_broker import NOWHERE, PASSWORD, USER, SecuredBroker

SCRAM = "SCRAM-SHA-256"
TOKEN_URL = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105 - a name
UNKNOWN = new_authority("an authority that nobody knows")


def refused(properties: dict[str, str]) -> Refusal | None:
    """What is said when a client with these properties has been heard complaining."""
    client, complaints = KafkaClient(properties), list[str]()

    def hear(error: KafkaError) -> None:
        complaints.append(error.str())

    told: dict[str, Any] = {**QUIET, **client.librdkafka(), "error_cb": hear, "log_level": 0}
    admin = AdminClient(told)

    def heard() -> bool:
        with pytest.raises(KafkaException):
            admin.list_topics(timeout=0.4)
        admin.poll(0)
        return bool(complaints)

    await_that(heard)
    return why(client, complaints)


def at(broker: SecuredBroker, port: str, **more: str) -> dict[str, str]:
    """The address of a listener that the embedded broker has anyway."""
    return {"bootstrap.servers": f"127.0.0.1:{getattr(broker.settings.broker, port)}", **more}


@pytest.fixture
def strange_authority(tmp_path: Path) -> str:
    """The file of an authority that has issued nothing here."""
    file = tmp_path / "strange.pem"
    file.write_text(UNKNOWN.pem, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("mechanism", ["PLAIN", SCRAM, "SCRAM-SHA-512"])
def test_a_wrong_password(secured: SecuredBroker, mechanism: str) -> None:
    """The user is named, and the settings of both."""
    said = refused({**secured.password(mechanism), "sasl.password": "hunter2 is wrong"})
    assert said is not None
    assert f"does not accept the user '{USER}' with this password" in said.what
    assert said.do.startswith("correct kafka.sasl.username and kafka.sasl.password, or kafka.sasl.mechanism")
    assert "hunter2" not in said.what + said.do


def test_a_wrong_password_in_javas_dialect(secured: SecuredBroker) -> None:
    """The setting that is named is the one that was given."""
    properties = {name: text for name, text in secured.password(SCRAM).items() if not name.startswith("sasl.")}
    line = login_line(LOGIN_MODULES[SCRAM], username=USER, password="wrong")  # noqa: S106 - it is
    said = refused({**properties, "sasl.mechanism": SCRAM, "sasl.jaas.config": line})
    assert said is not None
    assert said.do.startswith("correct kafka.sasl.jaas.config, or ")


def test_a_mechanism_that_the_broker_does_not_offer(secured: SecuredBroker) -> None:
    """Those that it offers are named."""
    said = refused({**secured.token(), "bootstrap.servers": secured.address("sasl")["bootstrap.servers"]})
    assert said is not None
    assert "does not know the mechanism OAUTHBEARER; it offers " in said.what
    assert "SCRAM-SHA-512" in said.what
    assert said.do == "set kafka.sasl.mechanism to one that it offers"


def test_an_authority_that_did_not_issue_the_brokers_certificate(
    secured: SecuredBroker, strange_authority: str
) -> None:
    """The setting is named as it was given; where there is none, the one to set."""
    for name in ("ssl.ca.location", "ssl.truststore.location"):
        properties = secured.password(SCRAM)
        del properties["ssl.ca.location"]
        said = refused({**properties, name: strange_authority})
        assert said is not None
        assert said.what.startswith("nobody who is trusted vouches for the broker at localhost:")
        assert said.do == f"set kafka.{name} to the certificate of the authority that does"
    said = refused(properties)
    assert said is not None
    assert said.do == "set kafka.ssl.ca.location to the certificate of the authority that does"


def test_an_expired_certificate_of_the_broker(secured: SecuredBroker) -> None:
    """It is not mistaken for an authority that is not trusted."""
    said = refused(secured.address("expired"))
    assert said is not None
    assert said.what.endswith("is not valid today: certificate has expired")


def test_a_certificate_of_another_host(secured: SecuredBroker) -> None:
    """Both ways out are named; with the second one, nobody is refused for it."""
    said = refused(secured.address("elsewhere"))
    assert said is not None
    assert "is for another host: " in said.what
    assert "kafka.bootstrap.servers" in said.do
    assert 'kafka.ssl.endpoint.identification.algorithm = "none"' in said.do
    unchecked = {**secured.address("elsewhere"), "ssl.endpoint.identification.algorithm": "none"}
    assert AdminClient({**KafkaClient(unchecked).librdkafka()}).list_topics(timeout=10) is not None


@pytest.mark.parametrize(
    ("change", "what", "do"),
    [
        (
            {"sasl.oauthbearer.client.secret": "hunter2 is wrong"},
            f"hands out no token to '{USER}': ",
            "correct kafka.sasl.oauthbearer.client.id and kafka.sasl.oauthbearer.client.secret",
        ),
        (
            {TOKEN_URL: "http://localhost:1/token"},
            "http://localhost:1/token does not answer: ",
            f"correct kafka.{TOKEN_URL}",
        ),
        (
            {TOKEN_URL: "http://a.invalid/token"},
            "http://a.invalid/token does not answer: ",
            f"correct kafka.{TOKEN_URL}",
        ),
        ({TOKEN_URL: "there/is/none"}, "hands out no token: Not Found", f"correct kafka.{TOKEN_URL}"),
        (
            {TOKEN_URL: "https"},
            "nobody who is trusted vouches for https://localhost:",
            "set kafka.https.ca.location to",
        ),
    ],
)
def test_a_token_endpoint_that_hands_out_none(
    secured: SecuredBroker, change: dict[str, str], what: str, do: str
) -> None:
    """Wrong client, nobody there, no such name, no such page, nobody who is trusted."""
    places = {"there/is/none": f"{secured.token_url}/none", "https": secured.https_token_url}
    said = refused({**secured.token(), **{name: places.get(value, value) for name, value in change.items()}})
    assert said is not None
    assert what in said.what
    assert said.do.startswith(do)
    assert "hunter2" not in said.what + said.do


@pytest.fixture
def another_issuer(secured: SecuredBroker) -> Iterator[None]:
    """The provider calls itself by another name than the broker expects."""
    right = secured.provider.issuer
    secured.provider.issuer = "http://another.example"
    yield
    secured.provider.issuer = right


@pytest.mark.usefixtures("another_issuer")
def test_tokens_that_the_broker_does_not_accept(secured: SecuredBroker) -> None:
    """It is the broker who refuses, not the provider."""
    said = refused(secured.token())
    assert said is not None
    assert said.what.endswith(f"does not accept the tokens of {secured.token_url}")


def test_a_certificate_of_the_client_that_is_missing_unknown_or_expired(secured: SecuredBroker) -> None:
    """Each is told apart, and the setting named."""
    missing = refused(secured.address("mutual"))
    unknown = refused(secured.certificate("eve", UNKNOWN.issue("eve")))
    expired = refused(secured.certificate("late", secured.authority.issue("late", hours=-1)))
    assert missing is not None
    assert unknown is not None
    assert expired is not None
    assert missing.what.endswith("wants a certificate of the client, and there is none")
    assert missing.do.startswith("set kafka.ssl.certificate.location and kafka.ssl.key.location")
    assert "certificate (CN=eve, issued by CN=an authority that nobody knows)" in unknown.what
    assert "set kafka.ssl.certificate.location to one that" in unknown.do
    assert "which has expired on" in expired.what


def test_another_protocol_than_the_listeners(secured: SecuredBroker) -> None:
    """TLS where there is none, none where it is wanted, a login too many, a login too few."""
    scram, mutual = secured.password(SCRAM), secured.address("mutual")
    internal = at(secured, "internal_port")
    cases = {
        "set kafka.security.protocol to SASL_SSL": {**scram, "security.protocol": "SASL_PLAINTEXT"},
        "set kafka.security.protocol to SSL, or": {"bootstrap.servers": scram["bootstrap.servers"]},
        "or kafka.security.protocol to SASL_PLAINTEXT": {**scram, **internal},
        "or kafka.security.protocol to PLAINTEXT": {**mutual, **at(secured, "port")},
        "set kafka.security.protocol to PLAINTEXT": {
            **scram,
            **at(secured, "port", **{"security.protocol": "SASL_PLAINTEXT"}),
        },
        "set kafka.security.protocol to SASL_SSL, and": {**mutual, "bootstrap.servers": scram["bootstrap.servers"]},
        "set kafka.security.protocol to SASL_PLAINTEXT, and": internal,
    }
    for do, properties in cases.items():
        said = refused(properties)
        assert said is not None, do
        assert do in said.do, said


def test_nobody_there_is_no_refusal(secured: SecuredBroker) -> None:
    """Where nobody listens, there is nothing to correct but the address."""
    assert secured
    assert refused({"bootstrap.servers": "127.0.0.1:1"}) is None


def test_a_broker_that_sends_clients_nowhere_is_no_refusal(secured: SecuredBroker) -> None:
    """Whoever was let in, and is sent on to a host that does not resolve, has nothing to correct in its login."""
    with pytest.raises(BrokerUnreachable, match=f"Failed to resolve '{NOWHERE}"):
        Cluster(KafkaClient(secured.address("astray"))).wait_until_reachable(2.0)


def test_a_secret_that_others_repeat_is_not_shown() -> None:
    """Also where a provider sends back what it was sent."""
    properties = {
        "bootstrap.servers": "b:1",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "OAUTHBEARER",
        TOKEN_URL: "http://localhost:1/token",
        "sasl.oauthbearer.client.id": "me",
        "sasl.oauthbearer.client.secret": PASSWORD,
    }
    said = why(KafkaClient(properties), [f"Failed to acquire SASL OAUTHBEARER token: what is {PASSWORD}?"])
    assert said is not None
    assert PASSWORD not in said.what + said.do

"""What is said where the way to a broker is not right: names, certificates, logins."""

import json
from pathlib import Path

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from certificates import new_authority
from livejoin.doctor.finding import Finding, Verdict
from livejoin.errors import BrokerUnreachable
from livejoin.kafka.client import KafkaClient
from livejoin.topics.survey import Broker, Survey
from ports import free_ports
from secured_broker import NOWHERE, PASSWORD, USER, SecuredBroker
from tests.doctor.examined import examined, of, one, problems, settings_of

SCRAM = "SCRAM-SHA-256"
TOKEN_URL = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105  a name


def findings(folder: Path, kafka: dict[str, str]) -> list[Finding]:
    """Everything that is found with these properties; nothing of it is the password."""
    found = examined(settings_of(folder, kafka))
    told = json.dumps([finding.as_data() for finding in found], ensure_ascii=False)
    for secret in (PASSWORD, "hunter2"):
        assert json.dumps(secret, ensure_ascii=False)[1:-1] not in told
    return found


def test_a_name_that_does_not_resolve(tmp_path: Path) -> None:
    """The setting is named, and nothing is tried that needs a broker."""
    found = findings(tmp_path, {"bootstrap.servers": f"{NOWHERE}:9092"})
    [only] = problems(found)
    assert (only.check, only.about) == ("names", f"{NOWHERE}:9092")
    assert "does not resolve" in only.found
    assert "kafka.bootstrap.servers" in only.do
    assert one(found, "rights", Verdict.SKIPPED).found == "not tried: names comes first"


def test_an_address_where_nobody_listens(tmp_path: Path) -> None:
    """It is told apart from a name that is wrong."""
    [port] = free_ports(1)
    [only] = problems(findings(tmp_path, {"bootstrap.servers": f"127.0.0.1:{port}"}))
    assert only.found == "nobody answers: 127.0.0.1: Connection refused"


def test_one_bootstrap_server_of_two_is_enough(secured: SecuredBroker, tmp_path: Path) -> None:
    """What is wrong with the other one is told, and the rest is tried."""
    kafka = secured.password(SCRAM)
    kafka["bootstrap.servers"] += f",{NOWHERE}:1"
    found = findings(tmp_path, kafka)
    assert one(found, "names", Verdict.PROBLEM).about == f"{NOWHERE}:1"
    assert f"let in as User:{USER} by SASL_SSL, {SCRAM}" in one(found, "login", Verdict.OK).found


def test_a_broker_that_sends_clients_astray(secured: SecuredBroker, tmp_path: Path) -> None:
    """Host and port that it advertises are named, and whose setting that is."""
    port = secured.ports["astray"]
    found = findings(tmp_path, secured.address("astray"))
    astray = one(found, "advertised", Verdict.PROBLEM)
    assert f"sends clients on to {NOWHERE}:{port}, which does not resolve from this machine" in astray.found
    assert "advertised.listeners of broker 1" in astray.do
    assert one(found, "sources", Verdict.SKIPPED).found == "not tried: advertised comes first"


def test_a_broker_that_sends_clients_astray_is_named_by_complaints_too(
    secured: SecuredBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that was sent on may not come back in time to ask who the brokers are: it complains of them."""
    survey = Survey(KafkaClient(secured.address("astray")))
    with pytest.raises(BrokerUnreachable):
        survey.ping(2.0)

    def no_answer(*_: object, **__: object) -> None:
        raise KafkaException(KafkaError(KafkaError._TRANSPORT))  # noqa: SLF001  its public name

    # Whether it comes back in time is chance.
    monkeypatch.setattr(AdminClient, "list_topics", no_answer)
    assert survey.enter(0.0) == [Broker(1, NOWHERE, secured.ports["astray"])]


def test_a_certificate_that_ends_soon(secured: SecuredBroker, tmp_path: Path) -> None:
    """Whose it is, for which names, who issued it, and when it ends, while there is time."""
    tls = one(findings(tmp_path, secured.password(SCRAM)), "tls", Verdict.WARNING)
    assert "trusted: CN=broker for localhost, 127.0.0.1, issued by CN=between, valid until 20" in tls.found
    assert "hours" in tls.found


def test_certificates_that_are_not_trusted(secured: SecuredBroker, tmp_path: Path) -> None:
    """Why, and the setting that says whom to trust; nobody logs in there."""
    strange = tmp_path / "strange.pem"
    strange.write_text(new_authority("nobody").pem, encoding="utf-8")
    cases = {
        "nobody who is trusted vouches for": {**secured.password(SCRAM), "ssl.ca.location": str(strange)},
        "is not valid today: certificate has expired": secured.address("expired"),
        "is for another host": secured.address("elsewhere"),
    }
    for what, kafka in cases.items():
        found = findings(tmp_path, kafka)
        [only] = problems(found)
        assert (only.check, what in only.found) == ("tls", True), only
        assert "It shows: CN=" in only.found
        assert one(found, "login", Verdict.SKIPPED)
    [only] = problems(findings(tmp_path, cases["nobody who is trusted vouches for"]))
    assert only.do == "set kafka.ssl.ca.location to the certificate of the authority that does"


def test_a_listener_without_tls(secured: SecuredBroker, tmp_path: Path) -> None:
    """The protocol is what has to be corrected."""
    kafka = {**secured.password(SCRAM), "bootstrap.servers": f"127.0.0.1:{secured.settings.broker.internal_port}"}
    [only] = problems(findings(tmp_path, kafka))
    assert (only.check, "nobody speaks TLS there" in only.found) == ("tls", True)
    assert "kafka.security.protocol" in only.do


def test_a_wrong_password(secured: SecuredBroker, tmp_path: Path) -> None:
    """The user and the settings are named, the password is not."""
    [only] = problems(findings(tmp_path, {**secured.password(SCRAM), "sasl.password": "hunter2 is wrong"}))
    assert only.check == "login"
    assert f"does not accept the user '{USER}' with this password" in only.found
    assert "kafka.sasl.password" in only.do


@pytest.mark.parametrize("hours", [-1.0, 24.0])
def test_ones_own_certificate(secured: SecuredBroker, tmp_path: Path, hours: float) -> None:
    """One that has expired is a problem, one that will is a warning; the broker takes us for its subject."""
    kafka = secured.certificate("doctored", secured.authority.issue("doctored", hours=hours))
    found = findings(tmp_path, kafka)
    [own] = of(found, "tls", "own certificate")
    assert "CN=doctored, issued by CN=the authority of the tests" in own.found
    if hours < 0:
        assert own.verdict is Verdict.PROBLEM
        assert "which has expired on" in one(found, "login", Verdict.PROBLEM).found
    else:
        assert own.verdict is Verdict.WARNING
        assert "let in as User:CN=doctored" in one(found, "login", Verdict.OK).found


def test_a_token_endpoint(secured: SecuredBroker, tmp_path: Path) -> None:
    """Its certificate is looked at like a broker's."""
    private = {**secured.token(), TOKEN_URL: secured.https_token_url}
    found = findings(tmp_path, private)
    untrusted = one(found, "tls", Verdict.PROBLEM, "token endpoint")
    assert "It shows: CN=provider for localhost" in untrusted.found
    assert untrusted.do.startswith("set kafka.https.ca.location to")
    assert "vouches for" in one(found, "login", Verdict.PROBLEM).found
    trusting = findings(tmp_path, {**private, "https.ca.location": str(secured.folder / "ca.pem")})
    assert "trusted: CN=provider" in one(trusting, "tls", Verdict.WARNING, "token endpoint").found
    assert "let in as the principal of the client 'alice'" in one(trusting, "login", Verdict.OK).found


def test_a_secret_that_the_provider_does_not_accept(secured: SecuredBroker, tmp_path: Path) -> None:
    """What it says is told, without what it was sent."""
    found = findings(tmp_path, {**secured.token(), "sasl.oauthbearer.client.secret": "hunter2 is wrong"})
    assert "hands out no token to 'alice'" in one(found, "login", Verdict.PROBLEM).found

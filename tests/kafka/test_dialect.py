"""Client properties of either dialect, for both clients."""

from pathlib import Path

import pytest

from java_client import run_java
from livejoin.kafka.dialect import translate
from livejoin.kafka.java_names import JAVA_NAMES
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.names import JAVA_NAME_OF, LIBRDKAFKA_NAMES, OWNED, librdkafka_knows

SECURITY = "org.apache.kafka.common.security"
MODULES = {
    "PLAIN": f"{SECURITY}.plain.PlainLoginModule",
    "SCRAM-SHA-256": f"{SECURITY}.scram.ScramLoginModule",
    "SCRAM-SHA-512": f"{SECURITY}.scram.ScramLoginModule",
}
TOKENS = "http://localhost:1/token"
OIDC = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.oauthbearer.method": "oidc",
    "sasl.oauthbearer.token.endpoint.url": TOKENS,
    "sasl.oauthbearer.client.id": "I",
    "sasl.oauthbearer.client.secret": "S",
    "sasl.oauthbearer.scope": "a b",
    "sasl.oauthbearer.extensions": "logicalCluster=lkc-1,identityPoolId=pool-2",
}
OIDC_IN_JAVA = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.login.callback.handler.class": f"{SECURITY}.oauthbearer.OAuthBearerLoginCallbackHandler",
    "sasl.oauthbearer.token.endpoint.url": TOKENS,
    "sasl.jaas.config": f'{SECURITY}.oauthbearer.OAuthBearerLoginModule required clientId="I" clientSecret="S"'
    ' scope="a b" extension_logicalCluster="lkc-1" extension_identityPoolId="pool-2";',
}


@pytest.mark.parametrize("name", ["sasl.mechanism", "sasl.mechanisms"])
@pytest.mark.parametrize("mechanism", MODULES)
def test_a_password_is_told_to_each_client_in_its_way(name: str, mechanism: str) -> None:
    """From a user and a password, or from a line of JAAS, come both."""
    common = {"security.protocol": "SASL_SSL", "sasl.mechanism": mechanism}
    native = {**common, "sasl.username": "U", "sasl.password": "P"}
    line = f'{MODULES[mechanism]} required username="U" password="P";'
    given = {"security.protocol": "sasl_ssl", name: mechanism.lower()}
    for login in ({"sasl.username": "U", "sasl.password": "P"}, {"sasl.jaas.config": line}):
        both = translate({**given, **login})
        assert both.librdkafka == native
        assert both.java == {**common, "sasl.jaas.config": line}


@pytest.mark.parametrize("given", [OIDC, OIDC_IN_JAVA])
def test_a_client_of_an_openid_provider_is_told_to_each_in_its_way(given: dict[str, str]) -> None:
    """Address, id, secret, scope and extensions come from properties or a line of JAAS."""
    both = translate(given)
    assert both.librdkafka == OIDC
    assert both.java == OIDC_IN_JAVA


@pytest.mark.parametrize(
    "password",
    ['a"; debug="true\\', "it's", "a\\nb", "two\nlines", "{curly} $dollar", "both \" and ' and //", "ümlaut"],
)
def test_a_password_stays_what_it_is(password: str) -> None:
    """It cannot end its quotes, and comes back out of the line as it went in."""
    common = {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN"}
    line = translate({**common, "sasl.username": "U", "sasl.password": password}).java["sasl.jaas.config"]
    assert translate({**common, "sasl.jaas.config": line}).librdkafka["sasl.password"] == password


@pytest.mark.parametrize(
    "line",
    [
        "  org.apache.kafka.common.security.plain.PlainLoginModule  REQUIRED\n  username=U // who\n  password='P' ;",
        'org.apache.kafka.common.security.plain.PlainLoginModule required /* x */ username="\\125" password="P";',
    ],
)
def test_a_line_is_read_as_java_reads_it(line: str) -> None:
    """Over several lines, with comments, without quotes or with single ones, with octal escapes."""
    given = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": line}
    found = translate(given).librdkafka
    assert (found["sasl.username"], found["sasl.password"]) == ("U", "P")


def test_https_is_checked_against_what_the_system_trusts() -> None:
    """Librdkafka is told where that is, and Java knows it."""
    both = translate({**OIDC, "sasl.oauthbearer.token.endpoint.url": "https://idp.example/token"})
    assert Path(both.librdkafka["https.ca.location"]).is_file()
    assert "truststore" not in both.java["sasl.jaas.config"]


def test_a_host_that_is_not_checked_is_named_differently() -> None:
    """What librdkafka calls none is empty for Java, and the other way round."""
    name = "ssl.endpoint.identification.algorithm"
    for value in ("none", ""):
        both = translate({"security.protocol": "SSL", name: value})
        assert (both.librdkafka[name], both.java[name]) == ("none", "")
    both = translate({"security.protocol": "SSL", name: "HTTPS"})
    assert (both.librdkafka[name], both.java[name]) == ("https", "https")


@pytest.mark.parametrize(
    ("given", "native", "java"),
    [
        ({"metadata.broker.list": "b:1"}, {"bootstrap.servers": "b:1"}, {"bootstrap.servers": "b:1"}),
        ({"client.id": "me"}, {"client.id": "me"}, {"client.id": "me"}),
        ({"fetch.wait.max.ms": "7"}, {"fetch.wait.max.ms": "7"}, {"fetch.max.wait.ms": "7"}),
        ({"fetch.max.wait.ms": "7"}, {"fetch.wait.max.ms": "7"}, {"fetch.max.wait.ms": "7"}),
    ],
)
def test_what_is_one_property_reaches_both(given: dict[str, str], native: dict[str, str], java: dict[str, str]) -> None:
    """Under one name, or under the name that each has for it."""
    both = translate(given)
    assert (both.librdkafka, both.java, both.remarks) == (native, java, ())


@pytest.mark.parametrize(
    ("name", "value", "who"),
    [
        ("max.block.ms", "5000", "Spark"),
        ("socket.keepalive.enable", "true", "all processes but Spark"),
        ("ssl.cipher.suites", "TLS_AES_256_GCM_SHA384", "Spark"),
        ("ssl.cipher.suites", "ECDHE-RSA-AES128-GCM-SHA256", "all processes but Spark"),
    ],
)
def test_what_one_client_has_is_used_by_that_one(name: str, value: str, who: str) -> None:
    """And a sentence says which one."""
    both = translate({name: value})
    assert [name in both.java, name in both.librdkafka] == [who == "Spark", who != "Spark"]
    assert both.remarks == (f"kafka.{name}: used by {who} only",)


SASL = {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN"}
PLAIN_LINE = f"{MODULES['PLAIN']} required "


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sasl.usrname": "x"}, r"kafka\.sasl\.usrname: .* did you mean sasl\.username\?"),
        ({"bootstrap.server": "x"}, r"did you mean bootstrap\.servers\?"),
        ({"nothing.like.it": "x"}, r"neither librdkafka nor Spark's Kafka client has such a property$"),
        ({"error_cb": "x"}, r"kafka\.error_cb: neither"),
        ({"group.id": "x"}, r"kafka\.group\.id: it is livejoin's own: .*without groups"),
        ({"acks": "1"}, r"kafka\.acks: it is livejoin's own"),
        ({"transactional.id": "x"}, r"kafka\.transactional\.id: it is livejoin's own: .*that another one has replaced"),
        ({"security.protocol": "TLS"}, r"kafka\.security\.protocol: 'TLS' is not one of"),
        ({"sasl.username": "x"}, r"kafka\.security\.protocol: it is missing, and sasl\.username has no effect"),
        ({"security.protocol": "SASL_SSL"}, r"kafka\.sasl\.mechanism: it is missing"),
        ({**SASL, "sasl.mechanism": "GSSAPI"}, r"kafka\.sasl\.mechanism: 'GSSAPI' is not one of PLAIN, SCRAM"),
        ({**SASL, "sasl.mechanism": "AWS_MSK_IAM"}, r"kafka\.sasl\.mechanism: 'AWS_MSK_IAM'"),
        (SASL, r"kafka\.sasl\.username: PLAIN needs a username"),
        ({**SASL, "sasl.username": "U"}, r"kafka\.sasl\.password: PLAIN needs a password"),
        ({**SASL, "sasl.mechanisms": "SCRAM-SHA-256"}, r"kafka\.sasl\.mechanisms: sasl\.mechanism says something else"),
        ({**SASL, "sasl.jaas.config": PLAIN_LINE}, r"kafka\.sasl\.jaas\.config: .*semicolon"),
        (
            {**SASL, "sasl.jaas.config": f"{PLAIN_LINE} username=U;"},
            r"kafka\.sasl\.jaas\.config: PLAIN needs a password",
        ),
        ({**SASL, "sasl.jaas.config": "x.Y required;"}, r"kafka\.sasl\.jaas\.config: .*needs org\.apache"),
        (
            {**SASL, "sasl.jaas.config": f"{PLAIN_LINE} username=U password=hunter2 serviceName=k;"},
            r"the option serviceName has no",
        ),
        (
            {**SASL, "sasl.username": "U", "sasl.jaas.config": f"{PLAIN_LINE} username=U password=hunter2;"},
            r"kafka\.sasl\.jaas\.config: it says who logs in, and so does sasl\.username",
        ),
        ({**OIDC, "sasl.oauthbearer.method": "default"}, r"kafka\.sasl\.oauthbearer\.method: .* set it to oidc"),
        ({**OIDC, "sasl.oauthbearer.client.secret": ""}, r"client\.secret: OAUTHBEARER needs a client\.secret"),
        ({**OIDC, "sasl.oauthbearer.token.endpoint.url": "file:///t"}, r"token\.endpoint\.url: it is the http"),
        ({**OIDC, "sasl.oauthbearer.grant.type": "jwt-bearer"}, r"grant\.type: .*client_credentials only"),
        ({**OIDC, "sasl.login.callback.handler.class": "my.Handler"}, r"handler\.class: .*OpenID provider only"),
        ({"enable.ssl.certificate.verification": "false"}, r"verification: Spark's Kafka client always checks"),
        ({"socket.timeout.ms": "soon"}, r"kafka\.socket\.timeout\.ms: Invalid value"),
        (
            {"security.protocol": "SSL", "ssl.ca.location": "/none"},
            r"kafka\.ssl\.ca\.location: /none cannot be read: No",
        ),
    ],
)
def test_a_mistake_names_the_property(given: dict[str, str], said: str) -> None:
    """In words, before any client is made; no secret is repeated."""
    with pytest.raises(PropertyMistake, match=said) as refused:
        translate(given)
    assert "hunter2" not in str(refused.value)


def test_what_has_no_effect_is_said() -> None:
    """Where somebody chose a protocol that needs neither, no file is asked for."""
    given = {"security.protocol": "PLAINTEXT", "sasl.username": "U", "ssl.ca.location": "/none"}
    both = translate(given)
    assert both.java == both.librdkafka == {"security.protocol": "PLAINTEXT"}
    assert [remark.partition(":")[0] for remark in both.remarks] == ["kafka.sasl.username", "kafka.ssl.ca.location"]


def test_every_name_is_one_that_a_client_has() -> None:
    """Of librdkafka, it knows those of its own, and the Java client of Spark those that are listed, and no others."""
    assert all(librdkafka_knows(name) for name in (*LIBRDKAFKA_NAMES, *JAVA_NAME_OF))
    assert all(name in JAVA_NAMES for name in JAVA_NAME_OF.values())
    assert all(name in JAVA_NAMES or librdkafka_knows(name) for name in OWNED)
    assert set(run_java("KafkaNames")) == JAVA_NAMES

"""One broker with a listener for every way of logging in, and the provider of its tokens.

Every user has one name everywhere: that of SCRAM and PLAIN, the subject of a token, the common name of a certificate.
Nobody may do anything that was not allowed.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

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

from certificates import Authority, Issued, new_authority
from livejoin.http.server import listen
from livejoin.kafka.cluster import QUIET, Cluster
from livejoin.kafka.jaas import login_line
from livejoin.kafka.login import LOGIN_MODULES
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from oidc_provider import AUDIENCE, OidcProvider, served
from ports import broker_ports, free_ports
from relay import Relay

USER, PASSWORD = "alice", 'of "alice" \\ & others'
STRANGER = "mallory"
"""Can log in everywhere, and has no right."""
LISTENERS = ("sasl", "token", "mutual", "expired", "elsewhere", "astray", "wired_sasl", "wired_mutual", "wired_token")
"""`astray` sends clients on to a host that is nowhere; what is wired is reached through a wire that can be cut."""
WITH_LOGIN = ("sasl", "token", "wired_sasl")
WITH_TOKEN = ("token", "wired_token")
IN_THE_CLEAR = ("wired_token",)
"""Where what a client says can be overheard."""
WITH_CERTIFICATE = ("mutual", "wired_mutual")
NOWHERE = "nowhere.invalid"
SASL = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
WIRED_MECHANISM = "SCRAM-SHA-512"
SECURITY = "org.apache.kafka.common.security"
VALIDATOR = f"{SECURITY}.oauthbearer.OAuthBearerValidatorCallbackHandler"
ANSWER_SECONDS = 30.0


@dataclass
class SecuredBroker:
    """A running broker. Made by `secured_broker`, which ends it."""

    folder: Path
    settings: Settings
    """Those of who may do everything, by SCRAM in the clear."""
    ports: dict[str, int]
    authority: Authority
    provider: OidcProvider
    token_url: str
    https_token_url: str
    child: Child
    wires: dict[str, Relay]

    def address(self, listener: str) -> dict[str, str]:
        """Where a listener is, and whom to trust there, as librdkafka is told."""
        port = self.wires[listener].port if listener in self.wires else self.ports[listener]
        return {
            "bootstrap.servers": f"localhost:{port}",
            "security.protocol": _protocol(listener),
            "ssl.ca.location": str(self.folder / "ca.pem"),
        }

    def password(self, mechanism: str, user: str = USER) -> dict[str, str]:
        """A login by a password, as librdkafka is told."""
        login = {"sasl.mechanism": mechanism, "sasl.username": user, "sasl.password": PASSWORD}
        return {**self.address("sasl"), **login}

    def token(self, user: str = USER, listener: str = "token") -> dict[str, str]:
        """A login by a token, as librdkafka is told."""
        return {
            **self.address(listener),
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.token.endpoint.url": self.token_url,
            "sasl.oauthbearer.client.id": user,
            "sasl.oauthbearer.client.secret": PASSWORD,
        }

    def certificate(self, user: str = USER, issued: Issued | None = None) -> dict[str, str]:
        """A login by a certificate, as librdkafka is told."""
        issued = issued or self.authority.intermediate("between").issue(user)
        certificate, key = self.folder / f"{user}.pem", self.folder / f"{user}.key"
        certificate.write_text(issued.chain_pem, encoding="utf-8")
        key.write_text(issued.key_pem(), encoding="utf-8")
        files = {"ssl.certificate.location": str(certificate), "ssl.key.location": str(key)}
        return {**self.address("mutual"), **files}

    def set_password(self, user: str, password: str) -> None:
        """Give a user a password, for both kinds of SCRAM."""
        infos = [
            ScramCredentialInfo(each, 4096) for each in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)
        ]
        changes = [UserScramCredentialUpsertion(user, info, password.encode()) for info in infos]
        for change in changes:
            answers = cast("dict[str, Any]", self._admin.alter_user_scram_credentials([change]))
            for answer in answers.values():
                answer.result(ANSWER_SECONDS)

    def allow(
        self,
        operation: AclOperation,
        name: str,
        *,
        user: str = USER,
        prefixed: bool = False,
        kind: ResourceType = ResourceType.TOPIC,
    ) -> None:
        """Allow a user something; nobody may do what was not allowed."""
        self._answered(self._admin.create_acls([_rule(operation, name, user, kind, prefixed=prefixed)]))

    def forbid(self, operation: AclOperation, name: str, *, user: str) -> None:
        """Take back what was allowed."""
        rule = _rule(operation, name, user, ResourceType.TOPIC, prefixed=False)
        what = (rule.restype, rule.name, rule.resource_pattern_type, rule.principal, rule.host)
        given = AclBindingFilter(*what, rule.operation, rule.permission_type)
        self._answered(self._admin.delete_acls([given]))

    @cached_property
    def _admin(self) -> AdminClient:
        return AdminClient({**QUIET, **self.settings.kafka_client.librdkafka()})

    @staticmethod
    def _answered(answers: dict[Any, Any]) -> None:
        for answer in answers.values():
            answer.result(ANSWER_SECONDS)


def _rule(operation: AclOperation, name: str, user: str, kind: ResourceType, *, prefixed: bool) -> AclBinding:
    pattern = ResourcePatternType.PREFIXED if prefixed else ResourcePatternType.LITERAL
    return AclBinding(kind, name, pattern, f"User:{user}", "*", operation, AclPermissionType.ALLOW)


@contextmanager
def secured_broker(folder: Path) -> Iterator[SecuredBroker]:
    """A broker that answers, with a user who may do everything with topics and a stranger who may do nothing."""
    with ExitStack() as stack:
        authority = new_authority("the authority of the tests")
        (folder / "ca.pem").write_text(authority.pem, encoding="utf-8")
        plain, private = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        provider = OidcProvider(f"http://localhost:{plain.getsockname()[1]}")
        provider.services = {USER: PASSWORD, STRANGER: PASSWORD}
        own = authority.issue("provider", hosts=("localhost",))
        certificate, key = _one_pem(folder / "provider.pem", own), folder / "provider.pem"
        stack.enter_context(served(provider.application(), plain))
        stack.enter_context(served(provider.application(), private, ssl_certfile=certificate, ssl_keyfile=key))
        settings = load_settings(None, {"data_dir": folder / "data", "broker": broker_ports()})
        ports = dict(zip(LISTENERS, free_ports(len(LISTENERS)), strict=True))
        wires = {name: stack.enter_context(Relay(ports[name])) for name in LISTENERS if name.startswith("wired")}
        for name in IN_THE_CLEAR:
            wires[name].overheard = []
        advertised = ports | {name: wire.port for name, wire in wires.items()}
        command = EmbeddedKafka(settings).prepare()
        _add_listeners(settings, ports, advertised, _stores(folder, authority), f"{provider.issuer}/jwks")
        broker = SecuredBroker(
            folder,
            settings,
            ports,
            authority,
            provider,
            f"{provider.issuer}/token",
            f"https://localhost:{private.getsockname()[1]}/token",
            Child("broker", _allowing(command, f"{provider.issuer}/jwks"), folder / "broker.log"),
            wires,
        )
        broker.child.start()
        stack.callback(broker.child.stop)
        Cluster(settings.kafka_client).wait_until_reachable(60.0)
        for user in (USER, STRANGER):
            broker.set_password(user, PASSWORD)
        broker.allow(AclOperation.ALL, "*")
        broker.allow(AclOperation.ALL, "*", kind=ResourceType.TRANSACTIONAL_ID)
        broker.allow(AclOperation.IDEMPOTENT_WRITE, "kafka-cluster", kind=ResourceType.BROKER)
        yield broker


def _allowing(command: list[str], address: str) -> list[str]:
    """Kafka asks nobody for keys who was not named on its command line."""
    program, *arguments = command
    return [program, f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={address}", *arguments]


def _stores(folder: Path, authority: Authority) -> dict[str, Path]:
    """What each listener shows of itself."""
    hosts = ("localhost", "127.0.0.1")
    right = _one_pem(folder / "broker.pem", authority.intermediate("between").issue("broker", hosts=hosts))
    expired = _one_pem(folder / "expired.pem", authority.issue("expired", hosts=hosts, hours=-1))
    elsewhere = _one_pem(folder / "elsewhere.pem", authority.issue("elsewhere", hosts=("elsewhere.example",)))
    return {**dict.fromkeys(LISTENERS, right), "expired": expired, "elsewhere": elsewhere}


def _one_pem(file: Path, issued: Issued) -> Path:
    file.write_text(issued.key_pem() + issued.chain_pem, encoding="utf-8")
    return file


def _add_listeners(
    settings: Settings, ports: dict[str, int], advertised: dict[str, int], stores: dict[str, Path], jwks: str
) -> None:
    file = settings.data_dir / "kafka" / "server.properties"
    found = dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())
    for name, port in ports.items():
        address = f"{name.upper()}://localhost:{port}"
        found["listeners"] += f",{address}"
        host = NOWHERE if name == "astray" else "localhost"
        found["advertised.listeners"] += f",{name.upper()}://{host}:{advertised[name]}"
        found["listener.security.protocol.map"] += f",{name.upper()}:{_protocol(name)}"
        found[f"listener.name.{name}.ssl.keystore.type"] = "PEM"
        found[f"listener.name.{name}.ssl.keystore.location"] = str(stores[name])
    sasl = "listener.name.sasl"
    users = {f"user_{user}": PASSWORD for user in (USER, STRANGER)}
    found |= {
        "ssl.principal.mapping.rules": "RULE:^CN=(.*)$/$1/,DEFAULT",
        f"{sasl}.sasl.enabled.mechanisms": ",".join(SASL),
        f"{sasl}.plain.sasl.jaas.config": _escaped(login_line(LOGIN_MODULES["PLAIN"], **users)),
    }
    for token in (f"listener.name.{name}" for name in WITH_TOKEN):
        found |= {
            f"{token}.sasl.enabled.mechanisms": "OAUTHBEARER",
            f"{token}.oauthbearer.sasl.server.callback.handler.class": VALIDATOR,
            f"{token}.oauthbearer.sasl.jaas.config": login_line(LOGIN_MODULES["OAUTHBEARER"]),
            f"{token}.oauthbearer.sasl.oauthbearer.jwks.endpoint.url": jwks,
            f"{token}.oauthbearer.sasl.oauthbearer.expected.audience": AUDIENCE,
            f"{token}.oauthbearer.sasl.oauthbearer.expected.issuer": jwks.removesuffix("/jwks"),
            # Who does not come with another token before one has expired is thrown out.
            f"{token}.oauthbearer.connections.max.reauth.ms": "3600000",
        }
    for mutual in (f"listener.name.{name}" for name in WITH_CERTIFICATE):
        found[f"{mutual}.ssl.client.auth"] = "required"
        found[f"{mutual}.ssl.truststore.type"] = "PEM"
        found[f"{mutual}.ssl.truststore.location"] = str(stores["sasl"].with_name("ca.pem"))
    for mechanism in SASL[1:]:
        found[f"{sasl}.{mechanism.lower()}.sasl.jaas.config"] = login_line(LOGIN_MODULES[mechanism])
    found["listener.name.wired_sasl.sasl.enabled.mechanisms"] = WIRED_MECHANISM
    line = login_line(LOGIN_MODULES[WIRED_MECHANISM])
    found[f"listener.name.wired_sasl.{WIRED_MECHANISM.lower()}.sasl.jaas.config"] = line
    file.write_text("".join(f"{name}={value}\n" for name, value in found.items()), encoding="utf-8")


def _protocol(listener: str) -> str:
    if listener in IN_THE_CLEAR:
        return "SASL_PLAINTEXT"
    return "SASL_SSL" if listener in WITH_LOGIN else "SSL"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\")

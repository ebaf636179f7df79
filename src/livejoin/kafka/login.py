"""How a client logs in, whichever dialect says so: by a password, or by a token that an OpenID provider hands out."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from livejoin.kafka.jaas import JAAS, LoginLine, login_line, read_login_line
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.pem import certificates_in
from livejoin.kafka.trust import TrustAnchors, read_anchors, system_anchors

MECHANISM = "sasl.mechanism"
OIDC = "OAUTHBEARER"
_SECURITY = "org.apache.kafka.common.security"
_SCRAM = f"{_SECURITY}.scram.ScramLoginModule"
LOGIN_MODULES = {
    "PLAIN": f"{_SECURITY}.plain.PlainLoginModule",
    "SCRAM-SHA-256": _SCRAM,
    "SCRAM-SHA-512": _SCRAM,
    OIDC: f"{_SECURITY}.oauthbearer.OAuthBearerLoginModule",
}
HANDLER = "sasl.login.callback.handler.class"
OIDC_HANDLER = f"{_SECURITY}.oauthbearer.OAuthBearerLoginCallbackHandler"
OIDC_HANDLERS = (OIDC_HANDLER, f"{_SECURITY}.oauthbearer.secured.OAuthBearerLoginCallbackHandler")
USERNAME, PASSWORD = "sasl.username", "sasl.password"
METHOD, GRANT = "sasl.oauthbearer.method", "sasl.oauthbearer.grant.type"
TOKEN_URL = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105  a name
CLIENT_ID, CLIENT_SECRET = "sasl.oauthbearer.client.id", "sasl.oauthbearer.client.secret"
SCOPE, EXTENSIONS = "sasl.oauthbearer.scope", "sasl.oauthbearer.extensions"
CA_LOCATION, CA_PEM = "https.ca.location", "https.ca.pem"
OIDC_ONLY = (METHOD, GRANT, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, SCOPE, EXTENSIONS, CA_LOCATION, CA_PEM)
LOGIN_NAMES = frozenset({MECHANISM, JAAS, HANDLER, USERNAME, PASSWORD, *OIDC_ONLY})
"""Every property that says how to log in."""
_EXTENSION = "extension_"


@dataclass(frozen=True, slots=True)
class PasswordLogin:
    """A user and a password, by PLAIN or SCRAM."""

    mechanism: str
    username: str
    password: str = field(repr=False)

    def librdkafka(self) -> dict[str, str]:
        """The properties of librdkafka."""
        return {MECHANISM: self.mechanism, USERNAME: self.username, PASSWORD: self.password}

    def java(self) -> dict[str, str]:
        """The properties of Java's client."""
        line = login_line(LOGIN_MODULES[self.mechanism], username=self.username, password=self.password)
        return {MECHANISM: self.mechanism, JAAS: line}


@dataclass(frozen=True, slots=True)
class OidcLogin:
    """A client that an OpenID provider knows, and where it hands out tokens."""

    token_url: str
    client_id: str
    client_secret: str = field(repr=False)
    scope: str = ""
    extensions: dict[str, str] = field(default_factory=dict)
    anchors: TrustAnchors | None = None
    """Who vouches for the provider; None: whoever the system trusts."""

    def librdkafka(self) -> dict[str, str]:
        """The properties of librdkafka."""
        extensions = ",".join(f"{name}={value}" for name, value in self.extensions.items())
        optional = {SCOPE: self.scope, EXTENSIONS: extensions, **self._anchors_for_librdkafka()}
        return {
            MECHANISM: OIDC,
            METHOD: "oidc",
            TOKEN_URL: self.token_url,
            CLIENT_ID: self.client_id,
            CLIENT_SECRET: self.client_secret,
            **{name: value for name, value in optional.items() if value},
        }

    def java(self) -> dict[str, str]:
        """The properties of Java's client."""
        options = {"clientId": self.client_id, "clientSecret": self.client_secret}
        if self.scope:
            options["scope"] = self.scope
        options |= {f"{_EXTENSION}{name}": value for name, value in self.extensions.items()}
        options |= self.anchors.java() if self.anchors else {}
        return {
            MECHANISM: OIDC,
            HANDLER: OIDC_HANDLER,
            TOKEN_URL: self.token_url,
            JAAS: login_line(LOGIN_MODULES[OIDC], **options),
        }

    def _anchors_for_librdkafka(self) -> dict[str, str]:
        if self.anchors is not None:
            return {CA_PEM: self.anchors.pem}
        # The place where librdkafka's own OpenSSL looks is not that of every distribution.
        system = system_anchors()
        return {CA_LOCATION: str(system)} if system and self.token_url.startswith("https:") else {}


Login = PasswordLogin | OidcLogin


def take_login(given: dict[str, str], files: set[Path]) -> Login:
    """Take out of the given properties what says how to log in, and note the files that it was read from."""
    mechanism = given.pop(MECHANISM, "").upper()
    if not mechanism:
        raise PropertyMistake(MECHANISM, f"it is missing: name one of {', '.join(LOGIN_MODULES)}")
    if mechanism not in LOGIN_MODULES:
        raise PropertyMistake(MECHANISM, f"{mechanism!r} is not one of {', '.join(LOGIN_MODULES)}")
    line = _take_line(given, mechanism)
    if mechanism == OIDC:
        return _take_oidc(given, line, files)
    for name in OIDC_ONLY:
        if given.pop(name, None) is not None and name not in (CA_LOCATION, CA_PEM):
            raise PropertyMistake(name, f"it belongs to {OIDC}, and {MECHANISM} is {mechanism}")
    handler = given.pop(HANDLER, None)
    if handler is not None:
        raise PropertyMistake(HANDLER, f"livejoin logs in by {mechanism} without a class of somebody else")
    username, password = given.pop(USERNAME, None), given.pop(PASSWORD, None)
    if line is not None:
        username, password = line.options.pop("username", None), line.options.pop("password", None)
        _require_nothing_left(line)
    for name, value in ((USERNAME, username), (PASSWORD, password)):
        if not value:
            raise PropertyMistake(name if line is None else JAAS, f"{mechanism} needs a {name.split('.')[1]}")
    return PasswordLogin(mechanism, username or "", password or "")


def _take_line(given: dict[str, str], mechanism: str) -> LoginLine | None:
    text = given.pop(JAAS, None)
    if text is None:
        return None
    line = read_login_line(text)
    if line.module != LOGIN_MODULES[mechanism]:
        raise PropertyMistake(JAAS, f"{MECHANISM} is {mechanism}, which needs {LOGIN_MODULES[mechanism]}")
    twice = [name for name in (USERNAME, PASSWORD, CLIENT_ID, CLIENT_SECRET, SCOPE, EXTENSIONS) if name in given]
    if twice:
        raise PropertyMistake(JAAS, f"it says who logs in, and so does {twice[0]}: leave one of them out")
    return line


def _take_oidc(given: dict[str, str], line: LoginLine | None, files: set[Path]) -> OidcLogin:
    for name in (USERNAME, PASSWORD):
        if given.pop(name, None) is not None:
            raise PropertyMistake(name, f"{OIDC} has {CLIENT_ID} and {CLIENT_SECRET} instead")
    method, handler, grant = given.pop(METHOD, None), given.pop(HANDLER, None), given.pop(GRANT, "client_credentials")
    if (method or "oidc").lower() != "oidc":
        raise PropertyMistake(METHOD, "livejoin gets tokens from an OpenID provider only: set it to oidc")
    if handler is not None and handler not in OIDC_HANDLERS:
        raise PropertyMistake(HANDLER, f"livejoin gets tokens from an OpenID provider only: set it to {OIDC_HANDLER}")
    if grant != "client_credentials":
        raise PropertyMistake(GRANT, f"Spark's Kafka client knows client_credentials only, not {grant!r}")
    url = given.pop(TOKEN_URL, "")
    if urlsplit(url).scheme not in ("http", "https"):
        raise PropertyMistake(TOKEN_URL, "it is the http(s) address at which the provider hands out tokens")
    anchors = _take_anchors(given, files)
    if line is None:
        identifier, secret = given.pop(CLIENT_ID, ""), given.pop(CLIENT_SECRET, "")
        scope, extensions = given.pop(SCOPE, ""), _extensions(given.pop(EXTENSIONS, ""))
    else:
        options = line.options
        identifier, secret = options.pop("clientId", ""), options.pop("clientSecret", "")
        scope = options.pop("scope", "")
        extensions = {n.removeprefix(_EXTENSION): options.pop(n) for n in [*options] if n.startswith(_EXTENSION)}
        anchors = _anchors_of_line(options, files) or anchors
        _require_nothing_left(line)
    for name, value in ((CLIENT_ID, identifier), (CLIENT_SECRET, secret)):
        if not value:
            raise PropertyMistake(name if line is None else JAAS, f"{OIDC} needs a {name.split('.', 2)[2]}")
    return OidcLogin(url, identifier, secret, scope, extensions, anchors)


def _take_anchors(given: dict[str, str], files: set[Path]) -> TrustAnchors | None:
    location, text = given.pop(CA_LOCATION, None), given.pop(CA_PEM, None)
    if location and text:
        raise PropertyMistake(CA_PEM, f"{CA_LOCATION} is set as well: leave one of them out")
    if text:
        return TrustAnchors(certificates_in(text, CA_PEM))
    return read_anchors(location, None, CA_LOCATION, files) if location else None


def _anchors_of_line(options: dict[str, str], files: set[Path]) -> TrustAnchors | None:
    """Java's client is told in the line itself whom it trusts at the token endpoint."""
    options.pop("ssl.protocol", None)
    options.pop("ssl.truststore.type", None)
    location, password = options.pop("ssl.truststore.location", None), options.pop("ssl.truststore.password", None)
    text = options.pop("ssl.truststore.certificates", None)
    if text:
        return TrustAnchors(certificates_in(text, JAAS))
    return read_anchors(location, password, JAAS, files) if location else None


def _extensions(text: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if any(not equals or not name.strip() for name, equals, _ in pairs):
        raise PropertyMistake(EXTENSIONS, "it is of the form name=value,name=value")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _require_nothing_left(line: LoginLine) -> None:
    for option in line.options:
        raise PropertyMistake(JAAS, f"the option {option} has no equivalent for livejoin's own processes")

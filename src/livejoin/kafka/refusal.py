"""Why a broker, or the provider of its tokens, does not let a client in: in words, with the setting to correct.

librdkafka tells its reasons as complaints, one for each attempt, to whoever has asked to hear them.
"""

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography import x509

from livejoin.kafka.client import BOOTSTRAP, KafkaClient
from livejoin.kafka.dialect import CA, CA_TEXT, HOST_CHECK, PROTOCOL, TRUSTSTORE, TRUSTSTORE_TEXT
from livejoin.kafka.identity import CERTIFICATE, CERTIFICATE_TEXT, CHAIN, KEY, STORE
from livejoin.kafka.jaas import JAAS
from livejoin.kafka.listener import Look, look_at
from livejoin.kafka.login import CA_LOCATION, CA_PEM, CLIENT_ID, CLIENT_SECRET, MECHANISM, PASSWORD, TOKEN_URL, USERNAME
from livejoin.secrecy.masked import MASK, is_secret

SHOWN_CHARACTERS = 200
_ADDRESS = re.compile(r"^(?:\w+://)?(?P<address>\[?[\w.:-]+\]?:\d+)/")
_TOKEN = re.compile(r"Failed to acquire SASL OAUTHBEARER token: (?P<why>.*)", re.DOTALL)
_OFFERED = re.compile(r"supported mechanisms: (?P<offered>\S+)")
_WRONG_CLIENT = ("invalid_client", "unauthorized_client", "Unauthorized", "access_denied")
_UNREACHED = ("Could not resolve", "Failed to connect", "Couldn't connect", "timed out", "Timeout")
_NOBODY_THERE = ("failed: Connection refused", "Failed to resolve")
_ALERTS = ("alert bad certificate", "alert certificate", "alert unknown ca", "alert handshake failure", "alert expired")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What happened, and what to do about it."""

    what: str
    do: str


def why(client: KafkaClient, complaints: Sequence[str], look: Look = look_at) -> Refusal | None:
    """The cause behind librdkafka's complaints, the newest that tells one; None where nobody refuses anything.

    Some troubles with TLS have to be looked at, which takes a connection and up to three seconds.
    """
    for complaint in reversed(complaints):
        address = _address(complaint) or client.bootstrap_servers.split(",")[0].strip()
        found = _token_refused(client, complaint) or _login_refused(client, complaint, address)
        found = found or _tls_refused(client, complaint, address, look)
        if found:
            return found
        if any(sign in complaint for sign in _NOBODY_THERE):
            return None
    return _wrong_protocol(client, look) if complaints else None


def _token_refused(client: KafkaClient, complaint: str) -> Refusal | None:
    token = _TOKEN.search(complaint)
    if token is None:
        return None
    said, url = _shown(client, token["why"]), client.librdkafka().get(TOKEN_URL, "")
    if any(sign in said for sign in _WRONG_CLIENT):
        return Refusal(
            f"{url} hands out no token to {client.librdkafka().get(CLIENT_ID)!r}: {said}",
            f"correct {_both(client, CLIENT_ID, CLIENT_SECRET)}",
        )
    if "certificate" in said or "SSL" in said:
        return Refusal(
            f"nobody who is trusted vouches for {url}: {said}",
            f"set {_named(client, CA_LOCATION, CA_PEM, JAAS)} to the certificate of the authority that does",
        )
    trouble = "does not answer" if any(sign in said for sign in _UNREACHED) else "hands out no token"
    return Refusal(
        f"{url} {trouble}: {said}", f"correct {_named(client, TOKEN_URL)}, or start what should answer there"
    )


def _login_refused(client: KafkaClient, complaint: str, address: str) -> Refusal | None:
    properties = client.librdkafka()
    mechanism = properties.get(MECHANISM)
    if "invalid_token" in complaint:
        return Refusal(
            f"the broker at {address} does not accept the tokens of {properties.get(TOKEN_URL)}",
            "compare issuer, audience and scope of a token with what the broker expects; "
            "kafka.sasl.oauthbearer.scope is what livejoin asks for",
        )
    if "invalid credentials" in complaint or "Invalid username or password" in complaint:
        return Refusal(
            f"the broker at {address} does not accept the user {properties.get(USERNAME)!r} with this password",
            f"correct {_both(client, USERNAME, PASSWORD)}, or {_named(client, MECHANISM)} ({mechanism}) where "
            "the broker knows the user by another one",
        )
    if "Unsupported SASL mechanism" in complaint:
        offered = _OFFERED.search(complaint)
        names = offered["offered"].replace(",", ", ") if offered else "none that it names"
        return Refusal(
            f"the broker at {address} does not know the mechanism {mechanism}; it offers {names}",
            f"set {_named(client, MECHANISM, 'sasl.mechanisms')} to one that it offers",
        )
    if "not valid in current SASL state" in complaint:
        without = {"SASL_SSL": "SSL"}.get(properties.get(PROTOCOL, ""), "PLAINTEXT")
        return Refusal(f"the broker at {address} asks nobody to log in", f"set kafka.{PROTOCOL} to {without}")
    if "SASL authentication error" in complaint:
        said = _shown(client, complaint.partition("SASL authentication error: ")[2])
        return Refusal(f"the broker at {address} does not let {mechanism} in: {said}", f"correct kafka.{MECHANISM}")
    return None


def _tls_refused(client: KafkaClient, complaint: str, address: str, look: Look) -> Refusal | None:
    if "connecting to a PLAINTEXT broker listener" in complaint:
        return _without_tls(client, address)
    if any(alert in complaint for alert in _ALERTS):
        return _certificate_refused(client, address)
    if "certificate verify failed" not in complaint:
        return None
    seen = look(address, client.librdkafka())
    return untrusted(client, address, seen.objection if seen else "")


def untrusted(client: KafkaClient, address: str, objection: str) -> Refusal:
    """What is wrong with the certificate of a broker, from what OpenSSL has against it."""
    if "expired" in objection or "not yet valid" in objection:
        return Refusal(
            f"the certificate of the broker at {address} is not valid today: {objection}",
            "have it renewed, or correct the clock of this machine",
        )
    if "mismatch" in objection.lower() or "not valid for" in objection.lower():
        return Refusal(
            f"the certificate of the broker at {address} is for another host: {objection}",
            f"write the name that it is for into kafka.{BOOTSTRAP} and the broker's advertised.listeners, "
            f'or set kafka.{HOST_CHECK} = "none" where nobody else can listen there',
        )
    setting = _named(client, CA, CA_TEXT, TRUSTSTORE, TRUSTSTORE_TEXT)
    return Refusal(
        f"nobody who is trusted vouches for the broker at {address}: {objection or 'certificate verify failed'}",
        f"set {setting} to the certificate of the authority that does",
    )


def _certificate_refused(client: KafkaClient, address: str) -> Refusal:
    shown = client.librdkafka().get(CERTIFICATE_TEXT)
    if shown is None:
        return Refusal(
            f"the broker at {address} wants a certificate of the client, and there is none",
            f"set kafka.{CERTIFICATE} and kafka.{KEY}, or kafka.{STORE}",
        )
    setting = _named(client, CERTIFICATE, CERTIFICATE_TEXT, STORE, CHAIN)
    own = x509.load_pem_x509_certificate(shown.encode())
    ends = own.not_valid_after_utc
    if ends < datetime.datetime.now(datetime.UTC):
        return Refusal(
            f"the broker at {address} does not accept the client's certificate, which has expired on "
            f"{ends:%Y-%m-%d at %H:%M} UTC",
            f"put another one where {setting} says; it is read without a restart",
        )
    return Refusal(
        f"the broker at {address} does not accept the client's certificate ({own.subject.rfc4514_string()}, issued by "
        f"{own.issuer.rfc4514_string()})",
        f"set {setting} to one that an authority has issued which the broker trusts, with the certificates in between",
    )


def _wrong_protocol(client: KafkaClient, look: Look) -> Refusal | None:
    """A listener of another kind closes the connection without a word."""
    address = client.bootstrap_servers.split(",")[0].strip()
    seen = look(address, client.librdkafka())
    protocol = client.librdkafka().get(PROTOCOL, "PLAINTEXT")
    if seen is None:
        return None
    if seen.speaks_tls != protocol.endswith("SSL"):
        return _with_tls(protocol, address) if seen.speaks_tls else _without_tls(client, address)
    if protocol.startswith("SASL") or not seen.wants_login:
        return None
    wanted = "SASL_SSL" if seen.speaks_tls else "SASL_PLAINTEXT"
    return Refusal(
        f"the broker at {address} lets nobody in who does not log in",
        f"set kafka.{PROTOCOL} to {wanted}, and kafka.{MECHANISM} with what belongs to it",
    )


def _with_tls(protocol: str, address: str) -> Refusal:
    wanted = "SASL_SSL" if protocol.startswith("SASL") else "SSL, or to SASL_SSL where it wants a login"
    return Refusal(f"the broker at {address} speaks TLS only", f"set kafka.{PROTOCOL} to {wanted}")


def _without_tls(client: KafkaClient, address: str) -> Refusal:
    with_login = client.librdkafka().get(PROTOCOL, "").startswith("SASL")
    wanted = "SASL_PLAINTEXT" if with_login else "PLAINTEXT"
    return Refusal(
        f"the broker at {address} does not speak TLS",
        f"set kafka.{BOOTSTRAP} to a listener that does, or kafka.{PROTOCOL} to {wanted}",
    )


def _address(complaint: str) -> str | None:
    found = _ADDRESS.match(complaint)
    return found["address"] if found else None


def _named(client: KafkaClient, *names: str) -> str:
    """The setting under the name that was given, of the names that it may have; else the first of them."""
    return f"kafka.{next((name for name in names if name in client.properties), names[0])}"


def _both(client: KafkaClient, *names: str) -> str:
    return f"kafka.{JAAS}" if JAAS in client.properties else " and ".join(f"kafka.{name}" for name in names)


def _shown(client: KafkaClient, text: str) -> str:
    """Words of others, without the secrets that they may have repeated."""
    for secret in _secrets(client):
        text = text.replace(secret, MASK)
    return text[:SHOWN_CHARACTERS]


def _secrets(client: KafkaClient) -> Iterable[str]:
    return (value for name, value in client.librdkafka().items() if value and is_secret(name))

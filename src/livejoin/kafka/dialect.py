"""Client properties in the two dialects there are.

People have the properties of their cluster, in librdkafka's names or in Java's. Spark runs Java's client, and every
other process of livejoin runs librdkafka, so each is told in its own: who logs in, whom it believes and who it is. What
has one name in both passes through.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from livejoin.kafka.identity import IDENTITY_NAMES, Identity, take_identity
from livejoin.kafka.login import LOGIN_NAMES, take_login
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.names import (
    ALIASES,
    JAVA_NAME_OF,
    OWNED,
    java_knows,
    librdkafka_knows,
    librdkafka_objection,
    nearest,
)
from livejoin.kafka.pem import certificates_in
from livejoin.kafka.trust import TrustAnchors, read_anchors

PROTOCOL = "security.protocol"
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
CA, CA_TEXT = "ssl.ca.location", "ssl.ca.pem"
TRUSTSTORE, TRUSTSTORE_TEXT = "ssl.truststore.location", "ssl.truststore.certificates"
TRUSTSTORE_PASSWORD, TRUSTSTORE_TYPE = "ssl.truststore.password", "ssl.truststore.type"
TRUST_NAMES = frozenset({CA, CA_TEXT, TRUSTSTORE, TRUSTSTORE_TEXT, TRUSTSTORE_PASSWORD, TRUSTSTORE_TYPE})
HOST_CHECK, CERTIFICATE_CHECK = "ssl.endpoint.identification.algorithm", "enable.ssl.certificate.verification"
CIPHERS = "ssl.cipher.suites"
TRANSLATED = LOGIN_NAMES | IDENTITY_NAMES | TRUST_NAMES | {HOST_CHECK}


@dataclass(frozen=True, slots=True)
class Dialects:
    """The same client in both dialects. `remarks` are sentences about what only one of the two can do."""

    librdkafka: dict[str, str] = field(repr=False)
    java: dict[str, str] = field(repr=False)
    remarks: tuple[str, ...] = ()
    files: frozenset[Path] = frozenset()
    """The files that it was made of."""


def translate(given: Mapping[str, str]) -> Dialects:
    """Both dialects of properties in either; raises PropertyMistake."""
    left = _with_one_name(given)
    for name in left:
        _require_known(name)
    protocol = _protocol(left)
    librdkafka: dict[str, str] = {PROTOCOL: protocol} if PROTOCOL in given else {}
    java, remarks, files = dict(librdkafka), list[str](), set[Path]()
    _refuse_unchecked(left)
    if protocol.startswith("SASL"):
        login = take_login(left, files)
        librdkafka |= login.librdkafka()
        java |= login.java()
    else:
        remarks += _unused(left, LOGIN_NAMES, protocol, "SASL_SSL")
    if protocol.endswith("SSL"):
        for part in _take_tls(left, files, remarks):
            librdkafka |= part.librdkafka
            java |= part.java
    else:
        remarks += _unused(left, IDENTITY_NAMES | TRUST_NAMES | {HOST_CHECK}, protocol, "SSL")
    for name, value in left.items():
        remarks += _pass_on(name, value, librdkafka, java)
    return Dialects(librdkafka, java, tuple(remarks), frozenset(files))


def _with_one_name(given: Mapping[str, str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for name, value in given.items():
        one = ALIASES.get(name, name)
        if one in named and named[one] != value:
            raise PropertyMistake(name, f"{one} says something else, and both are one property: leave one of them out")
        named[one] = value
    return named


def _require_known(name: str) -> None:
    if name in OWNED:
        raise PropertyMistake(name, f"it is livejoin's own: {OWNED[name]}; leave it out")
    if name in TRANSLATED or java_knows(name) or librdkafka_knows(name):
        return
    meant = nearest(name)
    hint = f": did you mean {meant}?" if meant else ""
    raise PropertyMistake(name, f"neither librdkafka nor Spark's Kafka client has such a property{hint}")


def _protocol(left: dict[str, str]) -> str:
    protocol = left.pop(PROTOCOL, "").upper()
    if protocol and protocol not in PROTOCOLS:
        raise PropertyMistake(PROTOCOL, f"{protocol!r} is not one of {', '.join(PROTOCOLS)}")
    useless = next((name for name in left if not protocol and name in TRANSLATED), None)
    if useless:
        needed = "SASL_SSL" if useless in LOGIN_NAMES else "SSL or SASL_SSL"
        raise PropertyMistake(PROTOCOL, f"it is missing, and {useless} has no effect without it: set it to {needed}")
    return protocol or PROTOCOLS[0]


def _refuse_unchecked(left: dict[str, str]) -> None:
    if left.get(CERTIFICATE_CHECK, "true").lower() not in ("true", "1", "t"):
        raise PropertyMistake(
            CERTIFICATE_CHECK,
            "Spark's Kafka client always checks the certificate of a broker, so livejoin does: set ssl.ca.location to "
            "the certificate of the authority, or of the broker itself",
        )


def _take_tls(left: dict[str, str], files: set[Path], remarks: list[str]) -> list[Dialects]:
    parts = []
    anchors = _take_anchors(left, files)
    if anchors:
        parts.append(Dialects({CA_TEXT: anchors.pem}, anchors.java()))
    identity = take_identity(left, files)
    if identity:
        parts.append(Dialects(identity.librdkafka(), identity.java()))
        remarks += _expiry(identity)
    checked = left.pop(HOST_CHECK, None)
    if checked is not None:
        if checked.lower() not in ("https", "none", ""):
            raise PropertyMistake(HOST_CHECK, f"{checked!r} is neither https nor none")
        name = checked.lower() or "none"
        parts.append(Dialects({HOST_CHECK: name}, {HOST_CHECK: name if name == "https" else ""}))
    return parts


def _take_anchors(left: dict[str, str], files: set[Path]) -> TrustAnchors | None:
    own = {name: left.pop(name) for name in TRUST_NAMES if name in left}
    ways = [name for name in (CA, CA_TEXT, TRUSTSTORE, TRUSTSTORE_TEXT) if name in own]
    if len(ways) > 1:
        raise PropertyMistake(ways[1], f"it says whom to trust, and so does {ways[0]}: leave one of them out")
    if not ways or own[ways[0]] == "probe":
        return None
    [way] = ways
    if way in (CA_TEXT, TRUSTSTORE_TEXT):
        return TrustAnchors(certificates_in(own[way], way))
    return read_anchors(own[way], own.get(TRUSTSTORE_PASSWORD), way, files)


def _expiry(identity: Identity) -> list[str]:
    ends = identity.chain[0].not_valid_after_utc
    if ends > datetime.datetime.now(datetime.UTC):
        return []
    return [f"kafka.{identity.name}: the certificate has expired on {ends:%Y-%m-%d at %H:%M} UTC"]


def _unused(left: dict[str, str], names: frozenset[str], protocol: str, needed: str) -> list[str]:
    unused = sorted(name for name in left if name in names)
    for name in unused:
        del left[name]
    what = ", ".join(f"kafka.{name}" for name in unused)
    return [f"{what}: not used, because {PROTOCOL} is {protocol} and not {needed}"] if unused else []


def _pass_on(name: str, value: str, librdkafka: dict[str, str], java: dict[str, str]) -> list[str]:
    """Hand a property to each client that knows it; a remark where that is only one of them."""
    java_name = JAVA_NAME_OF.get(name, name)
    native = {renamed: own for own, renamed in JAVA_NAME_OF.items()}.get(name, name)
    for_java, for_librdkafka = java_knows(java_name), librdkafka_knows(native)
    if name == CIPHERS:
        # One property, and two ways to name a cipher: OpenSSL's, and that of the standard.
        for_java = value.startswith("TLS_")
        for_librdkafka = not for_java
    if for_librdkafka:
        objection = librdkafka_objection(native, value)
        if objection:
            raise PropertyMistake(name, objection)
        librdkafka[native] = value
    if for_java:
        java[java_name] = value
    if for_java and for_librdkafka:
        return []
    return [f"kafka.{name}: used by {'Spark' if for_java else 'all processes but Spark'} only"]

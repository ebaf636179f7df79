"""Certificates and keys as text: reading what people have, writing what both clients read."""

import base64
import binascii
import re

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from livejoin.kafka.mistake import PropertyMistake

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | dsa.DSAPrivateKey
"""The kinds of keys that both clients have."""
_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----", re.DOTALL)
_CERTIFICATES = ("CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE")


def certificates_in(text: str, name: str) -> list[x509.Certificate]:
    """Every certificate of a text, in its order; none is a mistake in the property of that name."""
    found = [_certificate(body, name) for label, body in _BLOCK.findall(text) if label in _CERTIFICATES]
    if not found:
        raise PropertyMistake(name, "there is no certificate in it: one begins with -----BEGIN CERTIFICATE-----")
    return found


def key_in(text: str, password: str | None, name: str) -> PrivateKey:
    """The private key of a text, in any of its common forms, decrypted."""
    blocks = [(label, body) for label, body in _BLOCK.findall(text) if label.endswith("PRIVATE KEY")]
    if not blocks:
        raise PropertyMistake(name, "there is no private key in it: one begins with -----BEGIN PRIVATE KEY-----")
    label, body = blocks[0]
    encrypted = label.startswith("ENCRYPTED") or "ENCRYPTED" in body
    if encrypted and not password:
        raise PropertyMistake("ssl.key.password", f"it is missing, and the key of {name} is encrypted")
    try:
        key = load_pem_private_key(_wrapped(label, body), password.encode() if encrypted and password else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if encrypted:
            raise PropertyMistake("ssl.key.password", f"it does not open the key of {name}") from None
        raise PropertyMistake(name, "the private key in it cannot be read") from None
    return usable(key, name)


def usable(key: object, name: str) -> PrivateKey:
    """The same key, if both clients can use one of its kind."""
    if not isinstance(key, PrivateKey):
        raise PropertyMistake(name, "Spark's Kafka client knows RSA, EC and DSA keys only, and this is another kind")
    return key


def written(certificates: list[x509.Certificate]) -> str:
    """Certificates as text."""
    return "".join(each.public_bytes(Encoding.PEM).decode() for each in certificates)


def written_key(key: PrivateKey) -> str:
    """A key as both clients read it: PKCS#8, not encrypted. Java 17 cannot decrypt what is common elsewhere."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _certificate(body: str, name: str) -> x509.Certificate:
    try:
        return x509.load_der_x509_certificate(base64.b64decode("".join(body.split()), validate=True))
    except (ValueError, binascii.Error):
        raise PropertyMistake(name, "a certificate in it cannot be read") from None


def _wrapped(label: str, body: str) -> bytes:
    """A block as OpenSSL wants it: in properties of Java, its lines are often joined to one."""
    if ":" not in body:
        joined = "".join(body.split())
        body = "\n" + "\n".join(joined[at : at + 64] for at in range(0, len(joined), 64)) + "\n"
    return f"-----BEGIN {label}-----{body}-----END {label}-----\n".encode()

"""Files of certificates and keys in each of the forms that people have: PEM, PKCS#12, and JKS of Java."""

from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_der_private_key
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

from livejoin.kafka.jks import JavaKeyStore, WrongPassword, is_jks
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.pem import PrivateKey, certificates_in, key_in, usable

_PEM_MARK = b"-----BEGIN "


@dataclass(frozen=True, slots=True)
class StoreNames:
    """The properties that a file, its password and the password of its key come from, for who has to correct them."""

    location: str
    password: str
    key_password: str = "ssl.key.password"  # noqa: S105  a name


def stored_certificates(content: bytes, password: str | None, names: StoreNames) -> list[x509.Certificate]:
    """Every certificate of a file, whatever its form."""
    if _PEM_MARK in content:
        return certificates_in(content.decode(errors="replace"), names.location)
    if is_jks(content):
        certificates = [each for entry in _jks(content, password, names).entries for each in entry.chain]
        found = [x509.load_der_x509_certificate(each) for each in certificates]
    else:
        _, own, others = _pkcs12(content, password, names)
        found = ([own] if own else []) + others
    if not found:
        raise PropertyMistake(names.location, "there is no certificate in it")
    return found


def stored_identity(
    content: bytes, password: str | None, key_password: str | None, names: StoreNames
) -> tuple[PrivateKey, list[x509.Certificate]]:
    """The first private key of a file, whatever its form, and the certificates that may belong to it."""
    if _PEM_MARK in content:
        text = content.decode(errors="replace")
        return key_in(text, key_password or password, names.location), certificates_in(text, names.location)
    if is_jks(content):
        keys = [entry for entry in _jks(content, password, names).entries if entry.sealed_key is not None]
        if not keys:
            raise PropertyMistake(names.location, "there is no private key in it")
        try:
            key = keys[0].key(key_password or password or "")
        except WrongPassword:
            name = names.key_password if key_password else names.password
            raise PropertyMistake(name, f"it does not open the key in {names.location}") from None
        certificates = [x509.load_der_x509_certificate(each) for each in keys[0].chain]
        return usable(load_der_private_key(key, None), names.location), certificates
    found, own, others = _pkcs12(content, password, names)
    if found is None or own is None:
        raise PropertyMistake(names.location, "there is no private key with a certificate in it")
    return usable(found, names.location), [own, *others]


def _jks(content: bytes, password: str | None, names: StoreNames) -> JavaKeyStore:
    try:
        return JavaKeyStore.read(content, password)
    except WrongPassword:
        raise PropertyMistake(names.password, f"it does not open {names.location}") from None
    except ValueError as error:
        raise PropertyMistake(names.location, f"the JKS in it is broken: {error}") from None


def _pkcs12(
    content: bytes, password: str | None, names: StoreNames
) -> tuple[object | None, x509.Certificate | None, list[x509.Certificate]]:
    if not content.startswith(b"\x30"):
        raise PropertyMistake(names.location, "it is neither PEM nor PKCS#12 nor JKS")
    try:
        found = load_pkcs12(content, password.encode() if password is not None else None)
    except ValueError:
        if password is None:
            raise PropertyMistake(names.password, f"it is missing, and {names.location} is a PKCS#12") from None
        raise PropertyMistake(names.password, f"it does not open {names.location}, or that is no PKCS#12") from None
    others = [each.certificate for each in found.additional_certs]
    return found.key, found.cert.certificate if found.cert else None, others

"""Who a client is where both sides show a certificate: a private key, and the certificates that vouch for it."""

from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from livejoin.kafka.keystore import StoreNames, stored_identity
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.pem import PrivateKey, certificates_in, key_in, written, written_key
from livejoin.kafka.trust import read_file

CERTIFICATE, CERTIFICATE_TEXT = "ssl.certificate.location", "ssl.certificate.pem"
KEY, KEY_TEXT, KEY_PASSWORD = "ssl.key.location", "ssl.key.pem", "ssl.key.password"
STORE, STORE_PASSWORD, STORE_TYPE = "ssl.keystore.location", "ssl.keystore.password", "ssl.keystore.type"
CHAIN, JAVA_KEY = "ssl.keystore.certificate.chain", "ssl.keystore.key"
IDENTITY_NAMES = frozenset(
    {
        CERTIFICATE,
        CERTIFICATE_TEXT,
        KEY,
        KEY_TEXT,
        KEY_PASSWORD,
        STORE,
        STORE_PASSWORD,
        STORE_TYPE,
        CHAIN,
        JAVA_KEY,
    }
)
"""Every property that says who the client is."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A key and its certificates, the client's own first. Both clients are given them as text."""

    key: PrivateKey = field(repr=False)
    chain: list[x509.Certificate]
    name: str
    """The property that the certificate comes from."""

    def librdkafka(self) -> dict[str, str]:
        """The properties of librdkafka."""
        return {CERTIFICATE_TEXT: written(self.chain), KEY_TEXT: written_key(self.key)}

    def java(self) -> dict[str, str]:
        """The properties of Java's client."""
        return {STORE_TYPE: "PEM", CHAIN: written(self.chain), JAVA_KEY: written_key(self.key)}


def take_identity(given: dict[str, str], files: set[Path]) -> Identity | None:
    """Take out of the given properties who the client is, and note the files that it was read from."""
    own = {name: given.pop(name) for name in IDENTITY_NAMES if name in given}
    ways = [name for name in (STORE, CERTIFICATE, CERTIFICATE_TEXT, CHAIN) if name in own]
    if len(ways) > 1:
        raise PropertyMistake(ways[1], f"it says who the client is, and so does {ways[0]}: leave one of them out")
    if not ways:
        alone = [name for name in (KEY, KEY_TEXT, JAVA_KEY) if name in own]
        if alone:
            raise PropertyMistake(alone[0], "the certificate of the key is missing: set ssl.certificate.location")
        return None
    [way] = ways
    password = own.get(KEY_PASSWORD)
    if way == STORE:
        content = read_file(Path(own[STORE]).expanduser(), STORE, files)
        names = StoreNames(STORE, STORE_PASSWORD)
        key, certificates = stored_identity(content, own.get(STORE_PASSWORD), password, names)
        return _matched(key, certificates, STORE, STORE)
    text = _text(own[CERTIFICATE], CERTIFICATE, files) if way == CERTIFICATE else own[way]
    key_name, key_text = _key_text(own, way, text, files)
    return _matched(key_in(key_text, password, key_name), certificates_in(text, way), way, key_name)


def _key_text(own: dict[str, str], way: str, text: str, files: set[Path]) -> tuple[str, str]:
    """Where the key is: under a name of its own, or in the same text as the certificate."""
    found = [name for name in (KEY, KEY_TEXT, JAVA_KEY) if name in own]
    if len(found) > 1:
        raise PropertyMistake(found[1], f"it is a key, and so is {found[0]}: leave one of them out")
    if found:
        return found[0], _text(own[KEY], KEY, files) if found == [KEY] else own[found[0]]
    if "PRIVATE KEY" in text:
        return way, text
    missing = {CERTIFICATE: KEY, CERTIFICATE_TEXT: KEY_TEXT, CHAIN: JAVA_KEY}[way]
    raise PropertyMistake(missing, f"it is missing: {way} has a certificate without its key")


def _text(location: str, name: str, files: set[Path]) -> str:
    return read_file(Path(location).expanduser(), name, files).decode(errors="replace")


def _matched(key: PrivateKey, certificates: list[x509.Certificate], name: str, key_name: str) -> Identity:
    """The certificate of the key first, then each that vouches for the one before it."""
    own = next((each for each in certificates if _public(each.public_key()) == _public(key.public_key())), None)
    if own is None:
        raise PropertyMistake(key_name, f"it is not the key of a certificate in {name}")
    chain = [own]
    rest = [each for each in certificates if each != own]
    while above := next((each for each in rest if each.subject == chain[-1].issuer and each not in chain), None):
        chain.append(above)
    return Identity(key, chain, name)


def _public(key: object) -> bytes:
    public: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)  # type: ignore[attr-defined]
    return public

"""JKS, the key stores of Java: read here, so that neither a password nor a key has to be handed to another program.

The form is Sun's of 1996 and has not changed since: a number of entries, each a key with its certificates or a
certificate, then a digest over everything and the password. A key is hidden by a stream of digests of the password.
JCEKS, its stronger sister, is not read.
"""

import hashlib
import hmac
from dataclasses import dataclass, field

MAGIC = b"\xfe\xed\xfe\xed"
DIGEST_BYTES = 20
_WHITENER = b"Mighty Aphrodite"
_KEY, _CERTIFICATE = 1, 2


class WrongPassword(Exception):
    """The password is not that of the store, or of the key."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A certificate that is trusted, or a sealed key with its certificates."""

    chain: list[bytes]
    sealed_key: bytes | None = field(default=None, repr=False)

    def key(self, password: str) -> bytes:
        """The key, PKCS#8 in DER; raises WrongPassword."""
        sealed = _octets_in(self.sealed_key or b"")
        salt, hidden, check = sealed[:DIGEST_BYTES], sealed[DIGEST_BYTES:-DIGEST_BYTES], sealed[-DIGEST_BYTES:]
        secret, stream = password.encode("utf-16-be"), bytearray()
        digest = salt
        while len(stream) < len(hidden):
            digest = _sha1(secret + digest)
            stream += digest
        opened = bytes(a ^ b for a, b in zip(hidden, stream, strict=False))
        if not hmac.compare_digest(_sha1(secret + opened), check):
            raise WrongPassword
        return opened


@dataclass(frozen=True, slots=True)
class JavaKeyStore:
    """What a store holds."""

    entries: list[Entry]

    @staticmethod
    def read(content: bytes, password: str | None) -> "JavaKeyStore":
        """Read a store. Without a password it is believed as it is, as Java does; raises WrongPassword, ValueError."""
        body, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
        if password is not None:
            expected = _sha1(password.encode("utf-16-be") + _WHITENER + body)
            if not hmac.compare_digest(expected, digest):
                raise WrongPassword
        reader = _Reader(body)
        _, version, count = reader.number(4), reader.number(4), reader.number(4)
        return JavaKeyStore([_entry(reader, version) for _ in range(count)])


def is_jks(content: bytes) -> bool:
    """Whether a file is such a store."""
    return content.startswith(MAGIC)


class _Reader:
    """Takes fields from the front."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def take(self, size: int) -> bytes:
        end = self._place + size
        if end > len(self._content):
            raise ValueError("it ends too soon")
        taken = self._content[self._place : end]
        self._place = end
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")


def _entry(reader: _Reader, version: int) -> Entry:
    tag = reader.number(4)
    reader.take(reader.number(2))  # its alias
    reader.take(8)  # when it was made
    if tag == _CERTIFICATE:
        return Entry([_certificate(reader, version)])
    if tag == _KEY:
        sealed = reader.take(reader.number(4))
        return Entry([_certificate(reader, version) for _ in range(reader.number(4))], sealed)
    raise ValueError(f"it has an entry of the unknown kind {tag}")


def _certificate(reader: _Reader, version: int) -> bytes:
    if version > 1:
        reader.take(reader.number(2))  # its type
    return reader.take(reader.number(4))


def _octets_in(der: bytes) -> bytes:
    """The content of an EncryptedPrivateKeyInfo: a sequence of the algorithm, which is always the same, and octets."""
    inside, _ = _der(der)
    _, after_algorithm = _der(inside)
    octets, _ = _der(after_algorithm)
    return octets


def _der(der: bytes) -> tuple[bytes, bytes]:
    """The content of the first value, and what comes after it."""
    if len(der) < 2:
        raise ValueError("its key is cut off")
    size, begin = der[1], 2
    if size & 0x80:
        begin += size & 0x7F
        size = int.from_bytes(der[2:begin], "big")
    return der[begin : begin + size], der[begin + size :]


def _sha1(content: bytes) -> bytes:
    return hashlib.sha1(content).digest()  # noqa: S324  what the form prescribes

"""Whom a client believes: certificates of authorities, from a file in any form, a folder, or a text."""

from dataclasses import dataclass
from pathlib import Path

from cryptography import x509

from livejoin.kafka.keystore import StoreNames, stored_certificates
from livejoin.kafka.mistake import PropertyMistake
from livejoin.kafka.pem import written

SYSTEM_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Red Hat, Fedora
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # Alpine, macOS
)


@dataclass(frozen=True, slots=True)
class TrustAnchors:
    """Authorities. Both clients are given them as text: nothing is written, and executors need no file."""

    certificates: list[x509.Certificate]

    @property
    def pem(self) -> str:
        """All of them, as text."""
        return written(self.certificates)

    def java(self) -> dict[str, str]:
        """The properties of Java's client."""
        return {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": self.pem}


def read_anchors(location: str, password: str | None, name: str, files: set[Path]) -> TrustAnchors:
    """The authorities in a file or, as OpenSSL has them, in the files of a folder."""
    place = Path(location).expanduser()
    names = StoreNames(name, name.replace(".location", ".password"))
    if not place.is_dir():
        return TrustAnchors(stored_certificates(read_file(place, name, files), password, names))
    found = [
        certificate
        for file in sorted(place.iterdir())
        if file.is_file() and b"-----BEGIN CERTIFICATE-----" in (content := read_file(file, name, files))
        for certificate in stored_certificates(content, None, names)
    ]
    if not found:
        raise PropertyMistake(name, f"there is no certificate in the folder {place}")
    return TrustAnchors(list(dict.fromkeys(found)))


def read_file(file: Path, name: str, files: set[Path]) -> bytes:
    """What a file holds that a property names; the file is noted."""
    files.add(file)
    try:
        return file.read_bytes()
    except OSError as error:
        raise PropertyMistake(name, f"{file} cannot be read: {error.strerror}") from None


def system_anchors() -> Path | None:
    """The file with the authorities that this machine trusts."""
    return next((file for each in SYSTEM_BUNDLES if (file := Path(each)).is_file()), None)

"""Authorities of a test's own, what they issue, and the forms in which people have it."""

import datetime
import ipaddress
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID

from livejoin.jvm.java import java

STORE_PASSWORD = "of the store: \"1\" & 'two'"  # noqa: S105 - made up for tests
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Issued:
    """A key, its certificate, and those that vouch for it up to the authority that everybody knows, without that."""

    key: Key
    chain: list[x509.Certificate]

    @property
    def chain_pem(self) -> str:
        """The certificates as text."""
        return "".join(each.public_bytes(Encoding.PEM).decode() for each in self.chain)

    def key_pem(self, form: PrivateFormat = PrivateFormat.PKCS8, password: str = "") -> str:
        """The key as text, in one of its forms, encrypted where there is a password."""
        protection = BestAvailableEncryption(password.encode()) if password else NoEncryption()
        return self.key.private_bytes(Encoding.PEM, form, protection).decode()

    def p12(self, file: Path) -> Path:
        """A PKCS#12 with all of it."""
        protection = BestAvailableEncryption(STORE_PASSWORD.encode())
        own, *others = self.chain
        file.write_bytes(pkcs12.serialize_key_and_certificates(b"me", self.key, own, others, protection))
        return file

    def jks(self, file: Path, key_password: str = STORE_PASSWORD) -> Path:
        """The same as a JKS, made by Java's own tool."""
        passwords = {"FROM": STORE_PASSWORD, "TO": STORE_PASSWORD, "KEY": key_password}
        source = ["-srckeystore", str(self.p12(file.with_suffix(".from.p12"))), "-srcstoretype", "PKCS12"]
        target = ["-destkeystore", str(file), "-deststoretype", "JKS", "-deststorepass:env", "TO"]
        keys = ["-srcalias", "me", "-srcstorepass:env", "FROM", "-destkeypass:env", "KEY", "-noprompt"]
        keytool("-importkeystore", *source, *target, *keys, env=passwords)
        return file


@dataclass(frozen=True)
class Authority:
    """Vouches for others. `above` are the certificates between it and the one that everybody knows."""

    key: Key
    certificate: x509.Certificate
    above: list[x509.Certificate] = field(default_factory=list)

    @property
    def pem(self) -> str:
        """Its certificate as text."""
        return self.certificate.public_bytes(Encoding.PEM).decode()

    def issue(self, name: str, *, hosts: tuple[str, ...] = (), hours: float = 24.0, key: Key | None = None) -> Issued:
        """A key with a certificate; with less than no hours, one that has expired."""
        key = key or rsa.generate_private_key(65_537, 2_048)
        made = _certificate(name, key, self.certificate.subject, self.key, hours=hours, hosts=hosts)
        return Issued(key, [made, *self.above])

    def intermediate(self, name: str) -> "Authority":
        """An authority below this one."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _certificate(name, key, self.certificate.subject, self.key, authority=True)
        return Authority(key, made, [made, *self.above])

    def truststore(self, file: Path, form: str) -> Path:
        """A store of the certificate alone, JKS or PKCS12, made by Java's own tool."""
        pem = file.with_suffix(".cer")
        pem.write_text(self.pem, encoding="utf-8")
        store = ["-keystore", str(file), "-storetype", form, "-storepass:env", "STORE"]
        keytool("-importcert", "-noprompt", "-alias", "ca", "-file", str(pem), *store, env={"STORE": STORE_PASSWORD})
        return file


def new_authority(name: str) -> Authority:
    """An authority that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    return Authority(key, _certificate(name, key, _named(name), key, authority=True))


def self_signed(folder: Path, name: str) -> tuple[Path, Path]:
    """The files of a certificate for localhost that vouches for itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    made = Issued(key, [_certificate(name, key, _named(name), key, authority=True, hosts=("localhost",))])
    certificate, private = folder / f"{name}.pem", folder / f"{name}.key"
    certificate.write_text(made.chain_pem, encoding="utf-8")
    private.write_text(made.key_pem(), encoding="utf-8")
    return certificate, private


def keytool(*arguments: str, env: dict[str, str]) -> None:
    """Java's own tool for key stores; passwords are told by the environment."""
    program = str(Path(java()).with_name("keytool"))
    done = subprocess.run([program, *arguments], env={**os.environ, **env}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    name: str,
    key: Key,
    issuer: x509.Name,
    issuer_key: Key,
    *,
    authority: bool = False,
    hours: float = 24.0,
    hosts: tuple[str, ...] = (),
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    begins = now - datetime.timedelta(hours=48)
    made = (
        x509.CertificateBuilder()
        .subject_name(_named(name))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(now + datetime.timedelta(hours=hours))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if hosts:
        made = made.add_extension(x509.SubjectAlternativeName([_host(each) for each in hosts]), critical=False)
    return made.sign(issuer_key, hashes.SHA256())


def _host(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)

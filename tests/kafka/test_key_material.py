"""Certificates and keys in every form that people have them in, as text for both clients."""

import os
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from certificates import STORE_PASSWORD, Issued, new_authority
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.dialect import translate
from livejoin.kafka.mistake import PropertyMistake

SSL = {"security.protocol": "SSL"}
KEY_PASSWORD = "of the key"  # noqa: S105 - made up for the test
ROOT = new_authority("root")
ME = ROOT.intermediate("between").issue("me")
ME_EC = ROOT.issue("me", key=ec.generate_private_key(ec.SECP384R1()))


def put(folder: Path, name: str, text: str) -> str:
    """A file with that text."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def one_line(pem: str) -> str:
    """A text as it becomes in a properties file whose lines go on after a backslash."""
    return "".join(pem.splitlines())


def anchors_given(folder: Path) -> dict[str, dict[str, str]]:
    """The one authority in each form."""
    hashed = folder / "hashed"
    hashed.mkdir()
    put(hashed, "abcd.0", ROOT.pem)
    put(hashed, "README", "nothing")
    jks, p12 = ROOT.truststore(folder / "trust.jks", "JKS"), ROOT.truststore(folder / "trust.p12", "PKCS12")
    return {
        "PEM file": {"ssl.ca.location": put(folder, "ca.pem", f"root\n{ROOT.pem}")},
        "PEM text": {"ssl.ca.pem": ROOT.pem},
        "PEM text of Java": {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": one_line(ROOT.pem)},
        "PEM store of Java": {"ssl.truststore.type": "PEM", "ssl.truststore.location": str(folder / "ca.pem")},
        "folder": {"ssl.ca.location": str(hashed)},
        "JKS": {"ssl.truststore.location": str(jks), "ssl.truststore.password": STORE_PASSWORD},
        "JKS without its password": {"ssl.truststore.location": str(jks)},
        "PKCS12": {"ssl.truststore.location": str(p12), "ssl.truststore.password": STORE_PASSWORD},
    }


def test_whom_to_trust_comes_from_every_form(tmp_path: Path) -> None:
    """Files, folders, texts and Java's stores give both clients the same text."""
    for form, given in anchors_given(tmp_path).items():
        both = translate({**SSL, **given})
        assert both.librdkafka == {**SSL, "ssl.ca.pem": ROOT.pem}, form
        java = {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": ROOT.pem}
        assert both.java == {**SSL, **java}, form
        assert both.remarks == (), form


def identities_given(folder: Path, me: Issued) -> dict[str, dict[str, str]]:
    """One client in each form."""
    chain = put(folder, "chain.pem", me.chain_pem)
    secret = {"ssl.key.password": KEY_PASSWORD}

    def with_key(name: str, form: PrivateFormat, password: str = "") -> dict[str, str]:
        key = put(folder, f"{name}.key", me.key_pem(form, password))
        return {"ssl.certificate.location": chain, "ssl.key.location": key, **(secret if password else {})}

    together = put(folder, "together.pem", me.chain_pem + me.key_pem())
    sealed = put(folder, "sealed.pem", me.key_pem(password=KEY_PASSWORD) + me.chain_pem)
    store = {"ssl.keystore.password": STORE_PASSWORD}
    jks, other = me.jks(folder / "me.jks"), me.jks(folder / "other.jks", KEY_PASSWORD)
    p12 = me.p12(folder / "me.p12")
    texts = {"ssl.keystore.type": "PEM", "ssl.keystore.certificate.chain": one_line(me.chain_pem)}
    return {
        "PKCS#8": with_key("pkcs8", PrivateFormat.PKCS8),
        "traditional": with_key("traditional", PrivateFormat.TraditionalOpenSSL),
        "PKCS#8, encrypted": with_key("sealed", PrivateFormat.PKCS8, KEY_PASSWORD),
        "traditional, encrypted": with_key("old", PrivateFormat.TraditionalOpenSSL, KEY_PASSWORD),
        "text": {"ssl.certificate.pem": me.chain_pem, "ssl.key.pem": me.key_pem()},
        "one file": {"ssl.certificate.location": together, "ssl.key.location": together},
        "one file, named once": {"ssl.certificate.location": together},
        "one file for Java": {"ssl.keystore.type": "PEM", "ssl.keystore.location": together},
        "one sealed file for Java": {"ssl.keystore.type": "PEM", "ssl.keystore.location": sealed, **secret},
        "text of Java": {**texts, "ssl.keystore.key": one_line(me.key_pem())},
        "sealed text of Java": {**texts, "ssl.keystore.key": one_line(me.key_pem(password=KEY_PASSWORD)), **secret},
        "PKCS12": {"ssl.keystore.location": str(p12), **store},
        "PKCS12 of Java": {"ssl.keystore.location": str(p12), "ssl.keystore.type": "PKCS12", **store},
        "JKS": {"ssl.keystore.location": str(jks), **store},
        "JKS with two passwords": {"ssl.keystore.location": str(other), "ssl.keystore.type": "JKS", **store, **secret},
    }


@pytest.mark.parametrize("me", [ME, ME_EC], ids=["RSA", "EC"])
def test_who_the_client_is_comes_from_every_form(me: Issued, tmp_path: Path) -> None:
    """Both clients get the chain, the client's own certificate first, and the key as PKCS#8 in the clear."""
    for form, given in identities_given(tmp_path, me).items():
        both = translate({**SSL, **given})
        assert both.librdkafka["ssl.certificate.pem"] == both.java["ssl.keystore.certificate.chain"], form
        assert both.java["ssl.keystore.certificate.chain"] == me.chain_pem, form
        assert both.librdkafka["ssl.key.pem"] == both.java["ssl.keystore.key"], form
        key = load_pem_private_key(both.java["ssl.keystore.key"].encode(), None)
        assert key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()) == me.key.private_bytes(
            Encoding.DER, PrivateFormat.PKCS8, NoEncryption()
        ), form
        assert both.java["ssl.keystore.key"].startswith("-----BEGIN PRIVATE KEY-----"), form
        assert both.remarks == (), form


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Of a password that is wrong or missing, the property of that password; of a file, that of the file."""
    ways = identities_given(tmp_path, ME)
    trust = anchors_given(tmp_path)
    wrong = {
        "ssl.keystore.password: it does not open ssl.keystore.location": [
            {**ways["PKCS12"], "ssl.keystore.password": "wrong"},
            {**ways["JKS"], "ssl.keystore.password": "wrong"},
        ],
        "ssl.truststore.password: it does not open ssl.truststore.location": [
            {**trust["PKCS12"], "ssl.truststore.password": "wrong"},
            {**trust["JKS"], "ssl.truststore.password": "wrong"},
        ],
        "ssl.truststore.password: it is missing": [{"ssl.truststore.location": str(tmp_path / "trust.p12")}],
        "ssl.key.password: it does not open the key": [
            {**ways["PKCS#8, encrypted"], "ssl.key.password": "wrong"},
            {**ways["traditional, encrypted"], "ssl.key.password": "wrong"},
            {**ways["JKS with two passwords"], "ssl.key.password": "wrong"},
        ],
        "ssl.key.password: it is missing": [
            {name: text for name, text in ways["PKCS#8, encrypted"].items() if name != "ssl.key.password"}
        ],
        "ssl.key.location: it is missing": [{"ssl.certificate.location": str(tmp_path / "chain.pem")}],
        "ssl.key.location: it is not the key of": [
            {**ways["PKCS#8"], "ssl.key.location": put(tmp_path, "strange.key", ROOT.issue("x").key_pem())}
        ],
        "ssl.key.pem: the certificate of the key is missing": [{"ssl.key.pem": ME.key_pem()}],
        "it says who the client is, and so does": [{**ways["PKCS#8"], **ways["JKS"]}, {**ways["JKS"], **ways["text"]}],
        "ssl.keystore.location: it is neither PEM nor": [{"ssl.keystore.location": put(tmp_path, "x", "nothing")}],
        "ssl.ca.location: there is no certificate in it": [{"ssl.ca.location": put(tmp_path, "y", ME.key_pem())}],
        "ssl.ca.pem: a certificate in it cannot be read": [{"ssl.ca.pem": ROOT.pem.replace("MII", "???")}],
        "ssl.truststore.location: the JKS in it is broken": [
            {"ssl.truststore.location": put_bytes(tmp_path, (tmp_path / "trust.jks").read_bytes()[:60])}
        ],
        "ssl.key.pem: Spark's Kafka client knows RSA, EC and DSA keys only": [
            {"ssl.certificate.pem": ME.chain_pem, "ssl.key.pem": edwards()}
        ],
    }
    for said, many in wrong.items():
        for given in many:
            with pytest.raises(PropertyMistake) as refused:
                translate({**SSL, **given})
            assert said in str(refused.value)
            assert "BEGIN" not in str(refused.value).replace("-----BEGIN CERTIFICATE-----", "")


def put_bytes(folder: Path, content: bytes) -> str:
    """A file with these bytes."""
    (folder / "cut.jks").write_bytes(content)
    return str(folder / "cut.jks")


def edwards() -> str:
    """A key of a kind that Java's client does not have."""
    key = ed25519.Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_an_expired_certificate_is_remarked() -> None:
    """Before anybody tries to log in with it."""
    me = ROOT.issue("me", hours=-1)
    both = translate({**SSL, "ssl.certificate.pem": me.chain_pem, "ssl.key.pem": me.key_pem()})
    assert both.remarks[0].startswith("kafka.ssl.certificate.pem: the certificate has expired on ")


def test_what_has_changed_on_disk_is_read_again(tmp_path: Path) -> None:
    """A key and its certificate that are exchanged one after the other are in force when they fit together again."""
    other = ROOT.issue("me")
    given = {**SSL, "ssl.certificate.location": put(tmp_path, "c", ME.chain_pem)}
    given["ssl.key.location"] = put(tmp_path, "k", ME.key_pem())
    client = KafkaClient(given)
    assert client.renew() == 1
    exchange(tmp_path / "k", other.key_pem())
    assert client.librdkafka()["ssl.key.pem"] == ME.key_pem()
    assert client.renew() == 1
    exchange(tmp_path / "c", other.chain_pem)
    assert client.java()["ssl.keystore.key"] == other.key_pem()
    assert client.librdkafka()["ssl.certificate.pem"] == other.chain_pem
    assert client.renew() == 2


def test_another_password_in_the_file_is_in_force(tmp_path: Path) -> None:
    """Without a restart; what does not change a property makes no new edition."""
    file = tmp_path / "client.properties"
    lines = "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=U\nsasl.password="
    exchange(file, f"{lines}one\n")
    client = KafkaClient({"file": str(file)})
    exchange(file, f"{lines}two\n")
    assert client.librdkafka()["sasl.password"] == "two"
    exchange(file, f"# the same\n{lines}two\n")
    assert client.renew() == 2
    file.unlink()
    assert client.librdkafka()["sasl.password"] == "two"


def exchange(file: Path, text: str) -> None:
    """Put another file in its place, as who exchanges certificates does."""
    draft = file.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    moment = time.time_ns()
    os.utime(draft, ns=(moment, moment))
    draft.replace(file)

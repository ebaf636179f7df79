"""Files of client properties in Java's syntax, and what `[kafka]` says beside them."""

import json
import re
from pathlib import Path

import pytest

from livejoin.errors import SettingsError
from livejoin.kafka.properties_file import parse_properties
from livejoin.pipeline.spark.session import REQUIRED
from livejoin.secrecy.masked import MASK, holds_secret
from livejoin.settings.loader import load_settings, overrides_from


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a=1\nb: 2\nc 3\n", {"a": "1", "b": "2", "c": "3"}),
        ("# no\n! no\n\n   a = 1  \r\nb=\r\n", {"a": "1  ", "b": ""}),
        ("a=one \\\n   two \\\n   three", {"a": "one two three"}),
        ("a=ends with \\\\\nb=2", {"a": "ends with \\", "b": "2"}),
        ("a\\=b\\ c=1", {"a=b c": "1"}),
        ("a=\\u00fc\\n\\t\\q=:", {"a": "ü\n\tq=:"}),
        ("a=1\na=2", {"a": "2"}),
        ("alone", {"alone": ""}),
    ],
)
def test_javas_syntax_is_read_as_java_reads_it(text: str, found: dict[str, str]) -> None:
    """Comments, blanks, continued lines, escapes."""
    assert parse_properties(text) == found


FILE = """\
bootstrap.servers=file:9092
security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
  username="U" \\
  password="hunter2";
client.id=from the file
"""


def test_properties_come_from_a_file_and_settings_win_over_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that other tools of Kafka read is enough; its secrets are never shown."""
    (tmp_path / "client.properties").write_text(FILE, encoding="utf-8")
    (tmp_path / "livejoin.toml").write_text('[kafka]\nfile = "client.properties"\n', encoding="utf-8")
    monkeypatch.setenv("LIVEJOIN_KAFKA__CLIENT_ID", "from the environment")
    settings = load_settings(None, overrides_from(["kafka.bootstrap.servers=flag:9092"]))
    assert not settings.embedded_broker
    assert settings.kafka_client.librdkafka() == {
        "bootstrap.servers": "flag:9092",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "U",
        "sasl.password": "hunter2",
        "client.id": "from the environment",
    }
    shown = settings.masked()["kafka"]
    assert shown["sasl.jaas.config"] == MASK
    assert (shown["file"], shown["security.protocol"]) == ("client.properties", "SASL_SSL")
    assert "hunter2" not in json.dumps(settings.masked()) + repr(settings) + repr(settings.kafka_client)


def test_a_secret_from_the_environment_completes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that everybody may read can leave the password to the environment."""
    text = "bootstrap.servers=b:1\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=U\n"
    (tmp_path / "client.properties").write_text(text, encoding="utf-8")
    monkeypatch.setenv("LIVEJOIN_KAFKA__FILE", str(tmp_path / "client.properties"))
    with pytest.raises(SettingsError, match=r"kafka\.sasl\.password: PLAIN needs a password"):
        load_settings()
    monkeypatch.setenv("LIVEJOIN_KAFKA__SASL_PASSWORD", "hunter2")
    assert load_settings().kafka_client.librdkafka()["sasl.password"] == "hunter2"


def test_a_file_that_everybody_can_read_is_remarked(tmp_path: Path) -> None:
    """If there is a secret in it."""
    file = tmp_path / "client.properties"
    file.write_text(FILE, encoding="utf-8")
    file.chmod(0o644)
    settings = load_settings(None, {"kafka": {"file": str(file)}})
    assert "every user of this machine can read" in settings.kafka_client.remarks[0]
    file.chmod(0o600)
    assert settings.kafka_client.remarks == ()


@pytest.mark.parametrize(
    ("kafka", "said"),
    [
        ({"file": "/none/client.properties"}, r"kafka\.file: /none/client\.properties cannot be read: No such file"),
        ({"bootstrap.server": "b:1"}, r"kafka\.bootstrap\.server: .*bootstrap\.servers"),
        ({"group.id": "mine"}, r"kafka\.group\.id: "),
    ],
)
def test_a_mistake_is_one_in_the_settings(kafka: dict[str, str], said: str) -> None:
    """It is told when settings are loaded, under the name of the setting."""
    with pytest.raises(SettingsError, match=said):
        load_settings(None, {"kafka": kafka})


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("sasl.oauthbearer.token.endpoint.url", False),
        ("sasl.oauthbearer.client.id", False),
        ("sasl.oauthbearer.client.credentials.client.id", False),
        ("ssl.keystore.location", False),
        ("ssl.keystore.type", False),
        ("ssl.keystore.certificate.chain", False),
        ("ssl.key.location", False),
        ("ssl.truststore.certificates", False),
        ("sasl.password", True),
        ("sasl.jaas.config", True),
        ("sasl.oauthbearer.client.secret", True),
        ("ssl.keystore.key", True),
        ("ssl.key.pem", True),
        ("ssl.key.password", True),
        ("ssl.keystore.password", True),
        ("ssl.truststore.password", True),
    ],
)
def test_only_secrets_are_secret(name: str, *, secret: bool) -> None:
    """Places, addresses and certificates may be shown and given on the command line."""
    assert holds_secret(f"kafka.{name}", "https://idp.example/oauth2/token") is secret


@pytest.mark.parametrize("setting", ["spark.redaction.regex", "spark.sql.redaction.options.regex"])
@pytest.mark.parametrize(
    "name", ["sasl.jaas.config", "ssl.keystore.key", "ssl.key.password", "ssl.truststore.password"]
)
def test_spark_is_told_what_it_must_not_show(setting: str, name: str) -> None:
    """Every secret that its Kafka client is given; the certificates that go with them may be seen."""
    assert re.search(REQUIRED[setting], f"kafka.{name}")
    assert not re.search(REQUIRED[setting], "kafka.ssl.keystore.certificate.chain")


def test_a_table_of_keys_is_a_secret() -> None:
    """Also where it is given as one value."""
    assert holds_secret("access.viewer.keys", '{"wall": "hunter2 hunter2 hunter2"}')

"""Settings: where a value comes from, what may be shown, and what is said about a mistake."""

import json
from pathlib import Path

import pytest

from livejoin.access.keys import key_file, server_key
from livejoin.errors import SettingsError
from livejoin.model.declaration import Keep
from livejoin.model.generation import JoinType
from livejoin.secrecy.masked import MASK
from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.settings import Settings


def written(folder: Path, text: str) -> Path:
    """A settings file with that text."""
    file = folder / "chosen.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_need_no_file() -> None:
    """Without any file or variable the settings describe one machine with an embedded broker."""
    settings = load_settings()
    assert settings.embedded_broker
    assert settings.people_client.librdkafka() == {"bootstrap.servers": "127.0.0.1:19092"}
    assert settings.join.type is JoinType.LEFT
    assert settings.left.keep is Keep.ALL
    assert settings.data_dir.is_absolute()


def test_flag_wins_over_environment_over_file_over_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value comes from the command line, else the environment, else the file, else the default."""
    file = written(tmp_path, 'left.topic = "from-file"\nright.topic = "from-file"\ntopics.prefix = "from-file"\n')
    monkeypatch.setenv("LIVEJOIN_RIGHT__TOPIC", "from-environment")
    monkeypatch.setenv("LIVEJOIN_TOPICS__PREFIX", "from-environment")
    settings = load_settings(file, overrides_from(["topics.prefix=from-flag"]))
    assert settings.left.topic_name == "from-file"
    assert settings.right.topic_name == "from-environment"
    assert settings.topics.prefix == "from-flag"
    assert settings.web.port == 8080


def test_livejoin_toml_is_read_from_the_working_folder(tmp_path: Path) -> None:
    """A livejoin.toml in the working folder is read without being asked for."""
    (tmp_path / "livejoin.toml").write_text('join.type = "inner"\n', encoding="utf-8")
    assert load_settings().join.type is JoinType.INNER


@pytest.mark.parametrize(
    "text",
    [
        '[kafka]\n"security.protocol" = "SSL"\n"bootstrap.servers" = "b:9092"\n"socket.keepalive.enable" = true\n',
        '[kafka]\nsecurity.protocol = "SSL"\nbootstrap.servers = "b:9092"\nsocket.keepalive.enable = true\n',
    ],
)
def test_kafka_properties_keep_their_dotted_names(tmp_path: Path, text: str) -> None:
    """Kafka client properties pass through under their own names, quoted or not in the file."""
    settings = load_settings(written(tmp_path, text))
    common = {"security.protocol": "SSL", "bootstrap.servers": "b:9092"}
    assert settings.kafka_client.java() == common
    assert settings.kafka_client.librdkafka() == {**common, "socket.keepalive.enable": "true"}
    assert not settings.embedded_broker


def test_kafka_properties_from_flag_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell cannot export a name with dots, so underscores stand for them; --set takes the dotted name."""
    monkeypatch.setenv("LIVEJOIN_KAFKA__BOOTSTRAP_SERVERS", "b:9092")
    settings = load_settings(None, overrides_from(["kafka.security.protocol=SSL"]))
    assert settings.kafka == {"bootstrap.servers": "b:9092", "security.protocol": "SSL"}


def test_spark_conf_keeps_dotted_names() -> None:
    """What follows `spark.conf.` is one name, dots included."""
    settings = load_settings(None, overrides_from(["spark.conf.spark.ui.enabled=true", "spark.master=local[8]"]))
    assert settings.spark.conf == {"spark.ui.enabled": "true"}
    assert settings.spark.master == "local[8]"


def test_secrets_are_masked(tmp_path: Path) -> None:
    """What `livejoin config` prints holds neither the key nor a secret among Kafka's properties."""
    kafka = '"security.protocol" = "PLAINTEXT"\n"sasl.password" = "hunter2"\n"client.id" = "me"\n'
    kafka += '"sasl.jaas.config" = "x password=hunter2"\n'
    settings = load_settings(
        written(tmp_path, f'[access.viewer.keys]\nwall = "hunter2 hunter2 hunter2"\n[kafka]\n{kafka}')
    )
    shown = settings.masked()
    assert "hunter2" not in json.dumps(shown)
    assert "hunter2" not in repr(settings.access)
    assert shown["kafka"]["sasl.password"] == MASK
    assert shown["kafka"]["client.id"] == "me"


SECRETS = """
[access.viewer.keys]
wall = "hunter2 hunter2 hunter2"
[kafka]
"security.protocol" = "PLAINTEXT"
"sasl.password" = "hunter2"
[spark.conf]
"spark.authenticate.secret" = "hunter2"
[jars]
repository = "https://me:hunter2@repo.example/maven"
"""
NO_SECRETS = """
access.file = "keys.toml"
access.viewer.hidden = ["key"]
web.tls_certificate = "cert.pem"
web.tls_key = "key.pem"
limits.connections_per_key = 7
kafka.file = "client.properties"
[left]
name = "keys"
columns = { token = "string" }
[right]
columns = { token = "string" }
[join]
on = { token = "token" }
"""


def test_a_file_with_secrets_that_others_can_read_is_told(tmp_path: Path) -> None:
    """By the names of what is secret in it; and not when it is closed to them, or holds nothing secret."""
    file = written(tmp_path, SECRETS)
    file.chmod(0o644)
    [remark] = load_settings(file).file_remarks
    assert remark == (
        f"every user of this machine can read {file}, which holds access.viewer.keys.wall, kafka.sasl.password, "
        f"spark.conf.spark.authenticate.secret, jars.repository: chmod 600 {file}"
    )
    file.chmod(0o600)
    assert not load_settings(file).file_remarks


def test_a_file_without_secrets_may_be_read_by_everybody(tmp_path: Path) -> None:
    """Whatever its names sound like: places of keys, counts of keys, columns."""
    (tmp_path / "client.properties").touch(0o600)
    file = written(tmp_path, NO_SECRETS)
    file.chmod(0o644)
    assert not load_settings(file).file_remarks


@pytest.mark.parametrize(
    ("pairs", "named"),
    [
        (["topics.user=x"], "topics.user"),
        (["nonsense=1"], "nonsense"),
        (["web.port=many"], "web.port"),
        (["join=outer"], "join"),
        (["demo.rate=0"], "demo.rate"),
    ],
)
def test_a_mistake_names_the_setting(pairs: list[str], named: str) -> None:
    """An unknown setting, or a value of the wrong form, is refused by name."""
    with pytest.raises(SettingsError, match=named.replace(".", r"\.")):
        load_settings(None, overrides_from(pairs))


def test_a_pair_without_a_value_is_refused() -> None:
    """`--set` without an equals sign says what it expects."""
    with pytest.raises(SettingsError, match="expected name=value"):
        overrides_from(["spark.master"])


def test_a_chosen_file_must_exist(tmp_path: Path) -> None:
    """A settings file that was asked for and is not there is an error, not a silent default."""
    with pytest.raises(SettingsError, match="does not exist"):
        load_settings(tmp_path / "absent.toml")


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    """A file that is not TOML is named, with the place of the mistake."""
    with pytest.raises(SettingsError, match=r"chosen\.toml is not valid TOML.*line 1"):
        load_settings(written(tmp_path, "join = \n"))


def test_a_made_key_is_kept_and_private(tmp_path: Path) -> None:
    """Without a configured key one is made, readable by its owner only, and the same ever after."""
    settings = Settings(data_dir=tmp_path / "data")
    key = server_key(settings)
    assert len(key) >= 32
    assert server_key(settings) == key
    assert key_file(settings).stat().st_mode & 0o777 == 0o600
    assert [file.name for file in settings.data_dir.iterdir()] == ["key"]


@pytest.mark.parametrize("name", ["server.key", "server.control_key", "server.port", "server.host", "server.url"])
def test_a_setting_that_has_moved_is_named_with_its_place(name: str) -> None:
    """Who has it in a file is told what to write instead."""
    with pytest.raises(SettingsError, match=rf"{name} has moved to (access|web)\."):
        load_settings(None, overrides_from([f"{name}=1"]))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "livejoin.example.org"])  # noqa: S104  it is refused
def test_beyond_loopback_there_is_tls_or_a_proxy_that_has_it(host: str) -> None:
    """Keys and rows never cross a network in the clear unless somebody says that they do not."""
    with pytest.raises(SettingsError, match="in the clear"):
        load_settings(None, {"web": {"host": host}})
    assert load_settings(None, {"web": {"host": host, "behind_proxy": True}}).web.host == host
    files = {"tls_certificate": "cert.pem", "tls_key": "key.pem"}
    assert load_settings(None, {"web": {"host": host, **files}}).page_url.startswith("https://")
    with pytest.raises(SettingsError, match="belong together"):
        load_settings(None, {"web": {"host": host, "tls_certificate": "cert.pem"}})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "kafka.example.org"])  # noqa: S104  it is refused
def test_the_embedded_broker_is_for_this_machine(host: str) -> None:
    """It asks people for no password, so nobody reaches it from another machine; what to do is said."""
    with pytest.raises(SettingsError, match=r"broker\.host: .*kafka\.bootstrap\.servers"):
        load_settings(None, {"broker": {"host": host}})


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
def test_the_embedded_broker_listens_at_any_loopback(host: str) -> None:
    """By name or address."""
    settings = load_settings(None, {"broker": {"host": host}})
    assert settings.people_client.bootstrap_servers == (f"[{host}]:19092" if ":" in host else f"{host}:19092")


def test_lists_come_from_the_environment_and_the_command_line_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they do from a file, as lists."""
    monkeypatch.setenv("LIVEJOIN_WEB__ORIGINS", "https://a.example, https://b.example")
    settings = load_settings(None, overrides_from(["access.viewer.hidden=email,users_ui.age"]))
    assert settings.web.origins == ["https://a.example", "https://b.example"]
    assert settings.access.viewer.hidden == ["email", "users_ui.age"]


def test_a_short_key_in_the_file_is_refused(tmp_path: Path) -> None:
    """Also where somebody has written it there by hand."""
    settings = load_settings(None, {"data_dir": tmp_path})
    key_file(settings).write_text("short\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="fewer than 16 characters"):
        server_key(settings)


OPTIONS = "-Xss2m -Djavax.net.ssl.keyStorePassword=hunter2 -Dother.token='hunter2 too' -Dplain=1"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("spark.conf.spark.hadoop.fs.s3a.secret.key", "hunter2", MASK),
        ("spark.conf.spark.authenticate.secret", "hunter2", MASK),
        ("spark.conf.spark.ssl.rpc.keyStorePassword", "hunter2", MASK),
        ("spark.conf.spark.driver.extraJavaOptions", OPTIONS, None),
        ("spark.conf.spark.executor.extraJavaOptions", OPTIONS, None),
        ("jars.repository", "https://me:hunter2@repo.example/maven", f"https://me:{MASK}@repo.example/maven"),
        ("web.url", "https://me:hunter2@tables.example", f"https://me:{MASK}@tables.example"),
        ("spark.conf.spark.ui.enabled", "true", "true"),
    ],
)
def test_secrets_of_spark_and_in_addresses_are_masked(name: str, value: str, shown: str | None) -> None:
    """`livejoin config` shows that there is one, and what is not secret stays readable."""
    printed = json.dumps(load_settings(None, overrides_from([f"{name}={value}"])).masked())
    assert "hunter2" not in printed
    masked = f"-Xss2m -Djavax.net.ssl.keyStorePassword={MASK} -Dother.token={MASK} -Dplain=1"
    assert json.dumps(shown or masked) in printed


def test_own_topics_are_named_by_the_prefix_unless_they_are_chosen() -> None:
    """Each by itself."""
    own = load_settings(None, {"topics": {"prefix": "lj", "control_log": "team.verdicts"}}).own_topics

    assert (own.state, own.control_log, own.dead_letters) == ("lj.state", "team.verdicts", "lj.dead-letters")
    assert [own.is_own(topic) for topic in ("lj.anything", "team.verdicts", "users")] == [True, True, False]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (["topics.views=a,b"], "views has 2 topics: at least 3 are needed"),
        (["topics.create=false"], "create is false, so view topics have to be there"),
        (["topics.views=a,b,a"], "'a' cannot be used for two purposes"),
        (["topics.views=a,b,users"], "'users' cannot be used for two purposes"),
        (["topics.state=control"], "'control' cannot be used for two purposes"),
        (["topics.replication=0"], "topics.replication: 0 copies are none"),
        (["topics.prefix=../elsewhere"], "topics.prefix: letters, digits"),
        (["topics.prefix=.."], "topics.prefix: letters, digits"),
    ],
)
def test_topics_that_could_not_work_are_refused(pairs: list[str], said: str) -> None:
    """Before anything is written to them, or emptied."""
    with pytest.raises(SettingsError) as refused:
        load_settings(None, overrides_from(pairs))
    assert said in refused.value.what

"""The compose file: what it names is there, what it sets is a setting, and nothing in it may do more than it has to."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from delivered import DEPLOY, KEYS, PATHS, ROOT, document, settings_of, understood
from livejoin.access.keys import keyring
from livejoin.errors import SettingsError
from livejoin.kafka.properties_file import read_properties
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

COMPOSE = DEPLOY / "compose"
FILE = COMPOSE / "compose.yaml"
PROPERTIES = (COMPOSE / "secrets/client.properties.example").read_text(encoding="utf-8")
GIVEN = {"/run/secrets/client.properties": PROPERTIES, "/run/secrets/keys.toml": KEYS}
OF_LIVEJOIN = ("pipeline", "standby", "serve", "serve-2", "demo")
SAID = dict(
    re.findall(r"^echo '(\w+)=(.*)' >\.env", (ROOT / "docs/deploy.md").read_text(encoding="utf-8"), re.MULTILINE)
)
"""What docs/deploy.md has written into the file `.env`."""
BROKER_IMAGE = re.compile(r"^apache/kafka:\d+\.\d+\.\d+$")


def filled_in(value: Any) -> Any:
    """As compose reads it with the file `.env` of docs/deploy.md: `${NAME:-default}` is the default, `$$` is `$`."""
    if isinstance(value, dict):
        return {name: filled_in(each) for name, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each) for each in value]
    if not isinstance(value, str):
        return value
    asked = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda required: SAID[required[1]], value)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", asked).replace("$$", "$")


COMPOSED = filled_in(document(FILE))
SERVICES: dict[str, dict[str, Any]] = COMPOSED["services"]


def settings(monkeypatch: pytest.MonkeyPatch, name: str, folder: Path) -> Settings:
    """What a service runs with."""
    toml = (COMPOSE / "livejoin.toml").read_text(encoding="utf-8")
    variables = {each: str(value) for each, value in SERVICES[name]["environment"].items()}
    return settings_of(monkeypatch, variables, toml, folder, GIVEN)


@pytest.mark.parametrize("name", OF_LIVEJOIN)
def test_every_setting_is_one(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The loader takes them together, and the command is one."""
    found = settings(monkeypatch, name, tmp_path)
    assert found.kafka_client.bootstrap_servers == "broker:9092"
    assert not found.embedded_broker
    understood(SERVICES[name]["command"])


@pytest.mark.parametrize("name", ["serve", "serve-2"])
def test_a_table_server_is_reached_by_who_has_a_key(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Published on loopback only, at the port that it listens at, with an address that leads there."""
    found = settings(monkeypatch, name, tmp_path)
    assert found.web.host == "0.0.0.0"  # noqa: S104  what is looked at
    [published] = SERVICES[name]["ports"]
    address, outside, inside = published.split(":")
    assert (address, inside) == ("127.0.0.1", str(found.web.port))
    assert found.page_url == f"http://localhost:{outside}/"
    assert keyring(found).key("sixteen characters")


def test_both_servers_have_the_same_keys_and_both_pipelines_the_same_checkpoints() -> None:
    """Or a page would not be let in by the other one, and who takes over would begin again."""
    assert SERVICES["serve"]["secrets"] == SERVICES["serve-2"]["secrets"]
    assert SERVICES["pipeline"] == SERVICES["standby"]
    assert "checkpoints:/data" in SERVICES["pipeline"]["volumes"]


@pytest.mark.parametrize("name", SERVICES)
def test_what_runs_may_do_little(name: str) -> None:
    """No root file system to write to, no capability, no way to more rights; and it has a place to write to."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert service["restart"] == ("no" if name == "topics" else "unless-stopped")
    written = [each["target"] for each in service.get("volumes", []) if isinstance(each, dict)]
    # Docker's own tmpfs lets no program be run from it.
    assert "/tmp" in written or service["tmpfs"] == ["/tmp:exec,mode=1777"]  # noqa: S108  a volume
    assert service["networks"] in (["inside"], ["inside", "outside"])
    assert "outside" not in service["networks"] or name.startswith("serve")


def test_what_is_named_is_there() -> None:
    """Volumes, networks, files, and services that others wait for, with what they wait for."""
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0] if isinstance(volume, str) else None
            assert source is None or source in COMPOSED["volumes"]
        assert set(service["networks"]) <= set(COMPOSED["networks"])
        assert set(service.get("secrets", [])) <= set(COMPOSED["secrets"])
        assert {each["source"] for each in service.get("configs", [])} <= set(COMPOSED["configs"])
        for other, wanted in service.get("depends_on", {}).items():
            assert other in SERVICES
            if wanted["condition"] == "service_healthy":
                assert SERVICES[other]["healthcheck"]["test"], f"{name} would wait for ever"
            else:
                assert SERVICES[other]["restart"] == "no"
    for each in COMPOSED["configs"].values():
        assert (COMPOSE / each["file"]).is_file()
    for each in COMPOSED["secrets"].values():
        assert (COMPOSE / f"{each['file']}.example").is_file()
    assert COMPOSED["networks"]["inside"]["internal"] is True


def test_livejoin_is_asked_whether_it_is_alive() -> None:
    """By what the image has for it; a standby is well, and not ready."""
    for name in OF_LIVEJOIN:
        check = SERVICES[name]["healthcheck"]
        assert check == {"disable": True} if name == "demo" else check["test"] == ["CMD", "livejoin-alive"]
    assert "/livez" in PATHS


def test_the_broker_is_one_that_can_start(tmp_path: Path) -> None:
    """Of the version that livejoin brings itself, with an id of the right form, and the topics that are joined."""
    assert BROKER_IMAGE.match(SERVICES["broker"]["image"])
    lock = (DEPLOY.parent / "src/livejoin/jvm/jars.lock").read_text(encoding="utf-8")
    assert f"kafka_2.13:{SERVICES['broker']['image'].partition(':')[2]} " in lock
    [command] = SERVICES["broker"]["command"]
    identity = re.search(r"--cluster-id (\S+)", command)
    assert identity
    assert len(base64.urlsafe_b64decode(identity[1] + "==")) == 16
    properties = read_properties(COMPOSE / "broker.properties")
    assert properties["auto.create.topics.enable"] == "false"
    assert properties["log.dirs"].startswith(SERVICES["broker"]["volumes"][0].partition(":")[2])
    [made] = SERVICES["topics"]["command"]
    joined = load_settings(COMPOSE / "livejoin.toml", {"data_dir": tmp_path})
    assert re.search(r"for topic in (.*); do", made)[1].split() == [  # type: ignore[index]
        *joined.source_topics,
        joined.topics.control,
    ]


def test_the_example_of_keys_opens_nothing(tmp_path: Path) -> None:
    """Whoever forgets to change it is told so."""
    keys = tmp_path / "keys.toml"
    keys.touch(0o600)
    keys.write_text((COMPOSE / "secrets/keys.toml.example").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(SettingsError, match="fewer than 16 characters"):
        keyring(load_settings(None, {"data_dir": tmp_path, "access": {"file": keys}}))

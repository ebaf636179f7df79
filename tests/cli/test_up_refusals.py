"""What `livejoin up` refuses before it starts anything, and in which words."""

import multiprocessing
import multiprocessing.synchronize
import os
import shlex
import socket
from pathlib import Path

import pytest

from livejoin.access.keys import key_file, server_key
from livejoin.cli.up import address, as_variables, up
from livejoin.errors import PortInUse, SettingsError
from livejoin.http.ports import Port, ports_of, require_free
from livejoin.local.stack import AlreadyRunning, only_one
from livejoin.settings.loader import load_settings, overrides_from
from ports import free_ports


def test_a_taken_port_is_named_with_its_owner() -> None:
    """The error tells the port, the setting that decides it, and the process that listens there."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
        with pytest.raises(PortInUse) as taken:
            require_free([Port("web.port", "127.0.0.1", number)])
    assert f"127.0.0.1:{number} (web.port) is taken by process {os.getpid()} (" in taken.value.what
    assert "--set web.port=" in taken.value.do


def test_free_ports_are_accepted() -> None:
    """Ports that nobody listens at raise nothing."""
    require_free([Port("web.port", "127.0.0.1", number) for number in free_ports(2)])


def test_the_ports_of_a_broker_of_ours_count_only_if_there_is_one() -> None:
    """With a configured broker, the embedded one's ports may be taken."""
    embedded = {port.setting for port in ports_of(load_settings())}
    configured = {port.setting for port in ports_of(load_settings(None, {"kafka": {"bootstrap.servers": "b:9092"}}))}
    assert embedded - configured == {"broker.port", "broker.internal_port", "broker.controller_port"}
    assert configured == {"web.port", "pipeline.port"}


def test_a_second_up_in_the_same_folder_names_the_first(tmp_path: Path) -> None:
    """Two runs never share a data folder; the second one says who has it, until the first is gone."""
    settings = load_settings(None, {"data_dir": tmp_path})
    with only_one(settings), pytest.raises(AlreadyRunning, match=f"process {os.getpid()} "), only_one(settings):
        pass
    with only_one(settings):
        pass


def test_a_second_up_tells_the_address_of_the_first(tmp_path: Path) -> None:
    """Not its own, which other ports would make another one."""
    first = load_settings(None, {"data_dir": tmp_path, "web": {"port": 4101}})
    second = load_settings(None, {"data_dir": tmp_path, "web": {"port": 4102}})
    with only_one(first), pytest.raises(AlreadyRunning) as refused, only_one(second):
        pass
    assert first.page_url in refused.value.what
    assert "4102" not in refused.value.what


def test_settings_of_the_command_line_are_told_once_as_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands after them mean the same `up`; what cannot be a variable stays an option."""
    options = ["--set=data_dir=here", "--set=web.port=4101", "--set=kafka.client.id=me", "--config=some livejoin.toml"]
    pairs = [option.removeprefix("--set=") for option in options[:3]]
    (tmp_path / "some livejoin.toml").write_text("[demo]\nrate = 7\n", encoding="utf-8")
    started = load_settings(Path("some livejoin.toml"), overrides_from(pairs))
    variables, flags = as_variables(started, options)
    assert flags == ["--set=kafka.client.id=me"]
    for variable in variables:
        name, _, value = variable.partition("=")
        monkeypatch.setenv(name, *shlex.split(value))
    monkeypatch.chdir("/")
    meant = load_settings(None, overrides_from(["kafka.client.id=me"]))
    assert (meant.data_dir, meant.web.port, meant.demo.rate) == (tmp_path / "here", 4101, 7)


def test_a_folder_of_a_killed_up_is_free_again(tmp_path: Path) -> None:
    """The data folder is not held by a process that was killed."""
    context = multiprocessing.get_context("spawn")
    holds = context.Event()
    first = context.Process(target=hold, args=(tmp_path, holds))
    first.start()
    try:
        assert holds.wait(60.0)
        with pytest.raises(AlreadyRunning), only_one(load_settings(None, {"data_dir": tmp_path})):
            pass
    finally:
        first.kill()
        first.join()
    with only_one(load_settings(None, {"data_dir": tmp_path})):
        pass


def hold(folder: Path, holds: multiprocessing.synchronize.Event) -> None:
    """Hold a data folder until killed."""
    with only_one(load_settings(None, {"data_dir": folder})):
        holds.set()
        multiprocessing.Event().wait()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("access.key", "hunter2"),
        ("access.viewer.keys.wall", "hunter2 and more of it"),
        ("kafka.sasl.password", "hunter2"),
        ("kafka.sasl.jaas.config", "hunter2"),
        ("spark.conf.spark.authenticate.secret", "hunter2"),
        ("spark.conf.spark.driver.extraJavaOptions", "-Djavax.net.ssl.keyStorePassword=hunter2"),
        ("jars.repository", "https://me:hunter2@repo.example/maven"),
    ],
)
def test_a_secret_on_the_command_line_is_refused(name: str, value: str) -> None:
    """A secret in an argument would be seen in the list of processes, so the error says where to put it instead."""
    with pytest.raises(SettingsError, match=name.replace(".", r"\.")) as refused:
        up(set_=[f"{name}={value}"])
    assert "hunter2" not in refused.value.what + refused.value.do
    assert "livejoin.toml" in refused.value.do


def test_the_key_is_told_to_a_terminal_only(tmp_path: Path) -> None:
    """A terminal gets the address that logs in; a file or a service's journal gets the place of the key."""
    settings = load_settings(None, {"data_dir": tmp_path})
    key = server_key(settings)
    assert f"#key={key}" in "".join(address(settings, on_terminal=True))
    elsewhere = "".join(address(settings, on_terminal=False))
    assert key not in elsewhere
    assert settings.page_url in elsewhere
    assert str(key_file(settings)) in elsewhere

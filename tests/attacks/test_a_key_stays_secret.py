"""What nobody may learn from a table server, and what it says to those who come in the wrong way."""

import subprocess
import sys

import psutil
import pytest
from pydantic import SecretStr

from livejoin.client.tables import connect
from livejoin.errors import TableServerGone, TableServerRefused
from livejoin.settings.door import AccessSettings
from ports import free_ports
from tests.attacks.stage import GIVEN_KEY, Stage, jcmd
from what_is_shown import argv_and_environment


def test_a_wrong_key_is_refused_and_no_server_is_said(stage: Stage) -> None:
    """Each failure says what to do."""
    access = AccessSettings(key=SecretStr("not one of the keys"))
    wrong = stage.settings.model_copy(update={"access": access})
    with pytest.raises(TableServerRefused) as refused, connect(wrong) as client:
        client.size("final_ui")
    assert str(wrong.data_dir / "key") in refused.value.do
    web = stage.settings.web.model_copy(update={"port": free_ports(1)[0]})
    nobody = stage.settings.model_copy(update={"web": web})
    with pytest.raises(TableServerGone), connect(nobody) as client:
        client.size("final_ui")


def secrets(stage: Stage) -> dict[str, str]:
    """The keys of the server, however it was given them."""
    return {"viewer's": stage.viewer_key, "operator's": stage.operator_key, "environment's": GIVEN_KEY}


def holding(stage: Stage, text: str) -> list[str]:
    """Whose key is in a text."""
    return [whose for whose, key in secrets(stage).items() if key in text]


def test_every_key_opens_the_door(stage: Stage) -> None:
    """What the next ones look for are keys."""
    assert {stage.ask("GET", "/rows/final_ui", key=key).status for key in secrets(stage).values()} == {200}


def test_the_key_is_in_no_output_no_argument_and_no_environment(stage: Stage) -> None:
    """Whoever reads logs, lists processes or asks the JVM for its properties does not learn a key.

    One that was given by the environment is where it was put: with the process that has to know it, and not with the
    one that writes its log.
    """
    process = psutil.Process(stage.served.process.pid)

    assert holding(stage, stage.log) == []
    assert holding(stage, " ".join(process.cmdline())) == []
    assert holding(stage, str(process.environ())) == ["environment's"]
    for child in process.children(recursive=True):
        assert holding(stage, argv_and_environment(child)) == []
    for what in ("VM.system_properties", "VM.command_line"):
        assert holding(stage, jcmd(process.pid, what)) == []


def test_keys_are_in_their_own_file_only(stage: Stage) -> None:
    """The data folder is free of them."""
    files = [file for file in stage.settings.data_dir.rglob("*") if file.is_file()]

    assert files
    assert not [file for file in files if holding(stage, file.read_bytes().decode("latin-1"))]


def test_a_second_server_says_which_port_is_taken(stage: Stage) -> None:
    """It ends at once, before any JVM is started."""
    second = subprocess.run(
        [sys.executable, "-m", "livejoin", "serve", "--set", f"web.port={stage.port}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert second.returncode == 1
    assert f"127.0.0.1:{stage.port}" in second.stderr

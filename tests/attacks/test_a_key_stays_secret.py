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
from tests.attacks.stage import Stage, jcmd


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


def test_the_key_is_in_no_output_no_argument_and_no_environment(stage: Stage) -> None:
    """Whoever reads logs, lists processes or asks the JVM for its properties does not learn the viewers' key."""
    process = psutil.Process(stage.served.process.pid)

    assert stage.viewer_key not in stage.log
    assert stage.operator_key not in stage.log
    assert stage.viewer_key not in " ".join(process.cmdline())
    assert stage.operator_key not in " ".join(process.cmdline())
    assert stage.viewer_key not in " ".join(process.environ().values())
    for what in ("VM.system_properties", "VM.command_line"):
        told = jcmd(process.pid, what)
        assert stage.viewer_key not in told
        assert stage.operator_key not in told


def test_keys_are_in_their_own_file_only(stage: Stage) -> None:
    """The data folder is free of them."""
    files = [file for file in stage.settings.data_dir.rglob("*") if file.is_file()]
    keys = (stage.viewer_key.encode(), stage.operator_key.encode())

    assert files
    assert not [file for file in files if any(key in file.read_bytes() for key in keys)]


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

"""The units: what they set is a setting, what they run is a command, and systemd's own tool takes them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from delivered import DEPLOY, KEYS, PROPERTIES, settings_of, understood
from livejoin.errors import SettingsError
from livejoin.local.stack import PIPELINE_NICENESS

SYSTEMD = DEPLOY / "systemd"
UNITS = sorted(SYSTEMD.glob("*.service"))
SPECIFIERS = {"%i": "8083", "%S": "/var/lib", "%d": "/run/credentials"}
GIVEN = {"/run/credentials/client.properties": PROPERTIES, "/run/credentials/keys.toml": KEYS}
PROGRAM = "/opt/livejoin/bin/livejoin"


def lines(unit: Path) -> list[tuple[str, str]]:
    """What a unit says, as systemd reads it."""
    text = unit.read_text(encoding="utf-8")
    for specifier, value in SPECIFIERS.items():
        text = text.replace(specifier, value)
    said = [line for line in text.splitlines() if "=" in line and not line.startswith(("#", ";"))]
    return [(name, value) for name, _, value in (line.partition("=") for line in said)]


def said(unit: Path, name: str) -> list[str]:
    """Every value that a name has in a unit."""
    return [value for each, value in lines(unit) if each == name]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_what_is_set_is_a_setting(unit: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The loader takes all of it together, from the files that the unit hands in."""
    variables = dict(value.split("=", 1) for value in said(unit, "Environment"))
    found = settings_of(monkeypatch, variables, "", tmp_path, GIVEN)
    assert str(found.data_dir) == f"/var/lib/{said(unit, 'StateDirectory')[0]}"
    assert found.kafka_client.bootstrap_servers == "broker:9092"
    if "@" in unit.name:
        assert found.pipeline.port == 8083
    handed_in = [value.partition(":")[0] for value in said(unit, "LoadCredential")]
    pointed_to = [value.rpartition("/")[2] for value in variables.values() if value in GIVEN]
    assert handed_in == pointed_to


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_what_is_run_is_a_command(unit: Path) -> None:
    """With options that it has; and it is ended and started again as it wants to be."""
    [command] = said(unit, "ExecStart")
    program, *arguments = command.split()
    assert program == PROGRAM
    understood(arguments)
    assert said(unit, "KillMode") == ["mixed"]
    assert said(unit, "RestartPreventExitStatus") == [str(SettingsError.exit_code)]
    assert said(unit, "Nice") == ([str(PIPELINE_NICENESS)] if "@" in unit.name else [])
    assert said(unit, "NoNewPrivileges") == ["yes"]
    # Java compiles.
    assert not said(unit, "MemoryDenyWriteExecute")


def test_both_may_do_as_little() -> None:
    """What keeps one of them in keeps the other one in."""
    hardened = [unit.read_text(encoding="utf-8").partition("# What it may not do.")[2] for unit in UNITS]
    assert len(UNITS) == 2
    assert hardened[0] == hardened[1]


def test_systemd_itself_takes_them(tmp_path: Path) -> None:
    """Its own tool finds nothing to say, and would not take anything."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not on the PATH")
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace(PROGRAM, "/bin/sh")
        (tmp_path / unit.name.replace("@", "@8081")).write_text(text, encoding="utf-8")
    broken = tmp_path / "broken.service"
    broken.write_text("[Service]\nExecStart=/bin/sh\nProtectSystems=strict\n", encoding="utf-8")

    def verified(units: list[Path]) -> str:
        # Only what is here is looked at, whatever else this machine has.
        done = subprocess.run([tool, "verify", *map(str, units)], capture_output=True, text=True, check=False)
        return "\n".join(line for line in done.stderr.splitlines() if re.search(r"livejoin|broken", line))

    assert verified(sorted(tmp_path.glob("livejoin*.service"))) == ""
    assert "ProtectSystems" in verified([broken])


def test_there_is_somebody_to_run_as() -> None:
    """Who owns the data folder, by the name that the units have."""
    [user] = [
        line.split()[1]
        for line in (SYSTEMD / "livejoin.sysusers").read_text(encoding="utf-8").splitlines()
        if line.startswith("u ")
    ]
    assert {value for unit in UNITS for value in said(unit, "User")} == {user}

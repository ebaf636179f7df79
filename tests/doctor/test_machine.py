"""What is said of this machine, and of the command itself."""

import json
import os
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner, Result

from livejoin.cli.main import app
from livejoin.doctor.case import Case
from livejoin.doctor.confidential import Confidential
from livejoin.doctor.finding import Verdict, ok
from livejoin.doctor.installation import check_jars
from livejoin.doctor.room import LEAST_DISK, LITTLE_DISK, check_disk, check_memory, in_bytes, size, slots
from livejoin.doctor.sample import failed
from livejoin.doctor.spark import SHOWN_CHARACTERS
from livejoin.jvm.jars import locked_jars
from livejoin.kafka.client import KafkaClient
from livejoin.local.stack import only_one
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import broker_ports, free_ports
from tests.doctor.examined import examined, one, problems


def ports() -> dict[str, Any]:
    """Settings with ports that nobody has."""
    web, pipeline = free_ports(2)
    return {"web": {"port": web}, "pipeline": {"port": pipeline}, "broker": broker_ports()}


def run(*options: str) -> Result:
    """The command, without Spark."""
    free = [f"--set={section}.{name}={port}" for section, given in ports().items() for name, port in given.items()]
    return CliRunner().invoke(app, ["doctor", "--quick", *free, *options])


def test_without_a_broker_everything_else_is_tried() -> None:
    """None is configured and none runs: it is said, and that is no problem."""
    told = run()
    assert told.exit_code == 0, told.stdout
    assert "none is configured, so livejoin brings its own; it does not run: `livejoin up` starts it" in told.stdout
    assert "-        names, tls, login, " in told.stdout
    assert told.stdout.splitlines()[-1].startswith("0 problem(s), 0 warning(s), ")


@pytest.mark.parametrize("pair", ["spark.slots=hunter2", "kafka.sasl.pasword=hunter2"])
def test_wrong_settings(pair: str) -> None:
    """Exit 2, with the setting named and without its value, for people and for programs."""
    people, programs = run(f"--set={pair}"), run(f"--set={pair}", "--json")
    assert people.exit_code == programs.exit_code == 2
    assert "hunter2" not in people.output + programs.output
    assert people.stdout.startswith("PROBLEM  settings: settings are not right: ")
    [only] = json.loads(programs.stdout)
    assert (only["check"], only["verdict"]) == ("settings", "problem")
    assert pair.partition("=")[0].removeprefix("kafka.") in only["found"]


def test_a_problem_is_told_with_what_to_do() -> None:
    """Exit 1; what is not used is told as well, and a text of others does nothing to the terminal."""
    pairs = ["bootstrap.servers=\x1b[2Jnowhere.invalid:1", "security.protocol=PLAINTEXT", "ssl.ca.location=/nowhere"]
    told = run(*(f"--set=kafka.{pair}" for pair in pairs))
    assert told.exit_code == 1
    assert "\x1b" not in told.stdout
    assert "PROBLEM  names: \\x1b[2Jnowhere.invalid:1: the name does not resolve" in told.stdout
    assert "         do: correct kafka.bootstrap.servers, or " in told.stdout
    assert "warning  settings: kafka.ssl.ca.location: not used, because security.protocol is PLAINTEXT" in told.stdout


def test_a_hidden_column_that_nobody_has() -> None:
    """It is told by its name, for the role that it is to be hidden from; what is right is not."""
    told = run("--set=access.viewer.hidden=email,dead_letters.*,emial,users_ui.emial")
    assert told.exit_code == 0
    [line] = [line for line in told.stdout.splitlines() if "hidden" in line and line.startswith("warning")]
    assert "access.viewer.hidden: no table has emial, users_ui.emial: it hides nothing" in line


def test_a_file_of_settings_with_a_secret_that_others_can_read(tmp_path: Path) -> None:
    """It is told, with what to do, and without the secret."""
    file = tmp_path / "livejoin.toml"
    file.write_text('[access.operator.keys]\nana = "hunter2 hunter2 hunter2"\n', encoding="utf-8")
    file.chmod(0o644)
    told = run(f"--config={file}")
    assert told.exit_code == 0, told.stdout
    assert f"warning  settings: every user of this machine can read {file}, which holds access.oper" in told.stdout
    assert "do: let nobody else read the file" in told.stdout
    assert "hunter2" not in told.stdout
    file.chmod(0o600)
    assert "every user" not in run(f"--config={file}").stdout


def test_a_taken_port(tmp_path: Path) -> None:
    """The process that has it is named, and the setting."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        given = ports() | {"web": {"port": listener.getsockname()[1]}, "data_dir": tmp_path}
        [only] = problems(examined(load_settings(None, given)))
    assert f"taken by process {os.getpid()} (" in only.found
    assert "--set web.port=" in only.do


def test_the_ports_of_the_livejoin_that_runs_here(tmp_path: Path) -> None:
    """Beside a running `livejoin up` nothing has to be done, whichever of its processes listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings = load_settings(None, ports() | {"web": {"port": listener.getsockname()[1]}, "data_dir": tmp_path})
        with only_one(settings):
            found = examined(settings)
    assert not problems(found)
    assert one(found, "ports", Verdict.OK, "web.port").found == f"held by the livejoin that runs in {tmp_path}"


def test_the_broker_that_runs_here_is_examined(broker: Settings) -> None:
    """One of our own that runs in the data folder is logged in to, and its port is not taken by a stranger."""
    internal = int(broker.kafka_client.bootstrap_servers.rpartition(":")[2])
    given = ports() | {"data_dir": broker.data_dir}
    given["broker"]["internal_port"] = internal
    found = examined(load_settings(None, given))
    assert one(found, "ports", Verdict.OK, "broker.internal_port").found.startswith("held by the livejoin that runs in")
    assert "which runs at" in one(found, "broker", Verdict.OK).found
    assert "let in as User:livejoin" in one(found, "login", Verdict.OK).found
    assert one(found, "clocks", Verdict.OK, "broker").found == "the broker is on this machine"


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What to install is said, and jars are not tried, which need it."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = examined(load_settings(None, ports() | {"data_dir": tmp_path}))
    [only] = problems(found)
    assert (only.check, "install a JDK 17" in only.do) == ("java", True)
    assert one(found, "jars", Verdict.SKIPPED).found == "not tried: java comes first"


def test_jars_that_are_missing(tmp_path: Path) -> None:
    """One is fetched for a trial: whether the others will come at the first start is known before it."""
    first = locked_jars()[0]
    place = tmp_path / first.organisation.replace(".", "/") / first.name / first.revision
    place.mkdir(parents=True)
    kept = first.path(load_settings().jars.folder)
    jars = {"dir": tmp_path / "jars", "repository": tmp_path.as_uri()}
    settings = load_settings(None, {"jars": jars})
    [nothing] = check_jars(Case(settings))
    assert nothing.verdict is Verdict.PROBLEM
    assert f"49 of 49 are not in {tmp_path}/jars, and Ivy could not fetch {first.coordinates}" in nothing.found
    (place / kept.name).write_bytes(kept.read_bytes())
    [fetched] = check_jars(Case(settings))
    assert fetched.verdict is Verdict.OK
    assert not (tmp_path / "jars").exists()


def test_a_data_folder_that_is_not_livejoins_alone(tmp_path: Path) -> None:
    """It is said before a start would refuse it, and the folder stays as it is."""
    tmp_path.chmod(0o755)
    (tmp_path / "letters.txt").touch()
    [refused] = check_disk(Case(load_settings(None, {"data_dir": tmp_path})))
    assert refused.verdict is Verdict.PROBLEM
    assert "holds more than livejoin's files: letters.txt" in refused.found
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    [private] = check_disk(Case(load_settings(None, {"data_dir": tmp_path / "livejoin" / "data"})))
    assert private.verdict is not Verdict.PROBLEM
    assert "free" in private.found


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(LEAST_DISK - 1, Verdict.PROBLEM), (LEAST_DISK, Verdict.WARNING), (LITTLE_DISK, Verdict.OK)],
)
def test_a_disk_that_is_nearly_full(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, verdict: Verdict
) -> None:
    """A little room is a warning, hardly any a problem; what is free is told, and what to set."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    [found] = check_disk(Case(load_settings(None, {"data_dir": tmp_path / "data"})))
    assert found.verdict is verdict
    assert f"{size(free)} free" in found.found
    assert verdict is Verdict.OK or "data_dir" in found.do


def test_heaps_that_are_larger_than_the_machine() -> None:
    """Larger than what is there is a problem, larger than what is free a warning; the settings are named."""
    total = psutil.virtual_memory().total // 2**20
    [too_large] = check_memory(Case(load_settings(None, {"server": {"heap": f"{2 * total}m"}})))
    [enough] = check_memory(Case(load_settings(None, {"server": {"heap": "1m"}})))
    assert (too_large.verdict, enough.verdict) == (Verdict.PROBLEM, Verdict.OK)
    assert "lower spark.driver_memory or server.heap" in too_large.do


@pytest.mark.parametrize(("text", "size"), [("512m", 512 * 2**20), ("2g", 2 * 2**30), ("1024K", 2**20), ("7", 7)])
def test_sizes_are_read_as_java_does(text: str, size: int) -> None:
    """With a unit or without one."""
    assert in_bytes(text) == size


@pytest.mark.parametrize(
    ("master", "there"), [("", 128), ("local[4]", 4), ("local", 1), ("local[3,2]", 3), ("spark://m:7077", None)]
)
def test_slots_of_a_master(master: str, there: int | None) -> None:
    """Those of a cluster are known to nobody here."""
    assert slots(master, 128) == there


def test_what_spark_says_is_told_without_its_code() -> None:
    """A failure is told by its message, not by where it happened."""
    said = (
        "An error occurred while calling o97.collect.\n: org.apache.Refused: not you\n\tat java.base/java.lang.Thread"
    )
    assert failed(Case(load_settings()), "", RuntimeError(said)).found == "Spark failed: org.apache.Refused: not you"


def test_a_secret_is_hidden_whoever_says_it() -> None:
    """Also the line that Java's client logs in with, whose parts are escaped, and where a text is cut."""
    kafka = {
        "bootstrap.servers": "b:1",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "me",
        "sasl.password": 'hunter"2',
    }
    line = KafkaClient(kafka).java()["sasl.jaas.config"]
    assert "hunter" in line
    settings = load_settings(None, {"kafka": kafka, "spark": {"conf": {"spark.some.secret": "hunter3"}}})
    shown = Confidential(settings).without(ok("", 'with hunter"2', f"{line} and hunter3"))
    assert "hunter" not in f"{shown.tried} {shown.found}"
    long = "x" * (SHOWN_CHARACTERS - 3) + 'hunter"2'
    assert "hun" not in failed(Case(settings), "", RuntimeError(long)).found

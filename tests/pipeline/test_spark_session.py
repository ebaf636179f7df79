"""What strangers can see and reach of Spark."""

import json
import os
import shlex
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # it has no annotations

from livejoin.errors import SettingsError
from livejoin.pipeline.spark import session as spark_session
from livejoin.pipeline.spark.loopback import ShuffleReachable, stay_on_loopback
from livejoin.pipeline.spark.session import open_session
from livejoin.pipeline.spark.work_folder import work_folders
from livejoin.settings.loader import load_settings

SECRET = "of the object store"  # noqa: S105 - made up for the test
VARIABLES = {
    "LIVEJOIN_KAFKA__SECURITY_PROTOCOL": "PLAINTEXT",
    "LIVEJOIN_KAFKA__SASL_PASSWORD": "hunter2 of one variable",
    "LIVEJOIN_ACCESS": '{"key": "hunter2 of a whole section"}',
}
PATH = "C:\\nowhere = 1"
STRANGERS = Path(__file__).parents[1] / "support/spark_strangers.py"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What a Spark session of livejoin's says about itself, while it runs."""
    conf = {"spark.hadoop.of.somebody.secret.key": SECRET, "spark.hadoop.of.somebody.path": PATH}
    with session(tmp_path_factory.mktemp("spark"), conf) as said:
        yield said


@contextmanager
def session(folder: Path, conf: dict[str, str]) -> Iterator[dict[str, Any]]:
    """A Spark session in a process of its own."""
    settings = {"data_dir": str(folder), "spark": {"conf": conf}}
    process = subprocess.Popen(
        [sys.executable, str(STRANGERS), json.dumps(settings)],
        env={**os.environ, **VARIABLES},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield {**json.loads(process.stdout.readline()), "folder": folder}
        process.stdin.close()
        process.wait(30)
    finally:
        process.kill()
        process.wait()


def test_spark_conf_is_in_force_and_in_no_argument(told: dict[str, Any]) -> None:
    """Settings reach Spark as they are, by a file that is gone, and not by arguments that everybody can read."""
    assert (told["secret"], told["path"]) == (SECRET, PATH)
    assert SECRET not in " ".join(psutil.Process(told["jvm"]).cmdline())
    assert not [file for file in told["folder"].rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()]


def test_no_secret_is_in_the_environment_of_the_jvm(told: dict[str, Any]) -> None:
    """Who started it was given some there, and has them still."""
    jvm = psutil.Process(told["jvm"])
    assert "hunter2" not in str(jvm.environ())
    assert VARIABLES.items() <= psutil.Process(told["pid"]).environ().items()
    assert told["variables"] == sorted(VARIABLES)


def test_what_spark_needs_while_it_runs_is_in_the_data_folder(told: dict[str, Any]) -> None:
    """Blocks, files of a state, and what Java unpacks: all in the folder of this process."""
    work = Path(told["work"])

    assert work.parent == work_folders(told["folder"])
    assert [*work.glob("blockmgr-*")]
    assert [*work.glob("spark-*")]


def test_what_a_killed_spark_has_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    """Who ends in order leaves nothing; the folder of one that runs stays."""
    with session(tmp_path, {}) as killed:
        jvm = psutil.Process(killed["jvm"])
        for process in (jvm.parent(), jvm):
            assert process is not None
            process.kill()
        psutil.wait_procs([jvm])
        assert Path(killed["work"]).exists()
    with session(tmp_path, {}) as after:
        assert folders(tmp_path) == [after["work"]]

    assert folders(tmp_path) == []


def folders(data_dir: Path) -> list[str]:
    """Those of all who run Spark."""
    return [str(found) for found in work_folders(data_dir).iterdir() if found.is_dir()]


def test_slots_that_nobody_holds_cost_no_thread(told: dict[str, Any]) -> None:
    """There are thousands of them on one machine, for whoever has many partitions."""
    assert load_settings(None, {}).spark.slots > 1_000
    assert psutil.Process(told["jvm"]).num_threads() < 200


def test_the_streaming_shuffle_is_on_loopback(told: dict[str, Any]) -> None:
    """What Spark opens for it listens on loopback; where Java is not told so, on every interface."""
    addresses = {
        connection.laddr[1]: connection.laddr[0]
        for connection in psutil.Process(told["jvm"]).net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    reachable = addresses.pop(told["reachable"])
    assert reachable in ("::", "0.0.0.0")  # noqa: S104 - compared, not bound
    assert addresses[told["kept"]] in ("127.0.0.1", "::ffff:127.0.0.1", "::1")
    assert set(addresses.values()) <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}


def own_address() -> str | None:
    """An address of this machine that is not loopback, if there is one."""
    found = (a.address for many in psutil.net_if_addrs().values() for a in many if a.family == socket.AF_INET)
    return next((address for address in found if not address.startswith("127.")), None)


def test_neighbours_cannot_connect_to_the_shuffle(told: dict[str, Any]) -> None:
    """At an address of this machine that others reach, nobody listens; where Java is not told so, somebody does."""
    address = own_address()
    if address is None:
        pytest.skip("this machine has no address but loopback")
    socket.create_connection((address, told["reachable"]), timeout=5).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address, told["kept"]), timeout=5)


def test_the_driver_reads_no_objects_of_strangers(told: dict[str, Any], tmp_path: Path) -> None:
    """Who does not know the secret cannot make the driver look for a class; without authentication it does."""
    assert b"of.a.Stranger" not in answer_to_an_object(told["driver"])
    with session(tmp_path, {"spark.authenticate": "false"}) as trusting:
        assert b"ClassNotFoundException: of.a.Stranger" in answer_to_an_object(trusting["driver"])


def answer_to_an_object(port: int) -> bytes:
    """Send a request for an endpoint with a serialised object of an unknown class; what comes back until the end."""
    name = b"of.a.Stranger"
    described = b"\x72" + struct.pack(">H", len(name)) + name + bytes(8) + b"\x02\x00\x00\x78\x70"
    thing = b"\xac\xed\x00\x05\x73" + described
    # No sender; the receiver's host, port and endpoint.
    request = b"\x00\x01" + b"\x00\x01h" + struct.pack(">i", port) + b"\x00\x01e" + thing
    # Type of the message (a request), its number, and the length of what follows.
    message = struct.pack(">bqi", 3, 7, len(request)) + request
    heard = b""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as stranger:
        stranger.sendall(struct.pack(">q", 8 + len(message)) + message)
        with suppress(TimeoutError, ConnectionResetError):
            while chunk := stranger.recv(65_536):
                heard += chunk
                stranger.settimeout(1)
    return heard


def test_a_secret_among_options_of_the_driver_is_refused(tmp_path: Path) -> None:
    """They would be arguments of its JVM; the sentence says how to do it instead, and not the secret."""
    name = "spark.driver.extraJavaOptions"
    conf = {name: "-Djavax.net.ssl.keyStorePassword=hunter2"}
    with pytest.raises(SettingsError, match=name) as refused:
        open_session(load_settings(None, {"data_dir": tmp_path, "spark": {"conf": conf}}))
    assert "hunter2" not in refused.value.what + refused.value.do


class Starting:
    """In place of Spark: notes what it was told by file, while another one starts on the same data folder."""

    def __init__(self, other: Callable[[], object]) -> None:
        self.told = list[str]()
        self._other = other

    @property
    def builder(self) -> "Starting":
        """As PySpark has it."""
        return self

    def getOrCreate(self) -> None:  # noqa: N802  as PySpark has it
        """The other one comes and goes before this one has read its file."""
        arguments = shlex.split(os.environ["PYSPARK_SUBMIT_ARGS"])
        file = Path(arguments[arguments.index("--properties-file") + 1])
        if not self.told:
            self.told.append(str(file))
            self._other()
        assert file.stat().st_mode & 0o077 == 0
        assert "spark.app.name=livejoin\n" in file.read_text(encoding="utf-8")
        self.told.append(str(file))


def test_two_that_share_a_data_folder_may_start_at_the_same_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a file of its own, which only its owner may read, and which is gone afterwards."""
    settings = load_settings(None, {"data_dir": tmp_path, "spark": {"master": "spark://nowhere:7077"}})
    starting = Starting(lambda: open_session(settings))
    monkeypatch.setattr(spark_session, "SparkSession", starting)
    monkeypatch.setattr(spark_session, "spark_jars", lambda _: [])
    monkeypatch.setattr(spark_session, "renewal_jar", lambda: tmp_path / "renewal.jar")
    monkeypatch.setattr(spark_session, "know_own_functions", lambda _: None)
    open_session(settings)
    assert len(set(starting.told)) == 2
    assert not [file for file in starting.told if Path(file).exists()]
    assert "PYSPARK_SUBMIT_ARGS" not in os.environ


class StubbornJava:
    """A JVM that keeps its fields to itself, and binds to every interface."""

    def __getattr__(self, _: str) -> "StubbornJava":
        """Every package and class."""
        return self

    def forName(self, name: str) -> None:  # noqa: N802 - Java's name
        """No class is opened."""
        raise Py4JError(f"module java.base does not open {name}")

    def __call__(self, *_: object) -> "StubbornJava":
        """Every constructor and method."""
        return self

    def __str__(self) -> str:
        """A version."""
        return "99"

    def isLoopbackAddress(self) -> bool:  # noqa: N802 - Java's name
        """The address that it binds to."""
        return False


def test_a_java_that_cannot_be_told_is_refused() -> None:
    """Where the shuffle would be open to others, the pipeline does not start, and says which Java to use."""
    spark: Any = SimpleNamespace(sparkContext=SimpleNamespace(_jvm=StubbornJava()))
    with pytest.raises(ShuffleReachable, match=r"does not open java\.net\.InetAddress") as refused:
        stay_on_loopback(spark)
    assert "JAVA_HOME" in refused.value.do

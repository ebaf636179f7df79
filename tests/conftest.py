"""The real components that tests share, each started once per run."""

import os
import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, sync_playwright

from livejoin.embedded.kafka import EmbeddedKafka
from livejoin.kafka.cluster import Cluster
from livejoin.settings import Settings, load_settings
from livejoin.supervise.child import Child
from livejoin.worker import begin

if TYPE_CHECKING:
    from join_comparison import Comparison
    from secured_broker import SecuredBroker
    from up import Up

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name of a stranger's own that leads to this machine, as anybody's name can.
    "--host-resolver-rules=MAP elsewhere.example 127.0.0.1",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much of what is slow is done: little in a test, all of it in `make bench`."""
    parser.addoption("--swaps", type=int, default=2, help="how often topics are exchanged under an open page")
    parser.addoption("--rate", type=int, default=100, help="events per second that flow meanwhile")
    parser.addoption("--every-step", action="store_true", help="kill the real pipeline at every step of a swap")
    parser.addoption("--every-login", action="store_true", help="go the whole way with every kind of login")
    parser.addoption("--every-angular", action="store_true", help="build applications with every major of Angular")


def pytest_configure() -> None:
    """Let every JVM compile quickly instead of well: most of what tests run is run a few times only.

    Spark's start takes two fifths less processor time. The code cache would be too small for Spark otherwise. Classes
    are not verified, a tenth of what is left: the jars are checked by their hashes. Where the variable is set, if only
    to nothing, it counts: `make bench` runs the JVMs as they run in production.
    """
    quick = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"
    unverified = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
    os.environ.setdefault("JAVA_TOOL_OPTIONS", f"{quick} {unverified}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is begun early goes on beside tests that mostly wait; a test that ends what others share comes last."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    fixtures = getattr(item, "fixturenames", ())
    if item.get_closest_marker("last"):
        return 3
    if "comparison" in fixtures:
        return 2
    mostly_waits = item.path.parent.name in ("orchestrator", "tests") and "up" not in fixtures
    return 0 if mostly_waits else 1


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody listens at, all different."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def broker_ports() -> dict[str, int]:
    """The settings of an embedded broker's ports."""
    return dict(zip(("port", "internal_port", "controller_port"), free_ports(3), strict=True))


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings with a running broker of our own as a configured one, with our login; it has no topics yet."""
    folder = tmp_path_factory.mktemp("broker")
    own = load_settings(None, {"data_dir": folder / "data", "broker": broker_ports()})
    child = Child("broker", EmbeddedKafka(own).prepare(), folder / "broker.log")
    child.start()
    try:
        Cluster(own.kafka_client).wait_until_reachable(60.0)
        yield load_settings(None, {"data_dir": folder / "data", "kafka": own.kafka_client.librdkafka()})
    finally:
        child.stop()


@pytest.fixture(scope="session")
def secured(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[SecuredBroker]":
    """A broker with a listener for every way of logging in."""
    from secured_broker import secured_broker

    with secured_broker(tmp_path_factory.mktemp("secured")) as running:
        yield running


@pytest.fixture(scope="session")
def comparison(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Future[Comparison]]":
    """The join beside the model, under way in a thread of its own."""
    from histories import collect_histories, large_history
    from join_comparison import HISTORIES, Comparison

    histories = [
        *collect_histories(HISTORIES, "user"),
        # Of what is too large for one record at every start, only at the first one, and only at the second one.
        large_history("large", (90, 90, 90), ended=45),
        large_history("shrinking", (90, 3, 3), ended=88),
        large_history("growing", (3, 90, 3), ended=1),
    ]
    moves = [move for history in histories for move in history]
    comparing = Comparison(broker, tmp_path_factory.mktemp("comparison"), moves)
    yield begin(comparing.run)
    comparing.stop()


@pytest.fixture(scope="session", autouse=True)
def _begun_early(request: pytest.FixtureRequest) -> None:
    """What takes long and needs nobody begins with the first test."""
    if any("comparison" in getattr(item, "fixturenames", ()) for item in request.session.items):
        request.getfixturevalue("comparison")


@pytest.fixture(scope="session")
def up(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Up]":
    """`livejoin up`, ready; what is replaced lingers for ten seconds, and who looks needs another key to swap."""
    from up import end_up, start_up, write_keys

    keys = write_keys(tmp_path_factory.mktemp("keys"))
    running = start_up(tmp_path_factory.mktemp("up"), "swap.linger_seconds=10", f"access.file={keys}")
    try:
        yield running
    finally:
        end_up(running)


@pytest.fixture(scope="session")
def people(up: "Up") -> "Up":
    """The same, with topics that hold some thousand people; `show_people` makes them live."""
    from page_people import send_people

    send_people(up)
    return up


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "no Chromium: `make test` installs it, or says how"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(autouse=True)
def _settings_of_the_test_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the settings of the person who runs it, nor writes into the folder it is run from."""
    for name in [name for name in os.environ if name.upper().startswith("LIVEJOIN_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

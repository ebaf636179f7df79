"""The real components that tests share, each started once per run.

What is random in a run comes from one seed. Each commit has its own: what was seen to pass passes wherever that commit
is tested, and the next one draws something else. A test that has drawn from it and fails prints it, and
`--hypothesis-seed=N` draws the same again: in that test alone, or in all of them.
"""

import os
import random
import secrets
import shutil
import subprocess
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from playwright.sync_api import Browser, sync_playwright

from chromium import CHROMIUM_FLAGS
from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.process.worker import begin
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from ports import broker_ports

if TYPE_CHECKING:
    from join_comparison import Comparison
    from secured_broker import SecuredBroker
    from up import Up

SEED = "--hypothesis-seed"
BUSY_FOLDERS = {
    "attacks",
    "browser_hub",
    "doctor",
    "door",
    "secured_kafka",
    "serve_tables",
    "sign_in",
    "whole_pipeline",
}
"""Their tests keep the processors busy or measure time, so they come after those that mostly wait."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much of what is slow is done: little in a test, all of it in `make bench`."""
    parser.addoption("--swaps", type=int, default=2, help="how often topics are exchanged under an open page")
    parser.addoption("--rate", type=int, default=100, help="events per second that flow meanwhile")
    parser.addoption("--minutes", type=float, default=0, help="how long everything breaks while somebody looks on")
    parser.addoption("--faults", default="", help="what breaks while somebody looks on: a word of each, with commas")
    parser.addoption("--letters", type=int, default=4_000, help="how many dead letters a table server gets at once")
    parser.addoption("--every-step", action="store_true", help="kill the real pipeline at every step of a swap")
    parser.addoption("--seeds", type=int, default=1_000, help="how many seeds the pipelines are simulated with")
    parser.addoption("--declarations", type=int, default=4, help="how many declarations are drawn, and joined in Spark")
    parser.addoption("--every-angular", action="store_true", help="build applications with every major of Angular")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed, and how JVMs run."""
    # Before hypothesis asks for it, and whatever it does by itself where it believes to be in a CI.
    hypothesis.settings.register_profile("seeded", derandomize=False, deadline=None)
    hypothesis.settings.load_profile("seeded")
    if config.getoption(SEED) is None:
        config.option.hypothesis_seed = str(_seed_of_the_commit())
    _draw_from_the_seed_alone()
    _compile_quickly()


def _seed_of_the_commit() -> int:
    """A number that belongs to what is checked out; any number where that is no checkout."""
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    with suppress(OSError, subprocess.CalledProcessError):
        return int(subprocess.run(asked, capture_output=True, text=True, check=True).stdout, 16) % 10**9
    return secrets.randbelow(10**9)


def _draw_from_the_seed_alone() -> None:
    """Hypothesis also draws what it finds in the modules that are loaded, which are others when a test runs alone."""
    nothing = Constants()
    providers._get_local_constants = lambda: nothing  # noqa: SLF001  there is no setting for it


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print the seed of what has failed."""
    report = yield
    draws = "run_seed" in getattr(item, "fixturenames", ()) or item.get_closest_marker("hypothesis")
    if report.failed and draws:
        report.sections.append(("what was random", f"it is the same again with {SEED}={item.config.getoption(SEED)}"))
    return report


def _compile_quickly() -> None:
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
    is_busy = "up" in fixtures or item.path.parent.name in BUSY_FOLDERS
    return 1 if is_busy else 0


@pytest.fixture(scope="session")
def run_seed(pytestconfig: pytest.Config) -> int:
    """What everything random of this run is drawn from; a test that fails with it prints it."""
    return int(pytestconfig.getoption(SEED))


@pytest.fixture
def chance(run_seed: int, request: pytest.FixtureRequest) -> random.Random:
    """Chance, of this run and for this test."""
    return random.Random(f"{run_seed} {request.node.name}")  # noqa: S311  nothing is secret


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
def comparison(
    broker: Settings, tmp_path_factory: pytest.TempPathFactory, run_seed: int, pytestconfig: pytest.Config
) -> "Iterator[Future[Comparison]]":
    """The join beside the model, under way in a thread of its own."""
    from join_comparison import Comparison, everything_asked

    asked = everything_asked(run_seed, pytestconfig.getoption("--declarations"))
    comparing = Comparison(broker, tmp_path_factory.mktemp("comparison"), *asked)
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
    from up import GIVEN_KEY, GIVEN_VARIABLE, end_up, start_up, write_keys

    keys = write_keys(tmp_path_factory.mktemp("keys"))
    pairs = ("swap.linger_seconds=10", f"access.file={keys}")
    running = start_up(tmp_path_factory.mktemp("up"), *pairs, env={GIVEN_VARIABLE: GIVEN_KEY})
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

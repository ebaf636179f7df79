"""Produce, join, swap, the page: on a broker that wants a token, a password, a certificate; and all of them change.

One livejoin logs in by a token. Another one begins with a password in a file of properties, which then becomes that of
a certificate: it starts while the tokens of the first one expire.
"""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from confluent_kafka.admin import AclOperation, ResourceType  # type: ignore[attr-defined]
from playwright.sync_api import Browser
from psutil import NoSuchProcess

from await_that import await_that
from certificates import STORE_PASSWORD
from door_client import DoorClient, enter
from livejoin.kafka.jaas import login_line
from livejoin.kafka.login import LOGIN_MODULES
from livejoin.kafka.writer import Writer
from livejoin.model.control_message import Verdict
from livejoin.model.generation import State
from oidc_provider import OidcProvider
from secured_broker import PASSWORD, WIRED_MECHANISM, SecuredBroker
from tests.secured_kafka.whole import Whole
from tests.secured_kafka.whole_page import WholePage, page_at

ERIN = "erin"
"""Who has a password."""
CAROL, DAVE = "carol", "dave"
"""Who have certificates."""
FIRST_PASSWORD, SECOND_PASSWORD = "the first of \\ erin's", 'the second, with a " in it'
ROW_SECONDS = 120.0
RECOVERY_SECONDS = 180.0
TOKEN_SECONDS = 20.0
LONG_SECONDS = 3_600.0
QUIET_SECONDS = 10.0
"""A server that made a client for every question would ask for a token each second."""
PAUSE_SECONDS = TOKEN_SECONDS / 2
"""Less than it takes Spark to start a query again on a busy machine, and more than a row takes there."""
SECRET_VARIABLE = "LIVEJOIN_KAFKA__SASL_OAUTHBEARER_CLIENT_SECRET"  # noqa: S105 - a name


@pytest.fixture
def by_token(
    secured: SecuredBroker, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Whole]:
    """A livejoin that logs in with tokens that expire soon: librdkafka's names, and a secret in the environment."""
    kafka = secured.token()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secured.provider, "life", TOKEN_SECONDS)
        patch.setenv(SECRET_VARIABLE, kafka.pop("sasl.oauthbearer.client.secret"))
        running = Whole(tmp_path_factory.mktemp("token"), "token", kafka, {})
        patch.delenv(SECRET_VARIABLE)
        with _running(running):
            running.await_first()
            if any("by_file" in getattr(item, "fixturenames", ()) for item in request.session.items):
                request.getfixturevalue("_starting_by_file")
            yield running


@pytest.fixture(scope="module")
def _starting_by_file(secured: SecuredBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """Nobody waits for it here."""
    folder = tmp_path_factory.mktemp("file")
    secured.authority.truststore(folder / "ca.jks", "JKS")
    running = Whole(folder, "file", {}, by_password(secured, folder, FIRST_PASSWORD))
    with _running(running):
        yield running


@pytest.fixture
def by_file(_starting_by_file: Whole) -> Whole:
    """A livejoin whose properties are in a file, in Java's names; they begin with a password."""
    _starting_by_file.await_first()
    return _starting_by_file


@contextmanager
def _running(whole: Whole) -> Iterator[None]:
    try:
        whole.start()
        yield
    finally:
        whole.stop()


def by_password(secured: SecuredBroker, folder: Path, password: str) -> dict[str, str]:
    """The properties of a login by SCRAM, with that password from now on."""
    let_in(secured, ERIN)
    secured.set_password(ERIN, password)
    line = login_line(LOGIN_MODULES[WIRED_MECHANISM], username=ERIN, password=password)
    return {**in_java(secured, folder, "wired_sasl"), "sasl.mechanism": WIRED_MECHANISM, "sasl.jaas.config": line}


def by_certificate(secured: SecuredBroker, folder: Path, user: str) -> dict[str, str]:
    """The properties of a login by a key store, with a certificate of that user from now on."""
    let_in(secured, user)
    store = secured.authority.intermediate("between").issue(user).jks(folder / f"{user}.jks").replace(folder / "me.jks")
    own = {"ssl.keystore.location": str(store), "ssl.keystore.password": STORE_PASSWORD}
    return {**in_java(secured, folder, "wired_mutual"), **own}


def in_java(secured: SecuredBroker, folder: Path, listener: str) -> dict[str, str]:
    """Where a listener is and whom to trust there, in Java's names."""
    given = {name: text for name, text in secured.address(listener).items() if name != "ssl.ca.location"}
    return {**given, "ssl.truststore.location": str(folder / "ca.jks"), "ssl.truststore.password": STORE_PASSWORD}


def let_in(secured: SecuredBroker, user: str) -> None:
    """Let somebody do everything with topics."""
    secured.allow(AclOperation.ALL, "*", user=user)
    secured.allow(AclOperation.ALL, "*", user=user, kind=ResourceType.TRANSACTIONAL_ID)
    secured.allow(AclOperation.IDEMPOTENT_WRITE, "kafka-cluster", user=user, kind=ResourceType.BROKER)


@dataclass
class Audience:
    """Those who look at the joined table of a livejoin: a person at the page, and a clock at the door."""

    whole: Whole
    page: WholePage
    viewer: DoorClient
    view: int

    def see_a_join(self, name: str) -> None:
        """An event of either source is one row on the page."""
        users, accounts = self.whole.live_users, self.whole.settings.right.topic_name
        self.whole.produce(accounts, {"userId": name, "accountType": "gold", "balance": 1.5})
        self.whole.produce(users, {"userId": name, "name": "Ada", "email": "a@b", "age": 36})
        self.page.shows(name, name="Ada", accountType="gold")

    def see_a_swap(self, name: str) -> None:
        """Another topic of users takes the place of the one before, on the page."""
        before = {str(row[0]) for row in self._table()}
        other = self.whole.topic(f"{name}s")
        self.whole.produce(other, {"userId": name, "name": "Bo", "email": "", "age": 1})
        assert self.whole.verdict(self.whole.swap(other), timeout=120)[0] is Verdict.APPLIED
        self.page.shows(name, name="Bo")
        for user in before:
            self.page.shows_no_more(user)

    def longest_wait(self, users: Iterable[str], timeout: float = ROW_SECONDS) -> float:
        """Send these users, each when the one before is shown; how long it took at the longest."""
        writer = Writer(self.whole.cluster, self.whole.live_users)
        longest = 0.0
        for user in users:
            began = time.monotonic()
            writer.write(None, json.dumps({"userId": user, "name": "N"}).encode())
            await_that(lambda user=user: user in [row[0] for row in self._table()], timeout=timeout)  # type: ignore[misc]
            longest = max(longest, time.monotonic() - began)
        return longest

    def _table(self) -> list[list[object]]:
        with suppress(TimeoutError):
            self.viewer.hear(0.5)
        return self.viewer.views[self.view].table


@contextmanager
def audience(whole: Whole, browser: Browser) -> Iterator[Audience]:
    """They come, and leave."""
    with page_at(whole.url, browser) as page, enter(whole.settings) as viewer:
        yield Audience(whole, page, viewer, viewer.open("final_ui"))


def has_recovered(whole: Whole, number: int) -> bool:
    """Whether the queries of a generation had to be started again."""
    return State.RECOVERING in {record.state for record in whole.records() if record.number == number}


def test_a_token_goes_the_whole_way_and_others_follow_it(
    by_token: Whole, secured: SecuredBroker, browser: Browser
) -> None:
    """While tokens expire, rows go on without a pause."""
    with audience(by_token, browser) as seen:
        seen.see_a_join("first")
        # As long as this, because tokens are handed out from the start on.
        assert seen.longest_wait(for_seconds(1.5 * TOKEN_SECONDS)) < PAUSE_SECONDS
        assert not has_recovered(by_token, 1), by_token.pipeline.last_lines()
        secured.provider.life = LONG_SECONDS
        seen.see_a_swap("other")
        # Whoever has a token that lives long enough needs no other one, however often the broker is asked something.
        await_quiet(secured.provider)
    no_secret_is_shown(by_token, PASSWORD, PASSWORD.replace('"', '\\"'), *secured.provider.secrets[-50:])


def test_a_password_goes_the_whole_way_and_is_rotated(by_file: Whole, secured: SecuredBroker, browser: Browser) -> None:
    """Nobody is let in with the old one any more, every connection is lost, and rows go on without a pause."""
    whole = by_file
    with audience(whole, browser) as seen:
        seen.see_a_join("first")
        number = whole.live_number
        with whole.renewing():
            whole.exchange(by_password(secured, whole.folder, SECOND_PASSWORD))
        secured.wires["wired_sasl"].drop()
        assert seen.longest_wait(f"rotated-{turn}" for turn in range(6)) < PAUSE_SECONDS
        assert not has_recovered(whole, number), whole.pipeline.last_lines()
        seen.see_a_swap("second")
    no_secret_is_shown(whole, FIRST_PASSWORD, SECOND_PASSWORD, STORE_PASSWORD)


def test_a_certificate_goes_the_whole_way_and_is_exchanged(
    by_file: Whole, secured: SecuredBroker, browser: Browser
) -> None:
    """First by a file that says something else than before, then on disk: rows go on, without a pause.

    Who is still connected as somebody who has lost his rights is refused: then queries are started again, and rows
    follow.
    """
    whole = by_file
    with audience(whole, browser) as seen:
        with whole.renewing():
            whole.exchange(by_certificate(secured, whole.folder, CAROL))
        seen.see_a_swap("certified")
        # Everybody who still is who he was would be refused from then on.
        secured.forbid(AclOperation.ALL, "*", user=ERIN)
        seen.see_a_join("joined")
        number = whole.live_number
        with whole.renewing():
            by_certificate(secured, whole.folder, DAVE)
        secured.wires["wired_mutual"].drop()
        assert seen.longest_wait(f"before-{turn}" for turn in range(2)) < PAUSE_SECONDS
        secured.forbid(AclOperation.ALL, "*", user=CAROL)
        assert seen.longest_wait(f"after-{turn}" for turn in range(4)) < PAUSE_SECONDS
        assert not has_recovered(whole, number), whole.pipeline.last_lines()
        with whole.renewing():
            by_certificate(secured, whole.folder, CAROL)
        secured.forbid(AclOperation.ALL, "*", user=DAVE)
        seen.longest_wait(["in the end"], RECOVERY_SECONDS)
        whys = [record.message for record in whole.records() if record.state is State.RECOVERING]
        assert any("a login of before" in why for why in whys), whys
        seen.page.shows("in the end", name="N")
    key = whole.settings.kafka_client.java()["ssl.keystore.key"].splitlines()[1:3]
    no_secret_is_shown(whole, STORE_PASSWORD, *key)


def await_quiet(provider: OidcProvider) -> None:
    """Return when nobody has asked for a token for some seconds; those that expire soon are exchanged first."""
    heard, since = len(provider.secrets), time.monotonic()

    def quiet() -> bool:
        nonlocal heard, since
        if len(provider.secrets) != heard:
            heard, since = len(provider.secrets), time.monotonic()
        return time.monotonic() - since > QUIET_SECONDS

    await_that(quiet, timeout=TOKEN_SECONDS + 3 * QUIET_SECONDS)


def for_seconds(seconds: float) -> Iterator[str]:
    """Names, two in a second."""
    until = time.monotonic() + seconds
    for number in count():
        if time.monotonic() > until:
            return
        yield f"user-{number}"
        time.sleep(0.5)


def no_secret_is_shown(whole: Whole, *secrets: str) -> None:
    """Neither in arguments of a process, nor in the environment of Spark's JVM, nor in any file of the data folder."""
    for process in whole.processes():
        try:
            shown = " ".join(process.cmdline())
            if process.name() == "java":
                shown += str(process.environ())
        except NoSuchProcess:
            continue
        assert not [secret for secret in secrets if secret in shown]
    files = [file for file in whole.settings.data_dir.rglob("*") if file.is_file()]
    assert [file for file in files if "checkpoints" in file.parts]
    holding = [file for file in files if any(secret.encode() in file.read_bytes() for secret in secrets)]
    assert not holding

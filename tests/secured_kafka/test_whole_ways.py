"""Produce, join, swap, rows at the door: on a broker that wants a token, a certificate, a password."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from confluent_kafka.admin import AclOperation, ResourceType  # type: ignore[attr-defined]
from psutil import NoSuchProcess

from await_that import await_that
from certificates import STORE_PASSWORD
from door_client import DoorClient, enter
from livejoin.control import Verdict
from livejoin.generation import State
from livejoin.kafka.jaas import login_line
from livejoin.kafka.login import LOGIN_MODULES
from secured_broker import PASSWORD, USER, SecuredBroker
from secured_kafka.whole import Whole

EARLIER, LATER = "carol", "dave"
"""Whose certificates are exchanged."""
ROW_SECONDS = 60.0
TOKEN_SECONDS = 20.0
SECRET_VARIABLE = "LIVEJOIN_KAFKA__SASL_OAUTHBEARER_CLIENT_SECRET"  # noqa: S105 - a name


@pytest.fixture(params=["token", "certificate", "password"])
def whole(
    request: pytest.FixtureRequest, secured: SecuredBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Whole]:
    """A livejoin that logs in one way: librdkafka's names and a secret in the environment, or a file of Java's."""
    if request.param == "password" and not request.config.getoption("--every-login"):
        pytest.skip("that of the embedded broker is the same without TLS; `make bench` does it")
    kafka: dict[str, str] = {}
    in_file: dict[str, str] = {}
    if request.param == "token":
        kafka = secured.token()
        monkeypatch.setenv(SECRET_VARIABLE, kafka.pop("sasl.oauthbearer.client.secret"))
        monkeypatch.setattr(secured.provider, "life", TOKEN_SECONDS)
    else:
        listener = {"certificate": "mutual", "password": "sasl"}[request.param]
        in_file = {name: text for name, text in secured.address(listener).items() if name != "ssl.ca.location"}
        in_file["ssl.truststore.location"] = str(secured.authority.truststore(tmp_path / "ca.jks", "JKS"))
        in_file["ssl.truststore.password"] = STORE_PASSWORD
    if request.param == "certificate":
        in_file["ssl.keystore.location"] = str(own_store(secured, tmp_path, EARLIER))
        in_file["ssl.keystore.password"] = STORE_PASSWORD
    if request.param == "password":
        in_file["sasl.mechanism"] = "SCRAM-SHA-512"
        in_file["sasl.jaas.config"] = login_line(LOGIN_MODULES["SCRAM-SHA-512"], username=USER, password=PASSWORD)
    running = Whole(tmp_path, request.param, kafka, in_file)
    try:
        running.start()
        running.await_first()
        yield running
    finally:
        running.stop()


def own_store(secured: SecuredBroker, folder: Path, user: str) -> Path:
    """The key store of the client, with a certificate of that user, who may do everything with topics."""
    secured.allow(AclOperation.ALL, "*", user=user)
    secured.allow(AclOperation.IDEMPOTENT_WRITE, "kafka-cluster", user=user, kind=ResourceType.BROKER)
    made = secured.authority.intermediate("between").issue(user).jks(folder / f"{user}.jks")
    return made.replace(folder / "me.jks")


def test_rows_reach_the_door_and_topics_are_swapped(
    whole: Whole, secured: SecuredBroker, request: pytest.FixtureRequest
) -> None:
    """Rows are joined and shown, before and after a swap, and no secret is anywhere.

    Tokens expire meanwhile, without a pause; a certificate is exchanged on disk, and is in force without a restart.
    """
    topics = whole.settings.topics
    whole.produce(topics.accounts, {"userId": "first", "accountType": "gold", "balance": 1.5})
    whole.produce(topics.users, {"userId": "first", "name": "Ada", "email": "a@b", "age": 36})
    with enter(whole.settings) as viewer:
        view = viewer.open("final_ui")
        await_rows(viewer, view, {"first"})
        assert viewer.views[view].table[0][1:2] == ["Ada"]
        if request.node.callspec.params["whole"] == "token":
            # As long as this, because tokens are handed out from the start on.
            flow = Flow(whole, topics.users, 1.5 * TOKEN_SECONDS)
            assert longest_pause(viewer, view, flow) < TOKEN_SECONDS / 2
            assert flow.unconfirmed == 0
            await_rows(viewer, view, {"first", *flow.sent})
        states = {record.state for record in whole.records() if record.number == 1}
        assert State.RECOVERING not in states, whole.pipeline.last_lines()
        if request.node.callspec.params["whole"] == "certificate":
            # Everybody who still is who he was would be refused from then on.
            own_store(secured, whole.folder, LATER)
            secured.forbid(AclOperation.ALL, "*", user=EARLIER)
            await_joined(whole, viewer, view, "between")
        other = whole.topic("others")
        whole.produce(other, {"userId": "second", "name": "Bo", "email": "", "age": 1})
        assert whole.verdict(whole.swap(other), timeout=120)[0] is Verdict.APPLIED
        await_rows(viewer, view, {"second"})
    no_secret_is_shown(whole, secured)


def await_joined(whole: Whole, viewer: DoorClient, view: int, user: str) -> None:
    """Return when a user who is sent is shown beside the first one."""
    whole.produce(whole.settings.topics.users, {"userId": user, "name": "C"})
    await_rows(viewer, view, {"first", user}, timeout=180)


class Flow(threading.Thread):
    """Sends a row now and then, for some time."""

    def __init__(self, whole: Whole, topic: str, seconds: float) -> None:
        super().__init__(daemon=True)
        self._whole, self._topic, self._seconds = whole, topic, seconds
        self._pause = threading.Event()
        self.sent: set[str] = set()
        self.unconfirmed = 0

    def run(self) -> None:
        """Until the time is over."""
        ends = time.monotonic() + self._seconds
        producer = self._whole.cluster.producer()
        while time.monotonic() < ends:
            user = f"user-{len(self.sent)}"
            producer.produce(self._topic, value=f'{{"userId": "{user}", "name": "N"}}')
            self.unconfirmed += producer.flush(20)
            self.sent.add(user)
            self._pause.wait(0.5)


def await_rows(viewer: DoorClient, view: int, users: set[str], timeout: float = ROW_SECONDS) -> None:
    """Return when these users, and no others, are shown."""

    def shown() -> bool:
        hear(viewer)
        return {row[0] for row in viewer.views[view].table} == users

    await_that(shown, timeout=timeout)


def longest_pause(viewer: DoorClient, view: int, flow: Flow) -> float:
    """For how many seconds no row came, at the longest, while rows flow."""
    flow.start()
    longest, newest, size = 0.0, time.monotonic(), viewer.views[view].size
    while flow.is_alive():
        hear(viewer)
        longest = max(longest, time.monotonic() - newest)
        if viewer.views[view].size > size:
            newest, size = time.monotonic(), viewer.views[view].size
    return longest


def hear(viewer: DoorClient) -> None:
    """Take in what is told, if anything is."""
    with suppress(TimeoutError):
        viewer.hear(0.5)


def no_secret_is_shown(whole: Whole, secured: SecuredBroker) -> None:
    """Neither in arguments of a process nor in any file of the data folder."""
    java = whole.settings.kafka_client.java()
    key = java.get("ssl.keystore.key", "").splitlines()[1:3]
    secrets = [PASSWORD, STORE_PASSWORD, PASSWORD.replace('"', '\\"'), *key, *secured.provider.secrets[-50:]]
    for process in whole.processes():
        try:
            shown = " ".join(process.cmdline())
        except NoSuchProcess:
            continue
        assert not [secret for secret in secrets if secret in shown]
    files = [file for file in whole.settings.data_dir.rglob("*") if file.is_file()]
    assert [file for file in files if "checkpoints" in file.parts]
    holding = [file for file in files if any(secret.encode() in file.read_bytes() for secret in secrets)]
    assert not holding

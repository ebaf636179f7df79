"""What is said of clocks: ours, that of who writes events, of the broker, and of who hands out tokens."""

import time
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from livejoin.doctor import clocks
from livejoin.doctor.finding import Verdict
from livejoin.http.server import listen
from livejoin.kafka.cluster import Cluster
from livejoin.settings.settings import Settings
from oidc_provider import served
from secured_broker import SecuredBroker
from tests.doctor.examined import examined, of, one, settings_of

HOUR = 3_600.0
TOKEN_URL = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105  a name


def with_events(broker: Settings, folder: Path, name: str, **configs: dict[str, str]) -> Settings:
    """Settings with sources, configured so, that have no events yet."""
    settings = settings_of(folder, broker.kafka_client.librdkafka(), name)
    for each in ("users", "accounts"):
        Cluster(settings.kafka_client).ensure(f"{name}-{each}", config=configs.get(each, {}))
    return settings


def at_another_time(app: ASGIApp, seconds: float) -> ASGIApp:
    """The same, on a machine whose clock is that far ahead of ours."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        async def dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = formatdate(time.time() + seconds, usegmt=True).encode()
                message = {**message, "headers": [*message["headers"], (b"date", date)]}
            await send(message)

        await app(scope, receive, dated)

    return answered


def _seconds(before: str, found: str) -> float:
    return float(found.removeprefix(before).partition(" s ")[0].replace(",", ""))


def test_a_record_from_the_future(broker: Settings, tmp_path: Path) -> None:
    """It would be the newest of its userId until then; when the newest record was made is told."""
    settings = with_events(broker, tmp_path, "clock-future")
    producer = Cluster(settings.kafka_client).producer()
    producer.produce("clock-future-users", b"{}", timestamp=int((time.time() + HOUR) * 1000))
    producer.produce("clock-future-accounts", b"{}")
    assert producer.flush(30) == 0
    found = examined(settings)
    assert "from now: it stays the newest" in one(found, "clocks", Verdict.WARNING, "clock-future-users").found
    assert one(found, "clocks", Verdict.OK, "clock-future-accounts").found == "none is from the future"
    assert "at the most 1 records, the newest of 20" in of(found, "sources", "clock-future-accounts")[0].found


def test_a_clock_of_ours_that_is_behind_the_brokers(
    broker: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the broker itself stamps records, one that comes at this moment is from the future for us."""
    stamped = {"message.timestamp.type": "LogAppendTime"}
    settings = with_events(broker, tmp_path, "clock-behind", users=stamped, accounts=stamped)
    producer = Cluster(settings.kafka_client).producer()
    # Whatever its own clock says, which is right.
    producer.produce("clock-behind-users", b"{}", timestamp=int((time.time() - 9 * HOUR) * 1000))
    assert producer.flush(30) == 0
    assert one(examined(settings), "clocks", Verdict.OK, "clock-behind-users")
    monkeypatch.setattr(clocks, "time", SimpleNamespace(time=lambda: time.time() - HOUR))
    behind = one(examined(settings), "clocks", Verdict.WARNING, "clock-behind-users")
    assert 3_000 <= _seconds("a record is of a moment ", behind.found) <= HOUR
    assert "or that of this machine" in behind.do


@pytest.mark.parametrize(("seconds", "which"), [(600.0, "ahead of"), (-600.0, "behind")])
def test_a_token_endpoint_with_another_clock(
    secured: SecuredBroker, tmp_path: Path, seconds: float, which: str
) -> None:
    """By how much, and in which direction; what it means for tokens, and what to do."""
    listener = listen("127.0.0.1", 0)
    kafka = {**secured.token(), TOKEN_URL: f"http://localhost:{listener.getsockname()[1]}/token"}
    with served(at_another_time(secured.provider.application(), seconds), listener, date_header=False):
        found = examined(settings_of(tmp_path, kafka))
    warned = one(found, "clocks", Verdict.WARNING, "token endpoint")
    assert f" s {which} this one: tokens may be refused" in warned.found
    assert 540 <= _seconds("its clock is ", warned.found) <= 660
    assert "time server" in warned.do
    assert one(found, "login", Verdict.OK)


def test_clocks_that_agree(secured: SecuredBroker, tmp_path: Path) -> None:
    """By the date of an answer, over TLS too; of the broker's clock it is said that nobody knows."""
    private = {**secured.token(), TOKEN_URL: secured.https_token_url}
    found = examined(settings_of(tmp_path, {**private, "https.ca.location": str(secured.folder / "ca.pem")}))
    assert one(found, "clocks", Verdict.OK, "token endpoint").found == "they agree, to within a minute"
    assert "Kafka tells nobody its time" in one(found, "clocks", Verdict.SKIPPED, "broker").found

"""From two topics that livejoin knows nothing of to a join that was tried: `livejoin init`, then `livejoin check`."""

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from livejoin.cli.main import app
from livejoin.errors import LivejoinError, SettingsError, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_newest
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

PATIENCE = 200.0
ORDERS, CUSTOMERS = "till.orders", "till.customers"
HOSTILE = "\x1b[2J[red]Ann[/]"


def order(number: int, **changes: Any) -> dict[str, Any]:
    """An order of one of twenty customers."""
    placed = f"2024-05-17T08:{number // 60 % 60:02}:{number % 60:02}.123456789Z"
    found = {"orderId": f"o-{number}", "buyer": {"id": f"c-{number % 20}"}, "total": number + 0.25, "placed": placed}
    return found | {"order": "by the side door", "lines": [number]} | changes


@dataclass
class Shop:
    """Two topics of a running broker, and a file with the way to it."""

    folder: Path
    login: Path

    def run(self, *words: str) -> Result:
        """A command in this process."""
        return CliRunner().invoke(app, [*words, f"--config={self.login}"])

    def check(self, file: Path, *more: str) -> subprocess.CompletedProcess[str]:
        """`livejoin check` by itself, as Spark has to be."""
        command = [sys.executable, "-m", "livejoin", "check", f"--config={file}", *more]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=self.folder)


@pytest.fixture(scope="module")
def shop(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """Orders in three partitions, customers in a compacted one; some of each are not right."""
    folder = tmp_path_factory.mktemp("shop")
    login = folder / "login.toml"
    kafka = "".join(f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in broker.kafka.items())
    login.write_text(f"[kafka]\n{kafka}", encoding="utf-8")
    cluster = Cluster(broker.kafka_client)
    cluster.ensure(ORDERS, partitions=3, config={"max.message.bytes": "2000000"})
    cluster.ensure(CUSTOMERS, config={"cleanup.policy": "compact"})
    producer = cluster.producer(**{"message.max.bytes": 2_000_000})
    for number in range(300):
        producer.produce(ORDERS, json.dumps(order(number)), partition=number % 3)
    for bad in (order(1, total="much"), order(2, total="more"), {"orderId": "x"}):
        producer.produce(ORDERS, json.dumps(bad), partition=0)
    for bad in (order(3, note="x" * 1_000_000), order(4, note="x" * 1_100_000)):
        producer.produce(ORDERS, json.dumps(bad), partition=0)
    for written in (b"{", b'{"buyer":{"id":"\\ud800"}}', b'{"buyer":{"id":"c-1"},"pi":3.%b}' % (b"1" * 1_500)):
        producer.produce(ORDERS, written, partition=1)
    for number in range(18):
        customer = {"id": f"c-{number}", "region": "north", "name": HOSTILE, "since": "2020-02-29"}
        producer.produce(CUSTOMERS, json.dumps(customer), key=f"c-{number}")
    assert producer.flush(30) == 0
    return Shop(folder, login)


@pytest.fixture(scope="module")
def drafted(shop: Shop) -> Path:
    """The file that `livejoin init` writes."""
    file = shop.folder / "drafted.toml"
    done = shop.run("init", ORDERS, CUSTOMERS, f"--output={file}")
    assert done.exit_code == 0, done.exception
    assert f"{file}: orders and customers, joined by orders.buyerId = customers.id" in done.stdout
    return file


def with_login(shop: Shop, file: Path) -> Path:
    """The same declaration with the secrets that the draft leaves out."""
    together = shop.folder / f"together-{file.name}"
    text = file.read_text(encoding="utf-8").partition("[kafka]")[0]
    together.write_text(text + shop.login.read_text(encoding="utf-8"), encoding="utf-8")
    return together


def test_a_draft_declares_both_topics(drafted: Path, shop: Shop) -> None:
    """All partitions are read; the key, the types and what is kept are found."""
    settings = load_settings(with_login(shop, drafted))
    left, right = settings.declaration.sources
    assert {column.name: str(column.type) for column in left.columns} == {
        "orderId": "string",
        "buyerId": "string",
        "total": "decimal(18,2)",
        "placed": "timestamp",
        "order": "string",
    }
    assert {column.name: str(column.type) for column in right.columns}["since"] == "date"
    assert (left.key, right.key, left.keep, right.keep) == (("buyerId",), ("id",), "all", "latest")
    assert settings.source_topics == (ORDERS, CUSTOMERS)


def test_a_draft_counts_what_would_not_fit(drafted: Path) -> None:
    """By reason; and says what it leaves out."""
    said = drafted.read_text(encoding="utf-8")
    assert "till.orders: the newest 308 events were read" in said
    assert "300 would fit, 8 would be dead letters:" in said
    assert "2    0.6 %  total is a string, not a decimal(18,2)" in said
    assert "left out: lines (an array)" in said


def test_a_draft_has_the_way_to_the_broker_and_no_secret(drafted: Path, broker: Settings) -> None:
    """What is secret is named only."""
    said = drafted.read_text(encoding="utf-8")
    assert tomllib.loads(said)["kafka"]["bootstrap.servers"] == broker.kafka["bootstrap.servers"]
    assert broker.kafka["sasl.password"] not in said
    assert "LIVEJOIN_KAFKA__SASL_PASSWORD" in said


def test_a_file_that_is_there_is_not_overwritten(drafted: Path, shop: Shop) -> None:
    """Unless somebody says so; then everything but the declaration stays."""
    before = drafted.read_text(encoding="utf-8")
    refused = shop.run("init", ORDERS, CUSTOMERS, f"--output={drafted}")
    assert isinstance(refused.exception, SettingsError)
    assert drafted.read_text(encoding="utf-8") == before
    mine = shop.folder / "mine.toml"
    mine.write_text('[demo]\nrate = 3.5  # mine\n[left]\nname = "old"\n', encoding="utf-8")
    done = shop.run("init", ORDERS, CUSTOMERS, f"--output={mine}", "--force", "--events=50")
    assert done.exit_code == 0, done.exception
    assert mine.read_text(encoding="utf-8").startswith("[demo]\nrate = 3.5  # mine\n")
    assert "the newest 50 events of at the most 308 were read" in mine.read_text(encoding="utf-8")
    found = tomllib.loads(mine.read_text(encoding="utf-8"))
    assert (found["left"]["name"], "bootstrap.servers" in found["kafka"]) == ("orders", True)


def test_a_file_that_cannot_be_read_is_left_alone(shop: Shop) -> None:
    """Also where somebody wants its declaration to be replaced: nobody can tell what else it says."""
    broken = shop.folder / "broken.toml"
    broken.write_text("[left\n", encoding="utf-8")
    done = shop.run("init", ORDERS, CUSTOMERS, f"--output={broken}", "--force")
    assert isinstance(done.exception, SettingsError)
    assert "broken.toml is not valid TOML" in done.exception.what
    assert broken.read_text(encoding="utf-8") == "[left\n"


def test_a_topic_that_is_not_there_is_named(shop: Shop) -> None:
    """And no file is written."""
    file = shop.folder / "never.toml"
    done = shop.run("init", ORDERS, "nobodys", f"--output={file}")
    assert isinstance(done.exception, TopicMissing)
    assert "nobodys" in done.exception.what
    assert not file.exists()


def test_of_large_events_fewer_are_read_and_the_newest(broker: Settings) -> None:
    """Of every partition, up to its end: not the first ones that happen to fit."""
    cluster, topic = Cluster(broker.kafka_client), "till.large"
    cluster.ensure(topic, partitions=3)
    producer = cluster.producer()
    for number in range(90):
        producer.produce(topic, f"{number:03}" + 1_000 * "x", partition=number % 3)
    assert producer.flush(30) == 0
    read = read_newest(cluster, topic, 60, most_bytes=20_000)
    numbers = sorted(int((record.value() or b"")[:3]) for record in read)
    assert 3 <= len(numbers) <= 20
    for partition in range(3):
        found = [number for number in numbers if number % 3 == partition]
        assert found == list(range(90 + partition - 3 * len(found), 90, 3))
        assert found
    assert len(read_newest(cluster, topic, 60)) == 60


def test_topics_without_events_suggest_nothing(shop: Shop, broker: Settings) -> None:
    """And say so."""
    Cluster(broker.kafka_client).ensure("till.nothing")
    done = shop.run("init", "till.nothing", CUSTOMERS, f"--output={shop.folder / 'never.toml'}")
    assert isinstance(done.exception, LivejoinError)
    assert "'till.nothing' has no events yet" in done.exception.what


@pytest.fixture(scope="module")
def tried(drafted: Path, shop: Shop) -> dict[str, Any]:
    """What `livejoin check` says of the draft, as JSON."""
    done = shop.check(with_login(shop, drafted), "--json", "--rows=400")
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_sample_is_judged_as_the_pipeline_would(tried: dict[str, Any]) -> None:
    """Every event once, dead letters by their reasons, with where one of them is."""
    orders, customers = tried["sources"]
    assert (orders["events"], orders["there"], orders["rejected"]) == (308, 308, 8)
    assert {each["reason"]: each["count"] for each in orders["rejections"]} == {
        "total is a string, not a decimal(18,2)": 2,
        "more than the 1000000 of events.max_bytes": 2,
        "not valid JSON": 2,
        "buyerId is missing": 1,
        "a number of more than 1000 digits": 1,
    }
    assert orders["rejections"][0]["example"] == "till.orders/0/100"
    assert (customers["events"], customers["rejected"]) == (18, 0)


def test_a_draft_counts_what_the_pipeline_would_reject(drafted: Path, tried: dict[str, Any]) -> None:
    """In the same words and as often: who looks at the file knows what will become of the events."""
    counted = re.findall(r"^# +(\d+) +[\d.]+ %  (.*)$", drafted.read_text(encoding="utf-8"), re.MULTILINE)
    rejected = {each["reason"]: each["count"] for source in tried["sources"] for each in source["rejections"]}
    assert {reason: int(count) for count, reason in counted} == rejected


def test_a_sample_is_joined_as_the_pipeline_would(tried: dict[str, Any]) -> None:
    """Every order, with its customer where there is one; values are what they were, to the last digit."""
    assert (tried["size"], tried["keys"], tried["matched"], tried["fits"]) == (300, 20, 18, False)
    rows = {row["orderId"]: row for row in tried["rows"]}
    assert rows["o-17"] == {
        "orderId": "o-17",
        "buyerId": "c-17",
        "total": "17.25",
        "placed": "2024-05-17T08:00:17.123456789Z",
        "order": "by the side door",
        "region": "north",
        "name": HOSTILE,
        "since": "2020-02-29",
    }
    assert rows["o-18"]["region"] is None
    assert [row["region"] for row in tried["rows"]][:270] == ["north"] * 270


def test_wrong_settings_end_with_2(shop: Shop) -> None:
    """Before anybody is asked."""
    file = shop.folder / "wrong.toml"
    file.write_text('[left]\nname = "no name"\n', encoding="utf-8")
    done = shop.check(file)
    assert done.returncode == 2
    assert "'no name' cannot be the name of a source" in done.stderr


def test_topics_without_events_are_told(shop: Shop, broker: Settings, drafted: Path) -> None:
    """Without Spark: there is nothing to judge."""
    cluster = Cluster(broker.kafka_client)
    for topic in ("till.none", "till.none.either"):
        cluster.ensure(topic)
    file = with_login(shop, drafted)
    done = shop.check(file, "--set=left.topic=till.none", "--set=right.topic=till.none.either")
    assert done.returncode == 1
    assert "orders (till.none): no events" in done.stdout
    assert "there are no events yet" in done.stdout

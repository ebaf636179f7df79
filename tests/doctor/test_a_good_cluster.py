"""The command as a process, with Spark, on a cluster where everything is as it has to be."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from livejoin.kafka.cluster import Cluster
from livejoin.settings.settings import Settings
from tests.doctor.examined import config_file, settings_of

PATIENCE = 300.0


@pytest.fixture(scope="module")
def told(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """What the command prints as JSON, with exit code and standard error."""
    folder = tmp_path_factory.mktemp("doctor")
    settings = settings_of(folder, broker.kafka_client.librdkafka(), "well")
    cluster = Cluster(settings.kafka_client)
    cluster.ensure(settings.left.topic_name, partitions=2)
    for topic in (settings.right.topic_name, settings.topics.control):
        cluster.ensure(topic)
    producer = cluster.producer()
    for number in range(300):
        producer.produce(settings.left.topic_name, json.dumps({"userId": str(number), "age": 3}), partition=number % 2)
        producer.produce(settings.right.topic_name, json.dumps({"userId": str(number), "balance": 1.5}))
    producer.produce(settings.left.topic_name, b"\x1b[2J no JSON", partition=1)
    producer.produce(settings.left.topic_name, b'{"userId": 7}', partition=1)
    producer.produce(settings.left.topic_name, b'{"userId": 8}', partition=1)
    assert producer.flush(30) == 0
    config = config_file(folder, settings, spark={"slots": 8})
    command = [sys.executable, "-m", "livejoin", "doctor", "--json", f"--config={config}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_all_is_well(told: subprocess.CompletedProcess[str]) -> None:
    """Exit 0, every check has something to say, and Spark is not heard."""
    found = json.loads(told.stdout)
    assert told.returncode == 0, told.stdout
    assert not [finding for finding in found if finding["verdict"] == "problem"]
    assert told.stderr == ""


def test_the_newest_events_are_judged(told: subprocess.CompletedProcess[str]) -> None:
    """By Spark, with the commonest reason of rejection first, and where such an event is."""
    users, accounts = (finding for finding in json.loads(told.stdout) if finding["check"] == "sample")
    assert (users["verdict"], accounts["verdict"]) == ("warning", "ok")
    assert "197 of 200 are valid" in users["found"]
    assert (
        "Rejected: 2 x userId is a number, not a string (e.g. well-users/1/151); 1 x not valid JSON" in users["found"]
    )
    assert "200 of 200 are valid" in accounts["found"]


def test_the_number_of_slots_is_told(told: subprocess.CompletedProcess[str]) -> None:
    """Three partitions, read twice, and one of the join, for three generations."""
    [slots] = [finding for finding in json.loads(told.stdout) if finding["check"] == "slots"]
    assert slots["verdict"] == "warning"
    assert slots["do"] == "set spark.slots to 21"


def test_no_secret_is_told(told: subprocess.CompletedProcess[str], broker: Settings) -> None:
    """The password of the login is nowhere in what is printed."""
    assert broker.kafka_client.librdkafka()["sasl.password"] not in told.stdout + told.stderr


def test_nothing_is_left_behind(told: subprocess.CompletedProcess[str], broker: Settings) -> None:
    """It makes no topic, and no data folder."""
    [settings] = [finding for finding in json.loads(told.stdout) if finding["check"] == "settings"]
    data_dir = settings["found"].partition("data in ")[2].partition(";")[0]
    topics = {name for name in Cluster(broker.kafka_client).topic_names() if name.startswith("well")}
    assert topics == {"well-users", "well-accounts", "well-control"}
    assert not Path(data_dir).exists()

"""What is said of topics: those of others, the control topic, and livejoin's own."""

from pathlib import Path
from typing import Any

import pytest

from livejoin.doctor.finding import Verdict
from livejoin.kafka.cluster import Cluster
from livejoin.settings.settings import Settings
from tests.doctor.examined import examined, of, one, settings_of


@pytest.fixture
def named(request: pytest.FixtureRequest) -> str:
    """A name that no other test has."""
    return f"topics-{request.node.name.removeprefix('test_')[:30]}"


def with_topics(broker: Settings, folder: Path, name: str, **configs: dict[str, str]) -> Settings:
    """Settings with topics that are there, configured so."""
    settings = settings_of(folder, broker.kafka_client.librdkafka(), name)
    for each in ("users", "accounts", "control"):
        Cluster(settings.kafka_client).ensure(f"{name}-{each}", config=configs.get(each, {}))
    return settings


def test_a_source_that_is_missing(broker: Settings, tmp_path: Path, named: str) -> None:
    """The setting is named; the other source is looked at, and slots cannot be counted."""
    settings = settings_of(tmp_path, broker.kafka_client.librdkafka(), named)
    Cluster(settings.kafka_client).ensure(f"{named}-accounts")
    found = examined(settings)
    missing = one(found, "sources", Verdict.PROBLEM)
    assert missing.do == f"create '{named}-users', or set left.topic to the topic that has these events"
    assert of(found, "sources", "accounts")[0].found == "1 partition(s), no record yet"
    assert one(found, "slots", Verdict.SKIPPED).found == "the partitions of a source are not known"


@pytest.mark.parametrize(
    ("config", "what", "do"),
    [
        ({"cleanup.policy": "compact"}, "forgets all but the newest event of each key", "set left.keep to latest"),
        ({"retention.ms": "3600000"}, "forgets events after 1 hours", "raise retention.ms"),
    ],
)
def test_a_source_that_forgets(
    broker: Settings, tmp_path: Path, named: str, config: dict[str, str], what: str, do: str
) -> None:
    """By compaction where every event is kept, or soon: a warning, and what to set."""
    name = named.replace("[", "").replace("]", "")
    warned = one(examined(with_topics(broker, tmp_path, name, users=config)), "sources", Verdict.WARNING)
    assert what in warned.found
    assert warned.do.startswith(do)


def test_a_compacted_source_is_right_for_the_newest_events(broker: Settings, tmp_path: Path, named: str) -> None:
    """The control case: of accounts only the newest are kept, so nothing is missed."""
    found = examined(with_topics(broker, tmp_path, named, accounts={"cleanup.policy": "compact"}))
    assert not [finding for finding in of(found, "sources") if finding.verdict is not Verdict.OK]


def test_a_control_topic_that_is_missing_or_has_several_partitions(
    broker: Settings, tmp_path: Path, named: str
) -> None:
    """Neither keeps rows from being shown."""
    settings = settings_of(tmp_path, broker.kafka_client.librdkafka(), named)
    assert "nothing can be swapped" in one(examined(settings), "control", Verdict.WARNING).found
    Cluster(settings.kafka_client).ensure(f"{named}-control", partitions=3)
    assert "3 partitions" in one(examined(settings), "control", Verdict.WARNING).found


def test_own_topics_that_somebody_else_makes(broker: Settings, tmp_path: Path, named: str) -> None:
    """Without the right to make them, each that is missing is a problem; one that is not as it has to be is told."""
    pool: dict[str, Any] = {"create": False, "views": [f"{named}-{each}" for each in "abc"]}
    settings = settings_of(tmp_path, broker.kafka_client.librdkafka(), named, topics=pool)
    Cluster(settings.kafka_client).ensure(f"{named}-a")
    found = of(examined(settings), "own topics")
    assert "needs cleanup.policy=compact,delete" in one(found, "own topics", Verdict.WARNING, f"{named}-a").found
    missing = one(found, "own topics", Verdict.PROBLEM, f"{named}-b")
    assert missing.do == "create it: `livejoin topics` prints the command"
    made = examined(settings_of(tmp_path, broker.kafka_client.librdkafka(), named))
    assert "the pipeline makes it" in one(made, "own topics", Verdict.OK, f"{named}.state").found

"""Each right that is missing, with the command that grants it."""

import shlex
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from guest import RESOURCES, Guest
from livejoin.doctor.finding import Finding, Verdict
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.fenced_writer import FencedWriter
from livejoin.model.registry import Epoch, Pulse, Record
from livejoin.settings.settings import Settings
from livejoin.topics.rights import Operation, Who, rights
from livejoin.wire.records import key_of, to_json
from tests.doctor.examined import examined, of, one, problems, settings_of

NAME = "may"


@pytest.fixture
def guest(broker: Settings, request: pytest.FixtureRequest) -> Guest:
    """Somebody without a right, on a broker that has the source topics and the control topic."""
    for each in ("users", "accounts", "control"):
        Cluster(broker.kafka_client).ensure(f"{NAME}-{each}")
    return Guest(broker.kafka_client, f"doctor-{abs(hash(request.node.name)):x}")


def settings_for(guest: Guest, folder: Path) -> Settings:
    """His settings."""
    return settings_of(folder, guest.properties, NAME)


def obey(guest: Guest, findings: Iterable[Finding]) -> int:
    """Grant what the commands say that were told; how many there were."""
    count = 0
    for line in (line for finding in findings for line in finding.do.splitlines()):
        words = shlex.split(line, comments=True)
        assert words[0] == "kafka-acls.sh"
        after = [words[index + 1] for index, word in enumerate(words) if word == "--allow-principal"]
        assert after == [guest.principal]
        operations = [Operation(word).name for option, word in pairwise(words) if option == "--operation"]
        for resource, on in RESOURCES.items():
            for name in (word for option, word in pairwise(words) if option == f"--{resource}"):
                guest.allow(name, *operations, prefixed="prefixed" in words, on=on)
        count += 1
    return count


def test_who_does_what_is_told_has_every_right(guest: Guest, tmp_path: Path) -> None:
    """Somebody without any right is told commands, and when they were run nothing more is missing."""
    settings = settings_for(guest, tmp_path)
    before = [finding for finding in problems(examined(settings)) if finding.check == "rights"]
    listed = {right.in_words for right in rights(settings) if right.who is not Who.OPERATOR}
    assert {finding.about for finding in before} == listed
    assert obey(guest, before)

    after = examined(settings)
    assert not problems(after)
    assert of(after, "rights", f"{NAME}-users")[0].found == "may READ, DESCRIBE"


@pytest.mark.parametrize(
    ("topic", "operation"),
    [
        (f"{NAME}-users", Operation.READ),
        (f"{NAME}-control", Operation.READ),
        (f"{NAME}.state", Operation.CREATE),
        (f"{NAME}.view.", Operation.CREATE),
        (f"{NAME}.pipeline", Operation.WRITE),
    ],
)
def test_one_that_is_missing_is_named(guest: Guest, tmp_path: Path, topic: str, operation: Operation) -> None:
    """Alone, with whom it is for and why."""
    settings = settings_for(guest, tmp_path)
    guest.allow_all(right for right in rights(settings) if (right.topic, right.operation) != (topic, operation))
    [missing] = problems(examined(settings, Who.PIPELINE))
    assert missing.found.startswith(f"{guest.principal} may not {operation.name}: the pipeline ")
    pattern = " --resource-pattern-type prefixed" if topic.endswith(".") else ""
    option = "--transactional-id" if topic.endswith(".pipeline") else "--topic"
    assert missing.do.endswith(f"--operation {operation} {option} {topic}{pattern}")
    assert missing.do.startswith(f"kafka-acls.sh --bootstrap-server {settings.kafka_client.bootstrap_servers} --add ")


def test_one_that_is_not_needed_is_no_problem(guest: Guest, tmp_path: Path) -> None:
    """Its absence is a warning, and of a source's configuration only that it was not looked at."""
    settings = settings_for(guest, tmp_path)
    guest.allow_all(right for right in rights(settings) if right.needed)
    found = examined(settings, Who.PIPELINE)
    assert not problems(found)
    optional = one(found, "rights", Verdict.WARNING)
    assert f"may not DESCRIBE_CONFIGS, ALTER_CONFIGS {NAME}.state; " in optional.found
    assert all(line.endswith("  # optional") for line in optional.do.splitlines())
    remarks = [finding.found for finding in of(found, "sources", f"{NAME}-users")]
    assert "not allowed to look at its retention and compaction, which livejoin can do without" in remarks


def test_what_cannot_be_known_is_said_to_be_unknown(broker: Settings, guest: Guest, tmp_path: Path) -> None:
    """Whether one may write to a topic is told by no broker before it is there; then it is."""
    settings = settings_for(guest, tmp_path)
    guest.allow_all(rights(settings))
    unknown = one(examined(settings), "rights", Verdict.SKIPPED)
    assert f"; WRITE, DELETE, READ {NAME}.view.*; " in unknown.found
    assert f"--topic {NAME}.view. --resource-pattern-type prefixed" in unknown.do
    Cluster(guest.client).ensure(f"{NAME}.view.1")
    try:
        found = of(examined(settings), "rights", f"{NAME}.view.*")
        guest.take(f"{NAME}.view.", "DELETE", prefixed=True)
        assert "may not DELETE: " in one(examined(settings), "rights", Verdict.PROBLEM).found
        assert one(found, "rights", Verdict.OK).found.startswith("may WRITE, CREATE, DELETE, ")
    finally:
        Cluster(broker.kafka_client).delete(f"{NAME}.view.1")


def test_a_pipeline_keeps_the_right_to_write(broker: Settings, guest: Guest, tmp_path: Path) -> None:
    """It is not fenced, whether it was heard of a moment ago, which is said, or not."""
    settings = settings_for(guest, tmp_path)
    guest.allow_all(rights(settings))
    state, about = settings.own_topics.state, f"transactional id {NAME}.pipeline"
    cluster = Cluster(broker.kafka_client)
    cluster.ensure(state)
    try:
        pipeline = FencedWriter(cluster, settings.own_topics.transactional_id)
        pipeline.take_over()
        assert one(examined(settings), "rights", Verdict.OK, about).found == "may WRITE"
        _tell(pipeline, state, Pulse(datetime.now(UTC)))
        told = one(examined(settings), "rights", Verdict.SKIPPED, about).found
        assert told.startswith("a pipeline writes at this moment: ")
        _tell(pipeline, state, Epoch(1, "it", datetime.now(UTC), released=True))
        assert one(examined(settings), "rights", Verdict.OK, about).found == "may WRITE"
        _tell(pipeline, state, Pulse(datetime.now(UTC)))
    finally:
        cluster.delete(state)


def _tell(pipeline: FencedWriter, topic: str, record: Record) -> None:
    """Raises Fenced where somebody else has taken the right to write."""
    pipeline.write(topic, key_of(record), to_json(record))


def test_whose_rights_are_looked_at_can_be_chosen(guest: Guest, tmp_path: Path) -> None:
    """Who only sends control messages needs no right on a source."""
    guest.allow(f"{NAME}-control", "WRITE")
    found = of(examined(settings_for(guest, tmp_path), Who.OPERATOR), "rights")
    assert not problems(found)
    assert not of(found, "rights", f"{NAME}-users")

"""`livejoin topics`: what somebody with more rights runs before livejoin can run with few."""

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from livejoin.cli.main import app
from livejoin.kafka.cluster import Cluster
from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.settings import Settings
from livejoin.topics.plan import own_topics
from livejoin.topics.rights import Resource, rights

PAIRS = [
    "topics.prefix=printed",
    "left.topic=printed-users",
    "right.topic=printed-accounts",
    "topics.control=printed-control",
    "topics.views=printed-a,printed-b,printed-c",
    "topics.create=false",
    "topics.replication=1",
]
WHO = ["--principal", "User:lj", "--serve-principal", "User:lj serve", "--operator-principal", "User:op"]


def run(*options: str, pairs: list[str] | None = None, config: Path | None = None) -> Result:
    """The command with these settings."""
    given = [f"--set={pair}" for pair in (PAIRS if pairs is None else pairs)]
    return CliRunner().invoke(app, ["topics", *options, *given, *([f"--config={config}"] if config else [])])


def commands(text: str, program: str) -> list[list[str]]:
    """The printed command lines of a program, as a shell would read them."""
    return [shlex.split(line, comments=True) for line in text.splitlines() if line.startswith(program)]


def after(words: list[str], option: str) -> list[str]:
    """What is given by an option, as often as it stands there."""
    return [words[index + 1] for index, word in enumerate(words) if word == option]


def test_every_topic_is_made_by_a_printed_command() -> None:
    """Also those of the pool, with copies and configuration."""
    printed = commands(run().stdout, "kafka-topics.sh")
    planned = own_topics(load_settings(None, overrides_from(PAIRS)))

    assert [after(words, "--topic") for words in printed] == [[topic.name] for topic in planned]
    for words, topic in zip(printed, planned, strict=True):
        assert after(words, "--config") == [f"{name}={value}" for name, value in topic.config.items()]
        assert (after(words, "--partitions"), after(words, "--replication-factor")) == (["1"], ["1"])


@pytest.mark.parametrize("pairs", [PAIRS, []])
def test_every_right_is_granted_by_a_printed_command(pairs: list[str]) -> None:
    """To the one who needs it, on the topic or the prefix, and none besides."""
    settings = load_settings(None, overrides_from(pairs))
    principals = {"pipeline": "User:lj", "serve": "User:lj serve", "operator": "User:op"}
    wanted = {(principals[r.who], str(r.operation), str(r.on), r.topic, r.prefixed) for r in rights(settings)}
    printed = {
        (principal, operation, str(resource), name, "prefixed" in words)
        for words in commands(run(*WHO, pairs=pairs).stdout, "kafka-acls.sh")
        for principal in after(words, "--allow-principal")
        for operation in after(words, "--operation")
        for resource in Resource
        for name in after(words, f"--{resource}")
    }

    assert printed == wanted


def test_the_same_is_there_for_programs() -> None:
    """With who, why, and whether it is needed."""
    found = json.loads(run(*WHO, "--json").stdout)
    settings = load_settings(None, overrides_from(PAIRS))

    assert [topic["name"] for topic in found["topics"]] == [topic.name for topic in own_topics(settings)]
    assert len(found["rights"]) == len(rights(settings))
    assert {right["principal"] for right in found["rights"]} == {"User:lj", "User:lj serve", "User:op"}


def test_it_says_which_topics_are_there(broker: Settings, tmp_path: Path) -> None:
    """With exit 1 until all are, and as they have to be."""
    config = tmp_path / "login.toml"
    login = "".join(f'"{name}" = {json.dumps(value)}\n' for name, value in broker.kafka_client.librdkafka().items())
    config.write_text(f"[kafka]\n{login}", encoding="utf-8")
    cluster = Cluster(broker.kafka_client)
    for topic in ("printed-users", "printed-accounts", "printed-control"):
        cluster.ensure(topic)
    planned = own_topics(load_settings(None, overrides_from(PAIRS)))
    for made in planned[:-2]:
        cluster.ensure(made.name, config=made.config)
    cluster.ensure(planned[-2].name)
    before = run("--check", config=config)
    assert before.exit_code == 1
    assert "# printed.state: is there, as it has to be" in before.stdout
    assert "# printed-b: needs cleanup.policy=compact,delete" in before.stdout
    assert "# printed-c: is not there" in before.stdout
    cluster.configure(planned[-2].name, planned[-2].config)
    cluster.ensure(planned[-1].name, config=planned[-1].config)

    assert run("--check", config=config).exit_code == 0

"""`livejoin swap --wait` as a script uses it: the exit code and the last line say what became of the message."""

import getpass
import json
import subprocess
import sys

from livejoin.kafka.reading import read_to_end
from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.wire.records import from_json
from play import Play, Queries


def swap(play: Play, users: str, *more: str) -> subprocess.CompletedProcess[str]:
    """The command, with the settings of this orchestrator."""
    settings, kafka = play.settings, play.settings.kafka_client.librdkafka()
    accounts = settings.right.topic_name
    own = {f"topics.{name}": getattr(settings.topics, name) for name in ("control", "prefix")}
    own |= {f"kafka.{name}": value for name, value in kafka.items()}
    command = [sys.executable, "-m", "livejoin", "swap", "--users", users, "--accounts", accounts, "--wait"]
    command += [*more, *(f"--set={name}={value}" for name, value in own.items())]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_build_that_fails_is_told_by_1_and_its_reason(play: Play) -> None:
    """What a person must mend is in the last line."""
    Queries.deaths_of_backfill.extend(["disk is full"] * 3)
    done = swap(play, play.topic("other"))

    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[-1].startswith("failed: disk is full")


def test_who_has_asked_is_in_the_control_log(play: Play) -> None:
    """In the raw text of the message, which `control_raw` shows, beside its verdict."""
    control = play.settings.own_topics.control_log
    assert swap(play, play.topic("other")).returncode == 0
    [entry] = [
        found
        for record in read_to_end(play.cluster, control)
        if (found := from_json(ControlEntry, record.value() or b"")).verdict is not None
    ]

    assert (entry.verdict, json.loads(entry.raw)["by"]) == (Verdict.APPLIED, getpass.getuser())


def test_a_message_without_a_verdict_in_time_is_told_by_1(play: Play) -> None:
    """Where no pipeline reads it, nothing is waited for for ever."""
    other = play.topic("other")
    play.stop()
    done = swap(play, other, "--timeout", "1")

    assert done.returncode == 1
    assert "no verdict within 1 s: is a pipeline running?" in done.stderr

"""The examples of docs/semantics.md on the real stack, joined in every way by `livejoin swap`."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from await_that import await_that
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import JoinType
from up import Up

DOCS = Path(__file__).parents[2] / "docs/semantics.md"
EVENT = re.compile(r"^(users|accounts) +t=(\d+) +(\{.*\})$", re.MULTILINE)
SHOWN = ("userId", "name", "accountType", "balance")
SWAP_SECONDS = 120
CHAPTER = DOCS.read_text(encoding="utf-8").partition("## Joins")[2]


@pytest.fixture(scope="module")
def _events(up: Up) -> None:
    """The six events under Joins, in a pair of topics of their own."""
    sent, _, _ = CHAPTER.partition("| join |")
    events = EVENT.findall(sent)
    assert len(events) == 6
    cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
    producer = cluster.producer()
    for source in ("users", "accounts"):
        # Their times are long ago: a broker that looks would delete them.
        cluster.ensure(f"example-{source}", config={"retention.ms": "-1"})
    for source, at, value in events:
        producer.produce(f"example-{source}", value=value, timestamp=1_700_000_000_000 + int(at))
        assert producer.flush(10) == 0


@pytest.mark.usefixtures("_events")
@pytest.mark.parametrize("join", JoinType)
def test_the_joins_are_as_the_documentation_says(up: Up, join: JoinType) -> None:
    """Every row of the table under Joins, and no other, is in final_ui after a swap to that join."""
    topics = ["--users", "example-users", "--accounts", "example-accounts"]
    command = up.command("swap", *topics, "--join", join, "--wait")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SWAP_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    told = re.search(rf"^\| `{join}` \| (.*) \|$", CHAPTER, re.MULTILINE)
    assert told

    def as_told() -> bool:
        assert up.livejoin("status")["joinType"] == join
        found = Counter(" ".join(_word(row[name]) for name in SHOWN) for row in up.livejoin("rows", "final_ui"))
        assert found == Counter(told.group(1).split("; "))
        return True

    await_that(as_told, timeout=30)


def _word(value: object) -> str:
    return "null" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

"""The orchestrator on a real broker with a real registry and control topic; the queries are stand-ins.

So that a test can hold a build, kill a query or let a thousandth of a second decide, which Spark would not.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from livejoin.pipeline.control import letters, runner
from livejoin.settings.settings import Settings
from play import Letters, Play, Queries


@pytest.fixture
def settings(broker: Settings, request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings with topics of this test's own, and short times."""
    name = request.node.name[:60]
    topics = {"prefix": name, "control": f"{name}-control"}
    swap = {"linger_seconds": 0.2, "topic_wait_seconds": 1.0}
    return broker.model_copy(
        update={
            "data_dir": tmp_path,
            "left": broker.left.model_copy(update={"topic": f"{name}-users"}),
            "right": broker.right.model_copy(update={"topic": f"{name}-accounts"}),
            "topics": broker.topics.model_copy(update=topics),
            "swap": broker.swap.model_copy(update=swap),
        }
    )


@pytest.fixture
def play_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Settings], Play]]:
    """Makes an orchestrator that is not started yet; it is stopped with the test."""
    monkeypatch.setattr(Queries, "deaths", [])
    monkeypatch.setattr(Queries, "deaths_of_backfill", [])
    monkeypatch.setattr(Letters, "deaths", [])
    monkeypatch.setattr(Letters, "begun", [])
    monkeypatch.setattr(Letters, "checkpoints", [])
    monkeypatch.setattr(runner, "JoinQuery", Queries)
    monkeypatch.setattr(letters, "LetterQuery", Letters)
    monkeypatch.setattr(letters, "FIRST_DELAY", 0.05)
    monkeypatch.setattr(runner, "FIRST_DELAY", 0.05)
    Queries.open_gates()
    plays: list[Play] = []

    def make(settings: Settings) -> Play:
        plays.append(Play(settings))
        return plays[-1]

    yield make
    Queries.open_gates()
    for play in plays:
        play.stop()


@pytest.fixture
def play(settings: Settings, play_of: Callable[[Settings], Play]) -> Play:
    """A running orchestrator with generation 1 live."""
    play = play_of(settings)
    play.start()
    play.await_live(settings.left.topic_name)
    return play

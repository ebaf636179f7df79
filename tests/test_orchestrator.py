"""What the orchestrator does when a query dies. The registry and the broker are real; the deaths cannot be caused."""

from threading import Event, Thread
from typing import Any, ClassVar

import pytest

from await_that import await_that
from livejoin.generation import Generation, State
from livejoin.kafka import Cluster, read_to_end
from livejoin.pipeline import orchestrator
from livejoin.pipeline.orchestrator import Orchestrator
from livejoin.pipeline.query import QueryDied, checkpoint
from livejoin.settings import Settings


class Queries:
    """Stands for the Spark queries of a generation: dies with the given reasons in turn, then lives."""

    deaths: ClassVar[list[str]] = []

    def __init__(self, _: Any, settings: Settings, generation: Generation) -> None:
        self._folder = checkpoint(settings, generation.number)

    def backfill(self, _: Event) -> bool:
        """Nothing to read."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return True

    def go_live(self) -> None:
        """Nothing to start."""

    def look(self) -> None:
        """Die of the next reason, if there is one."""
        if self.deaths:
            raise QueryDied(self.deaths.pop(0))

    def stop(self) -> None:
        """Nothing to stop."""


@pytest.fixture
def settings(broker: Settings, request: pytest.FixtureRequest, tmp_path: Any) -> Settings:
    """Settings with topics of this test's own."""
    name = request.node.name
    topics = {"users": f"{name}-users", "accounts": f"{name}-accounts", "prefix": name}
    return broker.model_copy(update={"data_dir": tmp_path, "topics": broker.topics.model_copy(update=topics)})


def records_until_live(
    settings: Settings, deaths: list[str], monkeypatch: pytest.MonkeyPatch, *, number: int, lives: int
) -> list[Generation]:
    """Run the orchestrator through these deaths, until a generation was live that often, and return all it wrote."""
    monkeypatch.setattr(Queries, "deaths", [*deaths])
    monkeypatch.setattr(orchestrator, "GenerationQueries", Queries)
    monkeypatch.setattr(orchestrator, "FIRST_DELAY", 0.1)
    cluster = Cluster(settings.kafka_client)
    for topic in (settings.topics.users, settings.topics.accounts):
        cluster.ensure(topic)
    stop = Event()
    thread = Thread(target=Orchestrator(settings, cluster, None).run, args=(stop,))  # type: ignore[arg-type]
    thread.start()

    def written() -> list[Generation]:
        assert settings.own_topics.state in cluster.topic_names()
        return [
            Generation.model_validate_json(value)
            for record in read_to_end(cluster, settings.own_topics.state)
            if (record.key() or b"").startswith(b"generation/") and (value := record.value()) is not None
        ]

    def live_again() -> bool:
        return sum(found.state is State.LIVE and found.number == number for found in written()) == lives

    try:
        await_that(live_again, timeout=30)
    finally:
        stop.set()
        thread.join(10)
    return written()


def test_a_dead_query_is_started_again_and_the_status_says_why(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a death the generation is recovering, with the reason and a growing delay, and then live again."""
    written = records_until_live(settings, ["sink is full", "sink is full"], monkeypatch, number=1, lives=3)
    recovering = [generation.message for generation in written if generation.state is State.RECOVERING]
    assert recovering[0] == "sink is full; again in 0 s"
    assert {generation.number for generation in written} == {1}
    assert written[-1].state is State.LIVE


def test_lost_source_data_lead_to_a_fresh_generation(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint that the source no longer fits is not continued: what the source still has is read anew."""
    written = records_until_live(settings, ["[KAFKA_DATA_LOSS] some data are gone"], monkeypatch, number=2, lives=1)
    first_of_second = next(generation for generation in written if generation.number == 2)
    assert "KAFKA_DATA_LOSS" in first_of_second.message
    assert written[-1].number == 2

"""What the orchestrator decides. The registry, the control topic and the broker are real; the queries are stand-ins.

So that a test can hold a build, kill a query or let a thousandth of a second decide, which Spark would not.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from await_that import await_that
from livejoin.generation import BUILDING, Start, State
from livejoin.pipeline import runner
from livejoin.settings import Settings
from play import Play, Queries


@pytest.fixture
def settings(broker: Settings, request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings with topics of this test's own, and short times."""
    name = request.node.name[:60]
    topics = {"users": f"{name}-users", "accounts": f"{name}-accounts", "prefix": name, "control": f"{name}-control"}
    swap = {"linger_seconds": 0.2, "topic_wait_seconds": 1.0}
    return broker.model_copy(
        update={
            "data_dir": tmp_path,
            "topics": broker.topics.model_copy(update=topics),
            "swap": broker.swap.model_copy(update=swap),
        }
    )


@pytest.fixture
def play(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """A running orchestrator with generation 1 live."""
    monkeypatch.setattr(Queries, "deaths", [])
    monkeypatch.setattr(Queries, "deaths_of_backfill", [])
    monkeypatch.setattr(runner, "GenerationQueries", Queries)
    monkeypatch.setattr(runner, "FIRST_DELAY", 0.05)
    Queries.gate.set()
    play = Play(settings)
    play.start()
    try:
        play.await_live(settings.topics.users)
        yield play
    finally:
        Queries.gate.set()
        play.stop()


def with_swap(settings: Settings, **fields: Any) -> Settings:
    """The same settings with other times."""
    return settings.model_copy(update={"swap": settings.swap.model_copy(update=fields)})


def restart(play: Play, settings: Settings) -> None:
    """Another orchestrator in the place of this one, as after a restart of the process."""
    play.stop()
    play.start(settings)


def await_building(play: Play, users: str) -> None:
    """Return when a generation of this topic is being built."""
    await_that(lambda: any(g.request.users_topic == users for g in play.registry.in_state(*BUILDING)))


def test_a_swap_is_applied_and_the_old_generation_is_gone(play: Play) -> None:
    """The message becomes the live generation; after the linger nothing is left of the one before."""
    other = play.topic("other")
    key = play.swap(other)

    assert play.verdict(key) == ("applied", "generation 2 is live")
    assert play.await_live(other).number == 2
    play.await_alone(2)
    states = [record.state for record in play.records() if record.number == 2]
    assert list(dict.fromkeys(states)) == ["requested", "validated", "backfilling", "loading", "live"]


def test_what_is_live_is_unchanged(play: Play) -> None:
    """Nothing is built for a request that is already fulfilled."""
    key = play.swap(play.settings.topics.users)

    assert play.verdict(key) == ("unchanged", "generation 1, which is live, shows this")
    assert [*play.registry.generations] == [1]


def test_what_is_being_built_is_unchanged(play: Play) -> None:
    """A message that is sent twice starts one build."""
    other = play.topic("other")
    Queries.gate.clear()
    first = play.swap(other)
    await_building(play, other)
    second = play.swap(other)

    assert play.verdict(second)[0] == "unchanged"
    Queries.gate.set()
    assert play.verdict(first)[0] == "applied"


def test_a_bad_message_changes_nothing_and_stops_nothing(play: Play) -> None:
    """It is rejected with a reason, and the next message is obeyed."""
    for message in (b"", b"\xff", b"{", b"[1]", b'{"usersTopic": "u"}', b'{"rollback": true}', b"x" * 900_000):
        verdict, reason = play.verdict(play.send(message))
        assert verdict == "rejected"
        assert reason

    assert play.verdict(play.swap(play.settings.topics.users))[0] == "unchanged"


def test_a_topic_of_livejoins_own_is_no_source(play: Play) -> None:
    """A view topic joined into itself would never end."""
    verdict, reason = play.verdict(play.swap(play.settings.own_topics.view(1)))

    assert (verdict, "livejoin's own" in reason) == ("rejected", True)


def test_a_topic_that_does_not_exist_is_rejected_and_not_created(play: Play) -> None:
    """It is looked for during the wait, and no longer."""
    name = f"{play.settings.topics.prefix}-missing"
    verdict, reason = play.verdict(play.swap(name))

    assert (verdict, name in reason) == ("rejected", True)
    assert name not in play.cluster.topic_names()
    play.await_alone(1)


def test_a_topic_that_appears_in_time_is_taken(play: Play) -> None:
    """A message may overtake the creation of its topic."""
    restart(play, with_swap(play.settings, topic_wait_seconds=30.0))
    key = play.swap(f"{play.settings.topics.prefix}-late")
    await_that(lambda: play.registry.in_state(State.REQUESTED))
    late = play.topic("late")

    assert play.verdict(key)[0] == "applied"
    play.await_live(late)


def test_of_a_burst_the_newest_wins(play: Play) -> None:
    """Every older one is superseded, and nothing is left of what was built for it."""
    topics = [play.topic(f"burst-{number}") for number in range(5)]
    Queries.gate.clear()
    keys = [play.swap(topic) for topic in topics]
    assert [play.verdict(key)[0] for key in keys[:-1]] == ["superseded"] * 4
    Queries.gate.set()

    assert play.verdict(keys[-1])[0] == "applied"
    play.await_alone(play.await_live(topics[-1]).number)


def test_a_message_that_is_rejected_supersedes_nothing(play: Play) -> None:
    """What is being built goes on."""
    other = play.topic("other")
    Queries.gate.clear()
    first = play.swap(other)
    await_building(play, other)
    assert play.verdict(play.swap(f"{other}-missing"))[0] == "rejected"
    Queries.gate.set()

    assert play.verdict(first)[0] == "applied"


def test_asking_for_what_is_live_gives_up_what_is_being_built(play: Play) -> None:
    """The newest message counts, also where it needs no work."""
    other = play.topic("other")
    Queries.gate.clear()
    first = play.swap(other)
    await_building(play, other)
    second = play.swap(play.settings.topics.users)

    assert play.verdict(second)[0] == "unchanged"
    assert play.verdict(first)[0] == "superseded"
    play.await_alone(1)


def test_a_rollback_brings_back_what_lingers_and_can_be_undone(play: Play) -> None:
    """Flipping back needs no build, and the other one lingers then."""
    restart(play, with_swap(play.settings, linger_seconds=60.0))
    other = play.topic("other")
    play.verdict(play.swap(other))
    assert play.registry.of(1).state is State.LINGERING

    assert play.verdict(play.send({"rollback": True})) == ("applied", "generation 1 is live again")
    assert play.await_live(play.settings.topics.users).number == 1
    assert play.registry.of(2).state is State.LINGERING
    assert play.verdict(play.send({"rollback": True})) == ("applied", "generation 2 is live again")
    assert play.await_live(other).number == 2


def test_a_rollback_gives_up_what_is_being_built(play: Play) -> None:
    """Who rolls back wants what was there before, and nothing that is still on its way."""
    restart(play, with_swap(play.settings, linger_seconds=60.0))
    other, third = play.topic("other"), play.topic("third")
    play.verdict(play.swap(other))
    Queries.gate.clear()
    building = play.swap(third)
    await_building(play, third)

    assert play.verdict(play.send({"rollback": True}))[0] == "applied"
    assert play.verdict(building)[0] == "superseded"
    assert play.await_live(play.settings.topics.users).number == 1


def test_a_swap_back_to_what_lingers_builds_nothing(play: Play) -> None:
    """The generation that lingers shows exactly this: it is brought back."""
    restart(play, with_swap(play.settings, linger_seconds=60.0))
    play.verdict(play.swap(play.topic("other")))

    assert play.verdict(play.swap(play.settings.topics.users)) == ("applied", "generation 1 is live again")
    assert sorted(play.registry.generations) == [1, 2]


def test_every_linger_has_its_own_time(play: Play) -> None:
    """A linger that was broken off by a rollback does not shorten the next one."""
    linger = 1.5
    restart(play, with_swap(play.settings, linger_seconds=linger))
    play.verdict(play.swap(play.topic("other")))
    play.verdict(play.send({"rollback": True}))
    play.await_alone(1)

    lingering = next(g for g in play.records() if g.number == 2 and g.state is State.LINGERING)
    closed = next(g for g in play.records() if g.number == 2 and g.state is State.CLOSED)
    assert closed.since - lingering.since >= timedelta(seconds=linger)
    assert 1 in play.registry.generations


def test_a_third_generation_closes_the_first(play: Play) -> None:
    """At most one lingers: the one that was shown last."""
    restart(play, with_swap(play.settings, linger_seconds=60.0))
    play.verdict(play.swap(play.topic("second")))
    play.verdict(play.swap(play.topic("third")))

    await_that(lambda: {n: g.state for n, g in play.registry.generations.items()} == {2: "lingering", 3: "live"})


def test_a_build_that_keeps_dying_fails_and_the_old_one_stays(play: Play) -> None:
    """After three deaths the verdict is failed, with the reason of the last."""
    Queries.deaths_of_backfill.extend(["disk is full"] * 3)
    verdict, reason = play.verdict(play.swap(play.topic("other")))

    assert (verdict, "disk is full" in reason) == ("failed", True)
    assert play.await_live(play.settings.topics.users).number == 1
    play.await_alone(1)


def test_a_build_that_takes_too_long_fails_and_the_old_one_stays(play: Play) -> None:
    """The limit is a setting, and the reason names it."""
    restart(play, with_swap(play.settings, build_timeout_seconds=0.5))
    other = play.topic("other")
    Queries.gate.clear()
    verdict, reason = play.verdict(play.swap(other))

    assert (verdict, "swap.build_timeout_seconds" in reason) == ("failed", True)
    play.await_alone(1)


def test_a_dead_query_is_started_again_and_the_status_says_why(play: Play) -> None:
    """After a death the generation is recovering, with the reason and a delay, and then live again."""
    Queries.deaths.extend(["sink is full", "sink is full"])
    await_that(lambda: sum(g.state is State.LIVE and not g.message for g in play.records()) >= 3)

    recovering = [g.message for g in play.records() if g.state is State.RECOVERING]
    assert recovering[0] == "sink is full; again in 0 s"
    assert {g.number for g in play.records()} == {1}


def test_lost_source_data_lead_to_a_fresh_generation(play: Play) -> None:
    """A checkpoint that the source no longer fits is not continued: what the source still has is read anew."""
    Queries.deaths.append("[KAFKA_DATA_LOSS] some data are gone")
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.topics.users)
    play.await_alone(2)

    assert "KAFKA_DATA_LOSS" in next(g.message for g in play.records() if g.number == 2)


def test_the_last_applied_message_survives_a_restart(play: Play) -> None:
    """Settings that have not changed do not take it back, and no message gets a second verdict."""
    other = play.topic("other")
    key = play.swap(other)
    play.verdict(key)
    play.await_alone(2)
    restart(play, play.settings)
    fence = play.swap(other)

    assert play.verdict(fence)[0] == "unchanged"
    assert play.await_live(other).number == 2
    assert play.verdict(key)[0] == "applied"


def test_changed_settings_are_obeyed_at_the_next_start(play: Play) -> None:
    """Another topic in the settings is a request, built beside what is live; so is another keep."""
    other, third = play.topic("other"), play.topic("third")
    play.verdict(play.swap(other))
    changed = play.settings.model_copy(update={"topics": play.settings.topics.model_copy(update={"users": third})})
    restart(play, changed)
    assert play.await_live(third).number == 3
    limited = changed.model_copy(update={"keep": changed.keep.model_copy(update={"limit": 7})})
    restart(play, limited)

    await_that(lambda: (live := play.registry.live) and live.request.keep_limit == 7)
    assert play.await_live(third).number == 4


def test_a_control_topic_that_is_created_again_is_read_from_its_beginning(play: Play) -> None:
    """Its offsets start at 0 again, and they are other messages."""
    control = play.settings.topics.control
    for _ in range(3):
        play.verdict(play.swap(play.settings.topics.users))
    play.cluster.delete(control)
    play.cluster.ensure(control)

    assert play.verdict(play.swap(play.settings.topics.users))[0] == "unchanged"


def test_reading_can_begin_at_the_latest(play: Play) -> None:
    """With `swap.start = latest` a generation begins where its topics end when it is built."""
    other = play.topic("other")
    producer = play.cluster.producer()
    for _ in range(3):
        producer.produce(other, b"{}")
    assert producer.flush(10) == 0
    restart(play, with_swap(play.settings, start=Start.LATEST))
    play.verdict(play.swap(other))

    assert play.await_live(other).source_starts["users"] == {0: 3}

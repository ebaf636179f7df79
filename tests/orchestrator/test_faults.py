"""Builds that fail and queries that die: what was live stays, and the reason is told."""

import time
from collections.abc import Iterable
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from await_that import await_that
from livejoin.errors import BrokerUnreachable, TopicMissing
from livejoin.kafka.cluster import Cluster, Described
from livejoin.kafka.writer import Writer
from livejoin.model.generation import Generation, State
from livejoin.pipeline.control import runner
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.pipeline.control.topology import SURE_AFTER
from livejoin.pipeline.control.vitals import FIRST_RETRY_SECONDS
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.query import JOIN
from livejoin.process.backoff import JITTER
from livejoin.wire.records import generation_key, to_json
from livejoin.wire.view_record import is_readable
from play import Play, Queries


def test_a_build_that_keeps_dying_fails_and_the_old_one_stays(play: Play) -> None:
    """After three deaths the verdict is failed, with the reason of the last."""
    Queries.deaths_of_backfill.extend(["disk is full"] * 3)
    verdict, reason = play.verdict(play.swap(play.topic("other")))

    assert (verdict, "disk is full" in reason) == ("failed", True)
    assert play.await_live(play.settings.left.topic_name).number == 1
    play.await_alone(1)


def test_a_build_that_takes_too_long_fails_and_the_old_one_stays(play: Play) -> None:
    """The limit is a setting, and the reason names it."""
    play.restart(play.with_swap(build_timeout_seconds=0.5))
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


def test_an_error_that_nobody_has_expected_is_logged_once(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way to it, however often the queries are started again."""
    look, choked = Queries.look, list[TypeError]()

    def choke(queries: Queries) -> None:
        if len(choked) < 3:
            choked.append(TypeError("of Spark"))
            raise choked[-1]
        look(queries)

    with capture_logs() as logged:
        monkeypatch.setattr(Queries, "look", choke)
        await_that(lambda: len(choked) == 3)
        await_that(lambda: play.registry.live is not None and play.registry.live.state is State.LIVE)
    [told] = [line for line in logged if line["event"].startswith("queries could not be started")]
    assert (told["exc_info"], told["log_level"], told["generation"]) == (choked[0], "error", 1)


def test_a_broker_that_answers_and_does_nothing_else_is_told_once_and_asked_later_and_later(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer ends the wait for it, so that what it does not do would be tried, and told, all the time."""
    look, asked = Queries.look, list[float]()

    def choke(queries: Queries) -> None:
        if len(asked) < 6:
            asked.append(time.monotonic())
            raise BrokerUnreachable("it is busy")
        look(queries)

    with capture_logs() as logged:
        monkeypatch.setattr(Queries, "look", choke)
        await_that(lambda: len(asked) == 6)
        await_that(lambda: play.registry.live is not None and play.registry.live.state is State.LIVE)
    [told] = [line for line in logged if line["event"] == "waiting for the broker"]
    assert (told["why"], told["generation"], told["log_level"]) == ("it is busy", 1, "warning")
    assert asked[-1] - asked[-2] >= (1 - JITTER) * runner.FIRST_DELAY * 2**4


def test_who_decides_does_not_ask_a_busy_broker_all_the_time_either(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it does not do is tried after a second, and then later and later."""
    tick, asked = Orchestrator._tick, list[float]()  # noqa: SLF001

    def choke(orchestrator: Orchestrator) -> None:
        if len(asked) < 3:
            asked.append(time.monotonic())
            raise BrokerUnreachable("it is busy")
        tick(orchestrator)

    with capture_logs() as logged:
        monkeypatch.setattr(Orchestrator, "_tick", choke)
        await_that(lambda: "not well: over" in [line["event"] for line in logged])
    assert asked[2] - asked[0] >= (1 - JITTER) * (FIRST_RETRY_SECONDS + 2 * FIRST_RETRY_SECONDS)
    assert len([line for line in logged if line["event"] == "not well"]) == 1
    assert play.orchestrator.vitals.problems == {}


def test_the_time_in_which_no_pipeline_ran_does_not_count_against_a_build(play: Play) -> None:
    """A swap that was asked for an hour ago, and was being built when the pipeline was stopped, is applied."""
    other = play.topic("other")
    Queries.gate.clear()
    key = play.swap(other)
    play.await_building(other)
    play.stop_for_an_hour(2)
    Queries.open_gates()
    play.start(play.with_swap(build_timeout_seconds=60))

    assert play.verdict(key)[0] == "applied"


def test_a_wait_for_a_topic_is_not_over_after_an_hour_without_a_pipeline(play: Play) -> None:
    """A swap to a topic that was made meanwhile, or is a moment later, is applied."""
    play.restart(play.with_swap(topic_wait_seconds=60.0))
    name = f"{play.settings.topics.prefix}-late"
    key = play.swap(name)
    await_that(lambda: play.registry.in_state(State.REQUESTED))
    play.stop_for_an_hour(2)
    play.start()
    await_that(lambda: "waiting for it" in play.registry.swap_story)
    late = play.topic("late")

    assert play.verdict(key)[0] == "applied"
    play.await_live(late)


def test_a_death_between_a_flip_and_its_last_step_leaves_nothing(play: Play) -> None:
    """The generation before, which was broken, is not kept running beside the one that is shown."""
    play.stop()
    live, number = play.registry.of(1), 2
    broken = replace(live, number=number, view_topic=play.settings.own_topics.view(number), state=State.RECOVERING)
    Writer(play.cluster, play.settings.own_topics.state).write(generation_key(number), to_json(broken))
    checkpoint(play.settings, number).mkdir(parents=True)
    play.start()

    play.await_alone(1)


def test_events_that_were_dropped_before_they_were_read_lead_to_a_fresh_generation(play: Play) -> None:
    """Whatever the query says that it died of: the source no longer has what the checkpoint would read next."""
    users = play.settings.left.topic_name
    producer = play.cluster.producer()
    for _ in range(3):
        producer.produce(users, value=b"{}")
    assert producer.flush(30) == 0
    beginning = checkpoint(play.settings, 1) / JOIN / "sources" / "0" / "0"
    beginning.parent.mkdir(parents=True)
    beginning.write_text(f'v1\n{{"{users}":{{"0":2}}}}')
    Queries.deaths.append("it has a cold")
    await_that(lambda: "it has a cold" in "".join(g.message for g in play.records()))
    play.await_live(users)
    play.cluster.empty(users)
    Queries.deaths.append("it has a cold")
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(users)
    play.await_alone(2)

    told = next(g.message for g in play.records() if g.number == 2)
    assert f"dropped events of topic {users!r}" in told
    assert "partition 0 begins with 3, and 2 was next" in told


def write_as_another_version(play: Play, generation: Generation) -> None:
    """Record a generation as one of another format."""
    written = replace(generation, view_format=1)
    state = Writer(play.cluster, play.settings.own_topics.state)
    state.write(generation_key(generation.number), to_json(written))


def test_a_generation_of_another_version_is_built_afresh(play: Play) -> None:
    """Its view topic cannot be read by table servers of this version: it is shown until another one can be."""
    play.stop()
    write_as_another_version(play, play.registry.of(1))
    play.start()
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.left.topic_name)
    play.await_alone(2)

    assert "another version" in next(g.message for g in play.records() if g.number == 2)


def test_a_state_that_another_version_has_kept_is_built_afresh(play: Play) -> None:
    """Spark could not go on from it, however often it tried."""
    play.stop()
    written = replace(play.registry.of(1), state_format="1 of Spark 3.5.0")
    Writer(play.cluster, play.settings.own_topics.state).write(generation_key(1), to_json(written))
    play.start()
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.left.topic_name)
    play.await_alone(2)

    assert "its state was kept by another version" in next(g.message for g in play.records() if g.number == 2)
    play.restart()
    play.await_live(play.settings.left.topic_name)
    play.await_alone(2)


def test_a_view_topic_that_a_broker_does_not_know_yet_is_not_given_up(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has just started may say twice that it is missing."""
    play.stop()
    told: list[str] = []
    describe, view = Cluster.describe, play.registry.of(1).view_topic

    def forgetful(cluster: Cluster, topics: Iterable[str]) -> dict[str, Described]:
        asked = [*topics]
        if view in asked and len(told) < SURE_AFTER - 1:
            told.append(view)
            raise TopicMissing(f"the broker has no topic {view!r}")
        return describe(cluster, asked)

    monkeypatch.setattr(Cluster, "describe", forgetful)
    play.start()
    await_that(lambda: len(told) == SURE_AFTER - 1)
    play.await_live(play.settings.left.topic_name)

    play.await_alone(1)


def test_what_the_settings_asked_another_version_for_is_built_afresh(play: Play) -> None:
    """A build that was under way is given up, and asked for again: the settings have not changed since."""
    other = play.topic("other")
    Queries.gate.clear()
    play.restart(play.settings.model_copy(update={"left": play.settings.left.model_copy(update={"topic": other})}))
    play.await_building(other)
    play.stop()
    write_as_another_version(play, play.registry.of(2))
    Queries.open_gates()
    play.start()

    assert play.await_live(other).number == 3
    play.await_alone(3)


def test_a_message_that_another_version_was_building_for_has_failed(play: Play) -> None:
    """Its verdict tells the reason, and what is live stays."""
    other = play.topic("other")
    Queries.gate.clear()
    key = play.swap(other)
    play.await_building(other)
    play.stop()
    write_as_another_version(play, play.registry.of(2))
    Queries.open_gates()
    play.start()

    verdict, reason = play.verdict(key)
    assert (verdict, "another version" in reason) == ("failed", True)
    play.await_alone(1)


def test_what_another_version_was_only_asked_for_is_built_in_the_format_of_this_one(play: Play) -> None:
    """Nothing of it was written yet, so there is nothing that could not be read."""
    play.stop()
    live, other = play.registry.of(1), play.topic("other")
    request = replace(live.request, left_topic=other)
    view, now = play.settings.own_topics.view(2), live.since
    write_as_another_version(play, Generation(number=2, request=request, view_topic=view, requested=now, since=now))
    play.start()

    shown = play.await_live(other)
    assert (shown.number, is_readable(shown)) == (2, True)

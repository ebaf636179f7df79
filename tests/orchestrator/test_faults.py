"""Builds that fail and queries that die: what was live stays, and the reason is told."""

from await_that import await_that
from livejoin.generation import State
from livejoin.kafka import Writer
from livejoin.registry import generation_key
from play import Play, Queries


def test_a_build_that_keeps_dying_fails_and_the_old_one_stays(play: Play) -> None:
    """After three deaths the verdict is failed, with the reason of the last."""
    Queries.deaths_of_backfill.extend(["disk is full"] * 3)
    verdict, reason = play.verdict(play.swap(play.topic("other")))

    assert (verdict, "disk is full" in reason) == ("failed", True)
    assert play.await_live(play.settings.topics.users).number == 1
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


def test_lost_source_data_lead_to_a_fresh_generation(play: Play) -> None:
    """A checkpoint that the source no longer fits is not continued: what the source still has is read anew."""
    Queries.deaths.append("[KAFKA_DATA_LOSS] some data are gone")
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.topics.users)
    play.await_alone(2)

    assert "KAFKA_DATA_LOSS" in next(g.message for g in play.records() if g.number == 2)


def test_a_generation_of_another_version_is_built_afresh(play: Play) -> None:
    """Its view topic cannot be read by table servers of this version: it is shown until another one can be."""
    play.stop()
    written = play.registry.of(1).model_copy(update={"view_format": 1})
    Writer(play.cluster, play.settings.own_topics.state).write(generation_key(1), written.model_dump_json().encode())
    play.start()
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.topics.users)
    play.await_alone(2)

    assert "another version" in next(g.message for g in play.records() if g.number == 2)

"""Builds that fail and queries that die: what was live stays, and the reason is told."""

from await_that import await_that
from livejoin.generation import Generation, State
from livejoin.kafka.writer import Writer
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


def write_as_another_version(play: Play, generation: Generation) -> None:
    """Record a generation as one of another format."""
    written = generation.model_copy(update={"view_format": 1})
    state = Writer(play.cluster, play.settings.own_topics.state)
    state.write(generation_key(generation.number), written.model_dump_json().encode())


def test_a_generation_of_another_version_is_built_afresh(play: Play) -> None:
    """Its view topic cannot be read by table servers of this version: it is shown until another one can be."""
    play.stop()
    write_as_another_version(play, play.registry.of(1))
    play.start()
    await_that(lambda: 2 in play.registry.generations)
    play.await_live(play.settings.topics.users)
    play.await_alone(2)

    assert "another version" in next(g.message for g in play.records() if g.number == 2)


def test_what_the_settings_asked_another_version_for_is_built_afresh(play: Play) -> None:
    """A build that was under way is given up, and asked for again: the settings have not changed since."""
    other = play.topic("other")
    Queries.gate.clear()
    play.restart(play.settings.model_copy(update={"topics": play.settings.topics.model_copy(update={"users": other})}))
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
    request = live.request.model_copy(update={"users_topic": other})
    view, now = play.settings.own_topics.view(2), live.since
    write_as_another_version(play, Generation(number=2, request=request, view_topic=view, requested=now, since=now))
    play.start()

    shown = play.await_live(other)
    assert (shown.number, shown.readable) == (2, True)

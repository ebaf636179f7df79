"""What was replaced lingers, can be brought back, and is then gone."""

from datetime import timedelta

from await_that import await_that
from livejoin.model.generation import State
from play import Play, Queries


def test_a_rollback_brings_back_what_lingers_and_can_be_undone(play: Play) -> None:
    """Flipping back needs no build, and the other one lingers then."""
    play.restart(play.with_swap(linger_seconds=60.0))
    other = play.topic("other")
    play.verdict(play.swap(other))
    assert play.registry.of(1).state is State.LINGERING

    assert play.verdict(play.send({"rollback": True})) == ("applied", "generation 1 is live again")
    assert play.await_live(play.settings.left.topic_name).number == 1
    assert play.registry.of(2).state is State.LINGERING
    assert play.verdict(play.send({"rollback": True})) == ("applied", "generation 2 is live again")
    assert play.await_live(other).number == 2


def test_a_rollback_gives_up_what_is_being_built(play: Play) -> None:
    """Who rolls back wants what was there before, and nothing that is still on its way."""
    play.restart(play.with_swap(linger_seconds=60.0))
    other, third = play.topic("other"), play.topic("third")
    play.verdict(play.swap(other))
    Queries.gate.clear()
    building = play.swap(third)
    play.await_building(third)

    assert play.verdict(play.send({"rollback": True}))[0] == "applied"
    assert play.verdict(building)[0] == "superseded"
    assert play.await_live(play.settings.left.topic_name).number == 1


def test_a_swap_back_to_what_lingers_builds_nothing(play: Play) -> None:
    """The generation that lingers shows exactly this: it is brought back."""
    play.restart(play.with_swap(linger_seconds=60.0))
    play.verdict(play.swap(play.topic("other")))

    assert play.verdict(play.swap(play.settings.left.topic_name)) == ("applied", "generation 1 is live again")
    assert sorted(play.registry.generations) == [1, 2]


def test_every_linger_has_its_own_time(play: Play) -> None:
    """A linger that was broken off by a rollback does not shorten the next one."""
    linger = 1.5
    play.restart(play.with_swap(linger_seconds=linger))
    play.verdict(play.swap(play.topic("other")))
    play.verdict(play.send({"rollback": True}))
    play.await_alone(1)

    lingering = next(g for g in play.records() if g.number == 2 and g.state is State.LINGERING)
    closed = next(g for g in play.records() if g.number == 2 and g.state is State.CLOSED)
    assert lingering.until == lingering.since + timedelta(seconds=linger)
    assert closed.since >= lingering.until
    assert 1 in play.registry.generations


def test_a_third_generation_closes_the_first(play: Play) -> None:
    """At most one lingers: the one that was shown last."""
    play.restart(play.with_swap(linger_seconds=60.0))
    play.verdict(play.swap(play.topic("second")))
    play.verdict(play.swap(play.topic("third")))

    await_that(lambda: {n: g.state for n, g in play.registry.generations.items()} == {2: "lingering", 3: "live"})

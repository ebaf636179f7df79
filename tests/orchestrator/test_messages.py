"""What becomes of a control message: every one gets its verdict, and the newest that can be obeyed wins."""

from await_that import await_that
from livejoin.model.generation import State
from play import Letters, Play, Queries


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
    key = play.swap(play.settings.left.topic_name)

    assert play.verdict(key) == ("unchanged", "generation 1, which is live, shows this")
    assert [*play.registry.generations] == [1]


def test_what_is_being_built_is_unchanged(play: Play) -> None:
    """A message that is sent twice starts one build."""
    other = play.topic("other")
    Queries.gate.clear()
    first = play.swap(other)
    play.await_building(other)
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

    assert play.verdict(play.swap(play.settings.left.topic_name))[0] == "unchanged"


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


def test_a_slip_of_the_hand_is_answered_with_the_topic_that_was_meant(play: Play) -> None:
    """Of those that can be sources, where one is called almost like what was asked for."""
    there = play.topic("meant")
    slip = there.replace("meant", "ment")
    verdict, reason = play.verdict(play.swap(slip))

    assert (verdict, reason.partition(". ")[2]) == ("rejected", f"Did you mean {there!r}?")


def test_a_topic_that_appears_in_time_is_taken(play: Play) -> None:
    """A message may overtake the creation of its topic."""
    play.restart(play.with_swap(topic_wait_seconds=30.0))
    key = play.swap(f"{play.settings.topics.prefix}-late")
    await_that(lambda: any("waiting" in generation.message for generation in play.registry.in_state(State.REQUESTED)))
    late = play.topic("late")

    assert play.verdict(key)[0] == "applied"
    play.await_live(late)
    waiting = {record.state for record in play.records() if record.number == 2 and "waiting" in record.message}
    assert waiting == {State.REQUESTED}, "nothing is said to be missing once it is there"


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
    play.await_building(other)
    assert play.verdict(play.swap(f"{other}-missing"))[0] == "rejected"
    Queries.gate.set()

    assert play.verdict(first)[0] == "applied"


def test_asking_for_what_is_live_gives_up_what_is_being_built(play: Play) -> None:
    """The newest message counts, also where it needs no work."""
    other = play.topic("other")
    Queries.gate.clear()
    first = play.swap(other)
    play.await_building(other)
    second = play.swap(play.settings.left.topic_name)

    assert play.verdict(second)[0] == "unchanged"
    assert play.verdict(first)[0] == "superseded"
    play.await_alone(1)


def test_a_control_topic_that_is_created_again_is_read_from_its_beginning(play: Play) -> None:
    """Its offsets start at 0 again, and they are other messages."""
    control = play.settings.topics.control
    for _ in range(3):
        play.verdict(play.swap(play.settings.left.topic_name))
    play.cluster.delete(control)
    play.cluster.ensure(control)

    assert play.verdict(play.swap(play.settings.left.topic_name))[0] == "unchanged"


def test_a_flip_does_not_wait_for_dead_letters(play: Play) -> None:
    """Their query judges the whole backlog once more; the rows are shown before it has begun."""
    Letters.gate.clear()

    assert play.verdict(play.swap(play.topic("other"))) == ("applied", "generation 2 is live")

"""Dead letters have a life of their own: what troubles them is told, and the rows go on."""

from await_that import await_that
from livejoin.model.generation import State
from livejoin.pipeline.control.letters import LetterRunner
from livejoin.pipeline.spark.letter_checkpoint import ABOUT, letter_checkpoints
from livejoin.topics.plan import POLICY
from play import Letters, Play


def test_dead_letters_that_die_are_begun_again_and_the_generation_stays_live(play: Play) -> None:
    """It is told what they die of, until they come again."""
    await_that(lambda: Letters.begun == [1])
    Letters.deaths.extend(["it has a cold"] * 6)
    await_that(lambda: play.problems.get("dead letters") == "it has a cold")
    await_that(lambda: not play.problems)

    assert Letters.begun == [1] * 7
    assert not [g for g in play.records() if g.state is State.RECOVERING]


def test_a_note_that_was_torn_keeps_no_dead_letters_from_beginning(play: Play) -> None:
    """As a full disk or a crash of an earlier version leaves it: what it was about is not known, and so it stays."""
    await_that(lambda: Letters.begun == [1])
    torn = letter_checkpoints(play.settings) / "torn" / ABOUT
    torn.parent.mkdir()
    torn.touch()
    Letters.deaths.append("it has a cold")
    await_that(lambda: Letters.begun == [1, 1])

    assert torn.exists()


def test_a_dead_letter_topic_that_is_deleted_is_made_again(play: Play) -> None:
    """And what was not in their checkpoint yet is written to it."""
    await_that(lambda: Letters.begun == [1])
    topic = play.settings.own_topics.dead_letters
    play.cluster.delete(topic)
    await_that(lambda: Letters.begun == [1, 1])

    assert topic in play.cluster.topic_names()
    await_that(lambda: not play.problems)
    assert not [g for g in play.records() if g.state is State.RECOVERING]


def test_another_join_of_the_same_topics_goes_on_with_the_dead_letters_of_before(play: Play) -> None:
    """While both are there one of them writes; the events that were rejected already are not written again."""
    users = play.settings.left.topic_name
    play.restart(play.with_swap(linger_seconds=2.0))
    play.await_live(users)
    await_that(lambda: Letters.begun == [1, 1])
    play.verdict(play.swap(users, "inner"))
    assert Letters.begun == [1, 1]
    await_that(lambda: Letters.begun == [1, 1, 2])

    assert len(set(Letters.checkpoints)) == 1


def test_topics_that_are_swapped_back_to_go_on_with_their_dead_letters(play: Play) -> None:
    """Others have their own, also one that was created again under its name, of which nothing is left then."""
    users, other = play.settings.left.topic_name, play.topic("other")
    await_that(lambda: Letters.begun == [1])
    for number, topic in ((2, other), (3, users)):
        assert play.verdict(play.swap(topic))[0] == "applied"
        play.await_alone(number)
        await_that(lambda: len(Letters.begun) == play.live_number)
    first, second, third = Letters.checkpoints
    assert (first, first != second) == (third, True)

    play.cluster.delete(users)
    play.cluster.ensure(users)
    await_that(lambda: Letters.begun[-1] > 3)
    assert Letters.checkpoints[-1] not in {first, second}
    await_that(lambda: not first.parent.exists())
    assert second.parent.exists()
    play.await_alone(play.live_number)
    await_that(lambda: [*LetterRunner._turns] == Letters.checkpoints[-1:])  # noqa: SLF001  what is remembered


def test_the_topic_of_dead_letters_is_compacted_and_forgets(play: Play) -> None:
    """What is written once more replaces what was written before, also in a topic that was made when it did not."""
    topic = play.settings.own_topics.dead_letters
    assert play.cluster.configuration(topic)[POLICY] == "compact,delete"
    play.cluster.configure(topic, {POLICY: "delete"})
    play.restart()

    await_that(lambda: play.cluster.configuration(topic)[POLICY] == "compact,delete")

"""Every task of a live query holds a slot: what does not fit is told, and never waited for in silence."""

from collections.abc import Callable

from await_that import await_that
from livejoin.settings.settings import Settings
from play import Play

ONE = 5
"""What a generation of two topics with one partition each needs: two to read, two for dead letters, one to join."""


def with_slots(settings: Settings, slots: int) -> Settings:
    """The same settings with so many."""
    return settings.model_copy(update={"spark": settings.spark.model_copy(update={"slots": slots})})


def test_a_message_that_does_not_fit_is_rejected_with_the_numbers(play: Play) -> None:
    """What is live has its slots; when there are enough for both, it is applied."""
    other = play.topic("other")
    play.restart(with_slots(play.settings, 2 * ONE - 1))
    play.await_live(play.settings.left.topic_name)
    verdict, reason = play.verdict(play.swap(other))

    assert verdict == "rejected"
    assert reason == f"it needs {ONE} slots, and there are {2 * ONE - 1} (spark.slots); generation 1 has {ONE}"
    play.restart(with_slots(play.settings, 2 * ONE))
    assert play.verdict(play.swap(other))[0] == "applied"


def test_what_the_settings_ask_for_and_does_not_fit_says_so(
    settings: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """It waits, and its message has the numbers."""
    play = play_of(with_slots(settings, ONE - 1))
    play.start()

    await_that(lambda: f"it needs {ONE} slots, and there are {ONE - 1}" in play.registry.swap_story)

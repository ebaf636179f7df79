"""What the settings ask for, at the first start and at later ones."""

from collections.abc import Callable
from threading import Event

import pytest

from await_that import await_that
from livejoin.errors import NotAccepted
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import Start
from livejoin.pipeline.control.orchestrator import Orchestrator
from livejoin.settings.settings import Settings
from play import Play


def test_the_last_applied_message_survives_a_restart(play: Play) -> None:
    """Settings that have not changed do not take it back, and no message gets a second verdict."""
    other = play.topic("other")
    key = play.swap(other)
    play.verdict(key)
    play.await_alone(2)
    play.restart()
    fence = play.swap(other)

    assert play.verdict(fence)[0] == "unchanged"
    assert play.await_live(other).number == 2
    assert play.verdict(key)[0] == "applied"


def test_changed_settings_are_obeyed_at_the_next_start(play: Play) -> None:
    """Another topic in the settings is a request, built beside what is live; so is another keep."""
    other, third = play.topic("other"), play.topic("third")
    play.verdict(play.swap(other))
    changed = play.settings.model_copy(update={"left": play.settings.left.model_copy(update={"topic": third})})
    play.restart(changed)
    assert play.await_live(third).number == 3
    limited = changed.model_copy(update={"keep": changed.keep.model_copy(update={"limit": 7})})
    play.restart(limited)

    await_that(lambda: (live := play.registry.live) and live.request.keep_limit == 7)
    assert play.await_live(third).number == 4


def test_reading_can_begin_at_the_latest(play: Play) -> None:
    """With `swap.start = latest` a generation begins where its topics end when it is built."""
    other = play.topic("other")
    producer = play.cluster.producer()
    for _ in range(3):
        producer.produce(other, b"{}")
    assert producer.flush(10) == 0
    play.restart(play.with_swap(start=Start.LATEST))
    play.verdict(play.swap(other))

    assert play.await_live(other).source_starts["users"] == {0: 3}


def test_larger_events_are_allowed_by_the_view_topic_that_is_there(play: Play) -> None:
    """Where `events.max_bytes` was raised, rows of the live generation may be larger than before."""
    view, before = play.registry.of(1).view_topic, play.settings.events
    larger = before.model_copy(update={"max_bytes": 2 * before.max_bytes})
    play.restart(play.settings.model_copy(update={"events": larger}))

    await_that(lambda: play.cluster.configuration(view)["max.message.bytes"] == str(larger.row_bytes))
    assert play.await_live(play.settings.left.topic_name).number == 1


def with_copies(settings: Settings, copies: int) -> Settings:
    """The same settings with so many copies of livejoin's topics."""
    return settings.model_copy(update={"topics": settings.topics.model_copy(update={"replication": copies})})


def test_what_the_cluster_will_never_accept_ends_the_pipeline_with_a_sentence(
    settings: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """More copies than there are brokers, at the first start: waiting would not help, and nobody is left waiting."""
    impossible = play_of(with_copies(settings, 3)).settings
    with pytest.raises(NotAccepted, match=r"(?i)replication factor") as ended:
        Orchestrator(impossible, Cluster(impossible.kafka_client), None).run(Event())  # type: ignore[arg-type]
    assert impossible.own_topics.state in ended.value.what
    assert ended.value.do


def test_a_message_that_asks_for_what_is_never_accepted_has_failed(play: Play) -> None:
    """What is live stays, and the next message is obeyed where it can be."""
    possible, other = play.settings, play.topic("other")
    play.restart(with_copies(possible, 3))
    verdict, reason = play.verdict(play.swap(other))
    assert (verdict, "replication factor" in reason.lower()) == ("failed", True)
    assert play.await_live(possible.left.topic_name).number == 1
    play.restart(possible)
    assert play.verdict(play.swap(other))[0] == "applied"


def test_two_prefixes_may_have_one_data_folder(play: Play, play_of: Callable[[Settings], Play]) -> None:
    """Each has numbers of its own: neither takes the checkpoints of the other for what nobody needs."""
    users = play.settings.left.topic_name
    second = play.topic("second")
    play.verdict(play.swap(second))
    play.await_alone(2)
    names = {"prefix": f"{play.settings.topics.prefix}-other", "control": f"{play.settings.topics.control}-other"}
    topics = play.settings.topics.model_copy(update=names)
    other = play_of(play.settings.model_copy(update={"topics": topics}))
    other.start()
    other.await_live(users)

    other.await_alone(1)
    play.await_alone(2)
    play.restart()
    assert play.await_live(second).number == 2

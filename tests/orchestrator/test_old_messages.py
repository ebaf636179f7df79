"""Control messages that were sent before anybody listened."""

import json
import time
from collections.abc import Callable

from livejoin.settings.settings import Settings
from play import Play

HOUR = 3600.0
SOME_SECONDS = 20.0


def send_as_of(play: Play, users: str, seconds_ago: float, control: str) -> None:
    """A message that was sent that long ago."""
    producer = play.cluster.producer()
    message = {"usersTopic": users, "accountsTopic": play.settings.right.topic_name}
    producer.produce(control, json.dumps(message), timestamp=int((time.time() - seconds_ago) * 1000))
    assert producer.flush(10) == 0


def with_control(settings: Settings, **topics: str) -> Settings:
    """The same settings with other names of topics."""
    return settings.model_copy(update={"topics": settings.topics.model_copy(update=topics)})


def test_a_first_start_obeys_its_settings_and_no_old_messages(
    settings: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """What was sent to the control topic for somebody else, long before, changes nothing and gets no verdict."""
    play = play_of(settings)
    other = play.topic("other")
    send_as_of(play, other, HOUR, settings.topics.control)
    play.start()
    play.await_live(settings.left.topic_name)
    fence = play.swap(settings.left.topic_name)

    assert play.verdict(fence)[0] == "unchanged"
    assert [*play.registry.generations] == [1]
    assert fence.endswith("/1"), "there is one message before it"
    assert play.entries(fence.removesuffix("1") + "0") == []


def test_a_message_that_was_sent_just_before_the_first_start_is_obeyed(
    settings: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """A script may send it before it starts livejoin, and clocks differ."""
    play = play_of(settings)
    other = play.topic("other")
    send_as_of(play, play.topic("too-old"), HOUR, settings.topics.control)
    send_as_of(play, other, SOME_SECONDS, settings.topics.control)
    play.start()

    play.await_live(other)


def test_messages_that_were_sent_while_livejoin_was_down_are_obeyed(play: Play) -> None:
    """Also to a control topic that has only been made meanwhile: it was waited for since the first start."""
    play.cluster.delete(play.settings.topics.control)
    play.stop()
    other = play.topic("other")
    play.cluster.ensure(play.settings.topics.control)
    key = play.swap(other)
    play.start()

    assert play.verdict(key)[0] == "applied"


def test_another_control_topic_is_begun_with_what_is_sent_from_then_on(play: Play) -> None:
    """Its old messages were for somebody else, as at a first start."""
    control = play.topic("other-control")
    send_as_of(play, play.topic("other"), HOUR, control)
    play.restart(with_control(play.settings, control=control))
    fence = play.swap(play.settings.left.topic_name)

    assert play.verdict(fence)[0] == "unchanged"
    assert [*play.registry.generations] == [1]

"""An orchestrator that may not do everything: what is refused is told, and keeps nothing else from going on."""

import pytest
from confluent_kafka.admin import ResourceType  # type: ignore[attr-defined]

from await_that import await_that
from guest import Guest
from livejoin.errors import LoginRefused
from livejoin.model.generation import Generation, State
from livejoin.pipeline.control import vitals
from livejoin.pipeline.control.view_topics import ViewTopics
from livejoin.settings.settings import Settings
from play import Play

OWN = ("CREATE", "READ", "WRITE", "DELETE")


@pytest.fixture
def guest(settings: Settings) -> Guest:
    """Who has just the rights that a pipeline needs."""
    guest = Guest(settings.kafka_client, settings.topics.prefix)
    guest.allow(settings.own_topics.own_prefix, *OWN, prefixed=True)
    guest.allow(settings.own_topics.transactional_id, "WRITE", on=ResourceType.TRANSACTIONAL_ID)
    for topic in (settings.left.topic_name, settings.right.topic_name, settings.topics.control):
        guest.allow(topic, "READ")
    return guest


@pytest.fixture
def limited(play: Play, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> Play:
    """The orchestrator, logged in as the guest, with a generation live."""
    monkeypatch.setattr(vitals, "LONGEST_RETRY_SECONDS", 1.0)
    play.restart(play.settings.model_copy(update={"kafka": guest.properties}))
    play.await_live(play.settings.left.topic_name)
    return play


def test_these_rights_are_enough(limited: Play, guest: Guest) -> None:
    """A swap is applied, what was before is removed, and nothing is wrong."""
    other = limited.topic("other")
    guest.allow(other, "READ")
    assert limited.verdict(limited.swap(other))[0] == "applied"
    limited.await_alone(limited.live_number)

    assert limited.problems == {}


def test_without_the_control_topic_everything_else_goes_on(limited: Play, guest: Guest) -> None:
    """A generation is built and live; messages that came meanwhile are obeyed when the topic may be read."""
    control = limited.settings.topics.control
    limited.stop()
    guest.take(control, "READ")
    limited.start()
    await_that(lambda: "control topic" in limited.problems)
    assert f"{guest.principal} has no right to READ topic {control!r}" in limited.problems["control topic"]
    limited.await_live(limited.settings.left.topic_name)

    key = limited.send(b"no message")
    guest.allow(control, "READ")
    assert limited.verdict(key)[0] == "rejected"
    await_that(lambda: not limited.problems)


def test_a_control_topic_that_may_not_be_read_is_told(limited: Play, guest: Guest) -> None:
    """Also where it may be described: nothing else would say why messages are not obeyed."""
    control = limited.settings.topics.control
    guest.allow(control, "DESCRIBE")
    guest.take(control, "READ")
    await_that(lambda: "no right to READ" in limited.problems.get("control topic", ""))

    guest.allow(control, "READ")
    await_that(lambda: not limited.problems)


def test_a_topic_that_may_not_be_created_fails_the_message(limited: Play, guest: Guest) -> None:
    """The reason names the right; what was live stays; the next message is obeyed when the right is there."""
    own, other = limited.settings.own_topics, limited.topic("other")
    guest.allow(other, "READ")
    guest.take(own.own_prefix, "CREATE", prefixed=True)
    verdict, reason = limited.verdict(limited.swap(other))

    assert verdict == "failed"
    assert f"{guest.principal} has no right to CREATE topic '{own.view_prefix}" in reason
    assert limited.await_live(limited.settings.left.topic_name)
    guest.allow(own.own_prefix, "CREATE", prefixed=True)
    assert limited.verdict(limited.swap(other))[0] == "applied"


def test_what_may_not_be_deleted_is_told_and_deleted_later(limited: Play, guest: Guest) -> None:
    """The swap is whole without it."""
    own, other = limited.settings.own_topics, limited.topic("other")
    guest.allow(other, "READ")
    before = limited.live_number
    guest.take(own.own_prefix, "DELETE", prefixed=True)
    assert limited.verdict(limited.swap(other))[0] == "applied"
    await_that(lambda: "clean-up" in limited.problems)
    assert f"no right to DELETE topic '{own.view(before)}'" in limited.problems["clean-up"]

    guest.allow(own.own_prefix, "DELETE", prefixed=True)
    limited.await_alone(limited.live_number)
    await_that(lambda: not limited.problems)


def test_a_source_that_may_not_be_seen_is_rejected_by_its_right(limited: Play, guest: Guest) -> None:
    """It is not said to be missing: creating it would not help."""
    other = limited.topic("other")
    verdict, reason = limited.verdict(limited.swap(other))

    assert verdict == "rejected"
    assert f"{guest.principal} has no right to READ topic {other!r}" in reason


def test_a_source_that_may_not_be_read_any_more_is_named(limited: Play, guest: Guest) -> None:
    """The status says which right is missing, and rows go on when it is there again."""
    users = limited.settings.left.topic_name
    guest.take(users, "READ")

    def told() -> bool:
        live = limited.registry.live
        assert live is not None
        return live.state == "recovering" and f"no right to READ topic {users!r}" in live.message

    await_that(told)
    guest.allow(users, "READ")
    limited.await_live(users)


def test_without_its_own_topics_it_waits_and_goes_on(limited: Play, guest: Guest) -> None:
    """What was decided while nothing could be written is done when it can."""
    own = limited.settings.own_topics
    guest.take(own.own_prefix, "WRITE", prefixed=True)
    key = limited.send(b"no message")
    await_that(lambda: "no right to WRITE" in limited.problems.get("own topics", ""))

    guest.allow(own.own_prefix, "WRITE", prefixed=True)
    assert limited.verdict(key)[0] == "rejected"
    await_that(lambda: not limited.problems)


def test_the_same_refusal_is_one_line_of_log(limited: Play, guest: Guest, capsys: pytest.CaptureFixture[str]) -> None:
    """A right that is missing for a day must not fill the disk."""
    control = limited.settings.topics.control
    capsys.readouterr()
    guest.take(control, "READ")
    await_that(lambda: limited.orchestrator.vitals.tries("control topic") >= 3)

    assert capsys.readouterr().out.count("not well") == 1


def test_what_is_over_has_no_trouble_any_more(limited: Play, guest: Guest) -> None:
    """What the settings ask for waits for a right, until a message asks for something else: then nothing is wrong."""
    users, own = limited.settings.left.topic_name, limited.settings.own_topics
    other = limited.topic("other")
    guest.allow(other, "READ")
    guest.take(own.own_prefix, "CREATE", prefixed=True)
    left = limited.settings.left.model_copy(update={"topic": other})
    limited.restart(limited.settings.model_copy(update={"left": left}))
    await_that(lambda: f"no right to CREATE topic '{own.view_prefix}" in "".join(limited.problems.values()))

    assert limited.verdict(limited.swap(users))[0] == "unchanged"
    await_that(lambda: not limited.problems)


def test_what_a_message_has_made_live_is_begun_when_it_may_be(
    limited: Play, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was refused once at a start: it has not failed, for it is shown, and what is wrong is told until it runs."""
    other = limited.topic("other")
    guest.allow(other, "READ")
    assert limited.verdict(limited.swap(other))[0] == "applied"
    limited.stop()
    refused = True

    def check(_: ViewTopics, __: Generation) -> None:
        if refused:
            raise LoginRefused("the login is refused", do="mend it")

    monkeypatch.setattr(ViewTopics, "check", check)
    limited.start()
    await_that(lambda: "the login is refused" in "".join(limited.problems.values()))
    assert limited.registry.of(limited.live_number).state is State.RECOVERING

    refused = False
    limited.await_live(other)
    await_that(lambda: not limited.problems)

"""View topics that somebody else has made: they are taken, emptied and taken again, and nothing is made or deleted."""

from collections.abc import Callable

import pytest

from await_that import await_that
from livejoin.errors import TopicMissing
from livejoin.kafka.reading import read_to_end
from livejoin.kafka.writer import Writer
from livejoin.model.generation import Generation
from livejoin.model.registry import Epoch
from livejoin.pipeline.control.counts import Counts
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.settings.settings import Settings
from livejoin.topics.plan import PlannedTopic, fixed_topics, own_topics
from livejoin.wire.records import EPOCH_KEY, from_json, generation_key
from livejoin.wire.view_record import Taken
from play import Play, Queries


@pytest.fixture
def pooled(settings: Settings) -> Settings:
    """Names that were chosen, three view topics, and nothing may be created."""
    name = settings.topics.prefix
    topics = {
        "state": f"{name}-own-state",
        "control_log": f"{name}-own-log",
        "dead_letters": f"{name}-own-letters",
        "views": [f"{name}-own-{letter}" for letter in "abc"],
        "create": False,
    }
    return settings.model_copy(update={"topics": settings.topics.model_copy(update=topics)})


def make(play: Play, *topics: PlannedTopic) -> None:
    """What somebody does who runs the commands that `livejoin topics` prints."""
    for topic in topics:
        play.cluster.ensure(topic.name, partitions=topic.partitions, config=topic.config)


@pytest.fixture
def pool(pooled: Settings, play_of: Callable[[Settings], Play]) -> Play:
    """A running orchestrator on topics that somebody else has made, with generation 1 live."""
    play = play_of(pooled)
    make(play, *own_topics(pooled))
    play.start()
    play.await_live(pooled.left.topic_name)
    return play


def write_row(play: Play, topic: str) -> None:
    """Something that must not be seen by the next who takes the topic."""
    Writer(play.cluster, topic).write("left/1", b"{}")


def keys(play: Play, topic: str) -> list[bytes | None]:
    """The keys of everything in a topic."""
    return [record.key() for record in read_to_end(play.cluster, topic)]


def test_generations_take_turns_with_the_topics_of_the_pool(pool: Play) -> None:
    """Each begins with an empty topic that says whose it is; those of the others are empty again afterwards."""
    before = pool.cluster.topic_names()
    others = [pool.topic("x"), pool.topic("y")]
    used = []
    for turn in range(4):
        pool.verdict(pool.swap(others[turn % 2]))
        live = pool.await_live(others[turn % 2])
        write_row(pool, live.view_topic)
        pool.await_alone(live.number)
        used.append(live.view_topic)

    assert set(used) == set(pool.settings.topics.views)
    assert pool.cluster.topic_names() == before | set(others)
    [first, *_] = read_to_end(pool.cluster, used[-1])
    assert (first.key(), first.value()) == (b"taken", Taken(5, pool.registry.of(5).taken).to_json())


def test_a_topic_is_taken_with_an_epoch_above_those_of_who_may_still_write_there(pool: Play) -> None:
    """By it a table server tells their rows from those of the generation; its own queries begin after that."""
    pool.restart()
    for name in ("x", "y"):
        pool.verdict(pool.swap(pool.topic(name)))
    number = pool.live_number
    given: list[int] = []
    for record in read_to_end(pool.cluster, pool.settings.own_topics.state):
        value = record.value() or b""
        if record.key() == EPOCH_KEY.encode():
            given.append(from_json(Epoch, value).number)
        elif record.key() == generation_key(number).encode() and from_json(Generation, value).taken:
            break

    taken = pool.registry.of(number).taken
    assert (given[-1], max(given[:-1]) < taken) == (taken, True)
    epoch = pool.registry.epoch
    assert epoch is not None
    assert epoch.number > taken


def test_what_somebody_has_left_in_a_topic_of_the_pool_is_gone_before_it_is_used(
    pooled: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """Rows of another livejoin, or of a state topic that was lost, are never shown."""
    play = play_of(pooled)
    make(play, *own_topics(pooled))
    for topic in pooled.topics.views:
        write_row(play, topic)
    play.start()
    live = play.await_live(pooled.left.topic_name)

    assert keys(play, live.view_topic) == [b"taken"]


def test_a_request_waits_for_a_topic_that_is_free(pool: Play) -> None:
    """While all are taken its message says by whom, and what was being built gives way to it."""
    pool.restart(pool.with_swap(linger_seconds=3.0))
    second, third = pool.topic("second"), pool.topic("third")
    pool.verdict(pool.swap(second))
    Queries.gate.clear()
    first = pool.swap(third)
    pool.await_building(third)
    last = pool.swap(pool.topic("fourth"))
    assert pool.verdict(first)[0] == "superseded"
    Queries.open_gates()

    assert pool.verdict(last)[0] == "applied"
    pool.await_alone(pool.await_live(pool.topic("fourth")).number)
    waited = [g.message for g in pool.records() if g.number == 4 and "no view topic is free" in g.message]
    assert waited
    assert all(message.endswith("; waiting for it") for message in waited)


def test_a_wait_for_the_pool_is_not_over_after_an_hour_without_a_pipeline(pool: Play) -> None:
    """A swap that was asked for an hour ago waits on, until one is free."""
    taken = pool.registry.of(1).view_topic
    free = [topic for topic in pool.settings.topics.views if topic != taken]
    for topic in free:
        pool.cluster.configure(topic, {"cleanup.policy": "compact"})
    key = pool.swap(pool.topic("second"))
    await_that(lambda: "no view topic is free" in pool.registry.swap_story)
    pool.stop_for_an_hour(2)
    pool.start(pool.with_swap(build_timeout_seconds=60.0))
    await_that(lambda: "no view topic is free" in pool.registry.swap_story)
    pool.cluster.configure(free[0], {"cleanup.policy": "compact,delete"})

    assert pool.verdict(key)[0] == "applied"


def test_a_topic_that_cannot_be_emptied_is_not_taken(pooled: Settings, play_of: Callable[[Settings], Play]) -> None:
    """One that is compacted only would keep what the generation before has written; the message says what to set."""
    play = play_of(pooled)
    make(play, *fixed_topics(pooled))
    for topic in pooled.topics.views:
        play.cluster.ensure(topic, config={"cleanup.policy": "compact", "max.message.bytes": "10000000"})
    play.start()
    await_that(lambda: "cleanup.policy=compact,delete" in play.registry.swap_story)
    right = {"cleanup.policy": "compact,delete", "retention.ms": "-1", "retention.bytes": "-1"}
    play.cluster.configure(pooled.topics.views[2], right)

    assert play.await_live(pooled.left.topic_name).view_topic == pooled.topics.views[2]


def test_a_topic_of_the_pool_that_is_not_there_is_named(pooled: Settings, play_of: Callable[[Settings], Play]) -> None:
    """And it is taken when somebody has made it."""
    play = play_of(pooled)
    make(play, *fixed_topics(pooled))
    play.start()
    await_that(lambda: f"{pooled.topics.views[0]!r} is not on the broker" in play.registry.swap_story)
    make(play, *own_topics(pooled))

    play.await_live(pooled.left.topic_name)


def test_a_missing_topic_of_its_own_is_named_where_livejoin_creates_none(
    pooled: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """With the command that prints how to make it."""
    play = play_of(pooled)
    make(play, *fixed_topics(pooled)[:2])

    with pytest.raises(TopicMissing) as missing:
        Lifecycle(pooled, play.cluster, None, lambda _: None, Counts()).open()  # type: ignore[arg-type]
    assert pooled.topics.dead_letters in missing.value.what
    assert "livejoin topics" in missing.value.do
    assert pooled.topics.dead_letters not in play.cluster.topic_names()


def test_a_topic_of_the_pool_is_no_source(pool: Play) -> None:
    """A view topic joined into itself would never end, whatever its name is."""
    verdict, reason = pool.verdict(pool.swap(pool.settings.topics.views[0]))

    assert (verdict, "livejoin's own" in reason) == ("rejected", True)


def test_a_topic_that_somebody_else_made_is_left_when_the_pool_is_given_up(pool: Play) -> None:
    """It was not livejoin's to make, and is not livejoin's to delete."""
    own = pool.registry.of(1).view_topic
    write_row(pool, own)
    alone = pool.settings.topics.model_copy(update={"views": [], "create": True})
    pool.restart(pool.settings.model_copy(update={"topics": alone}))
    other = pool.topic("other")
    pool.verdict(pool.swap(other))
    await_that(lambda: [*pool.registry.generations] == [2])

    assert pool.await_live(other).view_topic == pool.settings.own_topics.view(2)
    assert own in pool.cluster.topic_names()

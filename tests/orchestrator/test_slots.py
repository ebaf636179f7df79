"""Every task of a live query holds a slot: what does not fit is told, and never waited for in silence."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from confluent_kafka.admin import AdminClient, NewPartitions  # type: ignore[attr-defined]

from await_that import await_that
from livejoin.model.generation import State
from livejoin.pipeline.control.slots import NoSlots, Slots
from livejoin.settings.settings import Settings
from play import Letters, Play, Queries

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


def test_a_start_with_too_few_slots_says_so_and_goes_on_when_there_are_enough(play: Play) -> None:
    """What was live before is not begun in silence: its message has the numbers."""
    play.restart(with_slots(play.settings, ONE - 1))
    await_told(play, f"it needs {ONE} slots, and there are {ONE - 1} (spark.slots)")

    play.restart(with_slots(play.settings, ONE))
    play.await_live(play.settings.left.topic_name)


def test_partitions_that_are_added_and_do_not_fit_are_told(play: Play) -> None:
    """They need more than the generation has: its dead letters stop with it, and what another one has comes free."""
    users, other = play.settings.left.topic_name, play.topic("other")
    play.restart(with_slots(play.with_swap(linger_seconds=5.0), 2 * ONE))
    play.await_live(users)
    assert play.verdict(play.swap(other))[0] == "applied"
    await_that(lambda: Letters.begun[-1] == 2)
    add_partitions(play, other, 2)
    await_told(play, f"it needs {ONE + 2} slots, and there are {2 * ONE} (spark.slots); generation 1 has {ONE}")

    play.await_alone(2)
    play.await_live(other)


def test_a_message_that_is_being_built_and_fits_no_more_has_failed_with_the_numbers(
    settings: Settings, play_of: Callable[[Settings], Play]
) -> None:
    """Its queries die, and its topic has more partitions when they are begun again; what is shown goes on."""
    play = play_of(with_slots(settings, 2 * ONE))
    play.start()
    play.await_live(settings.left.topic_name)
    other = play.topic("other")
    Queries.gate.clear()
    key = play.swap(other)
    play.await_building(other)
    await_that(lambda: play.registry.of(2).topic_ids)
    add_partitions(play, other, 2)
    Queries.deaths_of_backfill.append("it has a cold")
    Queries.gate.set()
    verdict, reason = play.verdict(key)

    needs = f"it needs {ONE + 2} slots, and there are {2 * ONE} (spark.slots); generation 1 has {ONE}"
    assert (verdict, reason) == ("failed", needs)
    play.await_alone(1)


def test_a_cluster_has_the_cores_of_its_executors(play: Play) -> None:
    """They come and go with the executors, and so are asked for whenever queries are begun."""
    spark = play.settings.spark.model_copy(update={"master": "spark://elsewhere:7077"})
    context = SimpleNamespace(defaultParallelism=ONE - 1)
    session = SimpleNamespace(sparkContext=context)
    of_a_cluster = play.settings.model_copy(update={"spark": spark})
    slots = Slots(of_a_cluster, play.cluster, session)  # type: ignore[arg-type]
    first = play.registry.of(1)
    lacks = f"it needs {ONE} slots, and there are {ONE - 1} (the cores of the Spark cluster)"
    with pytest.raises(NoSlots) as lack:
        slots.take(first)
    assert lack.value.what == lacks

    context.defaultParallelism = ONE
    slots.take(first)
    assert slots.lack(replace(first, number=2)) == lacks.replace(str(ONE - 1), str(ONE)) + f"; generation 1 has {ONE}"
    slots.give_back(1)
    assert not slots.lack(replace(first, number=2))


def add_partitions(play: Play, topic: str, count: int) -> None:
    """So many in all."""
    admin = AdminClient({**play.settings.kafka_client.librdkafka()})
    for answer in admin.create_partitions([NewPartitions(topic, count)]).values():
        answer.result(20)
    await_that(lambda: len(play.cluster.partitions(topic)) == count)


def await_told(play: Play, what: str) -> None:
    """Return when the generation that is shown does not run, and says why."""

    def told() -> bool:
        live = play.registry.live
        assert live is not None
        return live.state is State.RECOVERING and what in live.message

    await_that(told)

"""Two that want to write, in an order that the simulation has found."""

from collections.abc import Callable

import pytest

from livejoin.errors import Fenced
from livejoin.kafka.cluster import Cluster
from livejoin.pipeline.control.one_writer import OneWriter
from livejoin.pipeline.control.state_topic import read_registry
from livejoin.settings.loader import load_settings
from simulated_broker import Broker
from simulated_clients import Network
from simulated_machine import simulated_machine
from simulated_time import Process, Thread, World


def test_who_finds_out_by_a_new_producer_that_another_one_writes_keeps_it_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither another thread nor the farewell of the first may write by the right that it has just taken."""
    settings = load_settings(None, {"kafka": {"bootstrap.servers": "simulated:9092"}})
    topics = settings.own_topics

    def play() -> None:
        cluster = Cluster(settings.kafka_client)
        first, second = OneWriter(cluster, topics), OneWriter(cluster, topics)
        first.claim()
        # The second is about to claim; the first is refused, sees nobody else, and makes another producer.
        second._fenced.take_over()  # noqa: SLF001
        monkeypatch.setattr(first._fenced, "take_over", after(second.claim, first._fenced.take_over))  # noqa: SLF001
        for _ in range(2):
            with pytest.raises(Fenced):
                first.write(topics.state, "generation/1", None)
        first.release()
        epoch = read_registry(cluster, topics.state).epoch
        assert epoch is not None
        assert (epoch.writer, epoch.released) == (second.name, False)
        second.write(topics.state, "generation/1", None)

    with simulated_machine(lambda _: None):
        world = World("two writers")
        broker = Broker(lambda *_: None)
        broker.create(topics.state)
        Network(broker, lambda _: None)
        Thread(play, "play", process=Process("both")).start()
        world.run(100.0, lambda: False)

    assert world.defects == []


def after(first: Callable[[], None], then: Callable[[], None]) -> Callable[[], None]:
    """Both, one after the other; the first of them once."""
    left = [first]

    def both() -> None:
        while left:
            left.pop()()
        then()

    return both

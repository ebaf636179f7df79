"""A topic is followed in batches."""

import time
from itertools import pairwise

from confluent_kafka import Message
from structlog.testing import capture_logs

from await_that import await_that
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.tail import TopicTail, bounded
from livejoin.kafka.writer import Writer
from livejoin.settings.settings import Settings

PACE = 0.3


def test_what_comes_in_a_steady_stream_is_taken_together(broker: Settings) -> None:
    """Batches begin at least the pace apart, and every record is taken once."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure("steady")
    taken: list[tuple[float, list[int]]] = []

    def take(records: list[Message]) -> None:
        taken.append((time.monotonic(), [record.offset() or 0 for record in records]))

    tail = TopicTail(cluster, "steady", take, pace=PACE)
    tail.start()
    await_that(tail.reached)
    writer, sent = Writer(cluster, "steady"), 1
    writer.write(None, b"x")
    await_that(lambda: taken)
    # As long as it takes both to connect does not count.
    end = time.monotonic() + 4 * PACE
    while time.monotonic() < end:
        writer.write(None, b"x")
        sent += 1
    await_that(lambda: sum(len(offsets) for _, offsets in taken) == sent)
    tail.stop()

    assert [offset for _, offsets in taken for offset in offsets] == list(range(sent))
    assert sent > len(taken) > 1
    # The clock is read a moment after a batch has begun.
    assert all(after - before > 0.9 * PACE for (before, _), (after, _) in pairwise(taken))


def test_what_cannot_be_taken_in_is_read_again_later_and_later(broker: Settings) -> None:
    """It is told once, with the way to the error, however often that is; and that it is over."""
    cluster = Cluster(broker.kafka_client)
    cluster.ensure("choking")
    Writer(cluster, "choking").write(None, b"x")
    tries: list[float] = []

    def take(_: list[Message]) -> None:
        tries.append(time.monotonic())
        if len(tries) < 5:
            raise TypeError("nobody has expected this")

    with capture_logs() as logged:
        tail = TopicTail(cluster, "choking", take)
        tail.start()
        await_that(lambda: len(tries) == 2)
        assert tail.waiting_for == "topic 'choking' (its records could not be taken in)"
        await_that(lambda: len(tries) == 5)
        await_that(lambda: not tail.waiting_for)
        tail.stop()

    begun, over = (line for line in logged if line["event"].startswith("records could not be taken in"))
    assert (begun["why"], begun["log_level"]) == ("TypeError: nobody has expected this", "error")
    assert isinstance(begun["exc_info"], TypeError)
    assert over["times"] == 4
    pauses = [after - before for before, after in pairwise(tries)]
    assert pauses[-1] > 2 * pauses[0]


def test_what_is_taken_together_is_bounded() -> None:
    """Nothing is left out or turned around; one that is too large by itself is taken alone."""
    sizes = [3, 4, 3, 1, 12, 1, 9, 2]
    batches = bounded([b"x" * size for size in sizes], 10)

    assert [[len(record) for record in batch] for batch in batches] == [[3, 4, 3], [1], [12], [1, 9], [2]]
    assert list(bounded([], 10)) == []

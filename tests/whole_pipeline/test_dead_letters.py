"""What becomes of dead letters that are written again, by the real pipeline and for a real table server."""

from collections import Counter

from await_that import await_that
from livejoin.client.tables import connect
from livejoin.errors import TableServerGone
from livejoin.kafka.reading import read_to_end
from livejoin.model.generation import Generation, JoinType
from livejoin.model.table import DEAD_LETTERS
from livejoin.topics.plan import POLICY
from world import MEND_SECONDS, World

BAD = [f"bad again and again {number}" for number in range(300)]


def test_a_bad_event_is_one_letter_after_compaction_and_one_row(serving: World, live: Generation) -> None:
    """What a killed pipeline had not committed is written once more; another join of the topics goes on from there."""
    topic = serving.settings.own_topics.dead_letters
    reject(serving, *BAD)
    await_that(lambda: found_in(serving, topic).keys() == {*BAD}, timeout=MEND_SECONDS)
    serving.pipeline.kill()
    serving.pipeline.start()
    serving.await_live(live.request.left_topic, MEND_SECONDS)
    other = JoinType.INNER if live.request.join is JoinType.LEFT else JoinType.LEFT
    serving.swap(live.request.left_topic, other)
    await_that(lambda: serving.live_number > live.number, timeout=MEND_SECONDS)
    last = "bad again and again, the last"
    reject(serving, last)
    await_that(lambda: last in found_in(serving, topic), timeout=MEND_SECONDS)

    once = Counter([*BAD, last])
    assert found_in(serving, topic) > once, "a restart repeats what was not committed, or this shows nothing"
    assert found_in(serving, topic, compacted=True) == once
    assert serving.cluster.configuration(topic)[POLICY] == "compact,delete"
    await_that(lambda: shown(serving) == once, timeout=MEND_SECONDS)


def reject(world: World, *texts: str) -> None:
    """Send events that are not valid, one after the other."""
    producer = world.cluster.producer()
    for text in texts:
        producer.produce("accounts", value=text, partition=0)
    assert producer.flush(30) == 0


def found_in(world: World, topic: str, *, compacted: bool = False) -> Counter[str]:
    """How often each of them is in the topic, as it is or for who reads it after the broker has compacted it."""
    records = [(record.key(), (record.value() or b"").decode()) for record in read_to_end(world.cluster, topic)]
    texts = dict(records).values() if compacted else [text for _, text in records]
    return Counter(text for text in texts if text.startswith("bad again"))


def shown(world: World) -> Counter[str]:
    """How often each of them is in the table."""
    try:
        with connect(world.settings) as client:
            rows = client.newest(DEAD_LETTERS.name, world.settings.server.dead_letters).rows
    except TableServerGone as gone:
        raise AssertionError(gone.what) from gone
    return Counter(row["text"] for row in rows if row["text"].startswith("bad again"))

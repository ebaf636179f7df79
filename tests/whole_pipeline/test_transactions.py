"""Events that are sent in transactions, as a person sees them: by the real pipeline and a real table server."""

import json

from await_that import await_that
from livejoin.cli.status import read_status
from livejoin.client.tables import connect
from livejoin.errors import TableServerGone
from livejoin.kafka.reading import read_to_end
from livejoin.model.generation import Generation
from world import MEND_SECONDS, World

TOPIC = "transacted"
NOTHING = "transacted-nothing"
"""The other side, of which other tests have done nothing: some delete dead letters, or events before they are read."""
BEYOND = 1_760_000_000_000_000_000
"""Nanoseconds, where milliseconds are meant."""


def test_nothing_of_an_aborted_transaction_is_seen_or_missed(serving: World, live: Generation) -> None:
    """Neither in a backfill nor live; what is committed is there, and in the end everything is accounted for."""
    cluster = serving.cluster
    cluster.ensure(TOPIC, config={"message.timestamp.after.max.ms": str(2**63 - 1)})
    cluster.ensure(NOTHING)
    transact(serving, "before")
    serving.send({"usersTopic": TOPIC, "accountsTopic": NOTHING, "joinType": "left"})
    shown = serving.await_live(TOPIC, MEND_SECONDS)
    assert shown.number > live.number
    transact(serving, "after")
    serving.await_users(shown.number, "committed before", "committed after")

    def accounted() -> bool:
        try:
            with connect(serving.settings) as client:
                found = read_status(client)
        except TableServerGone as gone:
            raise AssertionError(gone.what) from gone
        assert (found["usersTopic"], found["lag"]) == (TOPIC, 0)
        assert found["accounting"]["unaccounted"] == 0, found["accounting"]
        return True

    await_that(accounted, timeout=MEND_SECONDS)
    assert serving.users(shown.number) == {"committed before", "committed after"}
    letters = [r.value() or b"" for r in read_to_end(cluster, serving.settings.own_topics.dead_letters)]
    of_topic = sorted(value for value in letters if b"ted before" in value or b"ted after" in value)
    assert of_topic == [b"bad, committed after", b"bad, committed before"] + [
        json.dumps({"userId": f"from another time, committed {when}"}).encode() for when in ("after", "before")
    ]


def transact(world: World, when: str) -> None:
    """A transaction that is aborted and one that is committed, each with a row, a bad event and one of any time."""
    producer = world.cluster.producer(**{"transactional.id": TOPIC})
    producer.init_transactions(30)
    for end, how in ((producer.abort_transaction, "aborted"), (producer.commit_transaction, "committed")):
        producer.begin_transaction()
        producer.produce(TOPIC, json.dumps({"userId": f"{how} {when}"}))
        producer.produce(TOPIC, f"bad, {how} {when}".encode())
        producer.produce(TOPIC, json.dumps({"userId": f"from another time, {how} {when}"}), timestamp=BEYOND)
        assert producer.flush(30) == 0
        end(30)

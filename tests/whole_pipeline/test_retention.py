"""Topics that drop events, by age or by compaction, whether those were read or not."""

import json
from typing import Any

from await_that import await_that
from livejoin.kafka.reading import read_to_end
from livejoin.local.stack import answers
from livejoin.model.generation import Generation
from table_server import reader
from world import MEND_SECONDS, World

COMPACTED = {
    "cleanup.policy": "compact",
    "segment.ms": "100",
    "min.cleanable.dirty.ratio": "0.001",
    "delete.retention.ms": "0",
}
"""As soon as the broker can: it looks every quarter of a minute."""
NEWEST = 20


def restart(world: World) -> None:
    """The process ends without a chance to commit anything, and another one starts."""
    world.pipeline.kill()
    world.pipeline.start()


def own_topic(world: World, name: str) -> Generation:
    """A generation that is live on a users topic of this test alone, with one user."""
    users = world.topic(name)
    world.produce(users, "before", name="Before")
    world.swap(users)
    generation = world.await_live(users, MEND_SECONDS)
    world.await_users(generation.number, "before")
    return generation


def test_events_that_were_dropped_before_they_were_read_lead_to_a_fresh_generation(world: World) -> None:
    """It says which are missing, and has what the broker still has."""
    old = own_topic(world, "dropped-unread")
    users = old.request.left_topic
    world.pipeline.kill()
    world.produce(users, "dropped", name="Dropped")
    world.cluster.empty(users)
    world.produce(users, "after", name="After")
    world.pipeline.start()
    number = world.await_newer(old.number)

    assert f"dropped events of topic {users!r}" in next(g.message for g in world.records() if g.number == number)
    assert world.users(number) == {"after"}


def test_a_generation_goes_on_where_everything_that_was_dropped_is_in_its_checkpoint(world: World) -> None:
    """Its rows are older than the topic's oldest event, and stay."""
    generation = own_topic(world, "dropped-read")
    users, number = generation.request.left_topic, generation.number
    # What a live query has read is in its checkpoint at the end of a long batch, what a start has read at once.
    world.produce(users, "read", name="Read")
    restart(world)
    world.await_users(number, "read")
    world.await_number(number)
    world.cluster.empty(users)
    restart(world)
    world.produce(users, "after", name="After")

    world.await_users(number, "before", "read", "after")
    assert world.await_number(number).number == number


def test_what_is_read_again_after_a_compaction_is_right(serving: World) -> None:
    """Most of what was read and not committed is gone: the counts are lower, and nobody sees an older row for that."""
    world, people = serving, ("ann", "bob", "cy")
    await_that(lambda: answers(f"{world.settings.page_url}readyz"), timeout=MEND_SECONDS)
    users, accounts = world.topic("compacted-users"), world.topic("compacted-accounts")
    world.cluster.configure(accounts, COMPACTED)
    world.send({"usersTopic": users, "accountsTopic": accounts})
    number = world.await_live(users, MEND_SECONDS).number
    for person in people:
        send(world, users, person, name=person)
        for balance in range(NEWEST + 1):
            send(world, accounts, person, balance=balance)
    with reader(world.settings) as viewer:

        def shown() -> dict[str, float | None]:
            return {row["userId"]: row["balance"] for row in viewer.rows("final_ui")}

        await_that(lambda: shown() == dict.fromkeys(people, float(NEWEST)), timeout=MEND_SECONDS)
        world.pipeline.kill()
        before = len(read_to_end(world.cluster, accounts))

        def is_compacted() -> bool:
            # What is newest is never compacted, so something else has to be.
            send(world, accounts, "nobody")
            return len(read_to_end(world.cluster, accounts)) < before / 4

        await_that(is_compacted, timeout=MEND_SECONDS)
        world.pipeline.start()
        send(world, users, "new", name="new")

        def is_read_again() -> bool:
            found = shown()
            # An assertion is waited for; this is wrong at once.
            if {balance for person, balance in found.items() if person in people} != {float(NEWEST)}:
                raise ValueError(found)
            return "new" in found

        await_that(is_read_again, timeout=MEND_SECONDS)
        assert world.await_number(number).number == number
        await_that(lambda: answers(f"{world.settings.page_url}readyz"), timeout=MEND_SECONDS)
        for person in people:
            send(world, accounts, person, balance=NEWEST + 1)
        later = {"new": None, **dict.fromkeys(people, float(NEWEST + 1))}
        await_that(lambda: shown() == later, timeout=MEND_SECONDS)


def send(world: World, topic: str, person: str, **row: Any) -> None:
    """An event with a key, by which its topic can be compacted."""
    producer = world.cluster.producer()
    producer.produce(topic, key=person, value=json.dumps({"userId": person, **row}))
    assert producer.flush(30) == 0

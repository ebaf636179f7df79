"""Topics that drop their oldest events, as every topic with a retention does, whether those were read or not."""

from livejoin.model.generation import Generation
from world import MEND_SECONDS, World


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

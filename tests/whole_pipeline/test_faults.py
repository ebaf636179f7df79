"""The pipeline as a process: what it emits, and what it does when the world around it breaks."""

import json
import time
from collections import Counter
from typing import cast

from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)
from confluent_kafka.cimpl import NewPartitions

from await_that import await_that
from livejoin import dead_letter
from livejoin.generation import State
from livejoin.kafka.reading import read_to_end
from view_topic import ViewTopic
from world import MEND_SECONDS, World

OUTAGE_SECONDS = 30.0


def test_an_event_emits_what_it_changed_and_no_more(world: World) -> None:
    """On a key with 1,000 rows a user event emits one row, and an account event the rows that it changes."""
    rows = 1_000
    producer = world.cluster.producer()
    for number in range(rows):
        producer.produce("users", key="many", value=json.dumps({"userId": "many", "age": number}))
    assert producer.flush(30) == 0
    view = world.view(1)
    try:
        view.await_events(rows, MEND_SECONDS)
        view.records.clear()
        world.produce("users", "many", name="one more")
        view.await_events(rows + 1, MEND_SECONDS)
        assert tables_of(view) == {"final_ui": 1, "progress": 1}
        view.records.clear()
        world.produce("accounts", "many", balance=1)
        view.await_events(rows + 2, MEND_SECONDS)
        assert tables_of(view) == {"accounts_ui": 1, "final_ui": rows + 1, "progress": 1}
        producer.produce("users", key="many", value=None)
        producer.produce("accounts", key="many", value=None)
        assert producer.flush(30) == 0
        view.await_events(rows + 4, MEND_SECONDS)
        assert not any(view.tables().values())
    finally:
        view.close()


def test_a_flood_of_bad_events_leaves_no_state(world: World) -> None:
    """Rejected events are written once each, by a query that keeps no state at all."""
    flood = 2_000
    producer = world.cluster.producer()
    for number in range(flood):
        producer.produce("accounts", value=f"bad {number}")
    assert producer.flush(30) == 0
    topic = world.settings.own_topics.dead_letters
    await_that(lambda: world.cluster.end_offsets(topic)[0] >= flood, timeout=MEND_SECONDS)
    letters = [record.key() for record in read_to_end(world.cluster, topic)]
    assert len(letters) == len(set(letters)) == flood
    checkpoints = world.settings.data_dir / "checkpoints" / "1"
    assert (checkpoints / "join" / "state").exists()
    assert not (checkpoints / "dead-letters" / "state").exists()


def test_the_original_bytes_of_a_dead_letter_are_cut_at_the_limit(world: World) -> None:
    """A large event that is rejected takes no more room than the setting allows, and says where it came from."""
    limit, topic = world.settings.events.dead_letter_bytes, world.settings.own_topics.dead_letters
    producer = world.cluster.producer()
    producer.produce("accounts", value=b"large " * limit)
    assert producer.flush(30) == 0

    def found() -> bytes | None:
        letters = (record.value() or b"" for record in read_to_end(world.cluster, topic))
        return next((value for value in letters if value.startswith(b"large")), None)

    assert await_that(found, timeout=MEND_SECONDS) == (b"large " * limit)[:limit]


def test_partitions_that_are_added_are_read(world: World) -> None:
    """An event in a new partition is shown, long before the running batch of Real-Time Mode would have ended."""
    world.produce("users", "ann", name="Ann")
    world.await_final(1, "ann")
    admin = AdminClient({**world.settings.kafka_client.librdkafka()})
    for future in admin.create_partitions([NewPartitions("users", 2)]).values():
        future.result()
    await_that(lambda: len(world.cluster.partitions("users")) == 2)
    world.produce("users", "bob", partition=1, name="Bob")
    world.await_final(1, "ann", "bob")


def test_a_broker_outage_is_survived(world: World) -> None:
    """The broker is gone for 30 s; what is produced after it is back is shown by the same generation."""
    world.broker.kill()
    # An outage is a length of time: there is nothing else to wait for.
    time.sleep(OUTAGE_SECONDS)
    world.broker.start()
    world.cluster.wait_until_reachable(60)
    world.produce("users", "cy", name="Cy")
    world.await_final(1, "ann", "bob", "cy")


def test_the_largest_events_that_are_allowed_are_joined(world: World) -> None:
    """A row made of two events of almost the largest size reaches the view topic and stops nothing."""
    text = "x" * (world.settings.events.max_bytes - 100)
    world.produce("users", "dan", name=text)
    world.produce("accounts", "dan", accountType=text)
    world.await_final(1, "ann", "bob", "cy", "dan")


def test_the_longest_user_id_that_is_allowed_is_joined_and_deleted(world: World) -> None:
    """It stands in a record several times, and stops nothing; a key that is longer than any is a dead letter."""
    longest = "x" * (world.settings.events.max_bytes - 100)
    world.produce("users", longest, age=1)
    world.produce("accounts", longest, balance=1)
    world.await_final(1, "ann", "bob", "cy", "dan", longest)
    producer = world.cluster.producer(**{"message.max.bytes": 2_000_000})
    too_long = "y" * world.settings.events.max_bytes
    for topic in ("users", "accounts"):
        for key in (longest, too_long):
            producer.produce(topic, key=key, value=None)
    assert producer.flush(30) == 0
    world.await_final(1, "ann", "bob", "cy", "dan")
    topic = world.settings.own_topics.dead_letters

    def reasons() -> Counter[bytes]:
        headers = (
            dict(cast("list[tuple[str, bytes]]", letter.headers())) for letter in read_to_end(world.cluster, topic)
        )
        return Counter(header[dead_letter.REASON] for header in headers)

    await_that(
        lambda: reasons()[b"no value, and a key that is longer than any userId can be"] == 2, timeout=MEND_SECONDS
    )


def test_a_query_that_dies_is_started_again_on_its_checkpoint(world: World) -> None:
    """The broker refuses a row, which kills the query; the status says so until it takes the row again."""
    view, pid = world.settings.own_topics.view(1), world.pipeline.pid
    # Beyond the client's batch size, or it would split and send batches for ever instead of failing.
    row = "x" * 200_000
    _set_limit(world, view, 150_000)
    world.produce("users", "eli", name=row)

    def troubled() -> str:
        # Spark notices that a row was refused when it writes the next one.
        world.produce("accounts", "eli", balance=1)
        generation = world.registry.generations[1]
        assert generation.state is State.RECOVERING
        return generation.message

    told = await_that(troubled, timeout=MEND_SECONDS)
    assert "generation-1-join" in told
    assert "again" in told
    _set_limit(world, view, world.settings.events.row_bytes)
    assert world.await_number(1).number == 1
    world.await_final(1, "ann", "bob", "cy", "dan", "eli")
    assert world.pipeline.pid == pid


def _set_limit(world: World, topic: str, size: int) -> None:
    """Change how large a record of a topic may be."""
    limit = ConfigEntry("max.message.bytes", str(size), incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[limit])
    admin = AdminClient({**world.settings.kafka_client.librdkafka()})
    for future in admin.incremental_alter_configs([resource]).values():
        future.result()


def test_a_view_topic_that_is_deleted_is_built_afresh(world: World) -> None:
    """A generation that has lost its view topic is replaced by a new one with every row, and leaves nothing behind."""
    world.cluster.delete(world.settings.own_topics.view(1))
    world.await_number(2)
    world.await_final(2, "ann", "bob", "cy", "dan", "eli")
    view = world.view(2)
    view.read_available()
    view.close()
    # What the others have is too large to be written together.
    keys = (record.key() or b"" for record in view.records)
    together = {key.removeprefix(b"everything/") for key in keys if key.startswith(b"everything/")}
    assert together == {b"many", b"ann", b"bob", b"cy"}
    await_that(lambda: [*world.registry.generations] == [2])
    await_that(lambda: [f.name for f in (world.settings.data_dir / "checkpoints").iterdir()] == ["2"])


def test_a_source_that_is_created_again_is_built_afresh(world: World) -> None:
    """Other events under the same name make a new generation, and the message says what happened."""
    world.cluster.delete("users")
    world.cluster.ensure("users")
    world.produce("users", "eve", name="Eve")
    messages: list[str] = []

    def created() -> bool:
        messages.extend(g.message for g in world.registry.generations.values() if g.number > 2)
        return bool(messages)

    await_that(created, timeout=MEND_SECONDS)
    assert "'users'" in messages[0]
    newest = await_that(lambda: max(world.registry.generations), timeout=MEND_SECONDS)
    world.await_number(newest)
    world.await_final(newest, "eve")


def test_a_build_tells_how_far_it_is(world: World) -> None:
    """The registry says how many of the events are read while Spark reads them, and never goes back."""
    events = 60_000
    users, accounts = world.topic("long-users"), world.topic("long-accounts")
    producer = world.cluster.producer(**{"linger.ms": 20})
    for number in range(events):
        key = f"u{number // 20}"
        producer.produce(users if number % 2 else accounts, key=key, value=json.dumps({"userId": key}))
        producer.poll(0)
    assert producer.flush(30) == 0
    world.send({"usersTopic": users, "accountsTopic": accounts})
    number = world.await_live(users, MEND_SECONDS).number
    told = [record.progress for record in world.records() if record.number == number]
    found = [progress for progress in told if progress is not None]
    assert {progress.total for progress in found} == {events}
    counts = [progress.done for progress in found]
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= events


def tables_of(view: ViewTopic) -> Counter[str]:
    """How many records of each table were emitted."""
    return Counter((record.key() or b"").decode().partition("/")[0] for record in view.records)

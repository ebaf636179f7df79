"""The pipeline as a process: what it emits, and what it does when the world around it breaks.

What is there of other tests stays: each test has users of its own, and looks at the generation that it finds live.
"""

import json
import time
from collections import Counter
from typing import cast

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions

from await_that import await_that
from livejoin.kafka.reading import read_to_end
from livejoin.local.stack import answers, asked
from livejoin.model.declaration import JOINED_TABLE
from livejoin.model.generation import Generation, State
from livejoin.model.table import key_field
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.letter_checkpoint import letter_checkpoint
from livejoin.wire import dead_letter
from table_server import reader
from view_topic import ViewTopic
from world import MEND_SECONDS, World

OUTAGE_SECONDS = 30.0
SILENCE_SECONDS = 30.0
"""Half of what Kafka's clients wait by default."""
RECREATIONS = 2
"""How fast the query is to find the new topic is a matter of luck."""


def test_an_event_emits_what_it_changed_and_no_more(world: World, live: Generation) -> None:
    """On a key with as many rows as may be kept a user event emits one, and an account event those that it changes."""
    rows = world.settings.keep.limit
    producer = world.cluster.producer()
    for number in range(rows):
        producer.produce("users", key="many", value=json.dumps({"userId": "many", "age": number}))
    assert producer.flush(30) == 0
    view = world.view(live.number)
    try:
        view.await_version("many", rows, MEND_SECONDS)
        view.records.clear()
        world.produce("users", "many", name="one more")
        view.await_version("many", rows + 1, MEND_SECONDS)
        assert tables_of(view, "many") == {"joined": 1, "progress": 1}
        view.records.clear()
        world.produce("accounts", "many", balance=1)
        view.await_version("many", rows + 2, MEND_SECONDS)
        assert tables_of(view, "many") == {"right": 1, "joined": rows, "progress": 1}
        producer.produce("users", key="many", value=None)
        producer.produce("accounts", key="many", value=None)
        assert producer.flush(30) == 0
        view.await_version("many", rows + 4, MEND_SECONDS)
        assert "many" not in {row[0] for table in view.tables().values() for row in table}
    finally:
        view.close()


def test_a_flood_of_bad_events_leaves_no_state(world: World, live: Generation) -> None:
    """Rejected events are written once each, by a query that keeps no state at all."""
    flood = 2_000
    producer = world.cluster.producer()
    for number in range(flood):
        producer.produce("accounts", value=f"flood {number}")
    assert producer.flush(30) == 0
    topic = world.settings.own_topics.dead_letters

    def letters() -> list[bytes]:
        found = read_to_end(world.cluster, topic)
        keys = [record.key() or b"" for record in found if (record.value() or b"").startswith(b"flood ")]
        assert len(keys) >= flood
        return keys

    keys = await_that(letters, timeout=MEND_SECONDS)
    assert len(keys) == len(set(keys)) == flood
    assert (checkpoint(world.settings, live.number) / "join" / "state").exists()
    of_letters = letter_checkpoint(world.settings, live)
    assert (of_letters / "offsets").exists()
    assert not (of_letters / "state").exists()


def test_the_original_bytes_of_a_dead_letter_are_cut_at_the_limit(world: World, live: Generation) -> None:
    """A large event that is rejected takes no more room than the setting allows, and says where it came from."""
    assert live.request.right_topic == "accounts"
    limit, topic = world.settings.events.dead_letter_bytes, world.settings.own_topics.dead_letters
    producer = world.cluster.producer()
    producer.produce("accounts", value=b"large " * limit)
    assert producer.flush(30) == 0

    def found() -> bytes | None:
        letters = (record.value() or b"" for record in read_to_end(world.cluster, topic))
        return next((value for value in letters if value.startswith(b"large")), None)

    assert await_that(found, timeout=MEND_SECONDS) == (b"large " * limit)[:limit]


def test_partitions_that_are_added_are_read(world: World, live: Generation) -> None:
    """An event in a new partition is shown, long before the running batch of Real-Time Mode would have ended."""
    world.produce("users", "ann", name="Ann")
    world.await_users(live.number, "ann")
    count = len(world.cluster.partitions("users"))
    admin = AdminClient({**world.settings.kafka_client.librdkafka()})
    for future in admin.create_partitions([NewPartitions("users", count + 1)]).values():
        future.result()
    await_that(lambda: len(world.cluster.partitions("users")) == count + 1)
    world.produce("users", "bob", partition=count, name="Bob")
    world.await_users(live.number, "ann", "bob")


def test_a_broker_outage_is_survived(serving: World, live: Generation) -> None:
    """The broker is gone for 30 s; what is produced after it is back is shown by the same generation.

    Meanwhile the table server says so, by a code as well.
    """
    world, url = serving, serving.settings.local_url
    world.produce("users", "cora", name="Cora")
    world.await_users(live.number, "cora")
    await_that(lambda: answers(f"{url}healthz"), timeout=MEND_SECONDS)
    world.broker.kill()
    await_that(lambda: not answers(f"{url}healthz"), timeout=OUTAGE_SECONDS)
    assert "broker" in asked(f"{url}healthz")[1]["components"]["broker"]
    # An outage is a length of time: there is nothing else to wait for.
    time.sleep(OUTAGE_SECONDS)
    world.broker.start()
    world.cluster.wait_until_reachable(60)
    world.produce("users", "cy", name="Cy")
    world.await_users(live.number, "cora", "cy")
    await_that(lambda: answers(f"{url}healthz") and answers(f"{url}readyz"), timeout=MEND_SECONDS)


def test_a_broker_that_says_nothing_any_more_is_connected_to_anew(serving: World, live: Generation) -> None:
    """As one whose machine is gone: nobody tells the table server that its connections have ended."""
    world = serving
    await_that(lambda: answers(f"{world.settings.page_url}readyz"), timeout=MEND_SECONDS)
    with reader(world.settings) as viewer:
        viewer.await_generation(live.number)
        world.wires["serve"].silence()
        began = time.monotonic()
        world.produce(live.request.left_topic, "sil", name="Sil")
        await_that(lambda: "sil" in {row["userId"] for row in viewer.rows("users_ui")}, timeout=MEND_SECONDS)
        assert time.monotonic() - began < SILENCE_SECONDS


def test_the_largest_events_that_are_allowed_are_joined(world: World, live: Generation) -> None:
    """A row made of two events of almost the largest size reaches the view topic and stops nothing."""
    text = "x" * (world.settings.events.max_bytes - 100)
    world.produce("users", "dan", name=text)
    world.produce("accounts", "dan", accountType=text)
    world.await_users(live.number, "dan")


def test_the_longest_user_id_that_is_allowed_is_joined_and_deleted(world: World, live: Generation) -> None:
    """It stands in a record several times, and stops nothing; a key that is longer than any is a dead letter."""
    longest = "x" * (world.settings.events.max_bytes - 100)
    world.produce("users", longest, age=1)
    world.produce("accounts", longest, balance=1)
    world.await_users(live.number, longest)
    producer = world.cluster.producer(**{"message.max.bytes": 2_000_000})
    too_long = "y" * world.settings.events.max_bytes
    for topic in ("users", "accounts"):
        for key in (longest, too_long):
            producer.produce(topic, key=key, value=None)
    assert producer.flush(30) == 0
    await_that(lambda: longest not in world.users(live.number), timeout=MEND_SECONDS)
    topic = world.settings.own_topics.dead_letters

    def reasons() -> Counter[bytes]:
        headers = (
            dict(cast("list[tuple[str, bytes]]", letter.headers())) for letter in read_to_end(world.cluster, topic)
        )
        return Counter(header[dead_letter.REASON] for header in headers)

    await_that(
        lambda: reasons()[b"no value, and a key that is longer than any userId can be"] == 2, timeout=MEND_SECONDS
    )


def test_a_query_that_dies_is_started_again_on_its_checkpoint(world: World, live: Generation) -> None:
    """The broker refuses a row, which kills the query; the status says so until it takes the row again."""
    pid = world.pipeline.pid
    world.produce("users", "fay", name="Fay")
    world.await_users(live.number, "fay")
    told = world.let_a_query_die(live.number, "eli")
    assert f"generation-{live.number}-join" in told
    assert "again" in told
    assert world.await_number(live.number).number == live.number
    world.await_users(live.number, "fay", "eli")
    assert world.pipeline.pid == pid


def test_a_view_topic_that_is_deleted_is_built_afresh(world: World, live: Generation) -> None:
    """A generation that has lost its view topic is replaced by a new one with every row, and leaves nothing behind."""
    world.produce("users", "small", name="Small")
    world.produce("users", "large", name="x" * (world.settings.events.max_bytes - 100))
    world.produce("accounts", "large", accountType="x" * (world.settings.events.max_bytes - 100))
    world.await_users(live.number, "small", "large")
    shown = world.users(live.number)
    world.cluster.delete(live.view_topic)
    number = world.await_newer(live.number)
    await_that(lambda: world.users(number) == shown, timeout=MEND_SECONDS)
    view = world.view(number)
    view.read_available()
    view.close()
    keys = (record.key() or b"" for record in view.records)
    together = {key.removeprefix(b"everything/") for key in keys if key.startswith(b"everything/")}
    # What the other has is too large to be written together.
    assert together & {b"small", b"large"} == {b"small"}
    world.await_alone(number, MEND_SECONDS)


def test_a_source_that_is_created_again_is_built_afresh(world: World, live: Generation) -> None:
    """Other events under the same name make a new generation, and the message says what happened."""
    world.cluster.delete("users")
    world.cluster.ensure("users")
    world.produce("users", "eve", name="Eve")
    messages: list[str] = []

    def created() -> bool:
        messages.extend(g.message for g in world.registry.generations.values() if g.number > live.number)
        return bool(messages)

    await_that(created, timeout=MEND_SECONDS)
    assert "'users'" in messages[0]
    newest = world.await_newer(live.number)
    await_that(lambda: world.users(newest) == {"eve"}, timeout=MEND_SECONDS)


def test_no_row_of_a_source_that_was_created_again_is_among_those_of_before(world: World) -> None:
    """The query that reads the topic would read on in the new one, where that has the offset that comes next."""
    for attempt in range(RECREATIONS):
        users = world.topic(f"replaced-{attempt}")
        world.swap(users)
        old = world.await_live(users, MEND_SECONDS)
        view = world.view(old.number)
        try:
            world.cluster.delete(users)
            world.cluster.ensure(users)
            # Nothing was read of the topic, so its next offset is the first of the new one.
            while world.registry.of(old.number).state is State.LIVE:
                world.produce(users, "after", name="After")
            view.read_available()
            assert view.tables()[JOINED_TABLE] == {}
        finally:
            view.close()
        newest = world.await_newer(old.number)
        await_that(lambda newest=newest: world.users(newest) == {"after"}, timeout=MEND_SECONDS)  # type: ignore[misc]


def test_a_dead_letter_topic_that_is_deleted_does_not_disturb_the_rows(world: World, live: Generation) -> None:
    """It is made again, and has the bad events that came meanwhile."""
    topic, soon = world.settings.own_topics.dead_letters, 20.0
    producer = world.cluster.producer()

    def reject(text: str) -> None:
        producer.produce("accounts", value=text)
        assert producer.flush(30) == 0

    def await_letter(text: str) -> None:
        def there() -> bool:
            assert topic in world.cluster.topic_names()
            assert text.encode() in [record.value() for record in read_to_end(world.cluster, topic)]
            return True

        await_that(there, timeout=MEND_SECONDS)

    reject("bad before")
    await_letter("bad before")
    world.cluster.delete(topic)
    reject("bad without a topic")
    began = time.monotonic()
    world.produce("users", "ida", name="Ida")
    world.await_users(live.number, "ida")
    assert time.monotonic() - began < soon
    await_letter("bad without a topic")
    reject("bad again")
    await_letter("bad again")
    assert world.registry.of(live.number).state == "live"


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


def tables_of(view: ViewTopic, user_id: str) -> Counter[str]:
    """How many records of each table were emitted for a user."""
    found = (record for record in view.records if json.loads(record.value() or b"{}").get(key_field(0)) == user_id)
    return Counter((record.key() or b"").decode().partition("/")[0] for record in found)

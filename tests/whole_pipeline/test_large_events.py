"""A limit that was raised: what it allows from then on fits everywhere, also where a generation was built before."""

import json
from pathlib import Path

from world import MEND_SECONDS, World

LARGER = 8_000_000


def test_a_raised_limit_holds_for_a_generation_that_was_built_before(tmp_path: Path) -> None:
    """A key of nearly that size stands in a record three times: far more than the limit of before allowed."""
    world = World(tmp_path)
    try:
        world.start()
        world.pipeline.stop()
        raised = World(tmp_path, *world.pairs, f"events.max_bytes={LARGER}")
        world.pipeline = raised.pipeline
        for topic in world.settings.source_topics:
            world.cluster.configure(topic, {"max.message.bytes": str(2 * LARGER)})
        producer = world.cluster.producer(**{"message.max.bytes": 2 * LARGER})
        longest = "x" * (LARGER - 100)
        for topic, row in (("users", {"age": 1}), ("accounts", {"balance": 1})):
            producer.produce(topic, value=json.dumps({"userId": longest, **row}))
        assert producer.flush(60) == 0
        world.pipeline.start()
        world.await_users(1, longest)
        world.produce("users", "small", name="Small")
        world.await_users(1, longest, "small")
        assert world.await_number(1, timeout=MEND_SECONDS).number == 1
    finally:
        world.stop()

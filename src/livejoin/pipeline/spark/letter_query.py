"""The dead letters of one generation: a query beside the join.

They need no state: inside the join every bad event would have to be a key of the aggregation, and stay in its state for
ever. They need no backfill either, since nothing is put together, and follow when the rows are live.
"""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from livejoin.model.generation import Generation
from livejoin.pipeline.spark.renewal import put_in_force, renewable
from livejoin.pipeline.spark.streaming import judged, live, look, run
from livejoin.pipeline.sql.records import dead_letter_records
from livejoin.settings.settings import Settings
from livejoin.topics.plan import letter_bytes

DEAD_LETTERS = "dead-letters"
POLL_SECONDS = 1.0
UNHURRIED = {"fetch.min.bytes": "65536", "fetch.max.wait.ms": "200"}
"""How dead letters are read, unless the settings say otherwise: by and by, not with a request for every event."""


class LetterQuery:
    """Writes the dead letters from where they were left, and follows them. Who makes it calls `stop`."""

    def __init__(self, spark: SparkSession, settings: Settings, generation: Generation, checkpoint: Path) -> None:
        # First, so that nobody who is told what is new finds what is old in force.
        put_in_force(spark, settings.kafka_client)
        kafka = renewable(settings.kafka_client.java())
        self._running = run(
            f"generation-{generation.number}-{DEAD_LETTERS}",
            generation.number,
            _rejected(spark, settings, generation, UNHURRIED | kafka),
            settings.own_topics.dead_letters,
            kafka=kafka,
            checkpoint=checkpoint,
            largest=letter_bytes(settings),
            trigger=live(settings),
        )

    def look(self) -> None:
        """Return after a moment; raise QueryDied when it has ended."""
        look(self._running, POLL_SECONDS)

    def stop(self) -> None:
        """Stop it. What was not committed is written again."""
        self._running.stop()


def _rejected(spark: SparkSession, settings: Settings, generation: Generation, kafka: dict[str, str]) -> DataFrame:
    events, keep = judged(spark, settings, generation, kafka), settings.events.dead_letter_bytes
    left, right = (dead_letter_records(one, generation, side, keep) for side, one in events.items())
    return left.unionByName(right)

"""A pipeline process for tests: several generations at once in one Spark, so that a test can kill all of it.

Reads a JSON file {"settings": overrides, "requests": [...], "epoch": N, "short": [...], "batch": "...", "wide": [...],
"partitions": N}, backfills a generation for each request, says `BACKFILLED`, goes live with all, says `LIVE`, and goes
on until it is killed or told to stop. The generations of `short` have batches of that length, and the view topics of
`wide` that many partitions. A query that dies is begun again from its checkpoint,
as the pipeline does, and what it died of is in the log. Told to stop, it says how many keys each of `short` has in its
state.
"""

import json
import logging
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Event

from pyspark.sql import SparkSession

from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import Generation, Request
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.letter_query import DEAD_LETTERS, LetterQuery
from livejoin.pipeline.spark.query import JOIN, JoinQuery
from livejoin.pipeline.spark.session import open_session
from livejoin.pipeline.spark.streaming import QueryDied
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.wire.records import from_json

SAME_LETTERS = 2
"""Dead letters do not depend on the join; two generations show that each of them is written under one key by all."""
DEATHS = 3
"""So many queries may die where twenty of them run on a busy machine; what dies more often has a reason of its own."""


def main(file: Path) -> None:
    """Run until told to stop."""
    given = json.loads(file.read_text())
    settings = load_settings(None, given["settings"])
    cluster = Cluster(settings.kafka_client)
    cluster.ensure(settings.own_topics.dead_letters)
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    spark = open_session(settings)
    generations = []
    for number, request in enumerate(given["requests"], start=1):
        topic = settings.own_topics.view(number)
        partitions = given["partitions"] if number in given["wide"] else 1
        cluster.ensure(topic, partitions=partitions, config={"cleanup.policy": "compact"})
        asked, now = from_json(Request, request), datetime.now(UTC)
        ids = {name: found.topic_id for name, found in cluster.describe(asked.topics.values()).items()}
        generation = Generation(number=number, request=asked, view_topic=topic, requested=now, since=now, topic_ids=ids)
        generations.append(generation)
    epochs = count(given["epoch"])
    often = settings.model_copy(update={"spark": settings.spark.model_copy(update={"batch": given["batch"]})})

    def query_of(generation: Generation) -> JoinQuery:
        chosen = often if generation.number in given["short"] else settings
        partitions = len(cluster.partitions(generation.view_topic))
        return JoinQuery(spark, chosen, generation, next(epochs), partitions)

    queries = [query_of(generation) for generation in generations]
    with ThreadPoolExecutor(max_workers=len(queries)) as together:
        if not all(together.map(lambda query: query.backfill(stop), queries)):
            return
        _say("BACKFILLED")
        if not all(together.map(lambda query: query.go_live(stop), queries)):
            return
        letters = {place: _letters(spark, settings, generations[place]) for place in _with_letters(generations)}
        _say("LIVE")
        deaths = 0
        while not stop.is_set():
            for place, generation in enumerate(generations):
                try:
                    queries[place].look()
                    if place in letters:
                        letters[place].look()
                except QueryDied:
                    deaths += 1
                    if deaths > DEATHS:
                        raise
                    logging.exception("it begins again")
                    queries[place].stop()
                    queries[place] = again = query_of(generation)
                    again.backfill(stop)
                    again.go_live(stop)
                    if place in letters:
                        letters[place].stop()
                        letters[place] = _letters(spark, settings, generation)
    for query in queries:
        query.stop()
    for letter in letters.values():
        letter.stop()
    _say(json.dumps({number: _keys_of_state(spark, settings, number) for number in given["short"]}))
    spark.stop()


def _keys_of_state(spark: SparkSession, settings: Settings, number: int) -> int:
    """How many keys the join of a generation has in its state, as it has committed it last."""
    return spark.read.format("statestore").load(str(checkpoint(settings, number) / JOIN)).count()


def _with_letters(generations: list[Generation]) -> list[int]:
    """The places of some of those with the topics of the first one, and of all that have topics of their own."""
    shared = generations[0].request.topics
    return [place for place, each in enumerate(generations) if place < SAME_LETTERS or each.request.topics != shared]


def _letters(spark: SparkSession, settings: Settings, generation: Generation) -> LetterQuery:
    """Each with a checkpoint of its own."""
    return LetterQuery(spark, settings, generation, checkpoint(settings, generation.number) / DEAD_LETTERS)


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

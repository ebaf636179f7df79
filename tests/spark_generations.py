"""A pipeline process for tests: several generations at once in one Spark, so that a test can kill all of it.

Reads a JSON file {"settings": overrides, "requests": [...]}, backfills a generation for each request, says
`BACKFILLED`, goes live with all, says `LIVE`, and goes on until it is killed or told to stop.
"""

import json
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from livejoin.generation import Generation, Request
from livejoin.kafka.cluster import Cluster
from livejoin.pipeline.query import GenerationQueries
from livejoin.pipeline.session import open_session
from livejoin.settings import load_settings

WITH_DEAD_LETTERS = 2
"""Dead letters do not depend on the join; two generations show that each of them is written under one key by all."""


def main(file: Path) -> None:
    """Run until told to stop."""
    given = json.loads(file.read_text())
    settings = load_settings(None, given["settings"])
    cluster = Cluster(settings.kafka_client)
    cluster.ensure(settings.own_topics.dead_letters)
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    spark = open_session(settings)
    queries = []
    for number, request in enumerate(given["requests"], start=1):
        topic = settings.own_topics.view(number)
        cluster.ensure(topic, config={"cleanup.policy": "compact"})
        asked, now = Request.model_validate(request), datetime.now(UTC)
        generation = Generation(number=number, request=asked, view_topic=topic, requested=now, since=now)
        queries.append(GenerationQueries(spark, settings, generation))
    with ThreadPoolExecutor(max_workers=len(queries)) as together:
        if not all(together.map(lambda query: query.backfill(stop), queries)):
            return
        _say("BACKFILLED")
        list(together.map(GenerationQueries.go_live, queries))
        for query in queries[:WITH_DEAD_LETTERS]:
            query.follow_rejected()
        _say("LIVE")
        while not stop.is_set():
            for query in queries:
                query.look()
    for query in queries:
        query.stop()
    spark.stop()


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""How many bytes of state a userId costs, by what is kept: the table in docs/semantics.md.

    .venv/bin/python tests/bench/state_size.py [--keys 20000]

Starts a broker and Spark of its own in a temporary folder, backfills one generation per row of the table, and reads the
size of RocksDB's files in the checkpoint after the last commit.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from livejoin.kafka.cluster import Cluster
from livejoin.local.broker import EmbeddedKafka
from livejoin.local.supervise.child import Child
from livejoin.model.declaration import Keep
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, JoinType, Request
from livejoin.pipeline.spark.checkpoints import checkpoint
from livejoin.pipeline.spark.query import JoinQuery
from livejoin.pipeline.spark.session import open_session
from livejoin.settings.loader import load_settings

CASES = [
    (JoinType.LEFT, Keep.LATEST, 1),
    (JoinType.LEFT, Keep.LATEST, 10),
    (JoinType.LEFT, Keep.ALL, 1),
    (JoinType.LEFT, Keep.ALL, 10),
    (JoinType.LEFT, Keep.ALL, 100),
]
"""Join, what is kept of the users, and user events per userId; accounts: one event each, the latest kept."""


def main() -> None:
    """Measure every case and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=20_000)
    keys = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            None, {"data_dir": folder, "broker": {"port": 29092, "internal_port": 29094, "controller_port": 29093}}
        )
        broker = Child("broker", EmbeddedKafka(settings).prepare(), Path(folder) / "broker.log")
        broker.start()
        cluster = Cluster(settings.kafka_client)
        cluster.wait_until_reachable(60)
        spark = open_session(settings)
        sys.stdout.write("| users kept | user events per userId | bytes of state per userId |\n| --- | --- | --- |\n")
        try:
            for number, (join, keep, events) in enumerate(CASES, start=1):
                few = max(1, keys // events)
                topics = {name: f"{name}-{number}" for name in ("users", "accounts")}
                produce(cluster, topics, few, events)
                declaration = replace(DEFAULT, left=replace(DEFAULT.left, keep=keep))
                request = Request(declaration, topics["users"], topics["accounts"], join)
                view = settings.own_topics.view(number)
                cluster.ensure(view)
                now = datetime.now(UTC)
                generation = Generation(number=number, request=request, view_topic=view, requested=now, since=now)
                queries = JoinQuery(spark, settings, generation, epoch=1, view_partitions=1)
                queries.backfill(Event())
                state = checkpoint(settings, number) / "join" / "state"
                size = sum(file.stat().st_size for file in state.rglob("*") if file.is_file())
                sys.stdout.write(f"| {keep} | {events} | {size / few:.0f} |\n")
                sys.stdout.flush()
        finally:
            spark.stop()
            broker.stop()


def produce(cluster: Cluster, topics: dict[str, str], keys: int, events: int) -> None:
    """Events of ordinary size: a name and an address of about 20 characters each."""
    for topic in topics.values():
        cluster.ensure(topic)
    producer = cluster.producer(**{"linger.ms": 20, "queue.buffering.max.messages": 1_000_000})
    for number in range(keys):
        user_id = f"user-{number:08d}"
        for event in range(events):
            user = {"userId": user_id, "name": f"Some Person {number}", "email": f"p{number}@example.org", "age": event}
            producer.produce(topics["users"], key=user_id, value=json.dumps(user))
            producer.poll(0)
        account = {"userId": user_id, "accountType": "checking", "balance": number / 7}
        producer.produce(topics["accounts"], key=user_id, value=json.dumps(account))
    producer.flush(60)


if __name__ == "__main__":
    main()

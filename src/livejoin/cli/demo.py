"""`livejoin demo`: send demo events to the source topics at a steady rate."""

import signal
import threading
import time
from collections import Counter
from itertools import islice
from typing import Annotated

import typer

from livejoin.cli.options import Config, Set, settings_from
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.trouble import needed_to
from livejoin.local.demo.stream import Demo, Kind, count_kinds
from livejoin.model.declaration import Side
from livejoin.model.generation import JoinType

# A producer that fell further behind (the broker was away) goes on at its rate instead of catching up in a burst.
BEHIND_SECONDS = 1.0
FLUSH_SECONDS = 0.7


def demo(
    config: Config = None,
    set_: Set = None,
    rate: Annotated[float | None, typer.Option(min=0.01, help="Events per second; default: demo.rate.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Stop after so many events; default: never.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed sends the same events, times aside.")] = None,
) -> None:
    """Send plausible events to the source topics, with updates, late matches, duplicates and some bad ones."""
    settings = settings_from(config, set_)
    pace = rate or settings.demo.rate
    topics = {side: settings.request.topic_of(side) for side in Side}
    cluster = Cluster(settings.people_client)
    cluster.wait_until_reachable(10.0)
    with needed_to("WRITE"):
        for topic in topics.values():
            cluster.partitions(topic)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())

    where = f"{' and '.join(topics.values())} at {cluster.bootstrap_servers}"
    typer.echo(f"demo: {pace:g} events per second to {where}; Ctrl-C ends it")
    producer = cluster.producer(**{"linger.ms": 5})
    sent: Counter[Kind] = Counter()
    due = time.monotonic()
    looks_back = settings.join.type is JoinType.ASOF
    story = Demo(settings.declaration, people=settings.demo.people, rate=pace, seed=seed, looks_back=looks_back)
    for event in islice(story.ticks(), count):
        if stop.wait(max(0.0, due - time.monotonic())):
            break
        due = max(due + 1 / pace, time.monotonic() - BEHIND_SECONDS)
        if event is None:
            continue
        while True:
            try:
                producer.produce(topics[event.side], key=event.key, value=event.value)
                break
            except BufferError:
                producer.poll(0.1)
        producer.poll(0)
        sent[event.kind] += 1
    unsent = producer.flush(FLUSH_SECONDS if stop.is_set() else 30.0)
    typer.echo(f"demo: sent {sent.total() - unsent} events ({count_kinds(sent, settings.declaration)})")

"""What a table server tells: the tables that it shows, how far they are behind, and who looks at them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from livejoin.monitor import jvm
from livejoin.monitor.metric import Sample, counter, gauge
from livejoin.serve.door.catalogue import NotServed
from livejoin.serve.door.door import Door
from livejoin.serve.door.refusal import MEANINGS, Refusal
from livejoin.wire.dead_letter import Kind

if TYPE_CHECKING:
    from livejoin.kafka.tail import TopicTail
    from livejoin.serve.decode.skips import Skips
    from livejoin.serve.engine.generations import Generations

SHOWN = gauge("livejoin_shown_generation", "The generation that this table server shows; 0 while it shows none.")
ROWS = gauge("livejoin_table_rows", "Rows of each table.", "table")
EVENTS = counter(
    "livejoin_source_events_total",
    "Events of a source that the shown generation has accounted for: as rows, deletions or dead letters.",
    "source",
    "partition",
    "generation",
)
LAG = gauge(
    "livejoin_source_lag_events",
    "Events that are in the topic and not accounted for in the tables yet: the whole way, by Kafka, Spark and the "
    "engine. Renewed every second.",
    "source",
    "partition",
)
AGE = gauge(
    "livejoin_source_age_seconds",
    "For how long the oldest of these has been waiting, to a second, since this server has seen it; 0 without lag.",
    "source",
    "partition",
)
REJECTED = gauge(
    "livejoin_dead_letters",
    "Rejected events in the dead-letter topic, by what was wrong with them: the rows of dead_letters have the text. "
    "Each is counted once, however many generations have rejected it.",
    "reason",
)
SKIPPED = counter(
    "livejoin_skipped_records_total",
    "Records of livejoin's own topics that could not be decoded, and were left out: another program writes there.",
    "topic",
)
CYCLE_AGE = gauge(
    "livejoin_update_cycle_age_seconds",
    "Time since the engine has begun an update cycle. All rows stand still while it grows.",
)
STANDBYS = gauge(
    "livejoin_standbys", "Pipelines that stand by beside the one that writes, as far as was heard of them."
)
TABLE_METRICS = (SHOWN, ROWS, EVENTS, LAG, AGE, REJECTED, SKIPPED, CYCLE_AGE, STANDBYS, *jvm.METRICS)

CONNECTIONS = gauge("livejoin_connections", "Open WebSockets: pages that look on.")
VIEWS = gauge("livejoin_views", "Different views that the engine keeps open for them.")
LOOKED_AT = gauge("livejoin_rows_looked_at", "Different rows that somebody looks at.")
REFUSED = counter(
    "livejoin_refused_total",
    f"What was refused, by its kind: {'; '.join(f'{kind} ({said})' for kind, said in MEANINGS.items())}.",
    "kind",
)
DOOR_METRICS = (CONNECTIONS, VIEWS, LOOKED_AT, REFUSED)
METRICS = (*TABLE_METRICS, *DOOR_METRICS)


def table_figures(generations: "Generations") -> Iterator[Sample]:
    """The tables and the generation that they show."""
    edition = generations.edition
    shown = edition.flip.shown
    yield SHOWN(shown)
    for name, size in edition.sizes.items():
        yield ROWS(size, name)
    view = generations.views.get(shown)
    if view is None:
        return
    for source, partition, reach in view.meter.reaches():
        where = (source, str(partition))
        yield EVENTS(max(0, reach.position - reach.begin - reach.absent), *where, str(shown))
        yield LAG(max(0, reach.end - reach.position), *where)
        yield AGE(view.meter.age(reach), *where)


def log_figures(skips: "Mapping[str, Skips]", letters: "TopicTail", kinds: Mapping[Kind, int]) -> Iterator[Sample]:
    """What is counted while topics are read; dead letters when all that were there at the start are counted."""
    for topic, skipped in skips.items():
        yield SKIPPED(skipped.count, topic)
    if letters.reached():
        for kind in Kind:
            yield REJECTED(kinds.get(kind, 0), kind.value)


def door_figures(door: Door) -> Callable[[], Iterator[Sample]]:
    """Reads who is at the door."""

    def read() -> Iterator[Sample]:
        yield CONNECTIONS(door.occupancy.connections)
        # Told from the start, so that the first refusal is seen as one more.
        for kind in sorted(Refusal):
            yield REFUSED(door.occupancy.refused[kind], kind)
        with suppress(NotServed):
            views = door.views
            yield VIEWS(views.count)
            yield LOOKED_AT(views.rows)

    return read

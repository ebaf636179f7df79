"""Which topics livejoin needs besides the sources, and how they have to be configured: data.

The pipeline makes and mends them from this, `livejoin topics` prints how somebody else does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from livejoin.settings.settings import Settings

POLICY, LARGEST, SEGMENT = "cleanup.policy", "max.message.bytes", "segment.bytes"
RETENTION, RETENTION_BYTES = "retention.ms", "retention.bytes"
FOR_EVER = "-1"
HOUR_MS = 3_600_000
KAFKAS_LARGEST = 1_048_588
"""What Kafka allows to a record where nobody has said otherwise."""
ROOM = 131_072
"""For keys and headers of a dead letter, beside its bytes."""


@dataclass(frozen=True, slots=True)
class PlannedTopic:
    """A topic of livejoin's own as it has to be. `purpose` is for people."""

    name: str
    purpose: str
    partitions: int = 1
    replication: int = -1
    config: Mapping[str, str] = field(default_factory=dict)

    def wrong(self, found: Mapping[str, str]) -> dict[str, str]:
        """What has to be set otherwise, with the value that it has to have."""
        return {name: wanted for name, wanted in self.config.items() if not _suits(name, wanted, found.get(name, ""))}


def fixed_topics(settings: Settings) -> list[PlannedTopic]:
    """Those that are there for as long as livejoin is."""
    topics, replication = settings.own_topics, settings.topics.replication
    return [
        PlannedTopic(
            topics.state,
            "the registry of generations",
            replication=replication,
            # Heartbeats replace each other; in small segments, what they replace is cleaned away soon.
            config={POLICY: "compact", SEGMENT: str(1024 * 1024)},
        ),
        PlannedTopic(
            topics.control_log, "control messages and verdicts", replication=replication, config={POLICY: "delete"}
        ),
        letter_topic(settings),
    ]


def letter_bytes(settings: Settings) -> int:
    """How large a dead letter may be."""
    return settings.events.dead_letter_bytes + ROOM


def letter_topic(settings: Settings) -> PlannedTopic:
    """The topic of dead letters."""
    largest, hours = letter_bytes(settings), settings.topics.dead_letter_hours
    # What is written once more replaces what was written before.
    config = {POLICY: "compact,delete"} | ({LARGEST: str(largest)} if largest > KAFKAS_LARGEST else {})
    if hours:
        config[RETENTION] = str(hours * HOUR_MS) if hours > 0 else FOR_EVER
    return PlannedTopic(
        settings.own_topics.dead_letters, "rejected events", replication=settings.topics.replication, config=config
    )


def view_topic(settings: Settings, name: str) -> PlannedTopic:
    """A view topic of that name: one of the pool has to allow that it is emptied, and must not forget by itself."""
    config = {POLICY: "compact", LARGEST: str(settings.events.row_bytes)}
    if name in settings.own_topics.views:
        config |= {POLICY: "compact,delete", RETENTION: FOR_EVER, RETENTION_BYTES: FOR_EVER}
    topics = settings.topics
    return PlannedTopic(name, "rows of a generation", topics.view_partitions, topics.replication, config)


def pool(settings: Settings) -> list[PlannedTopic]:
    """The view topics that generations share; none where livejoin makes one for each."""
    return [view_topic(settings, name) for name in settings.own_topics.views]


def own_topics(settings: Settings) -> list[PlannedTopic]:
    """Everything that has to be there before a pipeline which creates nothing can start."""
    return [*fixed_topics(settings), *pool(settings)]


def _suits(name: str, wanted: str, found: str) -> bool:
    """Whether a value serves as well as the wanted one: larger records, smaller segments, a log that is compacted."""
    if name == LARGEST:
        return found.isdigit() and int(found) >= int(wanted)
    if name == SEGMENT:
        return found.isdigit() and int(found) <= int(wanted)
    if name == POLICY:
        return wanted == "delete" or {part.strip() for part in found.split(",")} == set(wanted.split(","))
    return found == wanted

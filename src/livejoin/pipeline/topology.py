"""Whether a generation still stands on the topics that it was built from.

A topic that was deleted and created again has the same name and other events. Offsets of the checkpoint mean nothing
there: Spark would fail for ever, or lose events without a word. So the ids of the topics are noted when a generation is
built, and compared at every start and while it is live.
"""

from livejoin.errors import BrokerUnreachable, TopicMissing
from livejoin.generation import Generation, Start
from livejoin.kafka.cluster import Cluster, Described
from livejoin.schema import SOURCES

SURE_AFTER = 3


class TopicReplaced(Exception):
    """A topic of the generation is gone, or is another one: only a fresh generation can be right."""


class PartitionsAdded(Exception):
    """A source has grown: the queries find its new partitions when they start again."""


class Topology:
    """The topics of one generation as they are at this moment."""

    def __init__(self, cluster: Cluster, generation: Generation, dead_letters: str) -> None:
        self._cluster = cluster
        self._dead_letters = dead_letters
        self._generation = generation
        self._sources = {source.name: generation.request.topic_of(source.name) for source in SOURCES}
        self._partitions: dict[str, int] = {}
        self._times_missing = 0

    def note(self) -> Generation:
        """The generation with the ids of its topics and the oldest offsets of its sources.

        Raises TopicMissing where a source is not there, and TopicReplaced where the generation was built from others.
        """
        self._cluster.describe(self._sources.values())
        try:
            found = self._describe()
        except TopicMissing as missing:
            raise TopicReplaced(missing.what) from missing
        self._partitions = {topic: described.partitions for topic, described in found.items()}
        if self._generation.topic_ids:
            return self._generation
        latest = self._generation.request.start is Start.LATEST
        starts = self.ends() if latest else {name: self._starts(topic) for name, topic in self._sources.items()}
        ids = {topic: described.topic_id for topic, described in found.items()}
        self._generation = self._generation.model_copy(update={"topic_ids": ids, "source_starts": starts})
        return self._generation

    def ends(self) -> dict[str, dict[int, int]]:
        """The end offsets of the sources: what a backfill that starts now is sure to read."""
        return {name: self._cluster.end_offsets(topic) for name, topic in self._sources.items()}

    def check(self) -> None:
        """Raise TopicReplaced or PartitionsAdded where something has changed since `note`."""
        try:
            found = self._describe()
        except BrokerUnreachable:
            # A broker that does not answer says nothing about its topics.
            return
        except TopicMissing as missing:
            # One that has just started may not know them all yet.
            self._times_missing += 1
            if self._times_missing >= SURE_AFTER:
                raise TopicReplaced(missing.what) from missing
            return
        self._times_missing = 0
        grown = [topic for topic, described in found.items() if described.partitions > self._partitions[topic]]
        if grown:
            raise PartitionsAdded(f"partitions were added to {', '.join(map(repr, grown))}")

    def _describe(self) -> dict[str, Described]:
        """The topics; raises TopicReplaced, or RightMissing.

        A query that may not write any more finds out by its next row at the earliest, and then that row and the one
        before are late; so rights are asked for beforehand.
        """
        view = self._generation.view_topic
        found = self._cluster.describe([*self._sources.values(), view])
        for topic, topic_id in self._generation.topic_ids.items():
            if found[topic].topic_id != topic_id:
                raise TopicReplaced(f"topic {topic!r} was deleted and created again")
        for topic in self._sources.values():
            self._cluster.require(topic, found[topic], "READ")
        self._cluster.require(view, found[view], "WRITE")
        self._require_dead_letters()
        return found

    def _require_dead_letters(self) -> None:
        try:
            found = self._cluster.describe([self._dead_letters])
        except TopicMissing:
            # It is none that the generation was built from.
            return
        self._cluster.require(self._dead_letters, found[self._dead_letters], "WRITE")

    def _starts(self, topic: str) -> dict[int, int]:
        return {partition: low for partition, (low, _) in self._cluster.watermarks(topic).items()}

"""Whether a generation still stands on the topics that it was built from.

A topic that was deleted and created again has the same name and other events. Offsets of the checkpoint mean nothing
there: Spark would fail for ever, or lose events without a word. So the ids of the topics are noted when a generation is
built, and compared at every start and while it is live. A topic may also have dropped its oldest events: whether those
were read already is known by offsets alone.
"""

from collections.abc import Mapping
from dataclasses import replace

from livejoin.errors import BrokerUnreachable, TopicMissing
from livejoin.kafka.cluster import Cluster, Described
from livejoin.kafka.trouble import needed_to
from livejoin.model.generation import Generation, Start

SURE_AFTER = 3


class TopicReplaced(Exception):
    """A topic of the generation is gone, or is another one: only a fresh generation can be right."""


class EventsDropped(Exception):
    """The broker no longer has what would be read next: going on would leave a gap without a word."""


class PartitionsAdded(Exception):
    """A source has grown: the queries find its new partitions when they start again."""


class Topology:
    """The topics of one generation as they are at this moment."""

    def __init__(self, cluster: Cluster, generation: Generation) -> None:
        self._cluster = cluster
        self._generation = generation
        self._sources = generation.request.topics
        self._partitions: dict[str, int] = {}
        self._times_missing = 0

    def note(self) -> Generation:
        """The generation with the ids of its topics and the oldest offsets of its sources.

        Raises TopicMissing where a topic is not there, and TopicReplaced where the generation was built from others, or
        where its view topic was missing again and again.
        """
        with needed_to("READ"):
            self._cluster.describe(self._sources.values())
        try:
            found = self._describe()
        except TopicMissing as missing:
            self._count(missing)
            raise
        self._times_missing = 0
        self._partitions = {topic: described.partitions for topic, described in found.items()}
        if self._generation.topic_ids:
            return self._generation
        latest = self._generation.request.start is Start.LATEST
        starts = self.ends() if latest else {name: self._starts(topic) for name, topic in self._sources.items()}
        ids = {topic: described.topic_id for topic, described in found.items()}
        self._generation = replace(self._generation, topic_ids=ids, source_starts=starts)
        return self._generation

    def ends(self) -> dict[str, dict[int, int]]:
        """The end offsets of the sources: what a backfill that starts now is sure to read."""
        return {name: self._cluster.end_offsets(topic) for name, topic in self._sources.items()}

    def require(self, wanted: Mapping[str, Mapping[int, int]]) -> None:
        """Raise EventsDropped where the sources no longer have these offsets, by topic and partition.

        A partition that is not named is wanted from its beginning, as a query reads one that was added.
        """
        for topic, offsets in wanted.items():
            for partition, (low, _) in sorted(self._cluster.watermarks(topic).items()):
                if low > offsets.get(partition, 0):
                    raise EventsDropped(
                        f"the broker has dropped events of topic {topic!r} that were to be read: partition {partition} "
                        f"begins with {low}, and {offsets.get(partition, 0)} was next"
                    )

    def check(self) -> None:
        """Raise TopicReplaced or PartitionsAdded where something has changed since `note`."""
        try:
            found = self._describe()
        except BrokerUnreachable:
            # A broker that does not answer says nothing about its topics.
            return
        except TopicMissing as missing:
            self._count(missing)
            return
        self._times_missing = 0
        grown = [topic for topic, described in found.items() if described.partitions > self._partitions[topic]]
        if grown:
            raise PartitionsAdded(f"partitions were added to {', '.join(map(repr, grown))}")

    def _count(self, missing: TopicMissing) -> None:
        """Raise TopicReplaced when it is sure: a broker that has just started may not know all topics yet."""
        self._times_missing += 1
        if self._times_missing >= SURE_AFTER:
            raise TopicReplaced(missing.what) from missing

    def _describe(self) -> dict[str, Described]:
        """The topics; raises TopicReplaced, or RightMissing.

        A query that may not write any more finds out by its next row at the earliest, and then that row and the one
        before are late; so rights are asked for beforehand.
        """
        view = self._generation.view_topic
        with needed_to("READ", {view: "WRITE"}):
            found = self._cluster.describe([*self._sources.values(), view])
        for topic, topic_id in self._generation.topic_ids.items():
            if found[topic].topic_id != topic_id:
                raise TopicReplaced(f"topic {topic!r} was deleted and created again")
        for topic in self._sources.values():
            self._cluster.require(topic, found[topic], "READ")
        self._cluster.require(view, found[view], "WRITE")
        return found

    def _starts(self, topic: str) -> dict[int, int]:
        return {partition: low for partition, (low, _) in self._cluster.watermarks(topic).items()}

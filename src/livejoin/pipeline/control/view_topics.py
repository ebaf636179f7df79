"""Where a generation's rows go: a topic that is made for it, or one of the pool.

One of the pool is taken by a generation's record that names it, and is free again when that record is gone, which is
written last. It is emptied before that, and once more before rows go into it: what a crash, or another livejoin, has
left there is nobody's. Then the first record of each partition says whose rows follow (`view_record.TAKEN`), so that
a table server which still shows the generation before reads no further. What the Spark of a pipeline that was replaced
still writes there has a lower epoch than that at which the topic was taken, and is not read.
"""

from contextlib import suppress

import structlog

from livejoin.errors import LivejoinError, NotAccepted, TopicMissing
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.writer import Writer
from livejoin.model.generation import Generation
from livejoin.model.registry import Registry
from livejoin.process.crash_point import crash_point
from livejoin.settings.settings import Settings
from livejoin.topics.keeper import HOW_TO_CREATE, TopicKeeper
from livejoin.topics.plan import view_topic
from livejoin.wire import view_record

log = structlog.get_logger()


class NoViewTopic(LivejoinError):
    """No topic of the pool can be taken at this moment; the text says why."""


class ViewTopics:
    """The view topics of a pipeline. Used by one thread; nothing to close."""

    def __init__(self, settings: Settings, cluster: Cluster, keeper: TopicKeeper) -> None:
        self._settings = settings
        self._topics = settings.own_topics
        self._cluster = cluster
        self._keeper = keeper

    def name(self, number: int) -> str:
        """The topic of a generation that is asked for; empty where it is taken from the pool when it is built."""
        return "" if self._topics.views else self._topics.view(number)

    def is_shared(self, generation: Generation) -> bool:
        """Whether other generations have had its topic, or will."""
        return generation.view_topic in self._topics.views

    def choose(self, generation: Generation, registry: Registry) -> str:
        """The topic that it has, or a free one; raises NoViewTopic where there is none.

        By its number, they take turns: what is free has been so for as long as possible.
        """
        pool = self._topics.views
        if not pool:
            return generation.view_topic or self._topics.view(generation.number)
        there = self._cluster.topic_names()
        if generation.view_topic in pool and generation.view_topic in there:
            return generation.view_topic
        others = [other for other in registry.generations.values() if other.number != generation.number]
        taken = {other.view_topic: f"generation {other.number} has {other.view_topic!r}" for other in others}
        first = generation.number % len(pool)
        unfit: list[str] = []
        for topic in (*pool[first:], *pool[:first]):
            why = taken.get(topic) or self._unfit(topic, there)
            if not why:
                return topic
            unfit.append(why)
        raise NoViewTopic(f"no view topic is free ({'; '.join(sorted(unfit))})")

    def prepare(self, generation: Generation) -> None:
        """Have its topic there and empty; nothing has been written for it yet."""
        topic = generation.view_topic
        if not self.is_shared(generation):
            self._keeper.provide(view_topic(self._settings, topic))
            return
        self._empty(topic)
        crash_point("view topic emptied")
        writer = Writer(self._cluster, topic)
        for partition in self._cluster.partitions(topic):
            writer.write(view_record.TAKEN, view_record.Taken(generation.number, generation.taken).to_json(), partition)

    def check(self, generation: Generation) -> None:
        """Mend or tell what the settings ask of its topic since it was made."""
        if generation.view_topic in self._cluster.topic_names():
            self._keeper.check(view_topic(self._settings, generation.view_topic))

    def release(self, generation: Generation) -> None:
        """Delete its topic if livejoin has made it, empty it if it is of the pool."""
        topic = generation.view_topic
        if self.is_shared(generation):
            # What is not there holds nothing.
            with suppress(TopicMissing):
                self._empty(topic)
        elif self._topics.is_made_view(topic) and not self._topics.views:
            self._cluster.delete(topic)
        elif topic:
            log.warning("view topic is of no use any more, and not livejoin's to delete", topic=topic)

    def orphans(self, registry: Registry) -> set[str]:
        """What livejoin has made and no record knows."""
        if self._topics.views:
            return set()
        known = {generation.view_topic for generation in registry.generations.values()}
        return {name for name in self._cluster.topic_names() if self._topics.is_made_view(name)} - known

    def _empty(self, topic: str) -> None:
        try:
            self._cluster.empty(topic)
        except NotAccepted as error:
            raise NotAccepted(
                f"view topic {topic!r} cannot be emptied ({error.what})",
                do="its cleanup.policy has to be compact,delete: `livejoin topics` prints how it has to be",
            ) from error

    def _unfit(self, topic: str, there: set[str]) -> str:
        if topic not in there:
            return f"{topic!r} is not on the broker: {HOW_TO_CREATE}"
        return self._keeper.check(view_topic(self._settings, topic))

"""What no record knows any more: view topics and checkpoints that were made when their generation was gone."""

import time

from livejoin.kafka.cluster import Cluster
from livejoin.model.registry import Registry
from livejoin.pipeline.control.one_writer import OneWriter
from livejoin.pipeline.control.view_topics import ViewTopics
from livejoin.pipeline.spark.checkpoints import checkpoints, delete_checkpoint
from livejoin.settings.settings import Settings

CHECKPOINT_SECONDS = 10.0
TOPIC_SECONDS = 60.0
"""How often the broker is asked for all of its topics, which may be many."""


class Leftovers:
    """Looks for them from time to time, and removes them. Used by the orchestrator's thread."""

    def __init__(self, settings: Settings, cluster: Cluster, views: ViewTopics, writer: OneWriter) -> None:
        self._settings = settings
        self._cluster = cluster
        self._views = views
        self._writer = writer
        self._topics: set[str] = set()
        self._topics_looked_for = 0.0
        self._checkpoints_looked_for = 0.0

    def look(self, registry: Registry) -> None:
        """Note the topics, which are removed when somebody cleans, and remove the checkpoints."""
        self._look_for_topics(registry)
        self._look_for_checkpoints(registry)

    def remove_topics(self, registry: Registry) -> None:
        """A pipeline that was paused and replaced may make a view topic after its generation is gone."""
        if time.monotonic() - self._topics_looked_for > TOPIC_SECONDS:
            self._look_for_topics(registry)
        if self._topics:
            # No broker fences the deletion of a topic: who was paused finds out here that it is not his any more.
            self._writer.confirm()
        for topic in sorted(self._topics):
            self._cluster.delete(topic)
            self._topics.discard(topic)

    def remove_checkpoints(self, registry: Registry) -> None:
        """Spark may write a last snapshot of a state into a checkpoint that was deleted before."""
        if time.monotonic() - self._checkpoints_looked_for > CHECKPOINT_SECONDS:
            self._look_for_checkpoints(registry)

    def _look_for_topics(self, registry: Registry) -> None:
        self._topics = self._views.orphans(registry)
        self._topics_looked_for = time.monotonic()

    def _look_for_checkpoints(self, registry: Registry) -> None:
        self._checkpoints_looked_for = time.monotonic()
        folder = checkpoints(self._settings)
        found = [int(one.name) for one in folder.iterdir() if one.name.isdigit()] if folder.exists() else []
        unknown = [number for number in found if number not in registry.generations]
        if unknown:
            # Who was paused may find those of another pipeline.
            self._writer.confirm()
        for number in unknown:
            delete_checkpoint(self._settings, number)

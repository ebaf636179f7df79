"""How many tasks may run at once, and how many a generation needs.

In Real-Time Mode every task of a query runs for as long as the query does. One that gets no slot waits, without a word
and with rows that stand still; so whoever asks for more than there is has to hear it.
"""

from collections.abc import Iterable

from pyspark.sql import SparkSession

from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import Generation
from livejoin.settings.settings import Settings


class Slots:
    """The slots of one Spark. Nothing to close."""

    def __init__(self, settings: Settings, cluster: Cluster, spark: SparkSession) -> None:
        self._settings = settings.spark
        self._cluster = cluster
        self._spark = spark

    def lack(self, generation: Generation, others: Iterable[Generation]) -> str:
        """Why a generation cannot run beside the others, with the numbers; empty where it can."""
        needed, there = self._needed(generation), self._there
        taken = {other.number: self._needed(other) for other in others}
        if needed + sum(taken.values()) <= there:
            return ""
        beside = ", ".join(f"generation {number} has {count}" for number, count in taken.items())
        where = "spark.slots" if not self._settings.master else "the cores of the Spark cluster"
        return f"it needs {needed} slots, and there are {there} ({where}){f'; {beside}' if beside else ''}"

    @property
    def _there(self) -> int:
        """Those of a master of our own are a setting; a cluster tells the cores that its executors have."""
        return self._spark.sparkContext.defaultParallelism if self._settings.master else self._settings.slots

    def _needed(self, generation: Generation) -> int:
        topics = generation.request.topics.values()
        found = self._cluster.describe(topics)
        return self._settings.slots_for(sum(found[topic].partitions for topic in topics))

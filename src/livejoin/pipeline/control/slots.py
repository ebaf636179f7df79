"""How many tasks may run at once, how many a generation needs, and who has them.

In Real-Time Mode every task of a query runs for as long as the query does. One that gets no slot waits, without a word
and with rows that stand still; so whoever asks for more than there is has to hear it, whenever its queries are begun.
"""

from threading import Lock

from pyspark.sql import SparkSession

from livejoin.errors import LivejoinError
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import Generation
from livejoin.settings.settings import Settings


class NoSlots(LivejoinError):
    """The queries of a generation cannot run beside those of the others; the text has the numbers."""


class Slots:
    """The slots of one Spark, and which generation has how many of them. Any thread may call it; nothing to close."""

    def __init__(self, settings: Settings, cluster: Cluster, spark: SparkSession) -> None:
        self._settings = settings.spark
        self._cluster = cluster
        self._spark = spark
        self._taken: dict[int, int] = {}
        self._lock = Lock()

    def lack(self, generation: Generation) -> str:
        """Why a generation cannot run beside the others, with the numbers; empty where it can."""
        needed, there = self._needed(generation), self._there
        with self._lock:
            return self._lack(generation.number, needed, there)

    def take(self, generation: Generation) -> None:
        """Have what its queries need, in place of what it had; raises NoSlots, and then it has none."""
        needed, there = self._needed(generation), self._there
        with self._lock:
            self._taken.pop(generation.number, None)
            what = self._lack(generation.number, needed, there)
            if what:
                raise NoSlots(what)
            self._taken[generation.number] = needed

    def give_back(self, number: int) -> None:
        """Its queries have ended."""
        with self._lock:
            self._taken.pop(number, None)

    def _lack(self, number: int, needed: int, there: int) -> str:
        others = {other: count for other, count in sorted(self._taken.items()) if other != number}
        if needed + sum(others.values()) <= there:
            return ""
        beside = ", ".join(f"generation {other} has {count}" for other, count in others.items())
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

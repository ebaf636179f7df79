"""How many events a running backfill has done: Spark's own progress reports only come after a whole micro-batch.

A backfill is one micro-batch, because every further one would write the rows of most keys again. So this looks at the
counters that its operators send while they run.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

COUNTER = "number of output rows"
READ, JOINED, KEYS = "MicroBatchScan", "ObjectHashAggregate", "StateStoreSave"


class BackfillMeter:
    """Counts an event half when it is read, and half when the rows of its key are written, which takes as long."""

    def __init__(self, spark: SparkSession, query: StreamingQuery) -> None:
        self._run = str(query.runId)
        self._done = 0
        # There is no public way to these counters, except for the web page that is switched off.
        self._store = spark._jsparkSession.sharedState().statusStore()  # noqa: SLF001

    def count(self) -> int:
        """The events done so far; the same as before where Spark cannot tell at this moment."""
        with suppress(Py4JError):
            self._done = self._ask()
        return self._done

    def _ask(self) -> int:
        counters: dict[str, list[int]] = {READ: [], JOINED: [], KEYS: []}
        for execution in _all(self._store.executionsList()):
            if self._run in execution.description():
                self._collect(execution.executionId(), counters)
        read = sum(counters[READ])
        # The uppermost aggregation is the one that writes.
        joined, keys = (next(iter(counters[name]), 0) for name in (JOINED, KEYS))
        return (read + (read * joined // keys if keys else 0)) // 2

    def _collect(self, execution: int, counters: dict[str, list[int]]) -> None:
        values = self._store.executionMetrics(execution)
        for node in _all(self._store.planGraph(execution).allNodes()):
            if node.name() in counters:
                for metric in _all(node.metrics()):
                    value = values.get(metric.accumulatorId())
                    if metric.name() == COUNTER and value.isDefined():
                        counters[node.name()].append(int(value.get().replace(",", "")))


def _all(sequence: Any) -> Iterator[Any]:
    """The elements of a Scala sequence."""
    return (sequence.apply(index) for index in range(sequence.size()))

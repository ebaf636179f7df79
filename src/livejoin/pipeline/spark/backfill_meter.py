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
        # Finding the counters takes hundreds of calls into the JVM, so it is done once per micro-batch.
        self._counters: dict[int, dict[str, list[int]]] = {}
        # There is no public way to them, except for the web page that is switched off.
        self._store = spark._jsparkSession.sharedState().statusStore()  # noqa: SLF001

    def count(self) -> int:
        """The events done so far; the same as before where Spark cannot tell at this moment."""
        # It only shows how far a backfill is, and must not end it.
        with suppress(Py4JError, ValueError):
            self._done = max(self._done, self._ask())
        return self._done

    def _ask(self) -> int:
        for execution in _all(self._store.executionsList()):
            if execution.executionId() not in self._counters and self._run in execution.description():
                self._find_counters(execution.executionId())
        counted: dict[str, list[int]] = {READ: [], JOINED: [], KEYS: []}
        for execution_id, counters in self._counters.items():
            values = self._store.executionMetrics(execution_id)
            for name, accumulators in counters.items():
                found = (values.get(accumulator) for accumulator in accumulators)
                counted[name] += [int(value.get().replace(",", "")) for value in found if value.isDefined()]
        read = sum(counted[READ])
        # The uppermost aggregation is the one that writes.
        joined, keys = (next(iter(counted[name]), 0) for name in (JOINED, KEYS))
        return (read + (read * joined // keys if keys else 0)) // 2

    def _find_counters(self, execution_id: int) -> None:
        counters: dict[str, list[int]] = {READ: [], JOINED: [], KEYS: []}
        for node in _all(self._store.planGraph(execution_id).allNodes()):
            name = node.name()
            if name in counters:
                counters[name] += [m.accumulatorId() for m in _all(node.metrics()) if m.name() == COUNTER]
        if counters[READ]:
            self._counters[execution_id] = counters


def _all(sequence: Any) -> Iterator[Any]:
    """The elements of a Scala sequence."""
    return (sequence.apply(index) for index in range(sequence.size()))

"""What Spark knows about its queries and its virtual machine, asked when somebody wants to know.

Spark tells the progress of a query at the end of a batch, and a batch of Real-Time Mode is long (`spark.batch`). A
listener would be called from Java for every one of them; the last one can be asked for.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from prometheus_client import CollectorRegistry
from pyspark.sql import SparkSession
from pyspark.sql.streaming.listener import StreamingQueryProgress

from livejoin.monitor import jvm
from livejoin.monitor.metric import Reading, Sample, gauge, histogram
from livejoin.pipeline.spark.letter_query import DEAD_LETTERS
from livejoin.pipeline.spark.query import JOIN

QUERIES = gauge("livejoin_queries", "Spark queries that run, of all generations.", "query")
STATE_ROWS = gauge(
    "livejoin_state_rows", "Keys in the state of the joins, as it was at the end of the last batch of each."
)
STATE_MEMORY = gauge("livejoin_state_memory_bytes", "Memory that this state takes, at the same moment.")
PAUSES = histogram(
    "livejoin_batch_pause_seconds",
    "For how long a live query has processed nothing, between two batches of Real-Time Mode (spark.batch).",
    "query",
    buckets=(0.1, 0.2, 0.5, 1, 2, 5, 10, 30),
)
METRICS = (QUERIES, STATE_ROWS, STATE_MEMORY, PAUSES, *jvm.METRICS)

KINDS = (JOIN, DEAD_LETTERS)
PATIENCE_SECONDS = 2.0
WHOLE = "triggerExecution"
_READ = (QUERIES, STATE_ROWS, STATE_MEMORY, *jvm.METRICS)


class SparkWatch:
    """Asks through one thread, because each has a connection and a thread in Java. Whoever makes it closes it."""

    def __init__(self, spark: SparkSession, batch: str) -> None:
        self._spark = spark
        self._java: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark's only way to the JVM
        self._batch_seconds = _seconds(self._java, batch)
        self._pauses = PAUSES.histogram(*KINDS)
        self._seen: dict[str, int] = {}
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="spark-watch")
        self._asked: Future[list[Sample]] | None = None
        self._last: list[Sample] = []

    def expose_in(self, registry: CollectorRegistry) -> None:
        """Let a registry have what is read here."""
        registry.register(Reading(_READ, self._read))
        registry.register(self._pauses)

    def close(self) -> None:
        """Ask no more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _read(self) -> list[Sample]:
        """What Spark says now, or said before, where it is too busy to answer."""
        if self._asked is None:
            self._asked = self._executor.submit(lambda: list(self._ask()))
        asked = self._asked
        try:
            self._last = asked.result(PATIENCE_SECONDS)
        except TimeoutError:
            return self._last
        finally:
            if asked.done():
                self._asked = None
        return self._last

    def _ask(self) -> Iterator[Sample]:
        yield from jvm.jvm_figures(self._java.java.lang.management.ManagementFactory, _asking(self._java))
        active = [(str(query.name or ""), query) for query in self._spark.streams.active]
        kinds = [_kind(name) for name, _ in active]
        for kind in sorted({*kinds, *KINDS}):
            yield QUERIES(kinds.count(kind), kind)
        told = [(str(query.runId), name, query.lastProgress) for name, query in active]
        finished = [(run, name, progress) for run, name, progress in told if progress is not None]
        for run, name, progress in finished:
            self._note_pause(run, _kind(name), progress)
        self._seen = {run: seen for run, seen in self._seen.items() if run in {run for run, _, _ in told}}
        states = [state for _, _, progress in finished for state in progress.stateOperators]
        if states:
            yield STATE_ROWS(sum(state.numRowsTotal for state in states))
            yield STATE_MEMORY(sum(state.memoryUsedBytes for state in states))

    def _note_pause(self, run: str, kind: str, progress: StreamingQueryProgress) -> None:
        """A batch that ended before its time was no batch of a live query."""
        pause = progress.durationMs.get(WHOLE, 0) / 1000 - self._batch_seconds
        if pause >= 0 and self._seen.get(run) != progress.batchId:
            self._pauses.labels(kind).observe(pause)
        self._seen[run] = progress.batchId


def _kind(name: str) -> str:
    """The part of a query's name that stays the same: `generation-7-dead-letters` is `dead-letters`."""
    return name.split("-", 2)[-1]


def _seconds(java: Any, interval: str) -> float:
    """An interval as Spark understands it."""
    return int(java.org.apache.spark.sql.execution.streaming.RealTimeTrigger.create(interval).batchDurationMs()) / 1000


def _asking(java: Any) -> Callable[[str, Any, str], Any]:
    def ask(interface: str, bean: Any, method: str) -> Any:
        return java.java.lang.Class.forName(interface).getMethod(method, None).invoke(bean, None)

    return ask

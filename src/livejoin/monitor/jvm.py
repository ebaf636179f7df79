"""What a Java virtual machine says about itself: memory, collections of garbage, threads."""

from collections.abc import Callable, Iterator
from typing import Any

from livejoin.monitor.metric import Sample, counter, gauge

MEMORY_USED = gauge("livejoin_jvm_memory_used_bytes", "Memory that Java uses, in and beside its heap.", "area")
HEAP_MAX = gauge("livejoin_jvm_heap_max_bytes", "How far the heap may grow: server.heap, spark.driver_memory.")
COLLECTIONS = counter("livejoin_jvm_gc_collections_total", "Collections of garbage, for each collector.", "gc")
COLLECTION_SECONDS = counter("livejoin_jvm_gc_seconds_total", "Time that these took. Rows stand still meanwhile.", "gc")
THREADS = gauge("livejoin_jvm_threads", "Threads of Java.")
METRICS = (MEMORY_USED, HEAP_MAX, COLLECTIONS, COLLECTION_SECONDS, THREADS)

Ask = Callable[[str, Any, str], Any]
"""Calls the method of a bean by way of the interface that declares it: Java does not open the beans' own classes."""

_MANAGEMENT = "java.lang.management."


def jvm_figures(beans: Any, ask: Ask) -> Iterator[Sample]:
    """The values of a virtual machine; `beans` is its ManagementFactory."""
    memory = beans.getMemoryMXBean()
    heap = ask(f"{_MANAGEMENT}MemoryMXBean", memory, "getHeapMemoryUsage")
    beside = ask(f"{_MANAGEMENT}MemoryMXBean", memory, "getNonHeapMemoryUsage")
    yield MEMORY_USED(heap.getUsed(), "heap")
    yield MEMORY_USED(beside.getUsed(), "nonheap")
    yield HEAP_MAX(heap.getMax())
    collectors = beans.getGarbageCollectorMXBeans()
    for index in range(collectors.size()):
        collector = collectors.get(index)
        name = str(ask(f"{_MANAGEMENT}MemoryManagerMXBean", collector, "getName"))
        of_collector = f"{_MANAGEMENT}GarbageCollectorMXBean"
        yield COLLECTIONS(ask(of_collector, collector, "getCollectionCount"), name)
        yield COLLECTION_SECONDS(ask(of_collector, collector, "getCollectionTime") / 1000, name)
    yield THREADS(ask(f"{_MANAGEMENT}ThreadMXBean", beans.getThreadMXBean(), "getThreadCount"))

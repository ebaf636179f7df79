"""A metric is declared once, as data: from the declaration come what is exposed and what docs/metrics.md tells.

Most of them are read when somebody asks, from what the processes know anyway, and cost nothing in between.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import structlog
from prometheus_client import Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

log = structlog.get_logger()


class Kind(StrEnum):
    """What Prometheus may do with the values."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


@dataclass(frozen=True)
class Metric:
    """One metric: its name with the unit, what it says, and the names of its labels."""

    kind: Kind
    name: str
    says: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = field(default=(), kw_only=True)

    def __call__(self, value: float, *labels: str) -> "Sample":
        """A value of it, with a value for each label."""
        return Sample(self, labels, float(value))

    def family(self) -> GaugeMetricFamily | CounterMetricFamily:
        """What is exposed, still without values."""
        form = CounterMetricFamily if self.kind is Kind.COUNTER else GaugeMetricFamily
        return form(self.name, self.says, labels=self.labels)

    def histogram(self, *known: str) -> Histogram:
        """What takes in the values of a histogram, and exposes them; `known` are values of its label.

        These are told from the start, so that the first of them is seen as one more.
        """
        made = Histogram(self.name, self.says, self.labels, buckets=self.buckets, registry=None)
        for label in known:
            made.labels(label)
        return made


class Sample(NamedTuple):
    """A value of a metric at this moment."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


def gauge(name: str, says: str, *labels: str) -> Metric:
    """Something that goes up and down."""
    return Metric(Kind.GAUGE, name, says, labels)


def counter(name: str, says: str, *labels: str) -> Metric:
    """Something that only grows, from the start of a process on."""
    return Metric(Kind.COUNTER, name, says, labels)


def histogram(name: str, says: str, *labels: str, buckets: tuple[float, ...]) -> Metric:
    """How many were how long."""
    return Metric(Kind.HISTOGRAM, name, says, labels, buckets=buckets)


class Reading(Collector):
    """Metrics that are read when they are asked for. What cannot be read takes nothing else with it."""

    def __init__(self, declared: Sequence[Metric], read: Callable[[], Iterable[Sample]]) -> None:
        self._declared = declared
        self._read = read
        self._troubled = False

    def describe(self) -> Iterable[Family]:
        """What there is, for the registry, which refuses the same name twice."""
        return [metric.family() for metric in self._declared]

    def collect(self) -> Iterable[Family]:
        """The values of this moment."""
        families = {metric.name: metric.family() for metric in self._declared}
        try:
            for metric, labels, value in self._read():
                families[metric.name].add_metric(labels, value)
        except Exception as error:  # noqa: BLE001  whatever it is, the other metrics are worth having
            # Once, not at every scrape.
            if not self._troubled:
                log.warning("metrics cannot be read", first=self._declared[0].name, why=str(error))
            self._troubled = True
        else:
            self._troubled = False
        return [family for family in families.values() if family.samples]

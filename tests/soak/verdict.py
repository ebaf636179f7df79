"""Whether something grows: the slope of every series over the second half of a run, against what is tolerated.

What is loaded, compiled and cached in the beginning is kept, so the first half is not looked at. The slope is the
median of those between all pairs of samples (Theil and Sen): a collection of garbage, a swap or a compaction makes a
sawtooth, and neither its teeth nor where the run happens to end should count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

AT = "at"
"""The seconds since the beginning, in every sample."""

Sample = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What a series may grow by over the second half of a run: a share of what it is, and never less than a floor."""

    share: float
    floor: float
    unit: str


TOLERANCES = {
    "memory": Tolerance(0.10, 50.0, "MB"),
    "threads": Tolerance(0.10, 8.0, ""),
    "descriptors": Tolerance(0.10, 20.0, ""),
    "topics": Tolerance(0.0, 1.0, ""),
    "disk": Tolerance(0.10, 30.0, "MB"),
    "latency": Tolerance(0.25, 50.0, "ms"),
}
"""By the last word of a series' name. The floors are what a single swap, page or collection makes of difference."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a series went over the second half."""

    series: str
    level: float
    growth: float
    tolerated: float

    @property
    def is_flat(self) -> bool:
        """Whether it has grown by no more than is tolerated."""
        return self.growth <= self.tolerated

    def __str__(self) -> str:
        """For people."""
        unit = TOLERANCES[kind_of(self.series)].unit
        said = "flat" if self.is_flat else "GROWS"
        grown = f"{self.growth:+9.1f} (tolerated {self.tolerated:.1f})"
        return f"{said:5} {self.series:22} {self.level:10.1f} {unit:2} {grown}"


def kind_of(series: str) -> str:
    """What is measured: the last word."""
    return series.rsplit(" ", maxsplit=1)[-1]


def series_of(samples: Sequence[Sample]) -> list[str]:
    """Everything that was measured and is judged, in the order of the samples."""
    names = dict.fromkeys(name for sample in samples for name in sample)
    return [name for name in names if kind_of(name) in TOLERANCES]


def courses(samples: Sequence[Sample]) -> list[Course]:
    """How every series went, in the second half."""
    begin, end = samples[0][AT], samples[-1][AT]
    half = (begin + end) / 2
    late = [sample for sample in samples if sample[AT] >= half]
    return [_course(name, [(s[AT], s[name]) for s in late if name in s], end - half) for name in series_of(samples)]


def _course(name: str, points: list[tuple[float, float]], seconds: float) -> Course:
    level = median(value for _, value in points) if points else 0.0
    slopes = [(b - a) / (t - s) for (s, a), (t, b) in combinations(points, 2) if t > s]
    tolerance = TOLERANCES[kind_of(name)]
    growth = median(slopes) * seconds if slopes else 0.0
    return Course(name, level, growth, max(tolerance.floor, tolerance.share * level))

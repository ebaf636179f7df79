"""The verdict on a soak is believed because it finds growth that is put in on purpose, in every series of a run."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.soak.plot import write_plots
from tests.soak.verdict import AT, TOLERANCES, Sample, courses, kind_of, series_of

RECORDED = Path(__file__).with_name("recorded.jsonl")
"""The samples of five minutes of a real run, on a machine that more and more other work was done on meanwhile."""
LATENCY = "median latency"


@pytest.fixture
def recorded() -> list[Sample]:
    """What was recorded."""
    return [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def samples(recorded: list[Sample]) -> list[Sample]:
    """The same, as if nobody else had used the machine."""
    return [{**sample, LATENCY: 60.0 + sample[LATENCY] % 10} for sample in recorded]


def test_a_real_run_has_every_kind_of_number_and_what_rose_in_it_is_named(recorded: list[Sample]) -> None:
    """Memory, threads and descriptors of every process, topics, disk and latency; and the latency rose."""
    names = series_of(recorded)
    for process in ("pipeline", "spark", "serve", "broker", "page"):
        assert {f"{process} {what}" for what in ("memory", "threads", "descriptors")} <= {*names}
    assert {kind_of(name) for name in names} == {*TOLERANCES}
    assert [course.series for course in courses(recorded) if not course.is_flat] == [LATENCY]


def test_where_nothing_grows_nothing_is_named(samples: list[Sample]) -> None:
    """All series are flat."""
    assert [str(course) for course in courses(samples) if not course.is_flat] == []


@pytest.mark.parametrize("kind", TOLERANCES)
def test_a_leak_is_noticed_in_whichever_series_it_is(samples: list[Sample], kind: str) -> None:
    """Twice as much as is tolerated over the second half, in one series: that one is named, and no other."""
    begin, end = samples[0][AT], samples[-1][AT]
    leaking = [course for course in courses(samples) if kind_of(course.series) == kind]
    assert leaking
    for course in leaking:
        slope = (2 * course.tolerated - course.growth) / ((end - begin) / 2)
        leaked = [{**s, course.series: s[course.series] + slope * (s[AT] - begin)} for s in samples]
        grown = [found.series for found in courses(leaked) if not found.is_flat]
        assert grown == [course.series]


def test_a_sawtooth_is_no_growth(samples: list[Sample]) -> None:
    """Whether it ends at the top of a tooth or at its bottom."""
    for end in range(4):
        teeth = [{**s, "saw memory": 400.0 + 30 * (place % 3)} for place, s in enumerate(samples[: len(samples) - end])]
        [saw] = [course for course in courses(teeth) if course.series == "saw memory"]
        assert saw.is_flat, saw


def test_what_settles_in_the_first_half_is_no_growth(samples: list[Sample]) -> None:
    """Caches that fill in the beginning and then stay."""
    settled = [{**s, "cache memory": min(500.0, 1_500.0 * place / len(samples))} for place, s in enumerate(samples)]
    assert [course.series for course in courses(settled) if not course.is_flat] == []


def test_every_series_is_plotted(samples: list[Sample], tmp_path: Path) -> None:
    """One file of each kind, with a line and a name for each series."""
    files = write_plots(samples, tmp_path)
    assert {file.stem for file in files} == {*TOLERANCES}
    names: list[str] = []
    for file in files:
        picture = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314  written by ourselves
        space = "{http://www.w3.org/2000/svg}"
        lines = picture.findall(f"{space}polyline")
        assert all(len((line.get("points") or "").split()) == len(samples) for line in lines)
        found = [text.text for text in picture.findall(f"{space}text") if text.get("fill")]
        assert len(found) == len(lines)
        names += [name for name in found if name]
    assert sorted(names) == sorted(series_of(samples))

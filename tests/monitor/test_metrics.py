"""What is measured, and how it is told."""

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from starlette.testclient import TestClient

from livejoin.access.roles import Key, Keyring, Role, Visitor
from livejoin.cli.metrics_reference import BOTH, PIPELINE, SERVE, reference
from livejoin.http.health import Health
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, Request, State
from livejoin.monitor import web as monitor_web
from livejoin.monitor.exposition import registry_of
from livejoin.monitor.metric import Metric, Reading, Sample, gauge
from livejoin.pipeline.control.counts import Counts
from livejoin.serve.door.door import Door
from livejoin.serve.door.refusal import MEANINGS, Refusal
from livejoin.serve.engine.dead_letter_positions import DeadLetterPositions
from livejoin.serve.engine.source_meter import MOST_MARKS, SourceMeter
from livejoin.serve.http.web import application
from livejoin.serve.metrics import DOOR_METRICS, door_figures
from livejoin.settings.operation import PipelineSettings
from livejoin.settings.settings import Settings
from livejoin.wire.dead_letter import Kind
from prometheus import checkout_file

KEY = "of somebody who looks on"
NOW = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)


def test_the_reference_is_what_is_declared() -> None:
    """docs/metrics.md is renewed by `python -m livejoin.cli.metrics_reference > docs/metrics.md`."""
    assert checkout_file("docs/metrics.md").read_text(encoding="utf-8") == reference(), "docs/metrics.md is not renewed"


@pytest.mark.parametrize("metric", {*BOTH, *PIPELINE, *SERVE}, ids=lambda metric: metric.name)
def test_a_name_says_what_it_counts(metric: Metric) -> None:
    """Ours begin with livejoin, a counter ends with total, and a unit is a base unit."""
    assert metric.name.startswith("livejoin_")
    assert metric.name.endswith("_total") == (metric.kind == "counter")
    assert not re.search(r"_(ms|millis|minutes|kb|mb|percent)(_|$)", metric.name)
    assert metric.says.endswith(".")


def test_what_cannot_be_read_takes_nothing_else_with_it() -> None:
    """A scrape has everything that was read before the trouble, and the metrics of others."""
    first, second, other = (gauge(f"livejoin_{name}", "Something.") for name in ("first", "second", "other"))

    def read() -> Iterator[Sample]:
        yield first(1)
        raise RuntimeError("the engine is gone")

    registry = CollectorRegistry()
    registry.register(Reading((first, second), read))
    registry.register(Reading((other,), lambda: [other(3)]))
    told = generate_latest(registry).decode()
    assert "livejoin_first 1.0" in told
    assert "livejoin_second" not in told
    assert "livejoin_other 3.0" in told


def test_the_pipeline_tells_how_it_is_to_who_can_reach_it() -> None:
    """Health and metrics need no key, are not kept, and are refused to names that are not known."""
    components = {"orchestrator": "", "generation 3": "dead", "generation 4": "", "own topics": ""}
    health = Health(components, "generation 3 is recovering")
    metrics = registry_of(lambda: health)
    settings = PipelineSettings(hosts=["pipeline.internal"])
    app = monitor_web.application(settings, lambda: health, metrics)
    client = TestClient(app, base_url="http://127.0.0.1:8081")

    assert client.get("/livez").status_code == 200
    assert client.get("/healthz").json() == {
        "ok": False,
        "components": {"orchestrator": "ok", "generation 3": "dead", "generation 4": "ok", "own topics": "ok"},
    }
    assert client.get("/readyz").status_code == 503
    told = client.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    assert told.headers["cache-control"] == "no-store"
    assert 'livejoin_component_up{component="generation"} 0.0' in told.text
    assert 'livejoin_component_up{component="orchestrator"} 1.0' in told.text
    assert 'livejoin_component_up{component="own topics"} 1.0' in told.text
    assert "livejoin_ready 0.0" in told.text
    assert "process_cpu_seconds_total" in told.text
    assert client.get("/metrics", headers={"host": "pipeline.internal:8081"}).status_code == 200
    assert client.get("/metrics", headers={"host": "elsewhere.example"}).status_code == 421
    assert client.post("/metrics").status_code == 405


def test_metrics_at_the_door_need_a_key() -> None:
    """A viewer's is enough; without one there is nothing, and a wrong one is counted."""
    settings = Settings(web={"page": Path("nothing")})  # type: ignore[arg-type]
    keys = Keyring(lambda: [Key.of(KEY, Visitor("prometheus", Role.VIEWER))])
    door = Door(settings, keys, asyncio.new_event_loop())
    metrics = registry_of(Health)
    metrics.register(Reading(DOOR_METRICS, door_figures(door)))
    client = TestClient(application(settings, door, Health, metrics), base_url="http://127.0.0.1:8080")

    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"authorization": "Bearer a wrong one"}).status_code == 401
    told = client.get("/metrics", headers={"authorization": f"Bearer {KEY}"})
    assert told.status_code == 200
    assert 'livejoin_refused_total{kind="keys"} 1.0' in told.text
    assert 'livejoin_refused_total{kind="rights"} 0.0' in told.text
    assert "livejoin_connections 0.0" in told.text
    assert client.post("/control/message", headers={"authorization": f"Bearer {KEY}"}).status_code == 403
    told = client.get("/metrics", headers={"authorization": f"Bearer {KEY}"})
    assert 'livejoin_refused_total{kind="rights"} 1.0' in told.text
    assert client.get("/metrics", headers={"host": "elsewhere.example"}).status_code == 421
    told = client.get("/metrics", headers={"authorization": f"Bearer {KEY}"})
    assert 'livejoin_refused_total{kind="names"} 1.0' in told.text
    kinds = set(re.findall(r'livejoin_refused_total{kind="([^"]*)"}', told.text))
    assert kinds == {*Refusal} == {*MEANINGS}


@pytest.mark.parametrize("who", ["table server", "pipeline"])
def test_many_who_ask_at_once_are_read_for_once(who: str) -> None:
    """A crowd cannot keep a process busy with its own numbers."""
    reads = []

    def read() -> list[Sample]:
        time.sleep(0.2)
        reads.append(1)
        return []

    async def ask() -> None:
        settings = Settings(web={"page": Path("nothing")})  # type: ignore[arg-type]
        keys = Keyring(lambda: [Key.of(KEY, Visitor("prometheus", Role.VIEWER))])
        metrics = CollectorRegistry()
        metrics.register(Reading((gauge("livejoin_slow", "Something."),), read))
        at_the_door = application(settings, Door(settings, keys, asyncio.get_running_loop()), Health, metrics)
        app = at_the_door if who == "table server" else monitor_web.application(PipelineSettings(), Health, metrics)
        headers = {"authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            answers = await asyncio.gather(*(client.get("/metrics", headers=headers) for _ in range(20)))
        assert {answer.status_code for answer in answers} == {200}

    asyncio.run(ask())
    assert len(reads) == 1


KINDS = {3: Kind.NOT_UTF8.value, 9: "of a later version"}
SCHEMA = pa.schema(
    {"judgement": pa.string(), "topic": pa.string(), "partition": pa.int64(), "offset": pa.int64(), "kind": pa.string()}
)


def letters(judgement: str, offsets: list[int]) -> pa.Table:
    """Dead letters of a topic."""
    rows = [{"judgement": judgement, "topic": "t", "partition": 0, "offset": o, "kind": KINDS.get(o)} for o in offsets]
    return pa.Table.from_pylist(rows, SCHEMA)


def test_a_rejected_event_is_counted_once() -> None:
    """It may be written again; what came between is not forgotten, nor what has no kind that is known."""
    counted = DeadLetterPositions()
    for offsets in ([3, 9], [3, 9, 12], [12]):
        counted.add(letters("first", offsets))
    assert counted.kinds == {Kind.NOT_UTF8: 1, Kind.OTHER: 2}
    assert (counted.topics, counted.of("first", "t", 0)) == ({"t": 3}, 13)


def test_a_topic_that_is_judged_otherwise_is_counted_anew() -> None:
    """Its events, or its columns, are others; when it is judged as before, the count goes on from before."""
    counted = DeadLetterPositions()
    counted.add(letters("first", [3, 9, 12]))
    counted.add(letters("second", [1]))
    assert (counted.topics, counted.of("second", "t", 0), counted.of("third", "t", 0)) == ({"t": 1}, 2, 0)
    counted.add(letters("first", [14]))
    assert (counted.topics, counted.of("first", "t", 0)) == ({"t": 4}, 15)


def test_an_event_ages_until_it_is_accounted_for() -> None:
    """The age is that of the oldest one that waits, whatever comes behind it."""
    now = [100.0]
    meter = SourceMeter(lambda: now[0])

    def note(seconds: float, position: int, end: int) -> float:
        now[0] += seconds
        at = {"begin": [0], "position": [position], "end": [end], "absent": [0]}
        meter.note({"source": ["users"], "partition": [0], **at})
        [(_, _, reach)] = meter.reaches()
        assert (reach.position, reach.end) == (position, end)
        since, age = meter.waiting_since("users", 0), meter.age(reach)
        assert since is None if position == end else since == pytest.approx((time.time() - age) * 1000, abs=100)
        return age

    assert note(1, 5, 5) == 0
    assert note(1, 5, 7) == 0
    assert note(1, 5, 9) == 1
    assert note(1, 6, 9) == 2
    assert note(1, 7, 20) == 2
    assert note(1, 9, 20) == 1
    assert note(1, 20, 20) == 0
    ages = [note(1, 20, 21 + number) for number in range(MOST_MARKS + 50)]
    assert ages[-1] == MOST_MARKS + 49
    [(_, _, reach)] = meter.reaches()
    assert len(reach.marks) == MOST_MARKS


def test_swaps_and_restarts_are_counted() -> None:
    """A generation that goes live or ends otherwise is counted with its time, and its second start as a restart."""
    counts, registry = Counts(), CollectorRegistry()
    counts.expose_in(registry)
    request = Request(DEFAULT, "users", "accounts")
    first = Generation(number=1, request=request, view_topic="v", requested=NOW, since=NOW)
    later = NOW + timedelta(seconds=7)
    for states in (
        [State.VALIDATED, State.BACKFILLING, State.LOADING, State.LIVE, State.RECOVERING, State.LIVE],
        [State.REJECTED],
    ):
        generation = first
        for state in states:
            moved = generation.move(state, why="", now=later)
            counts.moved(generation, moved)
            generation = moved
    for number in (1, 2, 1, 1):
        counts.started(number)

    assert registry.get_sample_value("livejoin_swap_seconds_count", {"result": "live"}) == 1
    assert registry.get_sample_value("livejoin_swap_seconds_sum", {"result": "live"}) == 7
    assert registry.get_sample_value("livejoin_swap_seconds_count", {"result": "rejected"}) == 1
    assert registry.get_sample_value("livejoin_query_restarts_total") == 2

"""What an operator sees of the real pipeline and a real table server: health, metrics and logs."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

from await_that import await_that
from livejoin.access.keys import server_key
from livejoin.cli.metrics_reference import BOTH, PIPELINE, SERVE
from livejoin.local.stack import answers
from livejoin.model.generation import Generation
from prometheus import Prometheus
from scrape import Scrape
from world import MEND_SECONDS, World

NOT_AT_ONCE = {"livejoin_state_rows", "livejoin_state_memory_bytes"}
"""What Spark tells at the end of a batch, minutes later: `test_standby.py` has a pipeline with short ones."""


def of_pipeline(world: World) -> Scrape:
    """What the pipeline measures."""
    return Scrape(f"http://127.0.0.1:{world.settings.pipeline.port}/metrics")


def of_serve(world: World) -> Scrape:
    """What the table server measures."""
    return Scrape(f"{world.settings.page_url}metrics", server_key(world.settings))


def test_both_processes_tell_everything_that_is_declared(serving: World) -> None:
    """Each metric of the reference is there, with the live generation, and nothing that is not declared."""
    await_that(lambda: answers(f"{serving.settings.page_url}readyz"), timeout=MEND_SECONDS)
    # Spark is not waited for where it is too busy to answer.
    await_that(lambda: "livejoin_jvm_threads" in of_pipeline(serving).names)
    # How far a generation is, a table server knows a moment after it shows it.
    await_that(lambda: "livejoin_source_lag_events" in of_serve(serving).names)
    pipeline, serve = of_pipeline(serving), of_serve(serving)
    both = {metric.name for metric in BOTH}

    assert own(pipeline) | NOT_AT_ONCE == both | {metric.name for metric in PIPELINE}
    assert own(serve) == both | {metric.name for metric in SERVE}
    assert pipeline.sum("livejoin_generation_live") == 1
    assert pipeline.sum("livejoin_generation") == serve.sum("livejoin_shown_generation") == serving.live_number
    assert pipeline.sum("livejoin_queries", query="join") >= 1
    assert 0 < pipeline.sum("livejoin_jvm_memory_used_bytes") < 4e9
    assert serve.sum("livejoin_update_cycle_age_seconds") < 5
    assert not [topic for topic in re.findall(r'topic="([^"]*)"', serve.text) if not topic.startswith("livejoin.")]


def test_what_happens_is_counted(serving: World) -> None:
    """An event, a dead letter, a rejected message: each is one more, and the lag is gone when all are shown."""
    await_that(lambda: answers(f"{serving.settings.page_url}readyz"), timeout=MEND_SECONDS)
    live = serving.registry.live
    assert live is not None
    before, judged = of_serve(serving), of_pipeline(serving)
    serving.produce(live.request.left_topic, "seen", name="Ada")
    producer = serving.cluster.producer()
    producer.produce(live.request.left_topic, value=b'{"userId": 7}')
    assert producer.flush(30) == 0
    serving.verdict(serving.send(b"no JSON"))

    def counted() -> bool:
        now = of_serve(serving)
        events = now.sum("livejoin_source_events_total") - before.sum("livejoin_source_events_total")
        wrong = [scrape.sum("livejoin_dead_letters", reason="wrong_type") for scrape in (before, now)]
        rows = [scrape.sum("livejoin_table_rows", table="final_ui") for scrape in (before, now)]
        assert (events, wrong[1] - wrong[0], rows[1] - rows[0]) == (2, 1, 1)
        assert now.sum("livejoin_source_lag_events") == now.sum("livejoin_source_age_seconds") == 0
        return True

    await_that(counted, timeout=MEND_SECONDS)
    rejected = ("livejoin_control_messages_total", {"verdict": "rejected"})
    assert of_pipeline(serving).sum(rejected[0], **rejected[1]) == judged.sum(rejected[0], **rejected[1]) + 1


def test_a_swap_is_counted(serving: World) -> None:
    """It is one more that went live, with its time; the queries of the generation before are gone."""
    before = of_pipeline(serving)
    assert serving.verdict(serving.swap(serving.topic("seen")), MEND_SECONDS)[0] == "applied"
    number = serving.live_number
    serving.await_alone(number, MEND_SECONDS)
    now = of_pipeline(serving)
    live = ("livejoin_swap_seconds_count", "live")
    assert now.sum(live[0], result=live[1]) == before.sum(live[0], result=live[1]) + 1
    assert now.sum("livejoin_generation") == number
    assert [now.sum("livejoin_generations", state=state) for state in ("live", "lingering")] == [1, 0]
    assert f'left_topic="{serving.settings.topics.prefix}-seen"' in now.text
    assert now.sum("livejoin_queries", query="join") == 1


def test_prometheus_reads_both_with_a_key_and_has_nothing_to_tell(serving: World, tmp_path: Path) -> None:
    """A deployment that is well fires no alert, whatever its numbers are; a table server that refuses the key does."""
    ports = {"livejoin-pipeline": serving.settings.pipeline.port, "livejoin-serve": serving.settings.web.port}
    keys = {"livejoin-serve": server_key(serving.settings)}
    prometheus = Prometheus(tmp_path, ports, keys, interval="2s")
    try:
        await_that(lambda: prometheus.value("sum(up)") == 2, timeout=MEND_SECONDS)
        await_that(lambda: prometheus.value("sum(livejoin_source_lag_events)") == 0, timeout=MEND_SECONDS)
        await_that(lambda: prometheus.firing() == set(), timeout=MEND_SECONDS)
        # It reads the file again at each scrape.
        (tmp_path / "livejoin-serve.key").write_text("a wrong one", encoding="utf-8")
        await_that(lambda: prometheus.firing() == {"LivejoinTableServerDown"}, timeout=MEND_SECONDS)
    finally:
        prometheus.stop()


def test_the_pipeline_says_that_it_is_well(serving: World) -> None:
    """With a word for each component, and ready while a generation is live."""
    base = f"http://127.0.0.1:{serving.settings.pipeline.port}"
    assert answers(f"{base}/livez")
    assert answers(f"{base}/readyz")
    with urllib.request.urlopen(f"{base}/healthz", timeout=10) as answer:  # noqa: S310  the address is our own
        health = json.load(answer)
    assert health["ok"]
    assert {"orchestrator", "registry", "generation"} <= health["components"].keys()


def test_every_line_of_their_logs_is_one_json_object(serving: World, live: Generation) -> None:
    """Of Python, of Spark, of the engine and of the JVMs themselves, through a death and what was before."""
    await_that(lambda: answers(f"{serving.settings.page_url}readyz"), timeout=MEND_SECONDS)
    serving.let_a_query_die(live.number, "logged")
    serving.await_number(live.number)
    for process, least in (("pipeline", 20), ("serve", 4)):
        lines = lines_of(serving.settings.data_dir / f"{process}.log")
        assert len(lines) >= least
        assert all({"timestamp", "level", "process", "event"} <= line.keys() for line in lines)
        assert {line["process"] for line in lines} == {process}
        assert {line["level"] for line in lines} <= {"debug", "info", "warning", "error", "critical"}
    of_spark = [line for line in lines_of(serving.settings.data_dir / "pipeline.log") if "logger" in line]
    assert any("exception" in line for line in of_spark)
    of_tasks = [line for line in of_spark if str(line["thread"]).startswith("Executor task")]
    assert of_tasks
    assert all("generation" in line for line in of_tasks), of_tasks


def own(scrape: Scrape) -> set[str]:
    """The names that are livejoin's."""
    return {name for name in scrape.names if name.startswith("livejoin_")}


def lines_of(log: Path) -> list[dict[str, Any]]:
    """A log, read by a program."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

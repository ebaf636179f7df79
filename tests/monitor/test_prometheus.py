"""The alert rules and the dashboard that are delivered, with a real Prometheus."""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from await_that import await_that
from livejoin.cli.metrics_reference import BOTH, PIPELINE, SERVE
from livejoin.monitor.metric import Kind
from ports import free_ports
from prometheus import RULES, Prometheus, checkout_file, tool

DASHBOARD = checkout_file("deploy/grafana/livejoin.json")
COLUMNS = 24
"""As many as Grafana has."""
OF_PROMETHEUS = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes"}


def declared() -> set[str]:
    """Every name that a query may have."""
    names = set(OF_PROMETHEUS)
    for metric in (*BOTH, *PIPELINE, *SERVE):
        parts = ("_bucket", "_count", "_sum") if metric.kind is Kind.HISTOGRAM else ("",)
        names.update(f"{metric.name}{part}" for part in parts)
    return names


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in a dashboard."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for one in node:
            yield from parts(one)


def expressions(dashboard: Any) -> Iterator[str]:
    """Every query of a dashboard."""
    return (part["expr"] for part in parts(dashboard) if "expr" in part)


def names_in(text: str) -> set[str]:
    """The metrics that a query asks for."""
    return set(re.findall(r"\b(?:livejoin_\w+|process_\w+|up(?=\{))", text))


def promtool(*arguments: str) -> str:
    """What promtool says to something that is right."""
    done = subprocess.run([tool("promtool"), *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rules_and_the_example_are_right_for_prometheus(tmp_path: Path) -> None:
    """Prometheus's own tool takes them, and would not take anything."""
    assert "SUCCESS" in promtool("check", "rules", str(RULES))
    promtool("check", "config", "--syntax-only", str(checkout_file("deploy/prometheus/prometheus.yml")))
    broken = tmp_path / "broken.yml"
    broken.write_text(RULES.read_text(encoding="utf-8").replace("== 0", "== =", 1), encoding="utf-8")
    refused = subprocess.run([tool("promtool"), "check", "rules", str(broken)], capture_output=True, check=False)
    assert refused.returncode != 0


def test_alerts_and_dashboard_ask_for_metrics_that_exist() -> None:
    """A metric that is renamed would leave an alert that never fires, and a panel that is always empty."""
    rules, queries = RULES.read_text(encoding="utf-8"), list(expressions(json.loads(DASHBOARD.read_text("utf-8"))))
    asked = names_in(rules) | {name for query in queries for name in names_in(query)}

    assert len(queries) > 30
    assert not asked - declared()
    shown = {name.removesuffix("_bucket") for query in queries for name in names_in(query)}
    of_health = {metric.name for metric in (*BOTH, *PIPELINE, *SERVE)}
    assert of_health - shown <= {"livejoin_generation_applied_timestamp_seconds", "livejoin_jvm_gc_collections_total"}


def test_the_panels_of_the_dashboard_ask_the_chosen_prometheus_and_lie_side_by_side() -> None:
    """Grafana takes a panel that asks nobody, or that lies on another one, without a word."""
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    [chosen] = [each for each in dashboard["templating"]["list"] if each["type"] == "datasource"]
    reference = {"type": chosen["query"], "uid": f"${{{chosen['name']}}}"}
    panels, taken = dashboard["panels"], dict[tuple[int, int], str]()
    asking = [panel for panel in panels if panel["type"] != "row"]
    references = [found for found in parts(dashboard) if "expr" in found] + asking

    assert len(asking) > 20
    assert [found for found in references if found.get("datasource") != reference] == []
    assert not [panel["title"] for panel in asking if not panel.get("targets")]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        columns, lines = (range(place[at], place[at] + place[size]) for at, size in (("x", "w"), ("y", "h")))
        assert columns.stop <= COLUMNS, panel["title"]
        for where in itertools.product(columns, lines):
            assert where not in taken, (panel["title"], taken[where])
            taken[where] = panel["title"]


def test_every_query_of_the_dashboard_is_understood(tmp_path: Path) -> None:
    """Each is a rule that Prometheus's own tool takes."""
    queries = expressions(json.loads(DASHBOARD.read_text("utf-8")))
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(queries)]
    file = tmp_path / "panels.yml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}), encoding="utf-8")
    promtool("check", "rules", str(file))


def test_every_alert_is_explained() -> None:
    """Who is woken up finds what to do."""
    alerts = re.findall(r"alert: (\w+)", RULES.read_text(encoding="utf-8"))
    explained = checkout_file("docs/operations.md").read_text(encoding="utf-8")
    assert not [alert for alert in alerts if f"`{alert}`" not in explained]


def test_a_pipeline_that_dies_is_told_within_seconds(tmp_path: Path) -> None:
    """It answers from its first moment on, also without a broker; when it is killed, Prometheus fires."""
    port, nobody = free_ports(2)
    pairs = {"data_dir": tmp_path / "data", "pipeline.port": port, "kafka.bootstrap.servers": f"127.0.0.1:{nobody}"}
    options = [f"--set={name}={value}" for name, value in pairs.items()]
    with (tmp_path / "log").open("wb") as log:
        pipeline = subprocess.Popen([sys.executable, "-m", "livejoin", "pipeline", *options], stdout=log, stderr=log)
    prometheus = Prometheus(tmp_path, {"livejoin-pipeline": port})
    try:
        starting = 'livejoin_component_up{component="orchestrator"} == 0'
        await_that(lambda: prometheus.value(starting) == 0.0, timeout=60)
        # It fired before the process had opened its port, and is over with the next look at the rules.
        await_that(lambda: "LivejoinPipelineDown" not in prometheus.firing())
        assert prometheus.value("livejoin_ready") == 0.0
        pipeline.kill()
        await_that(lambda: "LivejoinPipelineDown" in prometheus.firing(), timeout=30)
    finally:
        pipeline.kill()
        pipeline.wait()
        prometheus.stop()

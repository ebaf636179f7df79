"""The chart: its values fit its schema, its settings are livejoin's, and what it renders fits together.

What helm itself has to do is tried where helm is on the PATH. Elsewhere the values and the text of the templates are
looked at, and those tests say that they were skipped.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from delivered import (
    DEPLOY,
    KEYS,
    PATHS,
    PROPERTIES,
    RULES,
    VARIABLE,
    document,
    documents,
    settings_of,
    understood,
    unknown,
)
from livejoin.access.keys import keyring
from livejoin.settings.settings import Settings
from small_schema import problems

CHART = DEPLOY / "helm" / "livejoin"
VALUES = document(CHART / "values.yaml")
SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
TEMPLATES = sorted(path for path in (CHART / "templates").iterdir() if path.name != "_helpers.tpl")
EVERY_TEMPLATE = sorted((CHART / "templates").iterdir())
GIVEN = {"/run/secrets/kafka/client.properties": PROPERTIES, "/run/secrets/access/keys.toml": KEYS}
EVERYTHING = (
    "ingress.enabled=true",
    "ingress.className=nginx",
    "ingress.tls.existingSecret=certificate",
    "monitoring.serviceMonitor.enabled=true",
    "monitoring.prometheusRule.enabled=true",
    "serve.tls.existingSecret=certificate",
    "serve.trustedProxies=10.0.0.0/8",
    "serve.hosts={live.example.org}",
    "serve.origins={https://other.example.org}",
    "image.digest=sha256:" + 64 * "a",
    "networkPolicy.pipelineFrom[0].podSelector.matchLabels.app=prometheus",
    "networkPolicy.serveFrom[0].podSelector.matchLabels.app=ingress",
    "serviceAccountName=livejoin",
)
LITTLE = (
    "checkpoints.enabled=false",
    "pipeline.replicas=1",
    "serve.replicas=1",
    "networkPolicy.enabled=false",
    "podDisruptionBudget.enabled=false",
)
CHOICES = {"as it is": (), "everything": EVERYTHING, "little": LITTLE}


def leaves(schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """Every place that a schema names."""
    for name, inner in schema.get("properties", {}).items():
        place = f"{at}{name}"
        yield place
        yield from leaves(inner, f"{place}.")


def at(values: Any, place: str) -> Any:
    """What stands at a place in values; a KeyError where there is none."""
    for name in place.split("."):
        values = values[name]
    return values


def test_the_values_fit_the_schema() -> None:
    """And both know the same: what the schema does not know is refused, so nothing can be mistyped."""
    assert list(problems(VALUES, SCHEMA)) == []
    for place in leaves(SCHEMA):
        if place != "global":
            at(VALUES, place)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("serve.readiness", "/ready"),
        ("serve.replica", 2),
        ("pipeline.replicas", "2"),
        ("pipeline.replicas", True),
        ("kafka.existingSecret", ""),
        ("image.digest", "sha256:abc"),
        ("serve.hosts", [1]),
        ("checkpoints.accessModes", []),
        ("serve.url", "https://live.example.org/path"),
    ],
)
def test_wrong_values_do_not(place: str, wrong: object) -> None:
    """Each of them is told by its place."""
    values = json.loads(json.dumps(VALUES))
    parent, _, name = place.rpartition(".")
    at(values, parent)[name] = wrong
    assert [problem for problem in problems(values, SCHEMA) if f".{place}" in problem]


def test_templates_ask_for_values_that_there_are() -> None:
    """One that is not there would be empty, and nobody would be told."""
    for template in EVERY_TEMPLATE:
        for place in re.findall(r"\.Values\.([\w.]+\w)", template.read_text(encoding="utf-8")):
            at(VALUES, place)


def test_every_variable_is_a_setting() -> None:
    """In templates, and in what values have as examples."""
    for file in (*EVERY_TEMPLATE, CHART / "values.yaml"):
        unknown(VARIABLE.findall(file.read_text(encoding="utf-8")))


def test_what_is_asked_is_answered() -> None:
    """Paths of probes and scrapes, and ports."""
    text = "\n".join(template.read_text(encoding="utf-8") for template in TEMPLATES)
    asked = set(re.findall(r"\bpath: (/[^\s,{}]+)", text))
    assert asked | set(SCHEMA["properties"]["serve"]["properties"]["readiness"]["enum"]) <= PATHS
    assert {int(port) for port in re.findall(r"containerPort: (\d+)", text)} == {
        Settings().web.port,
        Settings().pipeline.port,
    }


def test_the_alerts_are_those_that_are_delivered() -> None:
    """The chart has no copy that could be another one."""
    assert (CHART / "files/livejoin.rules.yml").resolve() == RULES


def helm(*arguments: str) -> str:
    """What helm says; skipped where there is none."""
    tool = shutil.which("helm")
    if tool is None:
        pytest.skip("helm is not on the PATH: the chart was not rendered")
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rendered(choices: tuple[str, ...]) -> list[dict[str, Any]]:
    """Everything that helm makes of the chart with these values."""
    chosen = [part for choice in choices for part in ("--set", choice)]
    return documents(helm("template", "live", str(CHART), "--namespace", "data", *chosen))


def of_kind(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Those of a kind."""
    return [each for each in found if each["kind"] == kind]


def test_helm_itself_finds_nothing_wrong() -> None:
    """Neither with the values as they are nor with all of them."""
    for choices in CHOICES.values():
        chosen = [part for choice in choices for part in ("--set", choice)]
        assert "0 chart(s) failed" in helm("lint", "--strict", str(CHART), *chosen)


@pytest.mark.parametrize(
    "wrong",
    [
        ("serve.behindProxy=false",),
        ("ingress.enabled=true",),
        ("serve.readiness=/ready",),
        ("pipeline.replica=2",),
    ],
)
def test_helm_refuses_what_would_be_wrong(wrong: tuple[str, ...]) -> None:
    """Keys in the clear, and what nobody knows."""
    tool = shutil.which("helm")
    if tool is None:
        pytest.skip("helm is not on the PATH: the chart was not rendered")
    chosen = [part for choice in wrong for part in ("--set", choice)]
    done = subprocess.run([tool, "template", "live", str(CHART), *chosen], capture_output=True, check=False, timeout=60)
    assert done.returncode != 0


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
def test_pods_run_with_settings_that_there_are(
    choices: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the loader reads them: the file, the variables, and the Secrets that are mounted."""
    found = rendered(choices)
    [settings] = of_kind(found, "ConfigMap")
    servers = {}
    for deployment in of_kind(found, "Deployment"):
        [container] = deployment["spec"]["template"]["spec"]["containers"]
        understood(container["args"])
        variables = {each["name"]: each["value"] for each in container["env"]}
        with monkeypatch.context() as patched:
            name = container["name"]
            servers[name] = settings_of(patched, variables, settings["data"]["livejoin.toml"], tmp_path, GIVEN)
        mounted = {each["mountPath"] for each in container["volumeMounts"]}
        for value in variables.values():
            assert not value.startswith("/run/") or str(Path(value).parent) in mounted
        assert "/etc/livejoin" in mounted
    assert keyring(servers["serve"]).key("sixteen characters")
    assert not servers["pipeline"].embedded_broker
    assert "live-livejoin-serve.data.svc" in servers["serve"].web.hosts
    if choices is EVERYTHING:
        assert servers["serve"].page_url == "https://livejoin.example.org/"
        assert servers["serve"].web.tls


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
def test_what_is_rendered_fits_together(choices: tuple[str, ...]) -> None:
    """Selectors find pods, ports have the names that are asked for, volumes are there, and nobody is root."""
    found = rendered(choices)
    pods = {
        each["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]
        for each in of_kind(found, "Deployment")
    }
    assert set(pods) == {"pipeline", "serve"}
    for spec in pods.values():
        labels, pod = spec["template"]["metadata"]["labels"], spec["template"]["spec"]
        [container] = pod["containers"]
        assert spec["selector"]["matchLabels"].items() <= labels.items()
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert {each["name"] for each in container["volumeMounts"]} == {each["name"] for each in pod["volumes"]}
        [port] = container["ports"]
        for probe in (container["livenessProbe"], container["readinessProbe"]):
            if "httpGet" in probe:
                assert probe["httpGet"]["port"] == port["name"]
                assert probe["httpGet"]["path"] in PATHS
                assert probe["httpGet"].get("scheme", "HTTP") == (
                    "HTTPS" if container["name"] == "serve" and choices is EVERYTHING else "HTTP"
                )
            else:
                assert probe["exec"]["command"] == ["livejoin-alive", "--ready"]
    services = {each["metadata"]["name"]: each for each in of_kind(found, "Service")}
    for service in services.values():
        selector = service["spec"]["selector"]
        assert any(selector.items() <= spec["template"]["metadata"]["labels"].items() for spec in pods.values())
    for ingress in of_kind(found, "Ingress"):
        [rule] = ingress["spec"]["rules"]
        backend = rule["http"]["paths"][0]["backend"]["service"]
        assert backend["port"]["name"] in {port["name"] for port in services[backend["name"]]["spec"]["ports"]}
    for monitor in of_kind(found, "ServiceMonitor"):
        wanted, [endpoint] = monitor["spec"]["selector"]["matchLabels"], monitor["spec"]["endpoints"]
        [service] = [each for each in services.values() if wanted.items() <= each["metadata"]["labels"].items()]
        assert endpoint["port"] in {port["name"] for port in service["spec"]["ports"]}
        assert endpoint["path"] in PATHS
        job = endpoint["relabelings"][0]["replacement"]
        assert f'job="{job}"' in RULES.read_text(encoding="utf-8")
    for rule in of_kind(found, "PrometheusRule"):
        assert rule["spec"] == document(RULES)
    for budget in of_kind(found, "PodDisruptionBudget"):
        component = budget["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]
        assert pods[component]["replicas"] > budget["spec"]["maxUnavailable"]


def test_what_may_be_left_out_is_left_out() -> None:
    """And what may be asked for is there."""
    kinds = {name: {each["kind"] for each in rendered(choices)} for name, choices in CHOICES.items()}
    assert kinds["little"] == {"ConfigMap", "Deployment", "Service"}
    assert kinds["as it is"] == {*kinds["little"], "PersistentVolumeClaim", "PodDisruptionBudget", "NetworkPolicy"}
    assert kinds["everything"] == {*kinds["as it is"], "Ingress", "ServiceMonitor", "PrometheusRule"}

"""Findings of an examination, and those that a test looks for."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from livejoin.doctor.case import DEFAULT_ROLES, Case
from livejoin.doctor.examination import examine
from livejoin.doctor.finding import Finding, Verdict
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.topics.rights import Who
from ports import free_ports


def settings_of(folder: Path, kafka: dict[str, str], name: str = "doctor", **more: Any) -> Settings:
    """Settings with these client properties, and topics of the test's own."""
    topics = {"control": f"{name}-control", "prefix": name}
    sources = {"left": {"topic": f"{name}-users"}, "right": {"topic": f"{name}-accounts"}}
    web, pipeline = free_ports(2)
    given = {"data_dir": folder / "data", "kafka": kafka, "topics": topics | more.pop("topics", {}), **sources, **more}
    return load_settings(None, given | {"web": {"port": web}, "pipeline": {"port": pipeline}})


def examined(settings: Settings, *roles: Who) -> list[Finding]:
    """Everything that is found without Spark."""
    return list(examine(Case(settings, roles or DEFAULT_ROLES, quick=True)))


def of(findings: Iterable[Finding], check: str, about: str = "") -> list[Finding]:
    """Those of one check, about what is named so."""
    return [finding for finding in findings if finding.check == check and about in finding.about]


def one(findings: Iterable[Finding], check: str, verdict: Verdict, about: str = "") -> Finding:
    """The one of a check with this verdict; there has to be exactly one."""
    found = [finding for finding in of(findings, check, about) if finding.verdict is verdict]
    assert len(found) == 1, list(findings)
    return found[0]


def problems(findings: Iterable[Finding]) -> list[Finding]:
    """Those that something has to be done about."""
    return [finding for finding in findings if finding.verdict is Verdict.PROBLEM]


def ports_in(settings: Settings) -> dict[str, dict[str, int]]:
    """Where livejoin would listen, whose broker is somebody else's."""
    return {"web": {"port": settings.web.port}, "pipeline": {"port": settings.pipeline.port}}


def config_file(folder: Path, settings: Settings, **sections: dict[str, Any]) -> Path:
    """A file with the client properties and topics of some settings, for the command."""
    named = {"control", "prefix"}
    told: dict[str, dict[str, Any]] = {
        "kafka": settings.kafka,
        "web": {"port": settings.web.port},
        "left": {"topic": settings.left.topic},
        "right": {"topic": settings.right.topic},
        "topics": settings.topics.model_dump(include=named),
        **sections,
    }
    lines = [f"data_dir = {json.dumps(str(settings.data_dir))}"]
    for name, section in told.items():
        lines += [f"[{name}]", *(f'"{key}" = {json.dumps(value)}' for key, value in section.items())]
    file = folder / "doctor.toml"
    # It has a password in it.
    file.touch(0o600)
    file.write_text("\n".join(lines), encoding="utf-8")
    return file

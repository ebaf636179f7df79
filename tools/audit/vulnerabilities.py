"""Known vulnerabilities: OSV's database, asked once for all components."""

import json
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from audit.component import Component

OSV = "https://api.osv.dev"
MOST_AT_ONCE = 1000
"""OSV takes no more queries in one request."""
SECONDS = 30
AT_THE_SAME_TIME = 8


class NotLookedUp(Exception):
    """The database gave no answer that can be relied on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One vulnerability of one component."""

    component: Component
    identifier: str
    also: tuple[str, ...] = ()
    """Other names of the same vulnerability."""
    severity: str = ""
    fixed_in: tuple[str, ...] = ()
    summary: str = ""
    withdrawn: bool = False


def look_up(components: Iterable[Component], osv: str = OSV) -> list[Finding]:
    """All findings, each vulnerability once per component; NotLookedUp where any component stayed without an answer."""
    if urlsplit(osv).scheme not in ("http", "https"):
        raise NotLookedUp(f"{osv} is not an address that begins with http:// or https://")
    asked = [(component, purl) for component in components for purl in component.purls]
    known: dict[tuple[str, str, str], tuple[Component, set[str]]] = {}
    for start in range(0, len(asked), MOST_AT_ONCE):
        for component, identifiers in _batch(osv, asked[start : start + MOST_AT_ONCE]):
            key = (component.ecosystem, component.name, component.version)
            known.setdefault(key, (component, set()))[1].update(identifiers)
    every = sorted({identifier for _, identifiers in known.values() for identifier in identifiers})
    with ThreadPoolExecutor(AT_THE_SAME_TIME) as pool:
        details = dict(zip(every, pool.map(lambda identifier: _details(osv, identifier), every), strict=True))
    findings: list[Finding] = []
    for component, identifiers in known.values():
        each = (_finding(component, identifier, details[identifier]) for identifier in sorted(identifiers))
        findings += _once(finding for finding in each if not finding.withdrawn)
    return findings


def _batch(osv: str, asked: list[tuple[Component, str]]) -> Iterator[tuple[Component, set[str]]]:
    """One request, and further ones for answers that do not fit on a page."""
    queries: list[dict[str, Any]] = [{"package": {"purl": purl}} for _, purl in asked]
    components = [component for component, _ in asked]
    while queries:
        answer = _json(f"{osv.rstrip('/')}/v1/querybatch", {"queries": queries})
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise NotLookedUp(f"{osv} does not answer as OSV does")
        more = []
        for component, query, result in zip(components, queries, results, strict=True):
            found = {str(each["id"]) for each in (result or {}).get("vulns") or ()}
            if found:
                yield component, found
            if token := (result or {}).get("next_page_token"):
                more.append((component, {**query, "page_token": token}))
        components, queries = [component for component, _ in more], [query for _, query in more]


def _details(osv: str, identifier: str) -> dict[str, Any]:
    """What is known of a vulnerability; nothing where that cannot be had, because the finding counts without it."""
    try:
        return _json(f"{osv.rstrip('/')}/v1/vulns/{quote(identifier, safe='')}")
    except NotLookedUp:
        return {"summary": "its details could not be fetched"}


def _json(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = json.dumps(body).encode() if body is not None else None
    request = Request(address, data, {"Content-Type": "application/json", "User-Agent": "livejoin-audit"})  # noqa: S310 - look_up has checked the scheme
    try:
        with urlopen(request, timeout=SECONDS) as response:  # noqa: S310 - as above
            answer = json.load(response)
    except HTTPError as refused:
        raise NotLookedUp(f"{address} answered with status {refused.code}") from refused
    except (OSError, HTTPException) as failure:
        raise NotLookedUp(f"{address} cannot be reached ({getattr(failure, 'reason', failure)})") from failure
    except ValueError as failure:
        raise NotLookedUp(f"{address} does not answer with JSON") from failure
    if not isinstance(answer, dict):
        raise NotLookedUp(f"{address} does not answer as OSV does")
    return answer


def _finding(component: Component, identifier: str, details: dict[str, Any]) -> Finding:
    return Finding(
        component,
        identifier,
        tuple(str(alias) for alias in details.get("aliases") or ()),
        _severity(details),
        _fixed(component, details),
        str(details.get("summary") or ""),
        bool(details.get("withdrawn")),
    )


def _severity(details: dict[str, Any]) -> str:
    """A word where the database has one, else the CVSS vector."""
    word = (details.get("database_specific") or {}).get("severity")
    vectors = [str(each.get("score", "")) for each in details.get("severity") or ()]
    return str(word) if word else next(iter(vectors), "")


def _fixed(component: Component, details: dict[str, Any]) -> tuple[str, ...]:
    """The versions with a correction that are newer than the installed one."""
    artifact = component.name.rpartition(":")[2]
    fixed = [
        str(event["fixed"])
        for affected in details.get("affected") or ()
        if str((affected.get("package") or {}).get("name", "")).rpartition(":")[2].lower() == artifact.lower()
        for versions in affected.get("ranges") or ()
        if versions.get("type") != "GIT"
        for event in versions.get("events") or ()
        if "fixed" in event
    ]
    newer = {version for version in fixed if _order(version) > _order(component.version)}
    return tuple(sorted(newer, key=_order))


def _order(version: str) -> tuple[int, ...]:
    """Numbers only: good enough to tell what is certainly older."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Databases repeat each other: findings of a component that share a name are one, told by who knows most."""
    kept: list[Finding] = []
    for finding in findings:
        names = {finding.identifier, *finding.also}
        same = next((each for each in kept if names & {each.identifier, *each.also}), None)
        if same is None:
            kept.append(finding)
            continue
        best = max(same, finding, key=lambda each: (bool(each.severity), bool(each.fixed_in), bool(each.summary)))
        others = tuple(sorted((names | {same.identifier, *same.also}) - {best.identifier}))
        kept[kept.index(same)] = replace(best, also=others)
    return kept

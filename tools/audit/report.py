"""The report: what a person has to look at, and the same for machines."""

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit.component import Component, Ecosystem
from audit.licences import UNKNOWN, by_licence, licence, needs_a_look
from audit.vulnerabilities import Finding

WIDTH = 118
MOST_SHOWN = 6
"""Names of one Maven group in a list."""
WHAT_TO_DO = (
    "What to do: run this where that address can be reached (https_proxy is honoured), or name a mirror of OSV's "
    'API: make audit ARGS="--osv https://osv.example.org".'
)


@dataclass(frozen=True, slots=True)
class Audit:
    """All that was found out; `failure` says why vulnerabilities were not looked up."""

    components: list[Component]
    findings: list[Finding]
    failure: str = ""

    @property
    def exit_code(self) -> int:
        """0 for nothing known, 1 for findings, 2 for not looked up."""
        if self.failure:
            return 2
        return 1 if self.findings else 0

    @property
    def not_asked(self) -> list[Component]:
        """Components of which too little is known to ask for them."""
        return [component for component in self.components if not component.purls]


def as_text(audit: Audit) -> str:
    """The report for people."""
    parts = [*_licences(audit.components), "", *_guesses(audit), "", *_vulnerabilities(audit)]
    return "\n".join(parts) + "\n"


def as_json(audit: Audit) -> str:
    """Everything, for machines."""
    content = {
        "components": [
            {
                "ecosystem": component.ecosystem,
                "name": component.name,
                "version": component.version,
                "purls": component.purls,
                "guess": component.guess or None,
                "licence": licence(component),
                "needs_a_look": needs_a_look(component),
                "origins": component.origins,
            }
            for component in audit.components
        ],
        "vulnerabilities": {
            "looked_up": not audit.failure,
            "failure": audit.failure or None,
            "not_asked": [f"{each.name} {each.version}".strip() for each in audit.not_asked],
            "findings": [
                {
                    "ecosystem": finding.component.ecosystem,
                    "name": finding.component.name,
                    "version": finding.component.version,
                    "name_is_a_guess": bool(finding.component.guess),
                    "id": finding.identifier,
                    "also": finding.also,
                    "severity": finding.severity or None,
                    "fixed_in": finding.fixed_in,
                    "summary": finding.summary,
                    "origins": finding.component.origins,
                }
                for finding in audit.findings
            ],
        },
    }
    return json.dumps(content, indent=2) + "\n"


def _licences(components: list[Component]) -> Iterator[str]:
    counts = Counter(component.ecosystem for component in components)
    yield f"{len(components)} components: " + ", ".join(f"{counts[each]} of {each}" for each in Ecosystem)
    yield ""
    looked_at = by_licence(component for component in components if needs_a_look(component))
    unknown = looked_at.pop(UNKNOWN, [])
    yield "LICENCES THAT NEED A LOOK: not approved by the Open Source Initiative, or not said"
    for name, members in looked_at.items():
        yield from _wrapped(f"{name} ({len(members)}): ", _names(members), sources=_sources(members))
    if unknown:
        yield from _wrapped(f"{UNKNOWN} ({len(unknown)}), nothing in the package says it: ", _names(unknown))
    yield ""
    yield "ALL LICENCES"
    for name, members in by_licence(components).items():
        yield from _wrapped(f"{len(members):5}  ", [name])


def _guesses(audit: Audit) -> Iterator[str]:
    guessed = [component for component in audit.components if component.guess]
    yield f"NAMES THAT ARE A GUESS: {len(guessed)} jars do not say what they are"
    if guessed:
        yield "  Asked for by file name and every probable group; a vulnerability of theirs can be missed."
        yield from _wrapped("", _names(guessed))
    if audit.not_asked:
        names = [f"{each.name} {each.version}".strip() for each in audit.not_asked]
        yield from _wrapped("Cannot be asked for, because group or version is missing: ", names)


def _vulnerabilities(audit: Audit) -> Iterator[str]:
    if audit.failure:
        yield f"VULNERABILITIES WERE NOT LOOKED UP: {audit.failure}."
        yield from textwrap.wrap(WHAT_TO_DO, WIDTH, initial_indent="  ", subsequent_indent="  ")
    elif not audit.findings:
        asked = len(audit.components) - len(audit.not_asked)
        yield f"NO KNOWN VULNERABILITIES in the {asked} components that were asked for"
    else:
        yield f"KNOWN VULNERABILITIES: {len(audit.findings)}"
        yield from _table(audit.findings)


def _table(findings: list[Finding]) -> Iterator[str]:
    rows = [("component", "version", "id", "severity", "fixed in", "comes from")]
    rows += [
        (
            finding.component.label,
            finding.component.version,
            finding.identifier,
            finding.severity or "not known",
            ", ".join(finding.fixed_in) or "not known",
            "; ".join(finding.component.origins),
        )
        for finding in findings
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for index, row in enumerate(rows):
        yield "  " + "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        if index and findings[index - 1].summary:
            yield f"      {findings[index - 1].summary}"


def _names(components: Iterable[Component]) -> list[str]:
    """Names for a list; those of one Maven group together, so that hundreds can be read."""
    groups: dict[str, list[str]] = {}
    for component in components:
        group, colon, name = component.name.rpartition(":")
        members = groups.setdefault(group + colon, [])
        if name not in members:
            members.append(name)
    alone = groups.pop("", [])
    return alone + [group + _shortened(names) for group, names in groups.items()]


def _shortened(names: list[str]) -> str:
    """The members of one group, of a big one the first; --json has them all."""
    if len(names) == 1:
        return names[0]
    shown = names if len(names) <= MOST_SHOWN else [*names[: MOST_SHOWN - 1], f"and {len(names) - MOST_SHOWN + 1} more"]
    return f"{{{' '.join(shown)}}}"


def _sources(components: Iterable[Component]) -> str:
    """What brought them: the first step of each way."""
    steps = {origin.removeprefix("through ").partition(" > ")[0] for each in components for origin in each.origins}
    return ", ".join(sorted(steps))


def _wrapped(title: str, names: list[str], sources: str = "") -> list[str]:
    text = title + ", ".join(names) + (f" -- from: {sources}" if sources else "")
    return textwrap.wrap(
        text, WIDTH, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False, break_long_words=False
    )

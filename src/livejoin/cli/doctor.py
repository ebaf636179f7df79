"""`livejoin doctor`: try what a first start needs, and say what to do."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from livejoin.cli.options import AsJson, Config, Set, settings_from
from livejoin.doctor.case import DEFAULT_ROLES, Case
from livejoin.doctor.examination import SETTINGS, UNTRIED, examine
from livejoin.doctor.finding import Finding, Verdict
from livejoin.errors import SettingsError
from livejoin.topics.rights import Who
from livejoin.visible import visible, visible_json

MARKS = {Verdict.OK: "ok", Verdict.WARNING: "warning", Verdict.PROBLEM: "PROBLEM", Verdict.SKIPPED: "-"}
INDENT = " " * 9

Quick = Annotated[bool, typer.Option("--quick", help="Start no Spark: no events of the sources are judged.")]
As = Annotated[
    list[Who] | None,
    typer.Option("--as", help="Whose rights this login has to have; default: pipeline and serve. Repeatable."),
]


def doctor(
    *, quick: Quick = False, as_: As = None, as_json: AsJson = False, config: Config = None, set_: Set = None
) -> None:
    """Try everything that a first start needs. Exit 0: all is well, 1: something has to be done, 2: wrong settings."""
    findings = []
    for group in _together(_findings(config, set_, as_ or DEFAULT_ROLES, quick=quick)):
        findings += group
        if not as_json:
            typer.echo("\n".join(_untried(group) if len(group) > 1 else told(group[0])))
    typer.echo(visible_json([finding.as_data() for finding in findings]) if as_json else _summary(findings))
    raise typer.Exit(exit_code(findings))


def _together(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Each by itself, as soon as it is there; only those that were not tried for one reason are told in one."""
    for tried, group in groupby(findings, key=lambda finding: finding.tried or finding.found):
        if tried.startswith(UNTRIED):
            yield list(group)
        else:
            yield from ([finding] for finding in group)


def _untried(group: list[Finding]) -> Iterator[str]:
    checks = ", ".join(finding.check for finding in group)
    yield f"{MARKS[Verdict.SKIPPED]:<8} {visible(f'{checks}: {group[0].found}')}"


def told(finding: Finding) -> Iterator[str]:
    """A finding in lines for people; what is well is told in one."""
    about = f"{finding.about}: " if finding.about else ""
    yield f"{MARKS[finding.verdict]:<8} {visible(f'{finding.check}: {about}{finding.found}')}"
    if finding.verdict in (Verdict.WARNING, Verdict.PROBLEM):
        yield f"{INDENT}tried: {visible(finding.tried)}"
        yield from (f"{INDENT}do: {visible(line)}" for line in finding.do.splitlines())


def exit_code(findings: Iterable[Finding]) -> int:
    """What a script is told."""
    problems = {finding.check for finding in findings if finding.verdict is Verdict.PROBLEM}
    if SETTINGS in problems:
        return SettingsError.exit_code
    return 1 if problems else 0


def _findings(config: Path | None, pairs: list[str] | None, roles: Iterable[Who], *, quick: bool) -> Iterator[Finding]:
    try:
        settings = settings_from(config, pairs)
    except SettingsError as error:
        # Without settings nothing else can be tried.
        yield Finding(Verdict.PROBLEM, "", "read the settings", error.what, error.do, SETTINGS)
        return
    yield from examine(Case(settings, frozenset(roles), quick=quick))


def _summary(findings: list[Finding]) -> str:
    counted = Counter(finding.verdict for finding in findings)
    words = {
        Verdict.PROBLEM: "problem(s)",
        Verdict.WARNING: "warning(s)",
        Verdict.OK: "well",
        Verdict.SKIPPED: "skipped",
    }
    return ", ".join(f"{counted[verdict]} {word}" for verdict, word in words.items())

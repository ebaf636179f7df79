"""Every check, in the order in which a first start needs what it is about, and what each builds on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from livejoin.doctor.broker import check_advertised, check_broker, check_login, check_names
from livejoin.doctor.case import Case
from livejoin.doctor.certificates import check_advertised_tls, check_tls
from livejoin.doctor.clocks import check_clocks
from livejoin.doctor.finding import Finding, Verdict, problem, skipped
from livejoin.doctor.installation import check_jars, check_java, check_ports, check_settings
from livejoin.doctor.rights import check_rights
from livejoin.doctor.room import check_disk, check_memory, check_slots
from livejoin.doctor.sample import check_sample
from livejoin.doctor.sources import check_sources
from livejoin.doctor.topics import check_control, check_own_topics
from livejoin.errors import LivejoinError

SETTINGS = "settings"
UNTRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Check:
    """One step. It is not tried where one that it `needs` has found nothing that works."""

    name: str
    ask: Callable[[Case], Iterator[Finding]]
    needs: tuple[str, ...] = ()


CHECKS = (
    Check(SETTINGS, check_settings),
    Check("java", check_java),
    Check("jars", check_jars, ("java",)),
    Check("ports", check_ports),
    Check("broker", check_broker),
    Check("names", check_names, ("broker",)),
    Check("tls", check_tls, ("names",)),
    Check("login", check_login, ("names", "tls")),
    Check("advertised", check_advertised, ("login",)),
    Check("advertised tls", check_advertised_tls, ("advertised",)),
    Check("rights", check_rights, ("advertised",)),
    Check("sources", check_sources, ("advertised",)),
    Check("sample", check_sample, ("java", "jars", "sources")),
    Check("control", check_control, ("advertised",)),
    Check("own topics", check_own_topics, ("advertised",)),
    Check("clocks", check_clocks, ("broker",)),
    Check("disk", check_disk),
    Check("memory", check_memory),
    Check("slots", check_slots, ("sources",)),
)
WORKS = frozenset({Verdict.OK, Verdict.WARNING})


def examine(case: Case, checks: tuple[Check, ...] = CHECKS) -> Iterator[Finding]:
    """Run the checks, and tell each finding as soon as it is there; none of them holds a secret."""
    broken: dict[str, str] = {}
    for check in checks:
        cause = next((broken[need] for need in check.needs if need in broken), None)
        verdicts = set[Verdict]()
        for finding in _asked(check, case) if cause is None else [untried(cause)]:
            verdicts.add(finding.verdict)
            yield case.confidential.without(replace(finding, check=check.name))
        if verdicts and WORKS.isdisjoint(verdicts):
            broken[check.name] = cause or check.name


def untried(cause: str) -> Finding:
    """What is said of a check that builds on one which has found nothing that works."""
    return skipped("", "", f"{UNTRIED}: {cause} comes first")


def _asked(check: Check, case: Case) -> Iterator[Finding]:
    try:
        yield from check.ask(case)
    except LivejoinError as error:
        yield problem("", check.ask.__doc__ or check.name, error.what, error.do)

"""Each right on each topic: there, missing, or not to be known before the topic is there."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import Enum, auto

from livejoin.client.registry import look_at_registry
from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.errors import RightMissing, TopicMissing
from livejoin.kafka.cluster import Described
from livejoin.kafka.fenced_writer import require_right
from livejoin.serve.engine.health import SILENT_SECONDS
from livejoin.topics.grants import grant_commands, server_option
from livejoin.topics.rights import Operation, Resource, Right, rights

NOBODYS = "nobodys"
"""How a topic ends that nobody has, of which the rights on a prefix are asked for."""
WITH_DESCRIBE = frozenset({Operation.READ, Operation.WRITE, Operation.DELETE, Operation.DESCRIBE})
"""Who has one of these may know of the topic: who may not has none of them."""
WOULD_TAKE_IT = "who tries the right could take it from that one"
_NAME_IN_TOOLS = re.compile(r"User:[^<>]+")


class Standing(Enum):
    """Whether a right is there."""

    GIVEN = auto()
    MISSING = auto()
    UNKNOWN = auto()
    NEEDLESS = auto()
    UNTRIED = auto()


def check_rights(case: Case) -> Iterator[Finding]:
    """Those that are listed for whom this login is, topic by topic."""
    wanted: dict[str, list[Right]] = {}
    for right in rights(case.settings):
        if right.who in case.roles:
            wanted.setdefault(right.in_words, []).append(right)
    tried, missing, unknown = f"ask what {case.principal} may do", list[Right](), list[Right]()
    for about, of_topic in wanted.items():
        standing = _asked(case, of_topic)
        by_standing = {each: [right for right in of_topic if standing[right.operation] is each] for each in Standing}
        needed = [right for right in by_standing[Standing.MISSING] if right.needed]
        if needed:
            found = f"{case.principal} may not {_operations(needed)}: {_reasons(needed)}"
            yield problem(about, tried, found, _commands(case, needed))
        elif by_standing[Standing.GIVEN]:
            yield ok(about, tried, f"may {_operations(by_standing[Standing.GIVEN])}")
        if by_standing[Standing.UNTRIED]:
            yield skipped(about, tried, f"a pipeline writes at this moment: {WOULD_TAKE_IT}")
        missing += [right for right in by_standing[Standing.MISSING] if not right.needed]
        unknown += by_standing[Standing.UNKNOWN]
    if missing:
        found = f"{case.principal} may not {_by_topic(missing)}: none of it is needed, and {_reasons(missing)}"
        yield warning("what is not needed", tried, found, _commands(case, missing))
    if unknown:
        found = f"no broker tells before a topic is there whether {case.principal} may {_by_topic(unknown)}"
        yield skipped(
            "topics to come", tried, f"{found}; `livejoin topics` prints what grants it", _commands(case, unknown)
        )


def _asked(case: Case, wanted: list[Right]) -> dict[Operation, Standing]:
    """What is known of the rights on one resource."""
    first = wanted[0]
    if first.on is Resource.TRANSACTIONAL_ID:
        return {Operation.WRITE: _of_writer(case, first.topic)}
    return (_prefixed if first.prefixed else _standing)(case, first.topic, wanted)


def _of_writer(case: Case, transactional_id: str) -> Standing:
    """Tried where nobody writes: a broker that takes what is asked for would take the right from who has it."""
    if _is_written(case):
        return Standing.UNTRIED
    try:
        require_right(case.cluster, transactional_id)
    except RightMissing:
        return Standing.MISSING
    return Standing.GIVEN


def _is_written(case: Case) -> bool:
    """Whether a pipeline has told of itself a moment ago, and not that it has ended."""
    try:
        registry = look_at_registry(case.cluster, case.settings.own_topics.state)
    except (TopicMissing, RightMissing):
        return False
    if registry.pulse is None or (registry.epoch is not None and registry.epoch.released):
        return False
    return abs((datetime.now(UTC) - registry.pulse.at).total_seconds()) < SILENT_SECONDS


def _standing(case: Case, topic: str, wanted: Iterable[Right]) -> dict[Operation, Standing]:
    operations = {right.operation for right in wanted}
    try:
        described = case.cluster.describe([topic])[topic]
    except (TopicMissing, RightMissing) as trouble:
        unseen = isinstance(trouble, RightMissing)
        return {operation: _of_missing(case, topic, operation, unseen=unseen) for operation in operations}
    found = {operation: _allowed(operation, described) for operation in operations}
    # It is there, so that nobody has to make it.
    return {name: Standing.NEEDLESS if name is Operation.CREATE else each for name, each in found.items()}


def _prefixed(case: Case, prefix: str, wanted: Iterable[Right]) -> dict[Operation, Standing]:
    """Of one that nobody has and, for what that does not tell, of one that is there."""
    found = _standing(case, f"{prefix}{NOBODYS}", wanted)
    if Standing.UNKNOWN not in found.values():
        return found
    there = next((name for name in sorted(case.cluster.topic_names()) if name.startswith(prefix)), None)
    if there is None:
        return found
    seen = case.cluster.describe([there])[there]
    return {name: _allowed(name, seen) if each is Standing.UNKNOWN else each for name, each in found.items()}


def _allowed(operation: Operation, described: Described) -> Standing:
    return Standing.GIVEN if operation.name in described.allowed else Standing.MISSING


def _of_missing(case: Case, topic: str, operation: Operation, *, unseen: bool) -> Standing:
    if unseen and operation in WITH_DESCRIBE:
        return Standing.MISSING
    if operation is Operation.DESCRIBE:
        return Standing.GIVEN
    may = case.cluster.may(operation, topic)
    return {True: Standing.GIVEN, False: Standing.MISSING, None: Standing.UNKNOWN}[may]


def _operations(of: Iterable[Right]) -> str:
    return ", ".join(dict.fromkeys(right.operation.name for right in of))


def _by_topic(of: list[Right]) -> str:
    topics: dict[str, list[Right]] = {}
    for right in of:
        topics.setdefault(right.in_words, []).append(right)
    return "; ".join(f"{_operations(of_topic)} {topic}" for topic, of_topic in topics.items())


def _reasons(of: Iterable[Right]) -> str:
    return "; ".join(dict.fromkeys(f"{right.who.in_words} {right.why}" for right in of))


def _commands(case: Case, of: list[Right]) -> str:
    # What a token or the rules of the broker make of a client is known to the broker alone.
    principal = case.principal if _NAME_IN_TOOLS.fullmatch(case.principal) else "User:<as the broker names it>"
    once = {(right.operation, right.topic): right for right in of}
    return "\n".join(grant_commands(server_option(case.cluster.bootstrap_servers), principal, once.values()))

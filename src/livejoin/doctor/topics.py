"""The control topic, and the topics of livejoin's own."""

from collections.abc import Iterator

from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, skipped, warning
from livejoin.errors import RightMissing, TopicMissing
from livejoin.topics.keeper import HOW_TO_CREATE
from livejoin.topics.plan import PlannedTopic, own_topics


def check_control(case: Case) -> Iterator[Finding]:
    """Where topics are swapped by message; livejoin waits for one that is not there."""
    topic, tried = case.settings.topics.control, "describe it"
    try:
        described = case.cluster.describe([topic])[topic]
    except TopicMissing as missing:
        do = f"create {topic!r} with one partition, or correct topics.control"
        yield warning(topic, tried, f"{missing.what}: rows are shown, and nothing can be swapped", do)
    except RightMissing as unseen:
        yield skipped(topic, tried, f"{unseen.what}; `rights` says what grants it")
    else:
        if described.partitions == 1:
            yield ok(topic, tried, "there, with one partition")
            return
        found = f"{described.partitions} partitions: which of two messages was sent first is not certain"
        yield warning(topic, tried, found, "give it one partition, or send all messages to the same one")


def check_own_topics(case: Case) -> Iterator[Finding]:
    """Made by livejoin or by somebody else, and configured as they have to be."""
    for topic in own_topics(case.settings):
        yield _own(case, topic)


def _own(case: Case, topic: PlannedTopic) -> Finding:
    tried, ours = f"look for the topic of {topic.purpose}", case.settings.topics.create
    try:
        described = case.cluster.describe([topic.name])[topic.name]
    except TopicMissing as missing:
        if ours and topic.name not in case.settings.own_topics.views:
            return ok(topic.name, tried, "not there: the pipeline makes it at its first start")
        return problem(topic.name, tried, missing.what, HOW_TO_CREATE)
    except RightMissing as unseen:
        return skipped(topic.name, tried, f"{unseen.what}; `rights` says what grants it")
    try:
        wrong = topic.wrong(case.cluster.configuration(topic.name))
    except RightMissing:
        return ok(topic.name, tried, "there; not allowed to look at its configuration, which livejoin can do without")
    if not wrong:
        return ok(topic.name, tried, f"there, as it has to be, with {described.partitions} partition(s)")
    needed = ", ".join(f"{name}={value}" for name, value in wrong.items())
    return warning(topic.name, tried, f"there, and needs {needed}", "the pipeline mends it, if it may; or set it so")

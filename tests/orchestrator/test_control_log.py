"""The control log as the pipeline remembers it."""

from collections import Counter

from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.control_message import ControlEntry, ControlMessage, Verdict
from livejoin.pipeline.control.log import REMEMBERED, ControlLog

NOWHERE = Cluster(KafkaClient({"bootstrap.servers": "127.0.0.1:1"}))
"""Nobody is asked here."""


def test_what_was_judged_long_ago_is_forgotten_and_what_waits_is_not() -> None:
    """However many messages come, and however long they are; each has one verdict."""
    written: Counter[tuple[str, bool]] = Counter()
    log = ControlLog(
        NOWHERE, "log", lambda _, key, value: written.update([(key, b'"verdict":null' in (value or b""))]), Counter()
    )
    entry = ControlEntry.of(ControlMessage("x" * 10_000), 0)
    log.note("slow", entry)
    for number in range(3 * REMEMBERED):
        log.judge(f"{number}", Verdict.UNCHANGED, "it is", entry)
        log.judge(f"{number}", Verdict.UNCHANGED, "it is", entry)

    known = [number for number in range(3 * REMEMBERED) if log.has_verdict(f"{number}")]
    assert known == [*range(2 * REMEMBERED, 3 * REMEMBERED)]
    assert log.awaits_verdict("slow")
    log.judge("slow", Verdict.APPLIED, "at last")
    assert log.has_verdict("slow")
    assert not log.awaits_verdict("slow")
    assert sum(written.values()) == 3 * REMEMBERED + 2

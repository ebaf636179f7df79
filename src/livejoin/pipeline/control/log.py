"""The control log: every control message with its verdict, as `control_raw` shows it."""

from collections import Counter
from dataclasses import replace

import structlog

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.reading import read_to_end
from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.pipeline.control.state_topic import Write
from livejoin.pipeline.control.unreadable import Unreadable
from livejoin.wire.records import from_json, to_json

REMEMBERED = 1_000
"""How many verdicts: after a crash no more than the message that was being judged is read again."""

log = structlog.get_logger()


class ControlLog:
    """Remembers messages by their keys, which name their places, so that none is judged twice, not even after a crash.

    A message that is being worked on is written without a verdict first; table servers replace that row by the final.
    """

    def __init__(self, cluster: Cluster, topic: str, write: Write, verdicts: Counter[Verdict]) -> None:
        """`verdicts` counts the messages that are judged."""
        self._verdicts = verdicts
        self._cluster = cluster
        self._topic = topic
        self._write_record = write
        self._waiting: dict[str, ControlEntry] = {}
        """The messages whose verdict takes a while."""
        self._judged: dict[str, None] = {}
        """The newest that have one, in order."""

    def open(self) -> None:
        """Read what was written before."""
        unreadable = Unreadable(self._topic)
        for record in read_to_end(self._cluster, self._topic):
            key, value = record.key(), record.value()
            if key is None or value is None:
                continue
            try:
                self._remember(key.decode(), from_json(ControlEntry, value))
            except ValueError as error:
                unreadable.add(record, error)
        unreadable.tell()

    def has_verdict(self, key: str) -> bool:
        """Whether that message was judged."""
        return key in self._judged

    def awaits_verdict(self, key: str) -> bool:
        """Whether that message was noted and not judged."""
        return key in self._waiting

    def note(self, key: str, entry: ControlEntry) -> None:
        """Show a message whose verdict takes a while."""
        self._write(key, entry)

    def judge(self, key: str, verdict: Verdict, reason: str, entry: ControlEntry | None = None) -> None:
        """Write the one verdict of a message; `entry` is needed where the message was not noted before."""
        if self.has_verdict(key):
            return
        judged = replace(entry or self._waiting[key], verdict=verdict, reason=reason)
        self._write(key, judged)
        self._verdicts[verdict] += 1
        log.info("verdict", message=key, verdict=verdict.value, reason=reason, raw=judged.raw)

    def _write(self, key: str, entry: ControlEntry) -> None:
        self._write_record(self._topic, key, to_json(entry))
        self._remember(key, entry)

    def _remember(self, key: str, entry: ControlEntry) -> None:
        if entry.verdict is None:
            self._waiting[key] = entry
            return
        self._waiting.pop(key, None)
        self._judged[key] = None
        while len(self._judged) > REMEMBERED:
            del self._judged[next(iter(self._judged))]

"""Records that could not be decoded: counted, and told now and then."""

import threading
import time
from collections.abc import Sequence

import structlog

from livejoin.serve.decode.batch import Skipped

TELL_EVERY_SECONDS = 30.0

log = structlog.get_logger()


class Skips:
    """The count for one topic. A flood of bad records makes one line of log in a while, not one each."""

    def __init__(self, topic: str) -> None:
        self.count = 0
        self._topic = topic
        self._told_at = -TELL_EVERY_SECONDS
        self._lock = threading.Lock()

    def add(self, skipped: Sequence[Skipped]) -> None:
        """Count them; the first of them stands for all in the log."""
        if not skipped:
            return
        with self._lock:
            self.count += len(skipped)
            if time.monotonic() - self._told_at < TELL_EVERY_SECONDS:
                return
            self._told_at = time.monotonic()
        first = skipped[0]
        log.warning(
            "records skipped that cannot be decoded",
            topic=self._topic,
            partition=first.partition,
            offset=first.offset,
            reason=first.reason,
            skipped_so_far=self.count,
        )

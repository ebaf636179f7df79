"""The right to write the registry and the control log, which one pipeline at a time has.

Kafka fences it: a transactional id has one producer, and every older one is refused, however long it was paused or cut
off. The state topic says whose right it is, and by what epoch its rows are known.
"""

import os
import socket
import threading
import uuid
from dataclasses import replace
from datetime import UTC, datetime

import structlog

from livejoin.errors import Fenced, KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.fenced_writer import WRITE_SECONDS, FencedWriter
from livejoin.model.registry import Epoch
from livejoin.pipeline.control.state_topic import read_registry
from livejoin.wire.records import key_of, to_json
from livejoin.wire.topic_names import Topics

RELEASE_SECONDS = 2.0
"""Who ends has no more time than this to say so; who waits finds out by itself."""

log = structlog.get_logger()


def writer_name() -> str:
    """A name that no other pipeline has or had, and that tells people where it is."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:8]}"


class OneWriter:
    """Writes while nobody else has claimed the right. Any thread may call it; one record follows the other."""

    def __init__(self, cluster: Cluster, topics: Topics) -> None:
        self.name = writer_name()
        self._cluster = cluster
        self._state = topics.state
        self._fenced = FencedWriter(cluster, topics.transactional_id)
        self._epoch: Epoch | None = None
        self._lock = threading.Lock()

    def claim(self) -> None:
        """Take the right from whoever has it; they find out before they write again."""
        with self._lock:
            self._fenced.take_over()
            before = read_registry(self._cluster, self._state).epoch
            number = before.number + 1 if before is not None else 1
            self._write_epoch(Epoch(number=number, writer=self.name, since=datetime.now(UTC)))
        log.info("this pipeline writes", name=self.name, epoch=number, before=before.writer if before else None)

    def write(self, topic: str, key: str, value: bytes | None) -> None:
        """Write a record; raises Fenced where another pipeline has claimed the right."""
        with self._lock:
            self._write(topic, key, value)

    def confirm(self) -> None:
        """Raise Fenced where another pipeline has claimed the right."""
        with self._lock:
            self._write_epoch(self._claimed())

    def next_epoch(self) -> int:
        """A number for something that is started: higher than all that were given, by whomever."""
        with self._lock:
            epoch = self._claimed()
            self._write_epoch(replace(epoch, number=epoch.number + 1))
            return epoch.number + 1

    def release(self) -> None:
        """Tell who waits that nothing more will be written."""
        with self._lock:
            if self._epoch is None or not self._fenced.is_ready:
                return
            released = replace(self._epoch, released=True)
            try:
                self._fenced.write(self._state, key_of(released), to_json(released), RELEASE_SECONDS)
            except (KafkaTrouble, Fenced) as trouble:
                log.info("nobody is told that this pipeline has ended", why=str(trouble))

    def _write_epoch(self, epoch: Epoch) -> None:
        self._write(self._state, key_of(epoch), to_json(epoch))
        self._epoch = epoch

    def _write(self, topic: str, key: str, value: bytes | None) -> None:
        if not self._fenced.is_ready:
            self._take_up_again()
        try:
            self._fenced.write(topic, key, value, WRITE_SECONDS)
        except Fenced:
            # The broker fences also who was silent in the middle of a transaction, and then nobody else has the right.
            self._take_up_again()
            self._fenced.write(topic, key, value, WRITE_SECONDS)

    def _take_up_again(self) -> None:
        """Have another producer, unless somebody has claimed the right meanwhile, also while it is made."""
        self._require_mine()
        self._fenced.take_over()
        self._require_mine()

    def _require_mine(self) -> None:
        found, mine = read_registry(self._cluster, self._state).epoch, self._claimed()
        if found is not None and found.writer != mine.writer:
            # The producer that was made meanwhile could write, from any thread, and be it that this one has ended.
            self._fenced.let_go()
            raise Fenced(
                f"another pipeline, {found.writer}, writes since {found.since:%Y-%m-%d %H:%M:%S} UTC",
                do="nothing: this one stands by, and takes over when the other is not heard of any more",
            )

    def _claimed(self) -> Epoch:
        if self._epoch is None:
            raise Fenced("the right to write was not claimed", do="claim it first")
        return self._epoch

"""A pipeline that waits: everything is ready, another one writes, and this one listens whether it still does."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event

import structlog

from livejoin.errors import KafkaTrouble
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.kafka.writer import Writer
from livejoin.model.registry import Registry, Standby
from livejoin.pipeline.control.unreadable import Unreadable
from livejoin.process.recurring import Recurring
from livejoin.wire.records import EPOCH_KEY, PULSE_KEY, apply, key_of, standby_key, to_json

PATIENCE_SECONDS = 6.0
"""How long the writer may be silent, which tells of itself every other second, before another one takes over."""
LOOK_SECONDS = 0.2
TELL_SECONDS = 5.0

log = structlog.get_logger()


class StandbyWatch:
    """Listens from the moment it is made, while Spark is started; who makes it stops it.

    What counts is when something was heard here: the clocks of two machines are never compared.
    """

    def __init__(
        self, cluster: Cluster, state_topic: str, name: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._clock = clock
        self._registry = Registry()
        self._heard_at = clock()
        self._tail = TopicTail(cluster, state_topic, self._take, thread="standby")
        self._writer = Writer(cluster, state_topic)
        self._told_at = -TELL_SECONDS
        self._told = False
        self._untold = Recurring("nobody is told of this standby", name=name)
        self._tail.start()

    def wait(self, stop: Event, tell: Callable[[str], None], prepare: Callable[[], None]) -> bool:
        """Return when nobody writes any more; False when told to stop before.

        `tell` is told why it waits. `prepare` is called once, when it is sure that it has to wait.
        """
        waits = ""
        while not stop.wait(LOOK_SECONDS):
            if self.is_free:
                self._leave()
                return True
            epoch = self._registry.epoch
            if epoch is not None and self._tail.reached():
                now = f"standing by: {epoch.writer} writes"
                if not waits:
                    tell(f"getting ready to stand by: {epoch.writer} writes")
                    prepare()
                if now != waits:
                    log.info("standing by", writer=epoch.writer, name=self._name)
                waits = now
                tell(waits)
                self._say_so()
        self._leave()
        return False

    @property
    def is_free(self) -> bool:
        """Whether nobody writes: nobody ever has, the last one has ended well, or it is silent."""
        if self._tail.missing:
            return True
        if not self._tail.reached():
            return False
        epoch = self._registry.epoch
        return epoch is None or epoch.released or self._clock() - self._heard_at > PATIENCE_SECONDS

    def stop(self) -> None:
        """Listen no more."""
        self._tail.stop()

    def _take(self, records: list[Message]) -> None:
        unreadable = Unreadable(self._tail.topic)
        for record in records:
            key = (record.key() or b"").decode(errors="replace")
            try:
                apply(self._registry, key, record.value())
            except ValueError as error:
                unreadable.add(record, error)
            if key in {PULSE_KEY, EPOCH_KEY}:
                self._heard_at = self._clock()
        unreadable.tell()

    def _say_so(self) -> None:
        """Tell everybody who reads the registry, now and then; who cannot be told is told later."""
        if self._clock() - self._told_at < TELL_SECONDS:
            return
        self._told_at, self._told = self._clock(), True
        record = Standby(name=self._name, at=datetime.now(UTC))
        try:
            self._writer.write(key_of(record), to_json(record))
        except KafkaTrouble as trouble:
            self._untold.tell(trouble.what)
        else:
            self._untold.over()

    def _leave(self) -> None:
        if self._told:
            try:
                self._writer.write(standby_key(self._name), None)
            except KafkaTrouble as trouble:
                log.info("nobody is told that this standby is gone", why=trouble.what)
            self._told = False

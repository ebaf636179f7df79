"""Puts simulated time, threads, chance and clients of Kafka in the place of the real ones, in every module of livejoin.

The code of livejoin is the same: it finds others behind the names that it has imported.
"""

import gc
import os
import queue
import random
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient
from pyspark import InheritableThread

import simulated_clients as clients
import simulated_disk as disk
import simulated_pipeline as pipeline
import simulated_time as simulated
from livejoin.kafka import tail
from livejoin.pipeline.control import orchestrator, silent_standbys, standby
from livejoin.pipeline.control.letters import LetterRunner
from livejoin.pipeline.spark.broken_checkpoint import require_logs, require_state
from livejoin.pipeline.spark.checkpoints import checkpoint, checkpoints, delete_checkpoint
from livejoin.pipeline.spark.next_offsets import next_offsets
from livejoin.pipeline.spark.query import JoinQuery
from livejoin.process.crash_point import crash_point
from livejoin.process.worker import Worker
from livejoin.settings.settings import Settings
from livejoin.wire import records
from simulated_pipeline import Host
from simulated_time import World

PACKAGES = tuple(f"livejoin.{name}." for name in ("kafka", "pipeline", "process", "topics", "wire"))
PACES = (
    (orchestrator, "TICK_SECONDS", 0.5),
    (standby, "LOOK_SECONDS", 0.5),
    (tail, "POLL_SECONDS", 1.0),
    (silent_standbys, "LOOK_SECONDS", 20.0),
)
"""How often something looks whether there is anything to do: rarer than in production, because each look takes time.

But for standbys, whose silence would make the end of every world late.
"""

Happens = Callable[[str], None]
"""What is to happen at a named place of a process; it may end there."""


class _Names:
    """Stands for the module `uuid`."""

    @staticmethod
    def uuid4() -> uuid.UUID:
        return uuid.UUID(int=World.now_running.chance.getrandbits(128))


class _Told:
    """Stands for a logger: what is logged is kept with what else has happened."""

    def info(self, event: str, **context: object) -> None:
        World.now_running.tell(event, **context)

    warning = exception = info


def _new_worker(worker: Worker, name: str, _: object = None) -> None:
    stands_for: Any = worker
    stands_for._stop = simulated.Event()  # noqa: SLF001  it is the constructor
    stands_for._thread = simulated.Thread(stands_for._run, name)  # noqa: SLF001


@contextmanager
def simulated_machine(at_place: Happens) -> Iterator[None]:
    """Until it is left, livejoin runs in the world that was made last; `at_place` is called at every crash point."""
    table: dict[int, Any] = {
        id(time): simulated.Clock,
        id(datetime): simulated.Calendar,
        id(threading): simulated,
        id(threading.Event): simulated.Event,
        id(queue): SimpleNamespace(SimpleQueue=simulated.SimpleQueue, Empty=queue.Empty),
        id(random): SimpleNamespace(random=lambda: World.now_running.chance.random()),
        id(uuid): _Names,
        id(os): SimpleNamespace(getpid=lambda: 0),
        # Nothing of Spark is there to be collected, and it would take most of the time.
        id(gc): SimpleNamespace(collect=lambda: None),
        id(InheritableThread): simulated.Thread,
        id(AdminClient): clients.Admin,
        id(Consumer): clients.Consumer,
        id(Producer): clients.Producer,
        id(JoinQuery): pipeline.Join,
        id(LetterRunner): pipeline.Letters,
        id(checkpoint): disk.checkpoint,
        id(checkpoints): disk.checkpoints,
        id(delete_checkpoint): _delete_checkpoint,
        id(next_offsets): disk.next_offsets,
        id(require_logs): disk.require_logs,
        id(require_state): disk.require_state,
        # The same records are read again and again, and never changed.
        id(records.from_json): lru_cache(maxsize=10_000)(records.from_json),
        id(crash_point): at_place,
    }
    modules = [module for name, module in [*sys.modules.items()] if name.startswith(PACKAGES)]
    with _replaced(modules, table), patch.object(Worker, "__init__", _new_worker):
        yield


@contextmanager
def _replaced(modules: list[ModuleType], table: dict[int, Any]) -> Iterator[None]:
    changed: list[tuple[ModuleType, str, Any]] = []
    for module in modules:
        for name, value in [*vars(module).items()]:
            stand_in = _Told() if name == "log" else table.get(id(value))
            if stand_in is not None:
                changed.append((module, name, value))
                setattr(module, name, stand_in)
    for module, name, pace in PACES:
        changed.append((module, name, getattr(module, name)))
        setattr(module, name, pace)
    try:
        yield
    finally:
        for module, name, value in changed:
            setattr(module, name, value)


def _delete_checkpoint(settings: Settings, number: int) -> None:
    """Let who watches over promises see it."""
    process = World.now_running.process
    if process.dead:
        raise simulated.Killed
    assert isinstance(process, Host)
    process.promises.checkpoint_is_deleted(settings, number)
    disk.delete_checkpoint(settings, number)

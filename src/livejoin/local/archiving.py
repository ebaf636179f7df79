"""Makes the class-data archives of all JVMs, from a stack that runs on data of its own for a moment."""

import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NoReturn

import psutil

from livejoin.errors import LivejoinError
from livejoin.jvm.class_archive import RECORDING, Jvm, NoArchive, forget_archives, write_archive
from livejoin.local.stack import Service, Stack
from livejoin.local.supervise.child import Death
from livejoin.local.supervise.supervisor import Supervisor
from livejoin.secrecy.environment import settings_kept_back
from livejoin.settings.loader import load_settings, overrides_from
from livejoin.settings.settings import Settings

PORTS = ("web.port", "pipeline.port", "broker.port", "broker.internal_port", "broker.controller_port")
START_SECONDS = 400.0
"""It is made while other steps of the set-up run, and once: who waits loses less than who goes without."""
RUN_SECONDS = 6.0
"""How long events flow before the classes are asked for: what the first of them need is loaded then."""
TICK_SECONDS = 0.1
JAVA_OPTIONS = "JAVA_TOOL_OPTIONS"
LIBRARY = "libjvm"


class StackFailed(LivejoinError):
    """The stack that was started for its classes did not come up."""


def make_archives(settings: Settings, tell: Callable[[str], None]) -> None:
    """Start everything, ask every JVM for its classes when all are live, and stop. Replaces what was there."""
    forget_archives(settings)
    with ExitStack() as stops:
        folder = Path(stops.enter_context(tempfile.TemporaryDirectory(prefix="livejoin-")))
        # Nobody's settings count here.
        stops.enter_context(settings_kept_back())
        stops.enter_context(_recording())
        pairs = _pairs(settings, folder)
        nothing = folder / "livejoin.toml"
        nothing.touch()
        options = [f"--config={nothing}", *(f"--set={pair}" for pair in pairs)]
        stack = Stack(load_settings(nothing, overrides_from(pairs)), options)
        supervisor = Supervisor(_refuse)
        stops.callback(supervisor.stop, lambda _: None)
        broker = stack.broker()
        _start(supervisor, broker)
        tables, pipeline = stack.tables(), stack.pipeline()
        _start(supervisor, tables, pipeline, stack.demo())
        until = time.monotonic() + RUN_SECONDS
        while time.monotonic() < until:
            _tick(supervisor)
        for of, service in ((Jvm.BROKER, broker), (Jvm.SPARK, pipeline), (Jvm.TABLES, tables)):
            file = write_archive(settings, of, _jvm_of(service))
            tell(f"{of}: {file.stat().st_size / 1e6:.0f} MB, in {file}")


@contextmanager
def _recording() -> Iterator[None]:
    """Every JVM that is started can be asked for its classes."""
    before = os.environ.get(JAVA_OPTIONS)
    os.environ[JAVA_OPTIONS] = f"{before or ''} {RECORDING}".strip()
    try:
        yield
    finally:
        if before is None:
            del os.environ[JAVA_OPTIONS]
        else:
            os.environ[JAVA_OPTIONS] = before


def _pairs(settings: Settings, folder: Path) -> list[str]:
    probes = [socket.socket() for _ in PORTS]
    for probe in probes:
        probe.bind((settings.broker.host, 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    own = {"data_dir": folder / "data", "jars.dir": settings.jars.folder, **dict(zip(PORTS, ports, strict=True))}
    return [f"{name}={value}" for name, value in own.items()]


def _start(supervisor: Supervisor, *services: Service) -> None:
    """Return when all of them are ready."""
    for service in services:
        supervisor.start(service.child)
    until = time.monotonic() + START_SECONDS
    waiting = [*services]
    while waiting:
        _tick(supervisor)
        waiting = [service for service in waiting if not service.is_ready()]
        if waiting and time.monotonic() > until:
            raise StackFailed(f"{waiting[0].child.name} was not ready after {START_SECONDS:.0f} s")


def _tick(supervisor: Supervisor) -> None:
    supervisor.look_after()
    time.sleep(TICK_SECONDS)


def _refuse(death: Death) -> NoReturn:
    raise StackFailed(f"{death.name} {death.how}:\n" + "\n".join(death.last_lines))


def _jvm_of(service: Service) -> int:
    """The process of a service that is a JVM, or has one in it."""
    assert service.child.pid is not None  # noqa: S101  for the type checker: it was started
    guard = psutil.Process(service.child.pid)
    for process in guard.children(recursive=True):
        if any(LIBRARY in Path(part.path).name for part in process.memory_maps()):
            return int(process.pid)
    raise NoArchive(f"{service.child.name} has no JVM")

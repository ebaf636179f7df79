"""Time and threads of a simulation: one thread runs at a time, and time passes only when all of them wait.

A simulated thread is a greenlet. Whatever would wait in the real world, a lock, an event, a queue, a broker, lets the
others go on here until it is due. So a run is decided by its seed alone, and a minute takes some milliseconds.
"""

import heapq
import itertools
import queue
import random
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, ClassVar

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
MONOTONIC_BEGIN = 10_000.0
TOLD = 4_000
"""How much of what happened is kept, for whoever looks at a seed that fails."""


class Killed(BaseException):
    """A process has ended here, as by SIGKILL; nothing may catch it."""


class Process:
    """What is killed, paused and cut off together, and has one clock on the wall."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False
        self.paused_until = 0.0
        self.cut_until = 0.0
        self.clock_is_ahead = 0.0
        self.threads: list[Thread] = []
        self.ended = Event()


class World:
    """The clock, the chance and the threads of one run."""

    now_running: ClassVar["World"]
    """The one that is simulated at this moment."""

    def __init__(self, seed: object) -> None:
        self.chance = random.Random(repr(seed))  # noqa: S311  nothing is secret
        self.now = 0.0
        self.thread: Thread | None = None
        self.defects: list[str] = []
        """What must never happen, and has."""
        self.told: deque[str] = deque(maxlen=TOLD)
        self.threads: list[Thread] = []
        """All that were started."""
        self._hub = getcurrent()
        self._due: list[tuple[float, int, Thread, int]] = []
        self._count = itertools.count()
        World.now_running = self

    def run(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Let everybody go on until it is over, a defect was seen, or that time has come."""
        while self._due and not self.defects and self.now < seconds and not is_over():
            at, _, thread, turn = heapq.heappop(self._due)
            if thread.turn != turn or not thread.is_alive():
                continue
            process = thread.process
            if process.paused_until > at and not process.dead:
                self.wake(thread, process.paused_until)
                continue
            self.now = max(self.now, at)
            thread.turn += 1
            self.thread = thread
            thread.body.switch()
            self.thread = None

    def end(self) -> None:
        """Let every thread end, so that nothing of this run is left."""
        for thread in self.threads:
            thread.process.dead = True
        for thread in self.threads:
            if thread.is_alive():
                self.thread = thread
                thread.body.switch()
        self.thread = None

    def wake(self, thread: "Thread", at: float) -> None:
        """Let a thread go on at that time, unless something wakes it before."""
        heapq.heappush(self._due, (at, next(self._count), thread, thread.turn))

    @property
    def process(self) -> Process:
        """Whose turn it is."""
        assert self.thread is not None
        return self.thread.process

    def suspend(self, seconds: float | None) -> None:
        """Let the others go on, for that long or until somebody wakes this thread."""
        thread = self.thread
        assert thread is not None, "nobody waits outside of a thread"
        if thread.process.dead:
            raise Killed
        if seconds is not None:
            self.wake(thread, self.now + max(0.0, seconds))
        self._hub.switch()
        if thread.process.dead:
            raise Killed

    def kill(self, process: Process) -> None:
        """End a process wherever its threads are."""
        if process.dead:
            return
        process.dead = True
        self.tell("killed", process=process.name)
        for thread in process.threads:
            if thread is not self.thread and thread.is_alive():
                thread.turn += 1
                self.wake(thread, self.now)
        process.ended.set()

    def tell(self, event: str, **context: object) -> None:
        """Keep a line for whoever looks at what has happened."""
        who = self.thread.process.name if self.thread else "-"
        said = " ".join(f"{name}={value}" for name, value in context.items())
        self.told.append(f"{self.now:9.3f} {who:12} {event} {said}")

    def defect(self, what: str) -> None:
        """Something has happened that never must."""
        self.tell("DEFECT", what=what)
        self.defects.append(what)


class Thread:
    """Stands for `threading.Thread`."""

    def __init__(
        self, target: Callable[[], None], name: str = "", *, daemon: bool = True, process: Process | None = None
    ) -> None:
        del daemon
        world = World.now_running
        self.process = process or world.process
        self.name = name
        self.turn = 0
        self.over = False
        self.started = False
        self._target = target
        self._ended = Event()
        self.body = greenlet(self._run, world._hub)  # noqa: SLF001  they are one machine

    def start(self) -> None:
        """Begin, a moment later."""
        world = World.now_running
        self.started = True
        self.process.threads.append(self)
        world.threads.append(self)
        world.wake(self, world.now)

    def is_alive(self) -> bool:
        """Whether it goes on."""
        return self.started and not self.over

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        if self.is_alive():
            self._ended.wait(timeout)

    def _run(self) -> None:
        world = World.now_running
        try:
            if not self.process.dead:
                self._target()
        except Killed:
            pass
        except Exception as error:  # noqa: BLE001  whatever ends a thread unasked is a defect
            world.defect(f"{self.name} of {self.process.name} ended by {error!r} at {_place(error)}")
        self.over = True
        self._ended.set()


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"


class Event:
    """Stands for `threading.Event`."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiting: list[Thread] = []

    def is_set(self) -> bool:
        """Whether it is."""
        return self._is_set

    def set(self) -> None:
        """Wake whoever waits."""
        self._is_set = True
        self.notify()

    def notify(self) -> None:
        """Wake whoever waits at this moment."""
        world, waiting = World.now_running, self._waiting
        self._waiting = []
        for thread in waiting:
            world.wake(thread, world.now)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, or that long."""
        world = World.now_running
        if not self._is_set and (timeout is None or timeout > 0):
            assert world.thread is not None
            self._waiting.append(world.thread)
            try:
                world.suspend(timeout)
            finally:
                if world.thread in self._waiting:
                    self._waiting.remove(world.thread)
        elif world.thread is not None and world.thread.process.dead:
            raise Killed
        return self._is_set


class Lock:
    """Stands for `threading.Lock`."""

    def __init__(self) -> None:
        self._held = False
        self._freed = Event()

    def __enter__(self) -> None:
        """Have it alone."""
        while self._held:
            self._freed.wait()
        self._held = True

    def __exit__(self, *_: object) -> None:
        """Leave it to the next."""
        self._held = False
        self._freed.notify()


class SimpleQueue:
    """Stands for `queue.SimpleQueue`."""

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._filled = Event()

    def put(self, item: Any) -> None:
        """Add one."""
        self._items.append(item)
        self._filled.notify()

    def get(self, timeout: float | None = None) -> Any:
        """Take the oldest; raises Empty where there is none in time."""
        if not self._items:
            self._filled.wait(timeout)
        if not self._items:
            raise queue.Empty
        return self._items.popleft()


class Clock:
    """Stands for the module `time`."""

    @staticmethod
    def monotonic() -> float:
        """Seconds, of which nobody knows since when."""
        return MONOTONIC_BEGIN + World.now_running.now

    @staticmethod
    def sleep(seconds: float) -> None:
        """Let others go on for that long."""
        World.now_running.suspend(seconds)


class Calendar(datetime):
    """Stands for `datetime`, of which the simulation asks the time only."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        """What the clock on the wall of this process says, which may be wrong."""
        world = World.now_running
        ahead = world.thread.process.clock_is_ahead if world.thread else 0.0
        return (BEGIN + timedelta(seconds=world.now + ahead)).astimezone(tz)

"""Breaks one thing after the other, and waits until the page shows what was sent after it."""

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

import psutil

from await_that import await_that
from frame_history import topic_of
from livejoin.local.supervise.child import BackOff, Child
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.wire.control_message import ROLLBACK
from recorded_page import RecordedPage
from relay import Relay
from sender import Sender
from small_disk import SmallDisk
from world import World, below

HEAL_SECONDS = 150.0
LOOK_SECONDS = 0.5
PAUSE_SECONDS = 8.0
CUT_SECONDS = 10.0
SLOW_SECONDS = 0.15
"""By so much a slow wire delays every piece."""
DISK_SECONDS = 8.0
BAD_EVENTS = 1_000
BURST = 10
MOST_PARTITIONS = 4
HOUR_MS = 3_600_000


@dataclass
class Struck:
    """What became of one fault, over all times that it struck."""

    times: int = 0
    longest: float = 0.0

    def healed(self, seconds: float) -> None:
        """Once more."""
        self.times += 1
        self.longest = max(self.longest, seconds)


@dataclass
class Nemesis:
    """The processes of a world, a page that looks at them, and what is done to both. Who makes it calls `end`."""

    world: World
    page: RecordedPage
    sender: Sender
    pairs: tuple[str, ...]
    door: Relay
    """Between the page and the table server."""
    disks: dict[str, SmallDisk]
    """Those that can be filled: of the checkpoints and of the broker."""
    chance: random.Random
    tell: Callable[[str], None]
    """What happens, for who looks on."""
    struck: dict[str, Struck] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Look after the processes as `livejoin up` does, and begin with the first pair."""
        self.pair = self.pairs[0]
        self._children = [self.world.broker, self.world.pipeline, self.world.other, self.world.serve]
        for child in self._children:
            # How long a process waits that dies again and again would say more of the nemesis than of what heals.
            child.back_off = replace(BackOff(), longest=1.0)
        self._ended = threading.Event()
        self._supervision = threading.Thread(target=self._supervise, name="supervision")
        self._supervision.start()

    def end(self) -> None:
        """Look after nobody any more."""
        self._ended.set()
        self._supervision.join()

    @property
    def faults(self) -> dict[str, Callable[[], None]]:
        """Everything that can be done here, by name."""
        world = self.world
        processes: dict[str, Callable[[], Child]] = {
            "the broker": lambda: world.broker,
            "the pipeline": self._writer,
            "the standby": lambda: world.other if self._writer() is world.pipeline else world.pipeline,
            "the table server": lambda: world.serve,
        }
        wires: dict[str, Callable[[], Relay]] = {
            "the pipeline and the broker": lambda: world.wires[self._writer().name],
            "the table server and the broker": lambda: world.wires["serve"],
            "the page and the table server": lambda: self.door,
        }
        found: dict[str, Callable[[], None]] = {}
        for name, child in processes.items():
            found[f"SIGKILL of {name}"] = lambda child=child: self._kill(child())  # type: ignore[misc]
            found[f"SIGSTOP of {name} for {PAUSE_SECONDS:.0f} s"] = lambda child=child: self._pause(child())  # type: ignore[misc]
        found["SIGKILL of Spark alone"] = lambda: self._kill(self._writer(), "SparkSubmit")
        found["SIGKILL of the tab, which is opened again"] = self._kill_tab
        found[f"SIGSTOP of the tab for {PAUSE_SECONDS:.0f} s"] = self._pause_tab
        for name, wire in wires.items():
            found[f"nothing gets through between {name} for {CUT_SECONDS:.0f} s"] = lambda wire=wire: self._cut(wire())  # type: ignore[misc]
            found[f"everything is slow between {name} for {CUT_SECONDS:.0f} s"] = lambda wire=wire: self._slow(wire())  # type: ignore[misc]
            found[f"connections say nothing any more between {name}"] = lambda wire=wire: wire().silence()  # type: ignore[misc]
            found[f"connections end between {name}"] = lambda wire=wire: wire().drop()  # type: ignore[misc]
            found[f"connections are half closed between {name}"] = lambda wire=wire: wire().half_close()  # type: ignore[misc]
        for name, disk in self.disks.items():
            found[f"the disk of {name} is full for {DISK_SECONDS:.0f} s"] = lambda disk=disk: self._fill(disk)  # type: ignore[misc]
        return found | {
            "clocks of producers jump": self._jump,
            "a source topic is deleted and created again": self._recreate,
            "both source topics are deleted and created again": lambda: self._recreate(*Side),
            "the view topic is deleted": self._delete_view,
            "partitions are added": self._add_partitions,
            f"a flood of {BAD_EVENTS * 2:,} bad events": self._flood,
            "a swap": self._swap,
            "a swap, and SIGKILL of the pipeline in it": self._swap_and_kill,
            f"a burst of {BURST} swaps": self._burst,
            "a swap and a rollback": self._rollback,
        }

    def strike(self, name: str) -> None:
        """Break something, and return when the page shows what was sent after it."""
        began = time.monotonic()
        self.faults[name]()
        self._await_healed()
        took = time.monotonic() - began
        self.struck.setdefault(name, Struck()).healed(took)
        self.tell(f"{took:6.1f} s  {name}")

    def table(self) -> list[str]:
        """The longest time that each fault took to heal, from its beginning, as rows for people."""
        return [
            f"| {name} | {one.times} | {one.longest:.0f} s |"
            for name, one in sorted(self.struck.items(), key=lambda item: item[0].lower())
        ]

    def _await_healed(self) -> None:
        self.page.await_shown(self.pair, self.sender.probe(self.pair), HEAL_SECONDS)

    def _writer(self) -> Child:
        """The pipeline that writes, when there is one again."""
        return await_that(lambda: self.world.writer, timeout=HEAL_SECONDS)

    def _supervise(self) -> None:
        while not self._ended.wait(0.1):
            for child in self._children:
                child.look_after()

    def _look_on(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.page.take()
            time.sleep(LOOK_SECONDS)

    def _kill(self, child: Child, *named: str) -> None:
        """Its processes and not its guard, which finds out as it does when one dies."""
        for process in await_that(lambda: below(child), timeout=HEAL_SECONDS):
            # Some follow those that were killed before them.
            with suppress(psutil.NoSuchProcess):
                if all(name in " ".join(process.cmdline()) for name in named):
                    process.kill()

    def _pause(self, child: Child) -> None:
        processes = await_that(lambda: below(child), timeout=HEAL_SECONDS)
        self._signal(processes, signal.SIGSTOP)
        try:
            self._look_on(PAUSE_SECONDS)
        finally:
            self._signal(processes, signal.SIGCONT)

    @staticmethod
    def _signal(processes: list[psutil.Process], number: signal.Signals) -> None:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def _kill_tab(self) -> None:
        self.page.take()
        self.page.kill_tab()
        self.page.open(self.pair)

    def _pause_tab(self) -> None:
        self.page.stop_tab()
        try:
            time.sleep(PAUSE_SECONDS)
        finally:
            self.page.continue_tab()

    @contextmanager
    def _mended(self, wire: Relay) -> Iterator[None]:
        try:
            yield
            self._look_on(CUT_SECONDS)
        finally:
            wire.mend()

    def _cut(self, wire: Relay) -> None:
        with self._mended(wire):
            wire.cut()

    def _slow(self, wire: Relay) -> None:
        with self._mended(wire):
            wire.slow(SLOW_SECONDS)

    def _fill(self, disk: SmallDisk) -> None:
        disk.fill()
        try:
            self._look_on(DISK_SECONDS)
        finally:
            disk.free()

    def _jump(self) -> None:
        self.sender.jump(self.chance.randrange(1, 20_000) * HOUR_MS, self.chance.randrange(24 * HOUR_MS))

    def _recreate(self, *sides: Side) -> None:
        self.sender.recreate([topic_of(self.pair, side) for side in sides or (self.chance.choice([*Side]),)])

    def _delete_view(self) -> None:
        self.world.cluster.delete(self.world.settings.own_topics.view(self.world.live_number))

    def _add_partitions(self) -> None:
        for side in Side:
            topic = topic_of(self.pair, side)
            if self.sender.partitions(topic) < MOST_PARTITIONS:
                self.sender.add_partition(topic)

    def _flood(self) -> None:
        for pair in self.pairs:
            self.sender.flood(pair, BAD_EVENTS)

    def _swap(self) -> None:
        self.pair = self._other(self.pair)
        self.ask_for(self.pair)

    def _swap_and_kill(self) -> None:
        self._swap()
        self._look_on(self.chance.uniform(0, 4))
        self._kill(self._writer())

    def _burst(self) -> None:
        for _ in range(BURST):
            self.pair = self.chance.choice(self.pairs)
            self.ask_for(self.pair)

    def _rollback(self) -> None:
        before = self.pair
        self._swap()
        self._await_healed()
        self.world.send({ROLLBACK: True})
        self.pair = before

    def ask_for(self, pair: str) -> None:
        """Send a control message."""
        self.world.send({DEFAULT.source(side).topic_field: topic_of(pair, side) for side in Side})

    def _other(self, pair: str) -> str:
        return self.pairs[1 - self.pairs.index(pair)]

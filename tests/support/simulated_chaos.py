"""What happens to simulated pipelines, drawn from the seed: what people ask for, and everything that may break."""

import json
from functools import partial
from pathlib import Path

from livejoin.settings.settings import Settings
from simulated_broker import Broker
from simulated_clients import Network, Way
from simulated_faults import Break, Faults
from simulated_pipeline import Host
from simulated_promises import Promises
from simulated_time import Killed, Process, Thread, World

LEFT, RIGHT = ("users", "users-1", "users-2"), ("accounts", "accounts-1")
MISSING = "users-missing"
JUNK = (b"", b"{", b"[1]", b'{"usersTopic": "u"}', b'{"rollback": false}')
CLOCK_SECONDS = 20.0
"""How wrong a clock on a wall may be: less than the minute by which livejoin obeys messages of before its start."""
HEALTHY_SECONDS = 300.0
"""How long everything may take to come true when all faults are over."""


class Chaos:
    """Everybody but the pipelines. `run` is a thread, and ends with the world as it has to be."""

    def __init__(self, world: World, settings: Settings, faults: Faults) -> None:
        self.unmet = "nothing was seen"
        """What has not come true in the end, in words."""
        self._world = world
        self._settings = settings
        self._promises = Promises(settings)
        self._broker = Broker(self._promises.heard)
        self._network = Network(self._broker, self._promises.topic_is_deleted)
        self._faults = faults
        self._healthy = False
        self._hosts: list[Host] = []
        self._outside = Process("outside")

    def begin(self) -> None:
        """Let the threads of this begin."""
        chance, outside = self._world.chance, self._outside
        for name in (*LEFT, *RIGHT):
            self._broker.create(name)
        self._broker.create(self._settings.topics.control, chance.choice((1, 1, 2)))
        for number in range(self._faults.pipelines):
            folder = Path("/shared" if self._faults.share_data else f"/machine-{number}")
            settings = self._settings.model_copy(update={"data_dir": folder})
            Thread(partial(self._keep_running, number, settings), "supervisor", process=outside).start()
        Thread(self._run, "chaos", process=outside).start()

    def at_place(self, name: str) -> None:
        """A process has come to a place where it may die or stand still."""
        world = self._world
        if world.process.dead:
            raise Killed
        if self._healthy:
            return
        happens = world.chance.random()
        if happens < self._faults.crash:
            world.tell("dies", at=name)
            world.kill(world.process)
            raise Killed
        if happens < self._faults.crash + self._faults.pause:
            self._pause(world.process, f"at {name}")
            world.suspend(0.0)

    def _keep_running(self, number: int, settings: Settings) -> None:
        """As whoever supervises a process does: start it again when it has ended."""
        world = self._world
        for count in range(1000):
            host = Host(f"pipeline-{number}.{count}", settings, self._promises)
            host.clock_is_ahead = 0.0 if self._healthy else CLOCK_SECONDS * (world.chance.random() - 0.5)
            host.query_deaths = 0.0 if self._healthy else self._faults.query_death
            self._hosts = [*(other for other in self._hosts if not other.dead), host]
            Thread(host.run, "main", process=host).start()
            host.ended.wait()
            world.suspend(world.chance.choice((0.1, 3.0, 20.0)) * world.chance.random())

    def _run(self) -> None:
        world, chance, faults = self._world, self._world.chance, self._faults
        while faults.calm_beginning and self._promises.registry.live is None:
            world.suspend(1.0)
        self._network.way = faults.way
        acts = [self._ask] * 3
        acts += [self._break_a_process] * (2 if faults.breaks else 0) + [self._break_a_topic] * faults.break_topics
        until = world.now + faults.seconds
        while world.now < until:
            world.suspend(chance.choice((0.1, 1.0, 8.0)) * chance.random())
            chance.choice(acts)()
        self._heal()
        healthy_since = world.now
        while world.now < healthy_since + HEALTHY_SECONDS:
            world.suspend(1.0)
            self.unmet = self._promises.unmet(self._broker, self._writers_folder())
            if not self.unmet:
                return
        world.defect(f"{HEALTHY_SECONDS:.0f} s after the last fault: {self.unmet}")

    def _writers_folder(self) -> Path | None:
        writer = self._promises.writer
        return writer.settings.data_dir if isinstance(writer, Host) else None

    def _heal(self) -> None:
        """From now on nothing breaks any more."""
        self._world.tell("all faults are over")
        self._healthy = True
        self._network.way = Way()
        for host in self._hosts:
            host.paused_until = host.cut_until = self._world.now
            host.query_deaths = 0.0
            host.spark_runs = True
        for name in (*LEFT, *RIGHT):
            if name not in self._broker.topics:
                self._broker.create(name)

    def _ask(self) -> None:
        """One message, or several at once; only when livejoin listens for the first time do they count."""
        chance = self._world.chance
        if self._promises.registry.ledger.control_since is None:
            return
        message = self._drawn_message()
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            topic = self._broker.topics[self._settings.topics.control]
            self._world.tell("asked", message=message)
            self._broker.append(topic.name, None, message, self._outside, chance.randrange(len(topic.partitions)))
            if chance.random() < 0.5:
                message = self._drawn_message()

    def _drawn_message(self) -> bytes:
        chance = self._world.chance
        kind = chance.random()
        if kind < 0.1:
            return chance.choice(JUNK)
        if kind < 0.25:
            return b'{"rollback": true}'
        left = MISSING if kind < 0.35 else chance.choice(LEFT)
        join = chance.choice(("left", "inner", "asof"))
        return json.dumps({"usersTopic": left, "accountsTopic": chance.choice(RIGHT), "joinType": join}).encode()

    def _break_a_process(self) -> None:
        world, chance = self._world, self._world.chance
        living = [host for host in self._hosts if not host.dead]
        if not living:
            return
        host = chance.choice(living)
        what = chance.choice(self._faults.breaks)
        if what is not Break.PAUSE:
            world.tell(what.value, process=host.name)
        match what:
            case Break.KILL:
                world.kill(host)
            case Break.STOP:
                host.told_to_stop.set()
            case Break.PAUSE:
                self._pause(host, "anywhere")
            case Break.CUT:
                host.cut_until = world.now + chance.choice((2.0, 10.0, 40.0)) * chance.random()
            case Break.CLOCK:
                host.clock_is_ahead = CLOCK_SECONDS * (chance.random() - 0.5)
            case Break.SPARK:
                host.spark_runs = False

    def _pause(self, process: Process, where: str) -> None:
        world = self._world
        process.paused_until = world.now + world.chance.choice((1.0, 8.0, 15.0, 40.0)) * (
            0.2 + 0.8 * world.chance.random()
        )
        world.tell("paused", process=process.name, where=where, until=process.paused_until)

    def _break_a_topic(self) -> None:
        """Take a source away, give it back as another one, or clean the registry."""
        chance = self._world.chance
        name = chance.choice((*LEFT, *RIGHT))
        if chance.random() < 0.4:
            state = self._broker.topics.get(self._settings.own_topics.state)
            if state is not None:
                state.partitions[0].compact()
            return
        self._world.tell("source", topic=name, there=name not in self._broker.topics)
        if name in self._broker.topics:
            self._broker.delete(name)
            if chance.random() < 0.7:
                self._broker.create(name)
        else:
            self._broker.create(name)

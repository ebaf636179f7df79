"""`livejoin serve`, put together: who starts what, in which order, and who stops it."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import structlog

from livejoin.http.health import Health
from livejoin.http.ports import port_of_web, require_free
from livejoin.http.server import listen
from livejoin.kafka.cluster import Cluster
from livejoin.model.generation import State
from livejoin.model.table import CONTROL_RAW, DEAD_LETTERS
from livejoin.monitor.exposition import registry_of
from livejoin.monitor.metric import Reading, Sample
from livejoin.serve.door.door import Door
from livejoin.serve.engine.dead_letter_positions import DeadLetterPositions
from livejoin.serve.engine.figures import engine_figures
from livejoin.serve.engine.health import LOST_SECONDS, PipelineWatch, engine_problem
from livejoin.serve.http.web import Web
from livejoin.serve.metrics import (
    CYCLE_AGE,
    DOOR_METRICS,
    STANDBYS,
    TABLE_METRICS,
    door_figures,
    log_figures,
    table_figures,
)
from livejoin.settings.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from livejoin.model.generation import Generation
    from livejoin.serve.engine.exports import Exports
    from livejoin.serve.engine.generations import Generations, RegistryFollower
    from livejoin.serve.engine.log_table import LogTable
    from livejoin.serve.engine.progress import ProgressTeller
    from livejoin.serve.engine.view import GenerationView

ENGINE = "engine"
SETTLED_SECONDS = 1.0
WAITING_SECONDS = 0.05
UNKNOWN_SECONDS = 15.0
"""How long a registry that cannot be read keeps the tables from being served with an explanation in place of rows."""

log = structlog.get_logger()


class TableServer:
    """Everything behind the exports, in one thread of its own, so that a signal is answered while the JVM starts."""

    def __init__(self, settings: Settings) -> None:
        self.failure: BaseException | None = None
        self._settings = settings
        self._cluster = Cluster(settings.kafka_client)
        self._changed = threading.Event()
        self._watch = PipelineWatch()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._generations: Generations | None = None
        self._registry: RegistryFollower | None = None
        self._logs: dict[str, LogTable] = {}
        self._progress: ProgressTeller | None = None
        self._exports: Exports | None = None
        self._are_served = False

    def start(self, door: Door) -> None:
        """Start the engine and everything that feeds it, and serve the tables at that door."""
        self._thread = threading.Thread(target=self._run, args=(door,), name="tables", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop every thread that reads; the engine ends with the process."""
        self._stop.set()
        self._changed.set()
        stops = [log_table.tail.stop for log_table in self._logs.values()]
        if self._registry:
            stops.append(self._registry.tail.stop)
        if self._progress:
            stops.append(self._progress.stop)
        # All are asked before the first is waited for.
        for timeout in (0.0, 0.5):
            for stop in stops:
                stop(timeout)
        if self._thread:
            self._thread.join(0.5)
        if self._generations:
            self._generations.close()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def health(self) -> Health:
        """How this server is, and the pipeline as far as it can be seen from here."""
        if self._generations is None or self._registry is None or self._progress is None:
            problem = str(self.failure or "starting")
            return Health({ENGINE: problem}, problem, str(self.failure or ""))
        cycle_age = self._exports.cycle_age if self._exports else 0.0
        failed = self._generations.edition.failed
        engine = engine_problem(failed, cycle_age, is_alive=self.alive)
        not_alive = engine_problem(failed, cycle_age, is_alive=self.alive, patience=LOST_SECONDS)
        components = {
            ENGINE: engine,
            "broker": self._progress.broker,
            "sources": self._progress.sources,
            "registry": self._registry.tail.waiting_for,
            "pipeline": self._watch.silence,
            **{f"pipeline: {name}": why for name, why in self._watch.problems.items()},
            **{name: table.tail.waiting_for for name, table in self._logs.items()},
            **self._health_of_generations(self._generations),
        }
        return Health(components, self._not_ready(engine, self._generations), not_alive)

    def _health_of_generations(self, generations: "Generations") -> dict[str, str]:
        known = self._registry.wanted.generations if self._registry and self._registry.wanted else {}
        found: dict[str, str] = {}
        for number, view in list(generations.views.items()):
            recorded = known.get(number)
            stands_still = recorded is not None and recorded.state is State.RECOVERING
            why = recorded.message or "its queries are being started" if recorded and stands_still else ""
            found[f"generation {number}"] = "; ".join(filter(None, (view.tail.waiting_for, why)))
        return found

    def _not_ready(self, engine: str, generations: "Generations") -> str:
        """Why the current generation is not shown as it is at this moment; empty when it is."""
        if not generations.shown:
            return generations.explanation
        served = "" if self._are_served else "the tables are about to be served"
        shown = self._health_of_generations(generations).get(f"generation {generations.shown}", "")
        return generations.stuck or engine or served or self._trouble_of_pipeline() or shown

    def _trouble_of_pipeline(self) -> str:
        """What keeps the pipeline from doing its work, in words."""
        told = (f"{name}: {why}" for name, why in self._watch.problems.items())
        return self._watch.silence or "; ".join(told)

    def figures(self) -> Iterator[Sample]:
        """What is measured of the tables; nothing before there are any."""
        if self._generations is None or self._registry is None or self._progress is None:
            return
        if self._exports:
            yield CYCLE_AGE(self._exports.cycle_age)
        yield STANDBYS(self._watch.standbys)
        yield from engine_figures()
        yield from table_figures(self._generations)
        skips = {self._registry.tail.topic: self._registry.skips}
        skips |= {table.tail.topic: table.skips for table in self._logs.values()}
        skips |= {view.tail.topic: view.skips for view in list(self._generations.views.values())}
        yield from log_figures(skips, self._logs[DEAD_LETTERS.name].tail, self._progress.rejected.kinds)

    def _run(self, door: Door) -> None:
        try:
            self._serve(door)
        except BaseException as error:
            self.failure = error
            log.exception("the table server has failed")

    def _serve(self, door: Door) -> None:
        from livejoin.serve.engine.engine import start_engine

        engine = start_engine(self._settings)
        from livejoin.serve.engine.exports import Exports
        from livejoin.serve.engine.generations import Generations, RegistryFollower
        from livejoin.serve.engine.letter_counts import LetterCounts
        from livejoin.serve.engine.log_table import control_raw, dead_letters
        from livejoin.serve.engine.progress import ProgressTeller

        topics, rejected, counts = self._settings.own_topics, DeadLetterPositions(), LetterCounts()

        def letters_seen(letters: "pa.Table") -> None:
            rejected.add(letters)
            with engine.context():
                counts.tell(rejected.topics)

        self._logs = {
            DEAD_LETTERS.name: dead_letters(engine, self._cluster, self._settings, letters_seen),
            CONTROL_RAW: control_raw(engine, self._cluster, self._settings),
        }
        tables = {name: log_table.table for name, log_table in self._logs.items()}
        self._exports = Exports(engine, door)
        declared = self._settings.declaration
        generations = Generations(engine, self._cluster, tables, counts.table, declared, self._exports)
        registry = RegistryFollower(self._cluster, topics.state, self._changed, self._watch)
        progress = ProgressTeller(engine, self._cluster, rejected, self._loaded)
        self._generations, self._registry, self._progress = generations, registry, progress
        for log_table in self._logs.values():
            log_table.tail.start()
        registry.tail.start()
        progress.start()
        settled, began = False, time.monotonic()
        while not self._stop.is_set():
            self._changed.wait(SETTLED_SECONDS if settled else WAITING_SECONDS)
            self._changed.clear()
            wanted = registry.wanted
            if wanted is None:
                generations.explain(f"waiting: {registry.tail.waiting_for or 'the registry is being read'}")
                settled = False
                explained = registry.tail.missing or time.monotonic() - began > UNKNOWN_SECONDS
            else:
                settled = explained = generations.reconcile(wanted, self._trouble_of_pipeline())
            # A page that comes back after a restart keeps its rows until there are tables; empty ones would wipe them.
            if explained and not self._are_served:
                generations.serve()
                self._are_served = True
                log.info("tables are served", url=self._settings.page_url)

    def _loaded(self) -> "list[tuple[GenerationView, Generation]]":
        wanted = self._registry.wanted if self._registry else None
        if self._generations is None or wanted is None:
            return []
        views = list(self._generations.views.items())
        return [(view, wanted.generations[number]) for number, view in views if number in wanted.generations]


def run(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit code."""
    require_free([port_of_web(settings)])
    listener = listen(settings.web.host, settings.web.port, settings.limits.sockets)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    server = TableServer(settings)
    metrics = registry_of(server.health)
    web = Web(settings, listener, server.health, metrics)
    web.start()
    metrics.register(Reading(TABLE_METRICS, server.figures))
    metrics.register(Reading(DOOR_METRICS, door_figures(web.door)))
    server.start(web.door)
    log.info("page is served", url=settings.page_url)
    while not stop.wait(0.5) and server.alive:
        pass
    web.stop()
    server.stop()
    log.info("stopped", failed=server.failure is not None)
    return 1 if server.failure else 0


def end_process(code: int) -> None:
    """End at once: the engine has threads of its own that an orderly end of the interpreter would wait for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

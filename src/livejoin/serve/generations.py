"""What the registry says becomes tables: generations are built, loaded, shown, and closed."""

import threading
from collections.abc import Mapping
from typing import Any

import structlog
from confluent_kafka import Message
from deephaven import input_table
from deephaven.table import Table

from livejoin.crash_point import crash_point
from livejoin.generation import SHOWN, Generation, State
from livejoin.kafka.cluster import Cluster
from livejoin.kafka.tail import TopicTail
from livejoin.registry import Registry
from livejoin.schema import GENERATIONS, ORCHESTRATOR_STATUS, TABLES
from livejoin.serve.columns import definition, wire_table
from livejoin.serve.decode import Skipped
from livejoin.serve.engine import Engine
from livejoin.serve.flip import NOTHING, Flip
from livejoin.serve.health import PipelineWatch
from livejoin.serve.roster import Roster
from livejoin.serve.skips import Skips
from livejoin.serve.view import GenerationView

_LOADED = frozenset({State.BACKFILLING, State.LOADING, *SHOWN, State.LINGERING})
"""The states in which there is a view topic to be loaded."""

log = structlog.get_logger()


class RegistryFollower:
    """Reads the state topic; `wanted` is None until everything was read that was there at the start."""

    def __init__(self, cluster: Cluster, topic: str, changed: threading.Event, watch: PipelineWatch) -> None:
        self._watch = watch
        self.tail = TopicTail(cluster, topic, self._take)
        self.skips = Skips(topic)
        self._registry = Registry()
        self._latest = Registry()
        self._changed = changed

    @property
    def wanted(self) -> Registry | None:
        """What the registry says, as a copy that does not change."""
        return self._latest if self.tail.reached() else None

    def _take(self, records: list[Message]) -> None:
        for record in records:
            try:
                self._registry.apply((record.key() or b"").decode(), record.value())
            except ValueError as error:
                self.skips.add([Skipped(record.partition(), record.offset(), str(error))])
        self._watch.hear(self._registry.pulse)
        self._latest = self._registry.copy()
        self._changed.set()


class Generations:
    """The generations in memory. All its methods are called by one thread; `close` ends every reader."""

    def __init__(self, engine: Engine, cluster: Cluster, logs: Mapping[str, Table]) -> None:
        self.views: dict[int, GenerationView] = {}
        self.explanation = "the table server is starting"
        """What is waited for before the current generation can be shown."""
        self.stuck = ""
        """Why what is shown stays although another generation is current, which this server cannot show; or empty."""
        self._engine = engine
        self._cluster = cluster
        self._roster = Roster()
        self._shared = {**logs, GENERATIONS.name: self._roster.table}
        self._starting = _Starting()
        self.flip = Flip({**self._starting.tables, **self._shared})

    def reconcile(self, wanted: Registry, trouble: str = "") -> bool:
        """Come closer to what the registry says; returns whether there is nothing left to wait for.

        `trouble` is what else the status row has to say.
        """
        for number, generation in sorted(wanted.generations.items()):
            if number not in self.views and generation.state in _LOADED and generation.readable:
                self._build(generation)
        settled = self._show(wanted)
        story = "; ".join(filter(None, (self.stuck, trouble, wanted.swap_story)))
        for number, view in self.views.items():
            view.tell(wanted.generations.get(number, view.generation), story)
        self._roster.tell(wanted)
        for number in list(self.views):
            known = wanted.generations.get(number)
            # What is on the screen stays there until something else is.
            if number != self.flip.shown and (known is None or known.state not in _LOADED):
                self._drop(number)
        return settled

    def explain(self, waiting_for: str) -> None:
        """Say in the status row why no generation is shown."""
        self.explanation = waiting_for
        if self.flip.shown == NOTHING:
            self._starting.tell(waiting_for)

    def close(self) -> None:
        """Stop every reader."""
        for timeout in (0.0, 0.5):
            for view in self.views.values():
                view.tail.stop(timeout)

    def _build(self, generation: Generation) -> None:
        log.info("generation is being loaded", generation=generation.number, topic=generation.view_topic)
        crash_point("serve: loading")
        view = GenerationView(self._engine, self._cluster, generation, self._shared)
        self.views[generation.number] = view
        self.flip.put(generation.number, view.tables)

    def _show(self, wanted: Registry) -> bool:
        if wanted.current is None:
            self.explain("; ".join(filter(None, ("no generation is live yet", wanted.swap_story))))
            return True
        number, before = wanted.current.generation, self.flip.shown
        generation, view = wanted.live, self.views.get(number)
        self._note_stuck(generation)
        if number == before:
            return True
        if self.stuck:
            self.explain(self.stuck)
            return False
        if generation is None or view is None:
            self.explain(f"generation {number} is current, but the registry has no open record of it")
            return True
        if not view.loaded(generation):
            why = view.tail.waiting_for or f"{view.tail.remaining} records to go"
            self.explain(f"generation {number} is being loaded: {why}")
            return False
        # Its status row first, so that it is right in the very cycle that shows it.
        view.tell(generation, wanted.swap_story)
        crash_point("serve: before flip")
        self.flip.show(number)
        log.info("flip", generation=number, before=before, state=generation.state.value)
        crash_point("serve: flip")
        return True

    def _note_stuck(self, current: Generation | None) -> None:
        """A pipeline of this version builds another generation; rows that cannot be read would be no rows."""
        if current is None or current.readable:
            self.stuck = ""
            return
        why = f"generation {current.number} is current, but was written by another version of livejoin"
        if self.stuck != why:
            log.warning("generation cannot be shown", generation=current.number, format=current.view_format)
        self.stuck = why

    def _drop(self, number: int) -> None:
        self.flip.remove(number)
        crash_point("serve: removed")
        self.views.pop(number).close()
        log.info("generation is closed", generation=number)


class _Starting:
    """The tables that are served before there is a generation: empty, and a status row that says why."""

    def __init__(self) -> None:
        self._status = input_table(col_defs=definition(ORCHESTRATOR_STATUS.columns), key_cols=["generation"])
        self._told = ""
        self.tables: dict[str, Table] = {
            **{table.name: input_table(col_defs=definition(table.columns)) for table in TABLES},
            ORCHESTRATOR_STATUS.name: self._status.view(ORCHESTRATOR_STATUS.column_names),
        }
        self.tell("the table server is starting")

    def tell(self, message: str) -> None:
        """Write the message, if it is another one; returns when the row is there."""
        if message != self._told:
            nulls: dict[str, list[Any]] = {name: [None] for name in ORCHESTRATOR_STATUS.column_names}
            row = {**nulls, "generation": [NOTHING], "state": ["starting"], "message": [message]}
            self._status.add(wire_table(ORCHESTRATOR_STATUS.columns, row))
            self._told = message

"""What the registry says becomes tables: generations are built, loaded, shown, and closed."""

import threading
from collections.abc import Mapping

import structlog
from deephaven.table import Table

from livejoin.kafka.cluster import Cluster
from livejoin.kafka.message import Message
from livejoin.kafka.tail import TopicTail
from livejoin.model.declaration import Declaration
from livejoin.model.generation import SHOWN, Generation, State
from livejoin.model.registry import Registry
from livejoin.model.table import GENERATIONS, Tables
from livejoin.process.crash_point import crash_point
from livejoin.serve.decode.batch import Skipped
from livejoin.serve.decode.skips import Skips
from livejoin.serve.engine.edition import Edition
from livejoin.serve.engine.engine import Engine
from livejoin.serve.engine.exports import Exports
from livejoin.serve.engine.health import PipelineWatch
from livejoin.serve.engine.layout import Layout
from livejoin.serve.engine.roster import Roster
from livejoin.serve.engine.view import GenerationView
from livejoin.wire.records import apply
from livejoin.wire.view_record import is_readable

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
                apply(self._registry, (record.key() or b"").decode(), record.value())
            except ValueError as error:
                self.skips.add([Skipped(record.partition(), record.offset(), str(error))])
        self._watch.hear(self._registry.pulse)
        self._watch.hear_standbys(self._registry.standbys)
        self._latest = self._registry.copy()
        self._changed.set()


class Generations:
    """The generations in memory. All its methods are called by one thread; `close` ends every reader.

    Those of the same layout share an edition, in which a flip is one update cycle. A flip to a generation of another
    layout is prepared in its own edition, and then that one is shown.
    """

    def __init__(
        self,
        engine: Engine,
        cluster: Cluster,
        logs: Mapping[str, Table],
        letter_counts: Table,
        declaration: Declaration,
        exports: Exports,
    ) -> None:
        """The declaration is the one that holds while there is no generation."""
        self.views: dict[int, GenerationView] = {}
        self.explanation = "the table server is starting"
        """What is waited for before the current generation can be shown."""
        self.stuck = ""
        """Why what is shown stays although another generation is current, which this server cannot show; or empty."""
        self.declaration = declaration
        """What the shown generation was built by."""
        self._engine = engine
        self._cluster = cluster
        self._exports = exports
        self._is_served = False
        self._letter_counts = letter_counts
        self._roster = Roster(Tables(declaration).generations.columns)
        self._shared = {**logs, GENERATIONS: self._roster.table}
        self._editions: dict[Layout, Edition] = {}
        self.edition = self._edition(Layout.of(declaration))
        """What is served."""

    @property
    def shown(self) -> int:
        """The number of the generation that is shown; 0 where there is none."""
        return self.edition.flip.shown

    def serve(self) -> None:
        """From now on, what is shown is seen at the door."""
        self._is_served = True
        self._exports.serve(self.declaration, self.edition.served)

    def reconcile(self, wanted: Registry, trouble: str = "") -> bool:
        """Come closer to what the registry says; returns whether there is nothing left to wait for.

        `trouble` is why the rows that are shown may stand still.
        """
        for number, generation in sorted(wanted.generations.items()):
            if number not in self.views and generation.state in _LOADED and is_readable(generation):
                self._build(generation)
        settled = self._show(wanted)
        trouble = "; ".join(filter(None, (self.stuck, trouble)))
        story = "; ".join(filter(None, (trouble, wanted.swap_story)))
        for number, view in self.views.items():
            view.tell(wanted.generations.get(number, view.generation), story)
        self._roster.tell(wanted, {self.shown: trouble})
        for number in list(self.views):
            known = wanted.generations.get(number)
            # What is on the screen stays there until something else is.
            if number != self.shown and (known is None or known.state not in _LOADED):
                self._drop(number)
        self._drop_editions()
        return settled

    def explain(self, waiting_for: str) -> None:
        """Say in the status row why no generation is shown."""
        self.explanation = waiting_for
        self.edition.explain(waiting_for)

    def close(self) -> None:
        """Stop every reader."""
        for timeout in (0.0, 0.5):
            for view in self.views.values():
                view.tail.stop(timeout)

    def _build(self, generation: Generation) -> None:
        log.info("generation is being loaded", generation=generation.number, topic=generation.view_topic)
        crash_point("serve: loading")
        edition = self._edition(Layout.of(generation.request.declaration))
        view = GenerationView(
            self._engine, self._cluster, generation, edition.layout, self._shared, self._letter_counts
        )
        self.views[generation.number] = view
        edition.flip.put(generation.number, view.tables)

    def _edition(self, layout: Layout) -> Edition:
        found = self._editions.get(layout)
        if found is None:
            found = self._editions[layout] = Edition(layout, self._shared, self._exports.follow)
        return found

    def _show(self, wanted: Registry) -> bool:
        if wanted.current is None:
            self.explain("; ".join(filter(None, ("no generation is live yet", wanted.swap_story))))
            return True
        number, before = wanted.current.generation, self.shown
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
        self._flip(view)
        log.info("flip", generation=number, before=before, state=generation.state.value)
        crash_point("serve: flip")
        return True

    def _flip(self, view: GenerationView) -> None:
        """Show a generation: in the edition that is served, or in another one that is then served in its place."""
        edition, declaration = self._editions[view.layout], view.generation.request.declaration
        if edition.flip.shown != view.generation.number:
            edition.flip.show(view.generation.number)
        if (edition, declaration) == (self.edition, self.declaration):
            return
        self.edition, self.declaration = edition, declaration
        log.info("what is declared has changed", left=declaration.left.name, right=declaration.right.name)
        if self._is_served:
            self.serve()

    def _note_stuck(self, current: Generation | None) -> None:
        """A pipeline of this version builds another generation; rows that cannot be read would be no rows."""
        if current is None or is_readable(current):
            self.stuck = ""
            return
        why = f"generation {current.number} is current, but was written by another version of livejoin"
        if self.stuck != why:
            log.warning("generation cannot be shown", generation=current.number, format=current.view_format)
        self.stuck = why

    def _drop(self, number: int) -> None:
        view = self.views[number]
        self._editions[view.layout].flip.remove(number)
        crash_point("serve: removed")
        self.views.pop(number).close()
        log.info("generation is closed", generation=number)

    def _drop_editions(self) -> None:
        """Those that nobody can come back to."""
        used = {self.edition.layout, *(view.layout for view in self.views.values())}
        for layout in self._editions.keys() - used:
            self._editions.pop(layout).close()

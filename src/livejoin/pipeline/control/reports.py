"""What a report of a runner means for its generation."""

from functools import singledispatchmethod

from livejoin.model.generation import BUILDING, SHOWN, State
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.losses import Losses
from livejoin.pipeline.control.runner import Backfilled, Broken, Noted, Reading, Report, RunsLive, Troubled

BUILD_DEATHS = 3
"""How often the queries of a message's generation may die while it is built."""


class Reports:
    """Records what runners say. Used by the orchestrator's thread."""

    def __init__(self, life: Lifecycle, losses: Losses) -> None:
        self._life = life
        self._losses = losses

    def take(self, report: Report) -> None:
        """Note what it says, and move its generation where that is due."""
        # It may come late, when its generation is over or gone.
        generation = self._life.registry.generations.get(report.number)
        if generation is not None and generation.state in {*BUILDING, *SHOWN, State.LINGERING}:
            self._note(report)

    @singledispatchmethod
    def _note(self, report: Report) -> None:
        raise TypeError(f"no report: {report!r}")

    @_note.register
    def _(self, report: Noted) -> None:
        fields = {"topic_ids": report.topic_ids, "source_starts": report.source_starts}
        self._life.update(report.number, **fields)

    @_note.register
    def _(self, report: Reading) -> None:
        if self._life.registry.of(report.number).state is State.BACKFILLING:
            self._life.update(report.number, progress=report.progress)

    @_note.register
    def _(self, report: Backfilled) -> None:
        fields = {"source_ends": report.source_ends, "view_ends": report.view_ends}
        generation = self._life.update(report.number, **fields)
        if generation.state is State.BACKFILLING:
            self._life.move(report.number, State.LOADING)

    @_note.register
    def _(self, report: RunsLive) -> None:
        generation = self._life.registry.of(report.number)
        if generation.state is State.RECOVERING:
            self._life.move(report.number, State.LIVE)
        elif generation.state is State.LOADING:
            self._life.flip(report.number, lingering=self._losses.useful(self._life.registry.live))

    @_note.register
    def _(self, report: Troubled) -> None:
        generation = self._life.registry.of(report.number)
        if generation.state is State.LIVE:
            self._life.move(report.number, State.RECOVERING, report.why)
        elif generation.state in BUILDING and generation.control and report.deaths >= BUILD_DEATHS:
            self._life.move(report.number, State.FAILED, report.why)
        else:
            self._life.update(report.number, message=report.why)

    @_note.register
    def _(self, report: Broken) -> None:
        self._losses.lose(self._life.registry.of(report.number), report.why)

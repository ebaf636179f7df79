"""Generations that cannot go on: what is shown stays until a fresh one can take its place."""

from livejoin.model.generation import BUILDING, SHOWN, Generation, Request, State
from livejoin.pipeline.control.lifecycle import Lifecycle

FROM_THE_BEGINNING = "reading the sources from the beginning"


class Losses:
    """Which generations are of no use any more, and what is asked for instead. Used by the orchestrator's thread."""

    def __init__(self, life: Lifecycle) -> None:
        self._life = life
        self._broken: dict[int, str] = {}
        """The shown generation that cannot go on, and why."""

    def lose(self, generation: Generation, why: str) -> None:
        """It cannot go on. What is shown stays until a fresh one can take its place."""
        if generation.state in SHOWN:
            if generation.state is State.LIVE:
                self._life.move(generation.number, State.RECOVERING, f"{why}; a fresh generation is built")
            self._broken[generation.number] = why
        elif generation.state in BUILDING:
            # A message can be sent again; what the settings asked for would be forgotten. The request comes first, so
            # that a crash in between asks twice and not never.
            if generation.control is None and not self._life.registry.in_state(State.REQUESTED):
                self._life.request(generation.request, f"{why}; {FROM_THE_BEGINNING}")
            self._life.move(generation.number, State.FAILED, why)
        else:
            self._life.move(generation.number, State.CLOSED, why)

    def has(self, number: int) -> bool:
        """Whether that generation cannot go on."""
        return number in self._broken

    def useful(self, generation: Generation | None) -> int | None:
        """A generation that was shown may be brought back, unless it cannot go on."""
        return None if generation is None or generation.number in self._broken else generation.number

    def replace(self, otherwise: Request) -> None:
        """Ask for a fresh one where what is shown cannot go on, and for `otherwise` where nothing is shown."""
        live = self._life.registry.live
        if live is None:
            self._life.request(otherwise, FROM_THE_BEGINNING)
        elif live.number in self._broken:
            self._life.request(live.request, f"{self._broken[live.number]}; {FROM_THE_BEGINNING}")

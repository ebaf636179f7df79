"""Whether a pipeline is well, and whether it shows a generation."""

from livejoin.http.health import Health
from livejoin.model.generation import State
from livejoin.model.registry import Registry
from livejoin.pipeline.control.orchestrator import Orchestrator


class PipelineHealth:
    """Filled in as the pipeline starts, asked by the HTTP side."""

    def __init__(self) -> None:
        self._starting = "the broker is waited for"
        self._orchestrator: Orchestrator | None = None
        self._standing_by = ""
        self._ended = ""

    def starts(self, what: str) -> None:
        """It is not that far yet."""
        self._starting = what

    def stands_by(self, why: str) -> None:
        """Everything is ready, and another pipeline writes."""
        self._orchestrator, self._standing_by = None, why

    def runs(self, orchestrator: Orchestrator) -> None:
        """From now on it decides."""
        self._orchestrator, self._standing_by = orchestrator, ""

    @property
    def registry(self) -> Registry:
        """What is known of the generations; nothing while another pipeline decides."""
        return self._orchestrator.life.registry if self._orchestrator is not None else Registry()

    def ended(self) -> None:
        """It decides no more."""
        self._ended = "it has ended"

    def __call__(self) -> Health:
        """How it is at this moment."""
        if self._standing_by:
            # It is well, and whoever sends work by readiness sends none here.
            return Health({"orchestrator": self._ended}, self._standing_by, self._ended)
        if self._orchestrator is None:
            return Health({"orchestrator": self._starting}, self._starting)
        not_live = self._not_live(self._orchestrator)
        components = {
            "orchestrator": self._ended,
            "registry": "" if self._orchestrator.life.is_open else "it has not been read yet",
            "generation": not_live,
            **self._orchestrator.vitals.problems,
        }
        return Health(components, self._ended or not_live, self._ended)

    @staticmethod
    def _not_live(orchestrator: Orchestrator) -> str:
        """Why no generation is live; empty when one is."""
        if not orchestrator.life.is_open:
            return "the registry has not been read yet"
        registry = orchestrator.life.registry
        shown = registry.live
        if shown is None:
            return "; ".join(filter(None, ("no generation is shown yet", registry.swap_story)))
        return "" if shown.state is State.LIVE else shown.story

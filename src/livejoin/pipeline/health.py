"""Whether a pipeline is well, and whether it shows a generation."""

from collections.abc import Callable

from livejoin.generation import State
from livejoin.registry import Registry


class PipelineHealth:
    """Filled in as the pipeline starts, asked by the HTTP side."""

    def __init__(self) -> None:
        self._starting = "the broker is waited for"
        self._registry: Callable[[], Registry | None] = lambda: None
        self._is_running: Callable[[], bool] = lambda: False

    def starts(self, what: str) -> None:
        """It is not that far yet."""
        self._starting = what

    def follow(self, registry: Callable[[], Registry | None], is_running: Callable[[], bool]) -> None:
        """From now on an orchestrator is there; its registry is None until it was read."""
        self._registry, self._is_running, self._starting = registry, is_running, ""

    def health(self) -> dict[str, str]:
        """What is wrong with each component, in words; empty where nothing is."""
        if self._starting:
            return {"orchestrator": self._starting}
        registry = self._registry()
        return {
            "orchestrator": "" if self._is_running() else "it has ended",
            "registry": "it has not been read yet" if registry is None else "",
            "generation": self.not_ready(),
        }

    def not_ready(self) -> str:
        """Why no generation is live; empty when one is."""
        if self._starting:
            return self._starting
        registry = self._registry()
        if registry is None:
            return "the registry has not been read yet"
        shown = registry.live
        if shown is None:
            return "; ".join(filter(None, ("no generation is shown yet", registry.swap_story)))
        return "" if shown.state is State.LIVE else shown.story

"""Follows several children: reports and restarts those that die, and stops all of them in order."""

from collections.abc import Callable

from livejoin.local.supervise.child import Child, Death


class Supervisor:
    """The children that were started, in order. `stop` is to be called in any case; it leaves no process behind."""

    def __init__(self, on_death: Callable[[Death], None]) -> None:
        self._on_death = on_death
        self._children: list[Child] = []

    def start(self, child: Child) -> None:
        """Start a child and follow it from then on."""
        self._children.append(child)
        child.start()

    def look_after(self) -> None:
        """Report every child that died since the last call, and restart those whose time has come."""
        for child in self._children:
            death = child.look_after()
            if death is not None:
                self._on_death(death)

    def stop(self, on_stop: Callable[[Child], None]) -> None:
        """Stop the children, the youngest first. An interruption of the wait kills what is left at once."""
        youngest_first = list(reversed(self._children))
        try:
            for child in youngest_first:
                on_stop(child)
                child.stop()
        except KeyboardInterrupt:
            for child in youngest_first:
                child.kill()
        self._children.clear()

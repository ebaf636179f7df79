"""An engine without tables, for tests of the door: what is told when is in the test's hands."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from livejoin.serve.door.sight import Arrangement, EngineView, News


@dataclass(eq=False)
class FakeView:
    """A view of the fake engine."""

    table: Any
    wanted: Arrangement
    size: int = 0
    whole_size: int = 0
    generation: int | None = 1
    is_closed: bool = False

    @property
    def handle(self) -> "FakeView":
        """The engine's own."""
        return self

    def lines(self, first: int, end: int) -> bytes:
        """Nothing."""
        return b"" * (end - first)

    def close(self) -> None:
        """Free it, once."""
        assert not self.is_closed
        self.is_closed = True


class FakeLookout:
    """Keeps what it was asked for."""

    def __init__(self) -> None:
        self.opened: list[FakeView] = []
        self.windows: dict[int, tuple[EngineView, int, int]] = {}
        self.wholes: list[int] = []
        self.next_news: list[Iterable[News] | Exception] = []
        self._numbers = count(1)

    def open(self, table: Any, wanted: Arrangement) -> FakeView:
        """A view."""
        self.opened.append(FakeView(table, wanted))
        return self.opened[-1]

    def copy(self, view: EngineView, newest: int, most: int) -> FakeView:
        """A copy."""
        assert newest >= 0
        assert most >= 0
        source: FakeView = view.handle
        assert not source.is_closed
        self.opened.append(FakeView(source.table, source.wanted, size=min(source.size, newest)))
        return self.opened[-1]

    def look(self, view: EngineView, first: int, last: int) -> int:
        """The number of the window."""
        number = next(self._numbers)
        self.windows[number] = (view, first, last)
        return number

    def want_whole(self, window: int) -> None:
        """Somebody is behind."""
        self.wholes.append(window)

    def leave(self, window: int) -> None:
        """Nobody looks any more."""
        del self.windows[window]

    def news(self, within: float) -> Iterable[News]:
        """What the test has put there, or nothing."""
        time.sleep(min(within, 0.01))
        found = self.next_news.pop(0) if self.next_news else ()
        if isinstance(found, Exception):
            raise found
        return found

"""Copies of a moment, for the WebSocket and for HTTP: what a copy would have is known before it is made.

While it is made no row moves, and the engine keeps its rows until it is given back. So the rows of all copies are
counted, and a large one is made alone. What was begun is counted until it is over, also where nobody waits any more:
who asks and goes, again and again, has no more of them than who waits.
"""

import asyncio
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from livejoin.serve.door.catalogue import Wanted
from livejoin.serve.door.engine_call import made_by
from livejoin.serve.door.limits import Occupancy
from livejoin.serve.door.sight import EngineView, TooLarge
from livejoin.serve.door.views import Views

EVERYTHING = 2**62
GROWTH = 10_000
"""Rows that may come between the moment in which they are counted and that of the copy."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Makes copies with one key."""

    name: str
    occupancy: Occupancy
    executor: Executor

    async def copy(self, views: Views, wanted: Wanted, newest: int = EVERYTHING) -> EngineView:
        """A copy of the last rows of a view; raises TooMuch. `give_back` must follow."""
        making = asyncio.create_task(self._make(views, wanted, newest))
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            making.add_done_callback(self._give_back_late)
            raise

    def give_back(self, copy: EngineView) -> None:
        """A copy is of no use any more."""
        self.forget(copy)
        self.executor.submit(copy.close)

    def forget(self, copy: EngineView) -> None:
        """The same for one that somebody else closes."""
        self.occupancy.end_copy(self.name, copy.size)

    async def _make(self, views: Views, wanted: Wanted, newest: int) -> EngineView:
        self.occupancy.begin_copy(self.name)
        try:
            turns = self.occupancy.engine_calls(self.name)
            arranged = await made_by(self.executor, turns, lambda: views.open(wanted))
            try:
                rows = min(arranged.size, newest)
                with self.occupancy.copying(self.name, rows):
                    copying = partial(views.copy, arranged, newest, rows + GROWTH)
                    copy = await made_by(self.executor, turns, copying)
            finally:
                self.executor.submit(arranged.close)
        except TooLarge:
            self.occupancy.end_copy(self.name)
            raise self.occupancy.too_many_rows() from None
        except BaseException:
            self.occupancy.end_copy(self.name)
            raise
        self.occupancy.keep_copied(self.name, copy.size)
        return copy

    def _give_back_late(self, making: asyncio.Task[EngineView]) -> None:
        if not making.cancelled() and making.exception() is None:
            self.give_back(making.result())

"""What is behind the door: the tables and the views of them, once the engine has any."""

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from livejoin.access.roles import Visitor
from livejoin.model.declaration import Declaration
from livejoin.process.backoff import Backoff
from livejoin.process.recurring import Recurring
from livejoin.process.worker import Worker
from livejoin.serve.door.catalogue import Catalogue, NotServed, Served, Wanted
from livejoin.serve.door.message import Description
from livejoin.serve.door.sight import Filters, Lookout, News
from livejoin.serve.door.views import Views

PATIENCE_SECONDS = 8.0
"""How long whoever asks for a table waits for a server that has just been started."""
NEWS_SECONDS = 1.0
TROUBLE_SECONDS, MOST_TROUBLE_SECONDS = 0.1, 1.0
"""How long everybody waits for news after some could not be read: first, and at the most."""
NO_TABLES = "The table server has no tables yet."


class Inmate(Protocol):
    """Somebody who is in the house, and hears what becomes of it."""

    def refurnished(self, catalogue: Catalogue) -> None:
        """There are other tables, or something else is declared."""


class House:
    """Made with the door, furnished when the engine runs. Lives on the event loop of the door, but for `furnish`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ready = asyncio.Event()
        self._catalogue: Catalogue | None = None
        self._views: Views | None = None
        self._crier: Crier | None = None
        self._inmates: dict[Inmate, None] = {}

    @property
    def views(self) -> Views:
        """The views; there are none before there is a table."""
        if self._views is None:
            raise NotServed(NO_TABLES)
        return self._views

    @property
    def declaration(self) -> Declaration | None:
        """What is declared; None before there is a table."""
        return self._catalogue.declaration if self._catalogue is not None else None

    def furnish(self, lookout: Lookout, filters: Filters, declaration: Declaration, tables: Iterable[Served]) -> None:
        """Serve these tables, and no others any more; may be called by any thread, with the same lookout every time.

        When it returns everybody has been told, and nobody will ask for a table of before.
        """
        done = threading.Event()
        catalogue = Catalogue(filters, declaration, {served.declared.name: served for served in tables})

        def on_loop() -> None:
            try:
                if self._views is None:
                    self._views = Views(lookout)
                    self._crier = Crier(self._loop, lookout, self._views)
                    self._crier.start()
                self._catalogue = catalogue
                self._ready.set()
                for inmate in list(self._inmates):
                    inmate.refurnished(catalogue)
            finally:
                done.set()

        self._loop.call_soon_threadsafe(on_loop)
        done.wait()

    def enter(self, inmate: Inmate) -> None:
        """Somebody comes in, and is told at once what there is, or as soon as there is something. `leave` follows."""
        self._inmates[inmate] = None
        if self._catalogue is not None:
            inmate.refurnished(self._catalogue)

    def leave(self, inmate: Inmate) -> None:
        """Somebody is gone."""
        self._inmates.pop(inmate, None)

    def serves(self, wanted: Wanted) -> bool:
        """Whether what was wanted is still there."""
        return self._catalogue is not None and self._catalogue.serves(wanted)

    async def wanted(self, visitor: Visitor, asked: Description) -> Wanted:
        """What a visitor asks for, checked; raises NotServed or NotThatWay."""
        catalogue = await self._awaited()
        if catalogue is None:
            raise NotServed(f"The table server has no {asked.table} yet.")
        return catalogue.wanted(visitor, asked)

    async def catalogue(self) -> Catalogue:
        """What there is; raises NotServed."""
        catalogue = await self._awaited()
        if catalogue is None:
            raise NotServed(NO_TABLES)
        return catalogue

    async def _awaited(self) -> Catalogue | None:
        """A server that has just been started has no tables: whoever asks waits, instead of asking again and again."""
        if not self._ready.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), PATIENCE_SECONDS)
        return self._catalogue

    def close(self) -> None:
        """Tell no more news."""
        if self._crier is not None:
            self._crier.stop()


class Crier(Worker):
    """Waits for news of the engine and has them told, one moment after the other."""

    def __init__(self, loop: asyncio.AbstractEventLoop, lookout: Lookout, views: Views) -> None:
        super().__init__("news")
        self._loop = loop
        self._lookout = lookout
        self._views = views
        self._told = threading.Event()

    def _run(self) -> None:
        failures, backoff = Recurring("what has changed cannot be read"), Backoff(TROUBLE_SECONDS, MOST_TROUBLE_SECONDS)
        while not self._stop.is_set():
            try:
                moment = list(self._lookout.news(NEWS_SECONDS))
            except Exception as error:  # noqa: BLE001  it is logged
                # What cannot be read once must not end it for everybody.
                failures.unexpected(error)
                self._stop.wait(backoff.next())
                continue
            failures.over()
            backoff.reset()
            if moment:
                # The next moment is read when this one is told: a loop that is busy misses moments, and holds none.
                self._told.clear()
                self._loop.call_soon_threadsafe(self._tell, moment)
                self._told.wait()

    def _tell(self, moment: list[News]) -> None:
        try:
            self._views.spread(moment)
        finally:
            self._told.set()

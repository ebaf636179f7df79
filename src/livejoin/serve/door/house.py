"""What is behind the door: the tables and the views of them, once the engine has any."""

import asyncio
import threading
from collections.abc import Mapping
from contextlib import suppress

import structlog

from livejoin.access import Visitor
from livejoin.serve.door.catalogue import Catalogue, NotServed, Served, Wanted
from livejoin.serve.door.message import Description
from livejoin.serve.door.sight import Filters, Lookout, News
from livejoin.serve.door.views import Views
from livejoin.worker import Worker

PATIENCE_SECONDS = 8.0
"""How long whoever asks for a table waits for a server that has just been started."""
NEWS_SECONDS = 1.0
TROUBLE_SECONDS = 0.1

log = structlog.get_logger()


class House:
    """Made with the door, furnished when the engine runs. Lives on the event loop of the door, but for `furnish`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ready = asyncio.Event()
        self._catalogue: Catalogue | None = None
        self._views: Views | None = None
        self._crier: Crier | None = None

    @property
    def views(self) -> Views:
        """The views; there are none before there is a table."""
        if self._views is None:
            raise NotServed("The table server has no tables yet.")
        return self._views

    def furnish(self, lookout: Lookout, filters: Filters, tables: Mapping[str, Served]) -> None:
        """Serve these tables too; may be called by any thread."""
        done = threading.Event()

        def on_loop() -> None:
            if self._catalogue is None:
                self._catalogue, self._views = Catalogue(filters), Views(lookout)
                self._crier = Crier(self._loop, lookout, self._views)
                self._crier.start()
            self._catalogue.serve(tables)
            self._ready.set()
            done.set()

        self._loop.call_soon_threadsafe(on_loop)
        done.wait()

    async def wanted(self, visitor: Visitor, asked: Description) -> Wanted:
        """What a visitor asks for, checked; raises NotServed or NotThatWay.

        A server that has just been started has no tables: whoever asks then waits, instead of asking again and again.
        """
        if not self._ready.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), PATIENCE_SECONDS)
        if self._catalogue is None:
            raise NotServed(f"The table server has no {asked.table} yet.")
        return self._catalogue.wanted(visitor, asked)

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
        while not self._stop.is_set():
            try:
                moment = list(self._lookout.news(NEWS_SECONDS))
            except Exception:
                # What cannot be read once must not end it for everybody.
                log.exception("what has changed cannot be read")
                self._stop.wait(TROUBLE_SECONDS)
                continue
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

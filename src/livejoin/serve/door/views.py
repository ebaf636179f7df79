"""Views and windows that visitors share: however many look at the same rows, these are read and written once.

Everything here runs on the event loop of the door, but for the opening of views, which the engine may take long for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from livejoin.serve.door.catalogue import Wanted
from livejoin.serve.door.places import Place, Places
from livejoin.serve.door.sight import EngineView, Lookout, News

FAILED = "the view has failed: open it again"
TOO_LARGE = "these rows are too large to be shown at once: look at fewer"

log = structlog.get_logger()


class Subscriber(Protocol):
    """Somebody who looks at a window."""

    def tell(self, look: "Look", change: bytes) -> bool:
        """Take a change; whether there was room for it. Where there was none, all rows are sent later."""

    def moment_over(self) -> None:
        """Everything of this moment was told."""

    def lost(self, look: "Look", reason: str) -> None:
        """The view has failed."""


@dataclass(eq=False, slots=True)
class Look:
    """One visitor's look at a window."""

    subscriber: Subscriber
    view: int
    number: int
    is_behind: bool = True
    """It needs all rows before it can go on with changes."""


@dataclass(eq=False, slots=True)
class Window:
    """Rows that are looked at."""

    id: int
    looks: set[Look] = field(default_factory=set)


@dataclass(eq=False, slots=True)
class SharedView:
    """A view of the engine with everybody who has it open."""

    key: tuple[object, ...]
    engine: EngineView
    searches: int = 0
    holders: int = 0
    windows: dict[tuple[int, int], Window] = field(default_factory=dict)


class Views:
    """All open views. Owned by the door."""

    def __init__(self, lookout: Lookout) -> None:
        self._lookout = lookout
        self._shared: dict[tuple[object, ...], SharedView] = {}
        self._windows: dict[int, tuple[Window, SharedView, tuple[int, int]]] = {}
        self._places = Places()
        self._count = 0
        self._searches = 0

    @property
    def count(self) -> int:
        """How many views the engine has open, those that have failed or were opened twice included."""
        return self._count

    @property
    def searches(self) -> int:
        """How often all of these together look through the texts of a row that changes."""
        return self._searches

    @property
    def rows(self) -> int:
        """How many rows are looked at. Rows that several look at count once."""
        return self._places.rows

    def rows_with(self, place: Place, instead_of: Place | None) -> int:
        """How many rows would be looked at if one look moved there from another place, or came.

        Each of them is read again when its view has changed. Rows that several look at count once.
        """
        return self._places.rows_with(place, instead_of)

    def shared(self, wanted: Wanted) -> SharedView | None:
        """The view that somebody has open already, now with one user more."""
        found = self._shared.get(wanted.key)
        if found is not None:
            found.holders += 1
        return found

    def open(self, wanted: Wanted) -> EngineView:
        """Have the engine open it. Slow: to be called by another thread than that of the loop."""
        return self._lookout.open(wanted.table, wanted.arrangement)

    def copy(self, view: EngineView, newest: int, most: int) -> EngineView:
        """The same for a copy of its last rows at this moment; raises TooLarge where these are more than `most`."""
        return self._lookout.copy(view, newest, most)

    def add(self, key: tuple[object, ...], engine: EngineView, searches: int = 0) -> SharedView:
        """Take in what was opened, for its first user."""
        made = SharedView(key, engine, searches, holders=1)
        # Two may have opened the same at the same time: the later one is shared from now on, both are served.
        self._shared[key] = made
        self._count += 1
        self._searches += searches
        return made

    def release(self, view: SharedView) -> EngineView | None:
        """One user less; returns what has to be closed (slowly) where it was the last."""
        view.holders -= 1
        if view.holders > 0:
            return None
        self._count -= 1
        self._searches -= view.searches
        if self._shared.get(view.key) is view:
            del self._shared[view.key]
        return view.engine

    def look(self, view: SharedView, look: Look, first: int, last: int) -> int:
        """Look at these rows; returns the window, to leave it by."""
        window = view.windows.get((first, last))
        if window is None:
            window = Window(self._lookout.look(view.engine, first, last))
            view.windows[first, last] = window
            self._windows[window.id] = (window, view, (first, last))
        else:
            self._lookout.want_whole(window.id)
        self._places.add((view, first, last))
        window.looks.add(look)
        return window.id

    def leave(self, window_id: int, look: Look) -> None:
        """Look no more."""
        found = self._windows.get(window_id)
        if found is None:
            return
        window, view, place = found
        window.looks.discard(look)
        self._places.remove((view, *place))
        if not window.looks:
            self._lookout.leave(window_id)
            self._drop(window, view, place)

    def want_whole(self, window_id: int) -> None:
        """Somebody is behind and can take all rows now."""
        if window_id in self._windows:
            self._lookout.want_whole(window_id)

    def spread(self, moment: Iterable[News]) -> None:
        """Tell everybody who looks at a window what has changed in it."""
        told: set[Subscriber] = set()
        for news in moment:
            found = self._windows.get(news.window)
            if found is None:
                continue
            if news.is_too_large or news.failure:
                self._lose(*found, _reason(news))
                continue
            for look in found[0].looks:
                change = news.whole if look.is_behind else news.changed
                if change:
                    look.is_behind = not look.subscriber.tell(look, change)
                    told.add(look.subscriber)
        for subscriber in told:
            subscriber.moment_over()

    def _lose(self, window: Window, view: SharedView, place: tuple[int, int], reason: str) -> None:
        self._drop(window, view, place)
        self._places.drop((view, *place))
        if self._shared.get(view.key) is view:
            # Whoever asks again gets another one.
            del self._shared[view.key]
        for look in list(window.looks):
            look.subscriber.lost(look, reason)

    def _drop(self, window: Window, view: SharedView, place: tuple[int, int]) -> None:
        del self._windows[window.id], view.windows[place]


def _reason(news: News) -> str:
    """Why there will be no more, in words for a stranger. What the engine says of it is for the log."""
    if news.is_too_large:
        return TOO_LARGE
    log.error("a view has failed", engine=news.failure)
    return FAILED

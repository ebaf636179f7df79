"""What one visitor says over a WebSocket, what is answered, and in which order.

It knows messages and views, and neither the web framework nor the engine.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

import orjson
import structlog

from livejoin.access.roles import Visitor
from livejoin.serve.door.catalogue import Catalogue, NotServed, Wanted
from livejoin.serve.door.condition import NotThatWay
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import Occupancy, TooMuch
from livejoin.serve.door.message import BadMessage, Close, Copy, Login, Look, Message, Open, Ping
from livejoin.serve.door.sight import EngineView, TooLarge
from livejoin.serve.door.views import Look as WindowLook
from livejoin.serve.door.views import SharedView

BACKLOG = 8
"""Messages that wait to be sent before a visitor counts as slow."""
BACKLOG_BYTES = 4_000_000
"""The same in bytes. A moment that is larger goes out where nothing waits."""
EVERYTHING = 2**62
COPY_SECONDS = 900.0
"""How long a copy is kept for somebody who does not close it."""
REFURNISHED = "the table has changed with what is declared: open it again"

log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class Watched:
    """A view that this visitor has open."""

    view: SharedView
    wanted: Wanted | None
    """None for a copy, which needs no table any more."""
    look: WindowLook | None = None
    window: int = 0
    rows: int = 0
    """That are looked at."""

    @property
    def is_copy(self) -> bool:
        """Whether it is of a moment that was."""
        return self.wanted is None


class Conversation:
    """Follows one visitor who has been let in. Who makes it calls `begin`, and `close` when the socket is gone."""

    def __init__(self, visitor: Visitor, house: House, occupancy: Occupancy, executor: Executor) -> None:
        self._visitor = visitor
        self._house = house
        self._occupancy = occupancy
        self._executor = executor
        self._watched: dict[int, Watched] = {}
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._changes: list[bytes] = []
        self._behind: set[int] = set()
        self._declared: dict[str, Any] = {}
        self._has_something = asyncio.Event()

    def begin(self) -> None:
        """Hear what is declared, first of all where that is known already."""
        self._house.enter(self)

    def refurnished(self, catalogue: Catalogue) -> None:
        """Tell what is declared, where it is something else, and then of each view whose table is another one now.

        A copy goes on: it is of a moment that was.
        """
        declared = catalogue.declared(self._visitor)
        if declared != self._declared:
            self._declared = declared
            self._say({"is": "declared", "declaration": declared})
        for number, watched in list(self._watched.items()):
            if watched.wanted is not None and not catalogue.serves(watched.wanted):
                self._give_up(number, REFURNISHED)

    def take(self, message: Message) -> None:
        """Do what a message asks for; raises BadMessage."""
        match message:
            case Ping():
                self._say({"is": "pong", "id": message.id})
            case Look():
                self._look(message)
            case Close():
                self._forget(message.view)
            case Open() | Copy():
                self._begin(message)
            case Login():
                raise BadMessage("one login is enough")

    async def frames(self) -> list[bytes]:
        """Wait for what has to be sent, and return it in order."""
        await self._has_something.wait()
        return self.waiting()

    def waiting(self) -> list[bytes]:
        """What has to be sent at this moment, in order."""
        self._has_something.clear()
        frames, self._outbox, self._outbox_bytes = self._outbox, [], 0
        return frames

    def sent(self) -> None:
        """The frames are out: whoever missed something meanwhile may have it now."""
        if not self._is_slow:
            for window in self._behind:
                self._house.views.want_whole(window)
            self._behind.clear()

    def tell(self, look: WindowLook, change: bytes) -> bool:
        """Take a change of a window, if there is room."""
        if self._is_slow:
            self._behind.add(self._watched[look.view].window)
            return False
        self._changes.append(b'{"view":%d,"look":%d,' % (look.view, look.number) + change)
        return True

    def moment_over(self) -> None:
        """What was told since the last time is of one moment."""
        if self._changes:
            self._put(b'{"is":"rows","changes":[' + b",".join(self._changes) + b"]}")
            self._changes.clear()

    def lost(self, look: WindowLook, reason: str) -> None:
        """A view has failed under the visitor."""
        self._give_up(look.view, reason)

    def close(self) -> None:
        """Give everything back."""
        self._house.leave(self)
        for number in [*self._opening, *self._watched]:
            self._forget(number)

    def _begin(self, asked: Open | Copy) -> None:
        if asked.view in self._watched or asked.view in self._opening:
            raise BadMessage(f"view {asked.view} is open already")
        self._opening[asked.view] = asyncio.get_running_loop().create_task(self._open(asked))

    async def _open(self, asked: Open | Copy) -> None:
        try:
            self._check_room()
            wanted = await self._house.wanted(self._visitor, asked)
            watched = await (self._copy(asked, wanted) if isinstance(asked, Copy) else self._shared(wanted))
        except (NotServed, NotThatWay, TooMuch) as problem:
            self._fail_to_open(asked.view, str(problem))
            return
        except Exception:
            log.exception("a view cannot be described to the engine", table=asked.table)
            self._fail_to_open(asked.view, f"{asked.table} cannot be shown so.")
            return
        if not self._is_awaited(asked.view):
            # Closed in the very moment in which it was made: a task that has its answer cannot always be cancelled.
            self._release(watched)
            return
        if watched.wanted is not None and not self._house.serves(wanted):
            self._release(watched)
            self._fail_to_open(asked.view, REFURNISHED)
            return
        del self._opening[asked.view]
        self._watched[asked.view] = watched
        self._say({"is": "opened", "view": asked.view, "columns": wanted.columns})

    def _check_room(self) -> None:
        if len(self._watched) + len(self._opening) > self._occupancy.limits.views:
            raise self._occupancy.too_much("views", "too many views are open in one connection")

    async def _shared(self, wanted: Wanted) -> Watched:
        name = self._visitor.name
        self._occupancy.begin_view(name, wanted.key, wanted.searches)
        try:
            view = self._house.views.shared(wanted) or await self._opened(wanted)
        except BaseException:
            self._occupancy.end_view(name, wanted.key, wanted.searches)
            raise
        return Watched(view, wanted)

    async def _opened(self, wanted: Wanted) -> SharedView:
        views = self._house.views
        self._occupancy.begin_open(views.count, views.searches, wanted.searches)
        try:
            made = await self._from_engine(wanted, lambda: views.open(wanted))
            return views.add(wanted.key, made, wanted.searches)
        finally:
            self._occupancy.end_open(wanted.searches)

    async def _copy(self, asked: Copy, wanted: Wanted) -> Watched:
        if not self._visitor.rights.may_export:
            raise self._occupancy.too_much("exports", "this key may look, and not export")
        self._occupancy.begin_copy(self._visitor.name)
        most = self._occupancy.limits.copied_rows
        try:
            made = await self._from_engine(wanted, lambda: self._house.views.copy(wanted, newest=EVERYTHING, most=most))
        except TooLarge:
            self._occupancy.end_copy(self._visitor.name)
            raise NotThatWay(f"{asked.table} has more than {most} rows, too many for a copy: filter them.") from None
        except BaseException:
            self._occupancy.end_copy(self._visitor.name)
            raise
        watched = Watched(self._house.views.add((object(),), made), None)
        asyncio.get_running_loop().call_later(COPY_SECONDS, self._expire, asked.view, watched)
        return watched

    def _expire(self, number: int, copy: Watched) -> None:
        """Somebody who never gives a copy back must not keep others from making one."""
        if self._watched.get(number) is copy:
            self._give_up(number, "the copy was kept for too long")

    async def _from_engine(self, wanted: Wanted, make: Callable[[], EngineView]) -> EngineView:
        """Have a slow thing done elsewhere; what comes when nobody waits any more is closed."""
        doing = self._executor.submit(make)
        try:
            return await asyncio.wrap_future(doing)
        except asyncio.CancelledError:
            close_late(doing)
            raise
        except TooLarge:
            raise
        except Exception as problem:
            if not self._house.serves(wanted):
                # The engine has let go of the table meanwhile.
                raise NotThatWay(REFURNISHED) from None
            # What the engine says of it is for the log and not for a stranger.
            log.exception("a view cannot be opened", table=wanted.name)
            raise NotThatWay(f"{wanted.name} cannot be shown so.") from problem

    def _look(self, asked: Look) -> None:
        watched = self._watched.get(asked.view)
        if watched is None:
            # It may also have been lost while this was on its way; then this is said a second time.
            self._give_up(asked.view, f"view {asked.view} is not open: look at it when it is opened")
            return
        rows = asked.last - asked.first + 1
        try:
            own = sum(one.rows for one in self._watched.values()) - watched.rows + rows
            together = self._house.views.rows_with(watched.view, asked.first, asked.last, instead_of=watched.window)
            self._occupancy.check_rows(own, together)
        except TooMuch as problem:
            self._give_up(asked.view, str(problem))
            return
        look = WindowLook(self, asked.view, asked.look)
        window = self._house.views.look(watched.view, look, asked.first, asked.last)
        if watched.look is not None:
            self._house.views.leave(watched.window, watched.look)
        watched.look, watched.window, watched.rows = look, window, rows

    def _give_up(self, number: int, reason: str) -> None:
        self._forget(number)
        self._fail(number, reason)

    def _forget(self, number: int) -> None:
        opening = self._opening.pop(number, None)
        if opening is not None:
            opening.cancel()
        watched = self._watched.pop(number, None)
        if watched is not None:
            self._release(watched)

    def _release(self, watched: Watched) -> None:
        if watched.look is not None:
            self._house.views.leave(watched.window, watched.look)
        if watched.is_copy:
            self._occupancy.end_copy(self._visitor.name)
        else:
            self._occupancy.end_view(self._visitor.name, watched.view.key, watched.view.searches)
        done_with = self._house.views.release(watched.view)
        if done_with is not None:
            self._executor.submit(done_with.close)

    def _is_awaited(self, view: int) -> bool:
        """Whether the task that asks is the one that opens this view."""
        return self._opening.get(view) is asyncio.current_task()

    def _fail_to_open(self, view: int, reason: str) -> None:
        if self._is_awaited(view):
            del self._opening[view]
            self._fail(view, reason)

    def _fail(self, view: int, reason: str) -> None:
        self._say({"is": "failed", "view": view, "reason": reason})

    def _say(self, message: dict[str, Any]) -> None:
        self._put(orjson.dumps(message))

    def _put(self, frame: bytes) -> None:
        self._outbox.append(frame)
        self._outbox_bytes += len(frame)
        self._has_something.set()

    @property
    def _is_slow(self) -> bool:
        """The same for all of one moment: nothing is put out in the middle of it."""
        return len(self._outbox) >= BACKLOG or self._outbox_bytes >= BACKLOG_BYTES


def close_late(opening: Future[EngineView]) -> None:
    """Close what comes, if anything does, when nobody waits for it any more."""

    def close(done: Future[EngineView]) -> None:
        if not done.cancelled() and done.exception() is None:
            done.result().close()

    opening.add_done_callback(close)

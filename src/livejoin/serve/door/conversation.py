"""What one visitor says over a WebSocket, what is answered, and in which order.

It knows messages and views, and neither the web framework nor the engine.
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import orjson
import structlog

from livejoin.access.roles import Visitor
from livejoin.serve.door.catalogue import Catalogue, Wanted
from livejoin.serve.door.condition import NotThatWay
from livejoin.serve.door.copies import Copies
from livejoin.serve.door.engine_call import made_by
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import Occupancy, TooMuch
from livejoin.serve.door.message import BadMessage, Close, Copy, Login, Look, Message, Open, Ping
from livejoin.serve.door.places import Place, length
from livejoin.serve.door.refusal import Refusal, Refused
from livejoin.serve.door.sight import EngineView
from livejoin.serve.door.views import Look as WindowLook
from livejoin.serve.door.views import SharedView

BACKLOG = 8
"""Messages that wait to be sent before a visitor counts as slow."""
BACKLOG_BYTES = 4_000_000
"""The same in bytes. A moment that is larger goes out where nothing waits."""
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
    place: Place | None = None
    """Where it is looked."""

    @property
    def rows(self) -> int:
        """How many are looked at."""
        return length(self.place) if self.place is not None else 0

    @property
    def is_copy(self) -> bool:
        """Whether it is of a moment that was."""
        return self.wanted is None


class _Refurnished(Exception):
    """The engine has let go of the table meanwhile."""


class Conversation:
    """Follows one visitor who has been let in. Who makes it calls `begin`, and `close` when the socket is gone."""

    def __init__(self, visitor: Visitor, house: House, occupancy: Occupancy, executor: Executor) -> None:
        self._visitor = visitor
        self._house = house
        self._occupancy = occupancy
        self._executor = executor
        self._copies = Copies(visitor.name, occupancy, executor)
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
            watched = await (self._copy(asked.view, wanted) if isinstance(asked, Copy) else self._shared(wanted))
        except Refused as problem:
            self._occupancy.refused[problem.kind] += 1
            self._fail_to_open(asked.view, str(problem))
            return
        except (TooMuch, _Refurnished) as problem:
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
        if not self._house.serves(wanted):
            # Of a copy, too: while it was made the engine let go of the table, and may have taken its rows away.
            self._release(watched)
            self._fail_to_open(asked.view, REFURNISHED)
            return
        del self._opening[asked.view]
        self._watched[asked.view] = watched
        self._say({"is": "opened", "view": asked.view, "columns": wanted.columns})

    def _check_room(self) -> None:
        if len(self._watched) + len(self._opening) > self._occupancy.limits.views:
            raise self._occupancy.too_much(Refusal.VIEWS, "too many views are open in one connection")

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
            turns = self._occupancy.engine_calls(self._visitor.name)
            made = await self._made(wanted, made_by(self._executor, turns, lambda: views.open(wanted)))
            return views.add(wanted.key, made, wanted.searches)
        finally:
            self._occupancy.end_open(wanted.searches)

    async def _copy(self, number: int, wanted: Wanted) -> Watched:
        if not self._visitor.rights.may_export:
            raise self._occupancy.too_much(Refusal.EXPORTS, "this key may look, and not export")
        views = self._house.views
        copy = await self._made(wanted, self._copies.copy(views, wanted))
        watched = Watched(views.add((object(),), copy), None)
        asyncio.get_running_loop().call_later(COPY_SECONDS, self._expire, number, watched)
        return watched

    def _expire(self, number: int, copy: Watched) -> None:
        """Somebody who never gives a copy back must not keep others from making one."""
        if self._watched.get(number) is copy:
            self._give_up(number, "the copy was kept for too long")

    async def _made(self, wanted: Wanted, making: Awaitable[EngineView]) -> EngineView:
        """What the engine makes, or why it does not, in words for a stranger."""
        try:
            return await making
        except (Refused, TooMuch):
            raise
        except Exception as problem:
            if not self._house.serves(wanted):
                raise _Refurnished(REFURNISHED) from None
            # What the engine says of it is for the log and not for a stranger.
            log.exception("a view cannot be opened", table=wanted.name)
            raise NotThatWay(f"{wanted.name} cannot be shown so.") from problem

    def _look(self, asked: Look) -> None:
        watched = self._watched.get(asked.view)
        if watched is None:
            # It may also have been lost while this was on its way; then this is said a second time.
            self._give_up(asked.view, f"view {asked.view} is not open: look at it when it is opened")
            return
        place = (watched.view, asked.first, asked.last)
        try:
            own = sum(one.rows for one in self._watched.values()) - watched.rows + length(place)
            self._occupancy.check_rows(own, self._house.views.rows_with(place, watched.place))
            self._occupancy.move_look(self._visitor.name, place, watched.place)
        except TooMuch as problem:
            self._give_up(asked.view, str(problem))
            return
        look = WindowLook(self, asked.view, asked.look)
        window = self._house.views.look(watched.view, look, asked.first, asked.last)
        if watched.look is not None:
            self._house.views.leave(watched.window, watched.look)
        watched.look, watched.window, watched.place = look, window, place

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
        name = self._visitor.name
        self._occupancy.end_look(name, watched.place)
        if watched.is_copy:
            self._copies.forget(watched.view.engine)
        else:
            self._occupancy.end_view(name, watched.view.key, watched.view.searches)
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

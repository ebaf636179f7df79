"""A house with one table, and visitors in it whose conversations a test can hear."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from livejoin.access.roles import Rights, Role, Visitor
from livejoin.model.column import ColumnType
from livejoin.model.declaration import Declaration, Keep
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, TableColumn
from livejoin.process.worker import begin
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.conversation import Conversation
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import Occupancy
from livejoin.serve.door.message import read_message
from livejoin.serve.door.sight import News
from livejoin.settings.door import LimitSettings
from predicates import Predicates
from tests.door.fake_lookout import FakeLookout

A, N = TableColumn("a", ColumnType.named("string"), "l0"), TableColumn("n", ColumnType.named("long"), "l1")
SERVED = Served(Table("t", (A, N)), "the table")
OTHER = replace(DEFAULT, right=replace(DEFAULT.right, keep=Keep.ALL))
"""Something else that is declared, with the same tables."""
LIMITS = LimitSettings(views=3, different_views=4, copies=1, rows_looked_at=40, different_rows_looked_at=50)


class Scene:
    """A house with one table, and visitors in it."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        self.lookout = FakeLookout()
        self.house = House(asyncio.get_running_loop())
        self.occupancy = Occupancy(LIMITS)
        self._executor = executor

    async def furnish(self, *served: Served, declaration: Declaration = DEFAULT) -> None:
        """Now there are these tables, or the usual one."""
        await asyncio.to_thread(self.house.furnish, self.lookout, Predicates(), declaration, served or [SERVED])

    def visitor(self, **rights: Any) -> "Guest":
        """Somebody comes in."""
        visitor = Visitor("somebody", Role.VIEWER, Rights(**rights))
        guest = Guest(Conversation(visitor, self.house, self.occupancy, self._executor))
        guest.conversation.begin()
        return guest

    def tell(self, *news: News) -> None:
        """One moment."""
        self.house.views.spread(news)


class Guest:
    """A conversation, from outside."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self._heard: list[Any] = []
        self.declared: list[Any] = []
        """Everything that was told to be declared."""

    def say(self, **message: Any) -> None:
        """Say something."""
        self.conversation.take(read_message(json.dumps(message)))

    async def hear(self) -> Any:
        """The next message, but for what is declared."""
        while not self._heard:
            frames = await asyncio.wait_for(self.conversation.frames(), 5)
            self._heard += [json.loads(frame) for frame in frames]
            self.conversation.sent()
        found = self._heard.pop(0)
        if found["is"] == "declared":
            self.declared.append(found["declaration"])
            return await self.hear()
        return found

    async def open(self, view: int, *, last: int = 9, **asked: Any) -> None:
        """Open a view and look at it."""
        self.say(do="open", view=view, table="t", **asked)
        opened = await self.hear()
        assert (opened["is"], opened["view"]) == ("opened", view), opened
        self.say(do="look", view=view, look=1, first=0, last=last)


@asynccontextmanager
async def scene(*, is_furnished: bool = True) -> AsyncIterator[Scene]:
    """A scene that is cleared afterwards."""
    with ThreadPoolExecutor(2) as executor:
        made = Scene(executor)
        if is_furnished:
            await made.furnish()
        yield made
        await asyncio.to_thread(made.house.close)


def played(play: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that is a coroutine."""

    def run() -> None:
        # In a thread of its own: that of the tests may have an event loop already, that of the browser.
        begin(lambda: asyncio.run(play())).result(60)

    run.__name__, run.__doc__ = play.__name__, play.__doc__
    return run


def news(window: int, changed: str = "", whole: str = "") -> News:
    """What a window tells, of generation 1."""
    head = '"generation":1,"size":1,"first":0'
    return News(
        window,
        f'{head},"at":[0],"rows":[["{changed}"]]}}'.encode() if changed else b"",
        f'{head},"rows":[["{whole}"]]}}'.encode() if whole else b"",
    )

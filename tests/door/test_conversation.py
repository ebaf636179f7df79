"""What one visitor is told, in which order, and what is given back when he leaves."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from livejoin.access.roles import Rights, Role, Visitor
from livejoin.model.column import ColumnType
from livejoin.model.declaration import Declaration, Keep
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Table, TableColumn
from livejoin.process.worker import begin
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.conversation import BACKLOG, Conversation
from livejoin.serve.door.copies import GROWTH
from livejoin.serve.door.house import House
from livejoin.serve.door.limits import LARGE_COPY, Occupancy
from livejoin.serve.door.message import BadMessage, read_message
from livejoin.serve.door.sight import Arrangement, EngineView, News
from livejoin.settings.door import LimitSettings
from predicates import Predicates
from tests.door.fake_lookout import FakeLookout, FakeView

A, N = TableColumn("a", ColumnType.named("string"), "l0"), TableColumn("n", ColumnType.named("long"), "l1")
SERVED = Served(Table("t", (A, N)), "the table")
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


@played
async def test_a_change_comes_after_all_rows_and_everything_of_a_moment_in_one_message() -> None:
    """Who has not had all rows yet hears of no change."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        await guest.open(2, search="x")
        stage.tell(news(1, changed="early"), news(2, whole="b"))
        stage.tell(news(1, whole="a"))
        stage.tell(news(1, changed="c"), news(2, changed="d"))
        heard = [[(c["view"], c["rows"][0][0]) for c in (await guest.hear())["changes"]] for _ in range(3)]
        assert heard == [[(2, "b")], [(1, "a")], [(1, "c"), (2, "d")]]


@played
async def test_the_same_view_and_window_are_one_for_the_engine() -> None:
    """However many look; the last one who leaves ends it."""
    async with scene() as stage:
        guests = [stage.visitor() for _ in range(5)]
        for guest in guests:
            await guest.open(7, sort=[{"column": "n", "direction": "descending"}])
        assert (len(stage.lookout.opened), len(stage.lookout.windows)) == (1, 1)
        assert stage.lookout.wholes == [1] * 4
        for guest in guests[:-1]:
            guest.conversation.close()
        assert not stage.lookout.opened[0].is_closed
        stage.tell(news(1, whole="a"))
        assert (await guests[-1].hear())["changes"][0]["rows"] == [["a"]]
        guests[-1].say(do="close", view=7)
        assert stage.lookout.windows == {}
        assert stage.house.views.count == 0


@played
async def test_who_reads_too_slowly_misses_moments_and_gets_all_rows_later() -> None:
    """What waits for him is bounded, and what he hears next is whole."""
    async with scene() as stage:
        slow, quick = stage.visitor(), stage.visitor()
        await slow.open(1)
        await quick.open(1)
        stage.tell(news(1, whole="0"))
        heard = [await quick.hear()]
        for turn in range(1, 40):
            stage.tell(news(1, changed=str(turn)))
            heard.append(await quick.hear())
        assert len(heard) == 40
        stage.lookout.wholes.clear()
        told = [await slow.hear() for _ in range(BACKLOG)]
        assert [message["changes"][0]["rows"][0][0] for message in told] == [str(n) for n in range(BACKLOG)]
        assert stage.lookout.wholes == [1]
        stage.tell(news(1, changed="41", whole="everything"))
        assert (await slow.hear())["changes"][0]["rows"] == [["everything"]]
        assert (await quick.hear())["changes"][0]["rows"] == [["41"]]


@played
async def test_who_comes_before_the_tables_waits_for_them() -> None:
    """A page that comes back after a restart need not ask again and again."""
    async with scene(is_furnished=False) as stage:
        guest = stage.visitor()
        guest.say(do="open", view=1, table="t")
        guest.say(do="ping", id=5)
        assert (await guest.hear())["is"] == "pong"
        await stage.furnish()
        assert (await guest.hear())["is"] == "opened"
        guest.say(do="open", view=2, table="unknown")
        assert "has no unknown yet" in (await guest.hear())["reason"]


@played
async def test_a_view_that_fails_is_told_to_all_and_can_be_opened_again() -> None:
    """Its number is free, and the next one who asks gets another one of the engine's.

    What the engine says of it is in the log, and not for a stranger.
    """
    async with scene() as stage:
        guests = [stage.visitor() for _ in range(2)]
        for guest in guests:
            await guest.open(1)
        with capture_logs() as logged:
            stage.tell(News(1, failure="java.lang.ClassCastException: of the engine"))
        for guest in guests:
            assert await guest.hear() == {"is": "failed", "view": 1, "reason": "the view has failed: open it again"}
        assert [line["engine"] for line in logged] == ["java.lang.ClassCastException: of the engine"]
        await guests[0].open(1)
        assert len(stage.lookout.opened) == 2


@played
async def test_a_look_at_what_is_not_open_is_refused() -> None:
    """Where it was never opened, is no longer, or is still being opened; that one is given up."""
    async with scene() as stage:
        guest = stage.visitor()
        refusal = {"is": "failed", "view": 1, "reason": "view 1 is not open: look at it when it is opened"}
        guest.say(do="look", view=1, look=1, first=0, last=9)
        assert await guest.hear() == refusal
        guest.say(do="open", view=1, table="t")
        guest.say(do="look", view=1, look=1, first=0, last=9)
        assert await guest.hear() == refusal
        await guest.open(1)
        guest.say(do="close", view=1)
        guest.say(do="look", view=1, look=2, first=0, last=9)
        assert await guest.hear() == refusal
        assert (stage.lookout.windows, stage.house.views.count) == ({}, 0)


@played
async def test_rows_of_all_are_bounded_and_those_that_several_look_at_count_once() -> None:
    """Who would look at too many fails; who looks at what others look at already, or gives up as many, does not."""
    async with scene() as stage:
        one, other, third = (stage.visitor() for _ in range(3))
        await one.open(1, last=29)
        await other.open(1, last=29)
        await other.open(2, search="x", last=9)
        await third.open(1, last=29)
        await third.open(2, last=9)
        # 30, 10 and 10 are looked at; the first 30 by three of them, so who goes on gives nothing back.
        third.say(do="look", view=1, look=2, first=30, last=59)
        assert "too many different rows" in (await third.hear())["reason"]
        await third.open(1, last=29)
        third.say(do="look", view=2, look=2, first=100, last=109)
        one.conversation.close()
        other.say(do="close", view=1)
        third.say(do="look", view=1, look=2, first=30, last=59)
        third.say(do="ping", id=1)
        assert (await third.hear())["is"] == "pong"
        looked_at = sorted((first, last) for _, first, last in stage.lookout.windows.values())
        assert looked_at == [(0, 9), (30, 59), (100, 109)]
        assert stage.occupancy.refused == {"rows": 1}


@played
async def test_news_that_cannot_be_read_end_nothing() -> None:
    """What comes after them is told; in the log they are one trouble, which begins and is over."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        with capture_logs() as logged:
            choked = [RuntimeError("the engine has choked") for _ in range(3)]
            stage.lookout.next_news += [*choked, [news(1, whole="a")]]
            assert (await guest.hear())["changes"][0]["rows"] == [["a"]]
        begun, over = logged
        assert (begun["exc_info"], over["times"]) == (choked[0], 3)


@played
async def test_another_look_takes_the_place_of_the_one_before() -> None:
    """Changes carry its number, and the old window is left."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        guest.say(do="look", view=1, look=2, first=10, last=19)
        assert [(first, last) for _, first, last in stage.lookout.windows.values()] == [(10, 19)]
        stage.tell(news(1, whole="old"), news(2, whole="new"))
        [change] = (await guest.hear())["changes"]
        assert (change["look"], change["rows"]) == (2, [["new"]])


@played
async def test_too_many_views_and_copies_are_refused_and_counted() -> None:
    """Those that are open stay, and who gives one back may open another."""
    async with scene() as stage:
        guest, other = stage.visitor(), stage.visitor()
        for number in range(3):
            await guest.open(number, search=str(number))
        guest.say(do="open", view=3, table="t")
        assert "too many views" in (await guest.hear())["reason"]
        guest.say(do="close", view=0)
        await guest.open(3, search="3")
        await other.open(1, search="4")
        other.say(do="open", view=2, table="t", search="5")
        assert "too many different views" in (await other.hear())["reason"]
        other.say(do="copy", view=4, table="t")
        assert (await other.hear())["is"] == "opened"
        other.say(do="copy", view=5, table="t")
        assert "too many copies" in (await other.hear())["reason"]
        other.say(do="close", view=4)
        other.say(do="copy", view=5, table="t")
        assert (await other.hear())["is"] == "opened"
        assert stage.occupancy.refused == {"views": 2, "copies": 1}


@played
async def test_what_is_not_there_or_does_not_fit_is_refused_and_counted() -> None:
    """By what was asked for; a table that has become another one meanwhile is nobody's mistake."""
    async with scene() as stage:
        guest = stage.visitor()
        condition = {"is": "equal", "to": 1}
        asked: list[dict[str, Any]] = [
            {"do": "open", "table": "elsewhere"},
            {"do": "open", "table": "t", "columns": ["unknown"]},
            {"do": "open", "table": "t", "filter": [{"column": "unknown", **condition}]},
            {"do": "open", "table": "t", "filter": [{"column": "a", **condition}]},
            {"do": "copy", "table": "t", "columns": ["unknown"]},
        ]
        for number, message in enumerate(asked):
            guest.say(view=number, **message)
            assert (await guest.hear())["is"] == "failed"
        assert stage.occupancy.refused == {"tables": 1, "questions": 4}
        await guest.open(1)
        await stage.furnish(Served(Table("t", (N,)), "another"), declaration=OTHER)
        assert (await guest.hear())["is"] == "failed"
        assert stage.occupancy.refused.total() == 5


@played
async def test_rows_of_copies_are_bounded_and_those_that_nobody_waits_for_count_until_they_are_made() -> None:
    """Who asks for a large copy and closes it, again and again, has one of them made at a time."""
    async with scene() as stage:
        guest, gate, begun = stage.visitor(), threading.Event(), threading.Event()
        make, rows = stage.lookout.copy, LARGE_COPY + 1

        def open_large(table: Any, wanted: Arrangement) -> FakeView:
            stage.lookout.opened.append(FakeView(table, wanted, size=rows))
            return stage.lookout.opened[-1]

        def slowly(view: EngineView, newest: int, most: int) -> FakeView:
            begun.set()
            gate.wait(5)
            assert most - rows == GROWTH
            return make(view, newest, most)

        stage.lookout.open = open_large  # type: ignore[method-assign]
        stage.lookout.copy = slowly  # type: ignore[method-assign]
        stage.occupancy.limits = LIMITS.model_copy(update={"copies": 2, "copied_rows": 2 * rows})
        guest.say(do="copy", view=1, table="t")
        await asyncio.to_thread(begun.wait, 5)
        guest.say(do="close", view=1)
        guest.say(do="copy", view=2, table="t")
        assert "another large copy" in (await guest.hear())["reason"]
        gate.set()
        while (await _answer_to_copy(guest, 3))["is"] == "failed":
            await asyncio.to_thread(lambda: None)
        assert (await _answer_to_copy(guest, 4))["is"] == "opened"
        guest.say(do="close", view=4)
        stage.occupancy.limits = LIMITS.model_copy(update={"copies": 2, "copied_rows": 2 * rows - 1})
        assert "too many rows already" in (await _answer_to_copy(guest, 5))["reason"]
        rows *= 2
        assert "at most" in (await _answer_to_copy(guest, 6))["reason"]
        rows //= 2
        guest.say(do="close", view=3)
        assert (await _answer_to_copy(guest, 7))["is"] == "opened"
        guest.conversation.close()
    assert [view.is_closed for view in stage.lookout.opened] == [True] * len(stage.lookout.opened)


async def _answer_to_copy(guest: Guest, view: int) -> Any:
    guest.say(do="copy", view=view, table="t")
    return await guest.hear()


@played
async def test_different_rows_are_bounded_for_each_key() -> None:
    """Over all of its connections; what fails with it, or is left, is given back."""
    async with scene() as stage:
        few = {"different_rows_looked_at_per_key": 30, "different_rows_looked_at": 100}
        stage.occupancy.limits = LIMITS.model_copy(update=few)
        one, other = stage.visitor(), stage.visitor()
        await one.open(1, last=19)
        await other.open(1, last=19)
        await other.open(2, search="x", last=9)
        one.say(do="look", view=1, look=2, first=0, last=20)
        assert "with this key" in (await one.hear())["reason"]
        await one.open(1, search="x", last=9)
        other.conversation.close()
        one.say(do="look", view=1, look=2, first=0, last=29)
        stage.tell(news(max(stage.lookout.windows), whole="a"))
        assert (await one.hear())["changes"][0]["look"] == 2
        stage.tell(News(max(stage.lookout.windows), failure="of the engine"))
        assert (await one.hear())["is"] == "failed"
        await one.open(1, last=29)
        assert stage.occupancy.refused == {"rows": 1}


@played
async def test_leaving_gives_everything_back_also_what_is_being_opened() -> None:
    """Nothing of a visitor stays in the engine."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        guest.say(do="copy", view=2, table="t")
        assert (await guest.hear())["is"] == "opened"
        guest.say(do="open", view=3, table="t", search="x")
        guest.conversation.close()
        await asyncio.sleep(0)
        assert stage.lookout.windows == {}
        assert stage.house.views.count == 0
        stage.occupancy.begin_copy("somebody")
    assert [view.is_closed for view in stage.lookout.opened] == [True] * len(stage.lookout.opened)


@played
async def test_a_number_that_is_in_use_and_a_second_login_end_the_conversation() -> None:
    """A client that does so is not one of ours."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        for message in ({"do": "open", "view": 1, "table": "t"}, {"do": "login", "key": "k"}):
            with pytest.raises(BadMessage):
                guest.say(**message)


@played
async def test_a_hidden_column_does_not_exist() -> None:
    """For the one from whom it is hidden; views with and without it are not shared."""
    async with scene() as stage:
        guest, other = stage.visitor(hidden=frozenset({"n"})), stage.visitor()
        guest.say(do="open", view=1, table="t")
        assert [column["name"] for column in (await guest.hear())["columns"]] == ["a"]
        await other.open(1)
        assert [view.wanted.columns for view in stage.lookout.opened] == [(A,), (A, N)]


OTHER = replace(DEFAULT, right=replace(DEFAULT.right, keep=Keep.ALL))


@played
async def test_what_is_declared_comes_first_and_again_when_it_is_something_else() -> None:
    """Who comes before the tables hears of it with them; nobody hears the same twice."""
    async with scene(is_furnished=False) as stage:
        early = stage.visitor()
        early.say(do="ping", id=1)
        assert (await early.hear(), early.declared) == ({"is": "pong", "id": 1}, [])
        await stage.furnish()
        late = stage.visitor()
        for guest in (early, late):
            guest.say(do="ping", id=2)
            assert (await guest.hear())["is"] == "pong"
            assert [declared["right"]["keep"] for declared in guest.declared] == ["latest"]
        await early.open(1)
        await stage.furnish()
        await stage.furnish(declaration=OTHER)
        # The table is the same, so the view goes on.
        stage.tell(news(1, whole="a"))
        assert (await early.hear())["changes"][0]["rows"] == [["a"]]
        assert [declared["right"]["keep"] for declared in early.declared] == ["latest", "all"]


@played
async def test_views_of_tables_that_are_no_more_end_and_can_be_opened_again() -> None:
    """With other columns, under the same name. A copy goes on, and so does what is of a table that stays."""
    stays = Served(Table("stays", (A,)), "another table")
    async with scene(is_furnished=False) as stage:
        await stage.furnish(SERVED, stays)
        guest = stage.visitor()
        await guest.open(1)
        guest.say(do="open", view=2, table="stays")
        guest.say(do="copy", view=3, table="t")
        assert [(await guest.hear())["view"] for _ in range(2)] == [2, 3]
        await stage.furnish(Served(Table("t", (N,)), "the table of the same name"), stays, declaration=OTHER)
        failed = await guest.hear()
        assert (failed["is"], failed["view"], len(guest.declared)) == ("failed", 1, 2)
        assert stage.house.views.count == 2
        guest.say(do="open", view=1, table="t")
        assert (await guest.hear())["columns"] == [{"name": "n", "type": "integer"}]
        guest.say(do="ping", id=1)
        assert (await guest.hear())["is"] == "pong"
        assert [view.table for view in stage.lookout.opened if not view.is_closed][-1] == "the table of the same name"


@pytest.mark.parametrize("do", ["open", "copy"])
def test_what_is_being_made_of_a_table_when_that_goes_is_told_to_have_ended(do: str) -> None:
    """What the engine has made of it, perhaps without some rows already, is given back."""

    @played
    async def play() -> None:
        async with scene() as stage:
            guest, gate = stage.visitor(), threading.Event()
            opened = stage.lookout.open

            def slowly(table: Any, wanted: Arrangement) -> FakeView:
                gate.wait(5)
                return opened(table, wanted)

            stage.lookout.open = slowly  # type: ignore[method-assign]
            guest.say(do=do, view=1, table="t")
            guest.say(do="ping", id=1)
            assert (await guest.hear())["is"] == "pong"
            await stage.furnish(Served(Table("t", (N,)), "another"), declaration=OTHER)
            gate.set()
            failed = await guest.hear()
            assert (failed["is"], failed["view"]) == ("failed", 1)
            assert stage.house.views.count == 0

    play()


@played
async def test_names_that_are_hidden_are_not_told_in_what_is_declared() -> None:
    """Neither by which columns is joined."""
    async with scene() as stage:
        guest = stage.visitor(hidden=frozenset({"userId"}))
        guest.say(do="ping", id=1)
        assert (await guest.hear())["is"] == "pong"
        assert guest.declared[0]["on"] == []
        assert "userId" not in str(guest.declared)

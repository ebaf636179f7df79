"""What one visitor is told, in which order, and what is given back when he leaves."""

import asyncio
import threading
from typing import Any

import pytest
from structlog.testing import capture_logs

from livejoin.model.table import Table
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.conversation import BACKLOG
from livejoin.serve.door.sight import Arrangement, News
from tests.door.fake_lookout import FakeView
from tests.door.scene import OTHER, SERVED, A, N, news, played, scene


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
async def test_a_hidden_column_does_not_exist() -> None:
    """For the one from whom it is hidden; views with and without it are not shared."""
    async with scene() as stage:
        guest, other = stage.visitor(hidden=frozenset({"n"})), stage.visitor()
        guest.say(do="open", view=1, table="t")
        assert [column["name"] for column in (await guest.hear())["columns"]] == ["a"]
        await other.open(1)
        assert [view.wanted.columns for view in stage.lookout.opened] == [(A,), (A, N)]


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

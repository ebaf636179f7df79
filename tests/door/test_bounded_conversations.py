"""What one visitor, and all with one key, are refused: in words, counted, and without harm to others."""

import asyncio
import threading
from typing import Any

import pytest

from livejoin.model.table import Table
from livejoin.serve.door.catalogue import Served
from livejoin.serve.door.copies import GROWTH
from livejoin.serve.door.limits import LARGE_COPY
from livejoin.serve.door.message import BadMessage
from livejoin.serve.door.sight import Arrangement, EngineView, News
from tests.door.fake_lookout import FakeView
from tests.door.scene import LIMITS, OTHER, Guest, N, news, played, scene


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
async def test_a_number_that_is_in_use_and_a_second_login_end_the_conversation() -> None:
    """A client that does so is not one of ours."""
    async with scene() as stage:
        guest = stage.visitor()
        await guest.open(1)
        for message in ({"do": "open", "view": 1, "table": "t"}, {"do": "login", "key": "k"}):
            with pytest.raises(BadMessage):
                guest.say(**message)

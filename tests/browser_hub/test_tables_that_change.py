"""A table that comes when the others are long there, and one that comes back with other columns."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from changing_tables import ChangingTables
from livejoin.access.keys import server_key
from tests.browser_hub.stand import Watched, enter


@pytest.fixture(scope="module")
def guest(tables: ChangingTables, browser: Browser, stage: str) -> Iterator[Watched]:
    """The stage with both tables on it, before there is `late`."""
    made = enter(browser, stage, tables.settings.page_url, server_key(tables.settings))
    made.page.evaluate("() => window.stage.tables('early', 'late')")
    yield made
    made.page.close()
    assert not made.complaints, made.complaints


def test_a_table_that_comes_late_alone_is_shown_when_it_comes(tables: ChangingTables, guest: Watched) -> None:
    """The connection and the other tables are live meanwhile; the one that is missing says so, and nobody reloads."""
    early, late = (guest.page.locator(f"lj-live-table[data-table={name}]") for name in ("early", "late"))
    expect(early.locator("[data-column=userId]")).to_have_text("zeroth")
    expect(late.locator(".note")).to_have_text("The table server has no late yet.")
    expect(guest.page.locator("#connection")).to_have_text("live")
    tables.say("come")
    expect(late.locator("[data-column=userId]")).to_have_text("first")
    expect(late.locator("[data-column=age]")).to_have_text("41")
    expect(late.locator(".note")).to_have_attribute("data-state", "live")
    assert len([line for line in guest.lines if "late" in line]) <= 1, guest.lines


def test_a_table_that_fails_is_fetched_again_with_the_columns_that_it_has_then(
    tables: ChangingTables, guest: Watched
) -> None:
    """Heads and rows are those of the table that has the name now, and the other table does not notice."""
    early, late = (guest.page.locator(f"lj-live-table[data-table={name}]") for name in ("early", "late"))
    if not late.get_by_role("gridcell").count():
        tables.say("come")
    expect(late.locator("[data-column=age]")).to_have_text("41")
    before = len(guest.lines)
    tables.say("change")
    expect(late.locator("[data-column=name]")).to_have_text("Ada")
    assert late.get_by_role("columnheader").all_inner_texts() == ["userId", "name", "visits"]
    expect(late.get_by_role("gridcell")).to_have_text(["second", "Ada", "7"])
    expect(late.locator(".note")).to_have_text("1 row")
    expect(early.locator(".note")).to_have_attribute("data-state", "live")
    [line] = guest.lines[before:]
    assert re.match(r"livejoin late: live -> stale", line)


def test_an_engine_that_stands_still_is_noticed(tables: ChangingTables) -> None:
    """The age of its last update cycle grows, which `/healthz` tells of a server; rows move again afterwards."""
    tables.say("stall")

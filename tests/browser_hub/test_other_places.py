"""The page where people write numbers and read clocks in another way: what they see is what they can ask for."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from changing_tables import ChangingTables
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from page_grid import exported, open_menu, panel
from tests.browser_hub.stand import PAGE_MS, Stand

TABLE = "users_ui"


@contextmanager
def opened(tables: ChangingTables, browser: Browser, query: str = "", **place: Any) -> Iterator[Page]:
    """Our page, in a browser of that place."""
    context = browser.new_context(reduced_motion="reduce", viewport=ViewportSize(width=1400, height=900), **place)
    page = context.new_page()
    page.set_default_timeout(PAGE_MS)
    page.goto(f"{tables.settings.page_url}{query}#key={server_key(tables.settings)}")
    expect(panel(page).get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    yield page
    context.close()


@pytest.fixture(scope="module")
def german(tables: ChangingTables, browser: Browser) -> Iterator[Page]:
    """Of somebody for whom a point separates thousands."""
    with opened(tables, browser, locale="de-DE") as page:
        yield page


def test_a_number_is_asked_for_as_it_is_read(german: Page) -> None:
    """A point between thousands is none between a number and its fraction, and a link means the same everywhere."""
    table = panel(german, TABLE)
    expect(table.get_by_test_id("row-count")).to_have_text("10.000")
    field = open_menu(german, "balance", TABLE).get_by_test_id("from-balance")
    field.fill("2.499")
    expect(table.get_by_test_id("count")).to_have_text("4 of 10.000 rows")
    expect(table.get_by_test_id("chip")).to_have_text("balance ≥ 2.499")
    expect(german).to_have_url(re.compile(r"users_ui\.filter=balance%3AgreaterOrEqual%3A2499(&|$)"))
    field.fill("2.499,75")
    expect(table.get_by_test_id("count")).to_have_text("1 of 10.000 rows")
    expect(table.locator('[data-at="0 1"]')).to_have_text("2.499,75")
    expect(german).to_have_url(re.compile(r"%3A2499\.75(&|$)"))
    field.fill("2.5")
    expect(table.get_by_test_id("filter-fault")).to_have_text("This is no number. Write it like -1.234,5.")
    german.keyboard.press("Escape")
    table.get_by_test_id("chip").click()
    expect(field).to_have_value("2.499,75")
    german.keyboard.press("Escape")


def test_times_are_those_of_the_zone_that_is_chosen(tables: ChangingTables, browser: Browser, tmp_path: Path) -> None:
    """Head, cell, hint, filter, clipboard, files and link, which is read in another zone by somebody who is there."""
    with opened(tables, browser, timezone_id="Europe/Berlin", permissions=["clipboard-read"]) as page:
        table = panel(page, TABLE)
        table.get_by_role("button", name="First page").click()
        cell, head = table.locator('[data-at="0 2"]'), table.get_by_role("columnheader", name="at")
        expect(head).to_contain_text("UTC")
        expect(cell).to_have_text("2024-05-17 08:30:00")
        menu = open_menu(page, "at", TABLE)
        expect(menu.get_by_test_id("zone-local")).to_have_text("local time (Europe/Berlin)")
        menu.get_by_test_id("zone-local").click()
        expect(head).to_contain_text("Europe/Berlin")
        expect(cell).to_have_text("2024-05-17 10:30:00")
        expect(cell).to_have_attribute("title", "2024-05-17 10:30:00 Europe/Berlin (UTC+02:00)")
        menu.get_by_test_id("to-at").fill("2024-05-17 10:30:05")
        expect(table.get_by_test_id("row-count")).to_have_text("6")
        expect(table.get_by_test_id("chip")).to_have_text("at ≤ 2024-05-17 10:30:05 Europe/Berlin")
        page.keyboard.press("Escape")
        cell.click()
        page.keyboard.press("Control+c")
        assert page.evaluate("() => navigator.clipboard.readText()") == "2024-05-17T10:30:00+02:00"
        rows = exported(page, tmp_path, TABLE).read_text(encoding="utf-8").splitlines()
        assert rows[1] == "u0,0,2024-05-17T10:30:00+02:00"
        line = json.loads(exported(page, tmp_path, TABLE, "json-lines").read_text(encoding="utf-8").splitlines()[5])
        assert line["at"] == "2024-05-17T10:30:05+02:00"
        query = page.evaluate("() => location.search")
    assert "times=local" in query
    assert "2024-05-17T08%3A30%3A05Z" in query
    with opened(tables, browser, query, timezone_id="America/New_York") as page:
        table = panel(page, TABLE)
        expect(table.get_by_test_id("row-count")).to_have_text("6")
        expect(table.get_by_role("columnheader", name="at")).to_contain_text("America/New_York")
        expect(table.locator('[data-at="5 2"]')).to_have_text("2024-05-17 04:30:05")
        expect(table.get_by_test_id("chip")).to_have_text("at ≤ 2024-05-17 04:30:05 America/New_York")


def test_the_control_log_tells_its_times_in_the_zone_that_is_chosen_there(
    stand: Stand, generations: list[Generation], browser: Browser
) -> None:
    """Also where no table has a column of times, in whose menu it could be chosen."""
    assert generations
    context = browser.new_context(timezone_id="Asia/Tehran")
    page = context.new_page()
    page.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    page.get_by_test_id("open-control").click(timeout=PAGE_MS)
    entry = page.get_by_test_id("control-log").get_by_role("listitem").first
    expect(entry.locator("time")).to_have_attribute("title", "2024-05-17 08:30:00.124 UTC", timeout=PAGE_MS)
    page.get_by_test_id("zone-local").click()
    expect(page).to_have_url(re.compile("times=local"))
    there = "2024-05-17 12:00:00.124 Asia/Tehran (UTC+03:30)"
    expect(entry.locator("time")).to_have_attribute("title", there)
    expect(entry.locator("time")).to_have_attribute("datetime", "2024-05-17T12:00:00.124+03:30")
    entry.get_by_role("button", name="Message").click()
    expect(entry.locator("time").last).to_have_text(there)
    context.close()

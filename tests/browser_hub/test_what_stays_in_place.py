"""Nothing moves under a hand: heads while somebody clicks, menus while somebody types, the focus of whoever acts."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize, WebSocket, WebSocketRoute, expect

from await_that import await_that
from changing_tables import ChangingTables
from livejoin.access.keys import server_key
from page_grid import open_menu, panel
from tests.browser_hub.stand import PAGE_MS

TABLE, BELOW = "users_ui", "accounts_ui"
"""One in the upper half of the window, and one in the lower."""
TOLERANCE = 0.5
"""Pixels that a browser may round away."""


@pytest.fixture
def page(tables: ChangingTables, browser: Browser) -> Iterator[Page]:
    """Our page before tables that stand still."""
    context = browser.new_context(reduced_motion="reduce", viewport=ViewportSize(width=1280, height=800))
    opened = context.new_page()
    opened.set_default_timeout(PAGE_MS)
    opened.goto(f"{tables.settings.page_url}#key={server_key(tables.settings)}")
    for name in ("final_ui", TABLE, BELOW):
        expect(panel(opened, name).get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    yield opened
    context.close()


def place(what: Locator) -> FloatRect:
    """Where it is."""
    box = what.bounding_box()
    assert box is not None
    return box


def is_where(what: Locator, before: FloatRect) -> None:
    """Its upper left corner is where it was."""
    now = place(what)
    assert abs(now["x"] - before["x"]) <= TOLERANCE, (before, now)
    assert abs(now["y"] - before["y"]) <= TOLERANCE, (before, now)


def test_a_second_click_at_the_same_place_is_on_the_same_head(page: Page) -> None:
    """The first one chooses something, and what tells of it takes its room elsewhere."""
    head = panel(page, TABLE).get_by_role("columnheader", name="balance")
    box = place(head)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for direction in ("ascending", "descending"):
        page.mouse.click(x, y)
        expect(head).to_have_attribute("aria-sort", direction)
        expect(panel(page, TABLE).get_by_test_id("chip")).to_be_visible()
        is_where(head, box)
    page.mouse.click(x, y)
    expect(panel(page, TABLE).get_by_test_id("chip")).to_have_count(0)
    is_where(head, box)


@pytest.mark.parametrize("table", [TABLE, BELOW])
def test_a_menu_stays_where_it_is_while_somebody_types_in_it(page: Page, table: str) -> None:
    """Also in the lower half of the window, though it grows by what can be done with a filter that is in force."""
    menu = open_menu(page, "balance", table)
    field = menu.get_by_test_id("from-balance")
    before, where = place(menu), place(field)
    field.fill("9")
    expect(panel(page, table).get_by_test_id("chip")).to_be_visible()
    expect(menu.get_by_test_id("unfilter-balance")).to_be_visible()
    is_where(menu, before)
    is_where(field, where)


def test_a_menu_whose_chip_goes_stays_and_leaves_the_focus_to_the_table(page: Page) -> None:
    """The filter is emptied in the menu that its own chip has opened."""
    menu = open_menu(page, "balance", TABLE)
    menu.get_by_test_id("from-balance").fill("9")
    chip = panel(page, TABLE).get_by_test_id("chip")
    expect(chip).to_be_visible()
    page.keyboard.press("Escape")
    chip.click()
    menu = panel(page, TABLE).get_by_test_id("column-menu")
    field = menu.get_by_test_id("from-balance")
    expect(field).to_be_focused()
    before = place(menu)
    field.fill("")
    expect(chip).to_have_count(0)
    expect(menu.get_by_test_id("unfilter-balance")).to_have_count(0)
    is_where(menu, before)
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(panel(page, TABLE).get_by_role("grid")).to_be_focused()


def test_the_list_of_columns_leads_on_after_its_chip_has_gone(page: Page) -> None:
    """All columns are shown again, and the menu of one of them is asked for in the same list."""
    open_menu(page, "userId", TABLE).get_by_test_id("hide").click()
    chip = panel(page, TABLE).get_by_test_id("chip")
    chip.click()
    columns = panel(page, TABLE).get_by_test_id("column-list")
    columns.get_by_test_id("all-columns").click()
    expect(chip).to_have_count(0)
    columns.get_by_test_id("arrange-userId").click()
    menu = panel(page, TABLE).get_by_test_id("column-menu")
    expect(menu).to_be_visible()
    box, table = place(menu), place(panel(page, TABLE))
    assert box["x"] >= table["x"], (box, table)
    assert box["y"] >= table["y"], (box, table)
    page.keyboard.press("Escape")
    expect(panel(page, TABLE).get_by_test_id("columns")).to_be_focused()


def test_who_exports_by_keys_keeps_the_focus(page: Page) -> None:
    """From the button through the menu and back; also where the file is given up by a button that then goes."""

    def but_copies(server: WebSocketRoute, said: str | bytes) -> None:
        if '"do":"copy"' not in str(said):
            server.send(said)

    def never_copied(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda said: but_copies(server, said))

    page.route_web_socket("**/tables", never_copied)
    page.reload()
    table = panel(page, TABLE)
    expect(table.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    button = table.get_by_test_id("export")
    button.focus()
    page.keyboard.press("Enter")
    expect(table.get_by_test_id("export-csv")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(table.get_by_test_id("export-csv")).to_be_focused()
    page.keyboard.press("Enter")
    expect(table.get_by_test_id("export-progress")).to_be_visible()
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(table.get_by_test_id("export-menu")).to_have_count(0)
    table.get_by_test_id("cancel-export").focus()
    page.keyboard.press("Enter")
    expect(table.get_by_test_id("export-progress")).to_have_count(0)
    expect(button).to_be_focused()


def test_columns_that_are_hidden_are_not_sent(page: Page) -> None:
    """The key is, because it tells rows apart; and what is shown again comes again.

    One row has all columns: the size of the whole table comes with it.
    """
    said: list[str] = []
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: said.append(str(frame)))
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    def rows() -> list[Any]:
        changes = [change for frame in heard for change in json.loads(frame).get("changes", [])]
        asked = {message["view"]: message for message in map(json.loads, said) if message["do"] == "open"}
        of_table = [change for change in changes if asked[change["view"]]["table"] == BELOW]
        shown = [change for change in of_table if change["first"] > 0 or len(change["rows"]) > 1]
        return [row for change in shown for row in change["rows"]]

    def await_rows_of(columns: int) -> None:
        def come() -> bool:
            # Playwright hears of messages while it is asked for something.
            page.wait_for_timeout(20)
            return {len(row) for row in rows()} == {columns}

        await_that(come, timeout=PAGE_MS / 1_000)

    page.on("websocket", listen)
    page.goto(f"{page.url.split('?')[0]}?{BELOW}.columns=userId")
    table = panel(page, BELOW)
    cells, heads = table.get_by_role("gridcell"), table.get_by_role("columnheader")
    expect(cells.first).to_have_text(re.compile(r"u\d+"))
    await_rows_of(1)
    heard.clear()
    table.get_by_test_id("columns").click()
    table.get_by_test_id("show-balance").check()
    page.keyboard.press("Escape")
    expect(heads).to_have_count(2)
    await_rows_of(2)
    heard.clear()
    open_menu(page, "balance", BELOW).get_by_test_id("hide").click()
    expect(heads).to_have_count(1)
    table.get_by_role("button", name="First page").click()
    expect(cells.first).to_have_text("u0")
    await_rows_of(1)

"""The grids of the page in a real Chromium: keys, copying, columns, search, jumping, following."""

import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from default_tables import ACCOUNTS_UI, USERS_UI
from livejoin.model.default_declaration import USERS
from page_grid import PAGE_MS, grid, open_menu, panel, people_page, reset
from page_people import ACCOUNTS_TOPIC, COUNT, USERS_TOPIC, person
from up import Up


@pytest.fixture(scope="module")
def page(people: Up, browser: Browser) -> Iterator[Page]:
    """The page, logged in, with everybody live and a clipboard that can be read."""
    with people_page(people, browser) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _as_it_is(page: Page) -> None:
    """No test inherits another one's view."""
    reset(page)


def active(page: Page) -> Locator:
    """The cell that has the focus: no other one can be named by the grid."""
    return grid(page).locator("[id]")


def by_user(page: Page) -> None:
    """Sort, so that a row is where its number says."""
    grid(page).get_by_role("columnheader", name="userId").click()
    expect(grid(page).locator('[aria-rowindex="2"]')).to_contain_text("u00000")


def first_users(page: Page, count: int) -> set[str]:
    """The userIds of the first rows of the table."""
    rows = (grid(page).locator(f'[aria-rowindex="{index + 2}"] [data-column="userId"]') for index in range(count))
    return {row.inner_text() for row in rows}


def drag(page: Page, start: Locator, x: float) -> None:
    """Take something by its middle and carry it sideways to there."""
    box = start.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()


def test_keys_move_one_focused_cell_over_the_whole_table(page: Page) -> None:
    """The grid is one tab stop, and says where in the full table its cell is."""
    by_user(page)
    expect(grid(page)).to_have_attribute("aria-rowcount", str(COUNT + 1))
    expect(grid(page)).to_have_attribute("aria-busy", "false")
    grid(page).focus()
    page.keyboard.press("Shift+Tab")
    expect(grid(page)).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(grid(page)).to_be_focused()
    ring = "(grid) => getComputedStyle(grid.parentElement, '::after').borderTopStyle"
    assert grid(page).evaluate(ring) == "solid", "the focus is seen around the table"
    page.keyboard.press("Control+Home")
    expect(active(page)).to_have_text("u00000")
    expect(grid(page)).to_have_attribute("aria-activedescendant", active(page).get_attribute("id") or "")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(active(page)).to_have_text("Person 1")
    expect(active(page)).to_have_attribute("aria-colindex", "2")
    page.keyboard.press("End")
    expect(active(page)).to_have_attribute("data-column", "balance")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    expect(active(page)).to_have_text(re.compile(r"u0000[5-9]|u000[1-9]"), use_inner_text=True)
    page.keyboard.press("PageUp")
    expect(active(page)).to_have_text("u00001")
    page.keyboard.press("Control+End")
    expect(active(page).locator("xpath=..")).to_have_attribute("aria-rowindex", str(COUNT + 1))
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowUp")
    head = grid(page).get_by_role("columnheader", name="userId")
    expect(active(page)).to_have_attribute("data-head", "userId")
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Tab")
    expect(grid(page)).not_to_be_focused()
    assert page.evaluate("() => document.activeElement.closest('[role=grid]')") is None, "one tab stop"


def test_cells_are_copied_as_a_spreadsheet_takes_them(page: Page) -> None:
    """One cell is its exact value; a selection is lines with tabs."""
    by_user(page)
    grid(page).locator('[data-at="9 5"]').click()
    page.keyboard.press("Control+c")
    expect(panel(page).get_by_test_id("note")).to_have_text("Copied 1 cell")
    assert page.evaluate("() => navigator.clipboard.readText()") == repr(0.1 + 0.2)
    grid(page).locator('[data-at="7 0"]').click()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    expect(grid(page).locator('[aria-selected="true"]')).to_have_count(4)
    page.keyboard.press("Control+c")
    expect(page.get_by_test_id("announcer")).to_contain_text("Copied 4 cells")
    selected = 'u00007\t"Ada ""the first"", Countess"\nu00008\t"two\nlines"'
    assert page.evaluate("() => navigator.clipboard.readText()") == selected
    grid(page).locator('[data-at="2 2"]').click()
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == "p2@example.org"
    grid(page).locator('[data-at="8 1"]').click()
    grid(page).locator('[data-at="7 0"]').click(modifiers=["Shift"])
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == selected


def test_columns_are_hidden_moved_and_resized_and_the_address_knows(people: Up, page: Page) -> None:
    """By mouse and by keys; a link shows the same columns."""
    heads = grid(page).get_by_role("columnheader")
    name = grid(page).get_by_role("columnheader", name="name")
    edge = name.locator(".edge").bounding_box()
    assert edge is not None
    drag(page, name.locator(".edge"), edge["x"] + 64)
    expect(page).to_have_url(re.compile(r"final_ui\.columns="))
    wide = name.evaluate("head => head.offsetWidth")
    grid(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(active(page)).to_have_attribute("data-head", "name")
    page.keyboard.press("Alt+ArrowLeft")
    expect(name).to_have_js_property("offsetWidth", wide - 16)
    page.keyboard.press("Shift+ArrowRight")
    expect(heads).to_contain_text(["userId", "email", "name"])
    expect(active(page)).to_have_attribute("data-head", "name")
    target = grid(page).get_by_role("columnheader", name="userId").bounding_box()
    assert target is not None
    drag(page, grid(page).get_by_role("columnheader", name="balance"), target["x"] + 4)
    expect(heads.first).to_contain_text("balance")
    expect(heads.first).not_to_have_attribute("aria-sort", re.compile("."))
    panel(page).get_by_test_id("columns").click()
    line = panel(page).get_by_test_id("show-age")
    place = line.bounding_box()
    before = heads.all_inner_texts()
    line.uncheck()
    expect(heads).to_have_count(len(before) - 1)
    assert line.bounding_box() == place, "so that a second click takes it back"
    line.check()
    expect(heads).to_have_text(before)
    assert line.bounding_box() == place
    line.uncheck()
    page.keyboard.press("Escape")
    expect(panel(page).get_by_test_id("columns")).to_be_focused()
    menu = open_menu(page, "accountType")
    menu.get_by_test_id("move-left").click()
    page.keyboard.press("Escape")
    expect(grid(page)).to_be_focused()
    shown = ["balance", "userId", "email", "accountType", "name"]
    expect(heads).to_contain_text(shown)
    expect(heads).to_have_count(len(shown))

    other = page.context.new_page()
    other.goto(f"{page.url}#{people.url.partition('#')[2]}")
    expect(grid(other).get_by_role("columnheader")).to_contain_text(shown, timeout=PAGE_MS)
    there = grid(other).get_by_role("columnheader", name="name")
    expect(there).to_have_js_property("offsetWidth", wide - 16)
    other.close()


def test_rows_are_found_and_reached(page: Page) -> None:
    """Search looks into every text; a row is reached by its number; a refresh keeps the place."""
    search = panel(page).get_by_test_id("search")
    search.fill("countess")
    # The page has stood still for so long that it may have to connect again.
    expect(panel(page).get_by_test_id("row-count")).not_to_have_text(f"{COUNT:,}", timeout=PAGE_MS)
    expect(grid(page).locator('[aria-rowindex="2"]')).to_contain_text("u00007")
    search.fill("P4999@")
    expect(grid(page).locator('[aria-rowindex="2"]')).to_contain_text("u04999")
    expect(page).to_have_url(re.compile(r"final_ui\.search=P4999"))
    search.fill("nobody at all")
    expect(panel(page).get_by_test_id("empty")).to_contain_text("No row matches")
    search.fill("")
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{COUNT:,}")
    by_user(page)
    panel(page).get_by_test_id("jump").fill("4001")
    panel(page).get_by_test_id("jump").press("Enter")
    expect(grid(page)).to_be_focused()
    expect(active(page)).to_have_text("u04000")
    panel(page).get_by_test_id("refresh").click()
    expect(panel(page).locator(".turning")).to_have_count(0)
    expect(active(page)).to_have_text("u04000")
    panel(page).get_by_role("button", name="First page").click()
    expect(grid(page).locator('[aria-rowindex="2"]')).to_contain_text("u00000")
    panel(page).get_by_role("button", name="Last page").click()
    expect(grid(page).locator(f'[aria-rowindex="{COUNT + 1}"]')).to_contain_text(f"u{COUNT - 1:05}")


def test_rows_are_sorted_by_several_columns_and_filtered_by_text_and_null(page: Page) -> None:
    """With Shift a head adds to the sort; menus ask for texts that are contained, and for nulls."""
    everybody = [person(number) for number in range(COUNT)]
    balance = grid(page).get_by_role("columnheader", name="balance")
    grid(page).get_by_role("columnheader", name="accountType").click()
    for direction in ("ascending", "descending"):
        balance.click(modifiers=["Shift"])
        expect(balance).to_have_attribute("aria-sort", direction)
    # What is null comes behind every text, whatever the direction.
    basic = max((row for row in everybody if row["accountType"] == "basic"), key=lambda row: row["balance"])
    await_that(lambda: first_users(page, 1) == {basic["userId"]})
    open_menu(page, "accountType").get_by_test_id("value-accountType").fill("OLD")
    gold = sorted((row for row in everybody if row["accountType"] == "gold"), key=lambda row: -row["balance"])
    expect(panel(page).get_by_test_id("count")).to_have_text(f"{len(gold):,} of {COUNT:,} rows")
    top = grid(page).locator('[aria-rowindex="2"]')
    expect(top).to_contain_text(gold[0]["userId"])
    expect(top.locator('[data-column="balance"]')).to_have_text(f"{gold[0]['balance']:,.2f}")
    page.keyboard.press("Enter")
    menu = open_menu(page, "accountType")
    menu.get_by_test_id("unfilter-accountType").click()
    open_menu(page, "age").get_by_test_id("asks-age").select_option("is null")
    ageless = {row["userId"] for row in everybody if row["age"] is None}
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{len(ageless):,}")
    await_that(lambda: first_users(page, 3) <= ageless)
    expect(top.locator('[data-column="age"]')).to_have_text("null")
    expect(top.locator('[data-column="age"]')).to_have_css("font-style", "italic")
    panel(page).get_by_test_id("unfilter-age").click()
    open_menu(page, "name").get_by_test_id("value-name").fill("Countess")
    expect(top.locator('[data-column="email"]')).to_have_text("")


def test_what_is_chosen_is_seen_and_taken_back_piece_by_piece(page: Page) -> None:
    """Chips say it, a cross takes it back, and the focus is never lost on the way."""
    focused = "() => document.activeElement?.closest('[data-testid=grid-final_ui]') !== null"
    menu = open_menu(page, "age")
    exact = menu.get_by_test_id("from-age")
    exact.fill(str(2**53 + 1))
    expect(panel(page).get_by_test_id("count")).to_have_text(f"1 of {COUNT:,} rows")
    expect(grid(page).locator('[aria-rowindex="2"]')).to_contain_text("u00008")
    expect(exact).to_have_value(str(2**53 + 1))
    menu.get_by_test_id("to-age").fill(str(2**53))
    expect(menu.get_by_test_id("filter-fault")).to_contain_text("no row can match")
    expect(exact).to_have_attribute("aria-invalid", "true")
    menu.get_by_test_id("to-age").fill("")
    exact.fill("3O")
    expect(menu.get_by_test_id("filter-fault")).to_contain_text("no number")
    exact.fill("30.5")
    expect(panel(page).get_by_test_id("refusal")).to_have_count(0)
    expect(menu.get_by_test_id("filter-fault")).to_have_count(0)
    older = sum(1 for number in range(COUNT) if (person(number)["age"] or 0) > 30)
    expect(panel(page).get_by_test_id("count")).to_have_text(f"{older:,} of {COUNT:,} rows")
    page.keyboard.press("Escape")
    expect(grid(page)).to_be_focused()
    open_menu(page, "email").get_by_test_id("asks-email").select_option("starts with")
    panel(page).get_by_test_id("value-email").fill("P49")
    page.keyboard.press("Escape")
    panel(page).get_by_test_id("search").fill("person")
    grid(page).get_by_role("columnheader", name="userId").click()
    chips = panel(page).get_by_test_id("chip")
    expect(chips).to_have_text(["Search: “person”", "age ≥ 30.5", "email starts with “P49”", "userId ↑"])
    expect(grid(page).locator("[data-head=age] .funnel")).to_be_visible()
    panel(page).get_by_test_id("remove-chip").nth(1).click()
    expect(chips).to_have_count(3)
    assert page.evaluate(focused)
    chips.nth(1).click()
    expect(panel(page).get_by_test_id("value-email")).to_be_focused()
    page.keyboard.press("Escape")
    expect(chips.nth(1)).to_be_focused()
    panel(page).get_by_test_id("clear-view").click()
    expect(chips).to_have_count(0)
    expect(grid(page)).to_be_focused()
    expect(panel(page).get_by_test_id("count")).to_have_text(f"{COUNT:,} rows")
    panel(page).get_by_role("button", name="First page").focus()
    page.keyboard.press("Enter")
    expect(panel(page).get_by_role("button", name="First page")).to_be_focused()
    expect(panel(page).get_by_role("button", name="First page")).to_have_attribute("aria-disabled", "true")
    menu = open_menu(page, "name")
    menu.get_by_test_id("move-left").click()
    expect(menu.get_by_test_id("move-left")).to_have_attribute("aria-disabled", "true")
    expect(menu.get_by_test_id("move-left")).to_be_focused()
    page.keyboard.press("Escape")


def test_cells_are_selected_by_mouse_and_the_selection_follows_its_rows(people: Up, page: Page) -> None:
    """As in a spreadsheet, with no text marked beside it; rows that move take it along."""
    by_user(page)
    start, end = (grid(page).locator(f'[data-at="{place}"]').bounding_box() for place in ("3 0", "5 1"))
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 10, steps=4)
    page.mouse.up()
    selected = grid(page).locator('[aria-selected="true"]')
    expect(selected).to_have_count(6)
    assert page.evaluate("() => getSelection().toString()") == ""
    chosen = [text for number in (3, 4, 5) for text in (f"u0000{number}", f"Person {number}")]
    expect(selected).to_have_text(chosen)
    first = {USERS.key[0]: "a-first", "name": "First", "email": "", "age": 1}
    people.produce(USERS_TOPIC, "a-first", first)
    expect(grid(page).locator('[data-at="0 0"]')).to_have_text("a-first")
    expect(selected).to_have_text(chosen)
    expect(grid(page).locator('[data-at="4 0"]')).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Control+c")
    expect(panel(page).get_by_test_id("note")).to_have_text("Copied 6 cells")
    lines = [f"u0000{number}\tPerson {number}" for number in (3, 4, 5)]
    assert page.evaluate("() => navigator.clipboard.readText()").splitlines() == lines
    people.produce(USERS_TOPIC, "a-first", None)
    expect(grid(page).locator('[data-at="0 0"]')).to_have_text("u00000")
    expect(selected).to_have_text(chosen)


def is_at(edge: Locator, x: float) -> bool:
    """Whether the middle of an edge is there, but for a rounding."""
    box = edge.bounding_box()
    return box is not None and abs(box["x"] + box["width"] / 2 - x) < 1.5


def test_an_edge_stays_under_the_pointer_and_a_double_click_fits_the_content(page: Page) -> None:
    """Whatever the other columns have to give; a pinned column stays while the others are scrolled."""
    name = grid(page).get_by_role("columnheader", name="name")
    edge = name.locator(".edge")
    box = edge.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for way in (40, -60, 150):
        page.mouse.move(x + way, y, steps=2)
        await_that(partial(is_at, edge, x + way))
    page.mouse.up()
    email = grid(page).get_by_role("columnheader", name="email")
    box = email.locator(".edge").bounding_box()
    assert box is not None
    drag(page, email.locator(".edge"), box["x"] - 60)
    cells = "() => [...document.querySelectorAll('[data-testid=grid-final_ui] [data-column=email]')]"
    cut = f"{cells}.filter(cell => cell.scrollWidth > cell.clientWidth).length"
    await_that(lambda: page.evaluate(cut) > 0)
    email.locator(".edge").dblclick()
    await_that(lambda: page.evaluate(cut) == 0)
    open_menu(page, "userId").get_by_test_id("pin").click()
    expect(grid(page).locator('[data-head="userId"]')).to_have_css("position", "sticky")
    box = grid(page).locator('[data-head="userId"]').bounding_box()
    grid(page).evaluate("grid => { grid.scrollLeft = 200; }")
    assert grid(page).locator('[data-head="userId"]').bounding_box() == box


def test_a_change_says_its_direction_and_what_was_before(people: Up, page: Page) -> None:
    """A number that rises or falls flashes so, and its hint has the value before."""
    cell = grid(page).locator('[aria-rowindex="2"] [data-column="balance"]')
    panel(page).get_by_test_id("search").fill("p4998@")
    expect(cell).to_be_visible()
    before = cell.inner_text()
    account = {"userId": "u04998", "accountType": "basic", "balance": 1_000_000.5}
    people.produce(ACCOUNTS_TOPIC, "u04998", account)
    expect(cell).to_have_text("1,000,000.50")
    expect(cell).to_have_attribute("data-flash", re.compile("^rise-"))
    expect(cell).to_have_attribute("title", f"1,000,000.50\nBefore: {before}")
    people.produce(ACCOUNTS_TOPIC, "u04998", {**account, "balance": person(4998)["balance"]})
    expect(cell).to_have_attribute("data-flash", re.compile("^fall-"))
    expect(cell).to_have_text(before)


def test_a_number_without_room_is_never_another_number(people: Up, browser: Browser) -> None:
    """It is cut at the left, behind dots, and its hint has all of it, as the person's language writes it.

    Text of twice the size does not cut rows.
    """
    context = browser.new_context(locale="de-DE")
    narrow = context.new_page()
    address, _, key = people.url.partition("#")
    narrow.goto(f"{address}?final_ui.columns=userId,age:56&final_ui.search=p8@#{key}")
    cell = grid(narrow).locator('[aria-rowindex="2"] [data-column="age"]')
    expect(cell).to_have_text("9.007.199.254.740.993", timeout=PAGE_MS)
    expect(cell).to_have_attribute("title", "9.007.199.254.740.993")
    expect(panel(narrow).get_by_test_id("count")).to_have_text("1 of 5.000 rows")
    left, right, text_left, text_right = cell.evaluate(
        """cell => {
          const [own, text] = [cell, cell.firstElementChild].map((one) => one.getBoundingClientRect());
          return [own.left, own.right, text.left, text.right];
        }"""
    )
    assert text_left < left, "it has no room"
    assert text_right <= right, "its last digits are there"
    with_dots = cell.screenshot()
    cell.evaluate("cell => { cell.style.textOverflow = 'clip'; }")
    assert cell.screenshot() != with_dots, "dots say that something is left out"
    cell.evaluate("cell => { cell.style.textOverflow = ''; }")
    narrow.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    row = grid(narrow).locator('[aria-rowindex="2"]')
    expect(row).to_have_js_property("offsetHeight", 56)
    heights = "row => [...row.children].map(cell => cell.scrollHeight - cell.clientHeight)"
    assert max(row.evaluate(heights)) <= 0, "nothing is cut below"
    context.close()


def test_a_table_says_what_it_keeps(page: Page) -> None:
    """A log of events repeats a person, and says that it is one."""
    expect(panel(page, USERS_UI.name).get_by_test_id("kept")).to_have_text("every event")
    expect(panel(page, ACCOUNTS_UI.name).get_by_test_id("kept")).to_have_text("newest per key")
    expect(panel(page).get_by_test_id("kept")).to_have_count(0)


def test_the_newest_rows_are_followed_until_somebody_looks_elsewhere(people: Up, page: Page) -> None:
    """The button says whether they are, and brings who has looked elsewhere back to them."""
    follow = panel(page).get_by_test_id("follow")
    newest = {USERS.key[0]: "newest", "name": "Newest", "email": "", "age": 1}
    cell = grid(page).get_by_text("newest", exact=True)
    expect(follow).to_have_attribute("aria-pressed", "true")
    people.produce(USERS_TOPIC, "newest", newest)
    expect(cell).to_be_visible()
    panel(page).get_by_role("button", name="First page").click()
    expect(follow).to_have_attribute("aria-pressed", "false")
    expect(cell).to_have_count(0)
    follow.click()
    expect(follow).to_have_attribute("aria-pressed", "true")
    expect(cell).to_be_visible()
    people.produce(USERS_TOPIC, "newest", None)
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{COUNT:,}")
    expect(cell).to_have_count(0)

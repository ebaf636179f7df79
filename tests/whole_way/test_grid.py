"""The grids of the page in a real Chromium: keys, copying, columns, search, jumping, following."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from livejoin.model.default_declaration import USERS
from page_grid import PAGE_MS, grid, panel, people_page, reset
from page_people import COUNT, USERS_TOPIC, person
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
    panel(page).get_by_test_id("edit-view").click()
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
    panel(page).get_by_test_id("left-accountType").click()
    panel(page).get_by_test_id("edit-view").click()
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
    """With Shift a head adds to the sort; the editor asks for texts that are contained, and for nulls."""
    everybody = [person(number) for number in range(COUNT)]
    balance = grid(page).get_by_role("columnheader", name="balance")
    grid(page).get_by_role("columnheader", name="accountType").click()
    for direction in ("ascending", "descending"):
        balance.click(modifiers=["Shift"])
        expect(balance).to_have_attribute("aria-sort", direction)
    # What is null comes behind every text, whatever the direction.
    basic = max((row for row in everybody if row["accountType"] == "basic"), key=lambda row: row["balance"])
    await_that(lambda: first_users(page, 1) == {basic["userId"]})
    panel(page).get_by_test_id("edit-view").click()
    panel(page).get_by_test_id("contains-accountType").fill("OLD")
    gold = sorted((row for row in everybody if row["accountType"] == "gold"), key=lambda row: -row["balance"])
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{len(gold):,}")
    top = grid(page).locator('[aria-rowindex="2"]')
    expect(top).to_contain_text(gold[0]["userId"])
    expect(top.locator('[data-column="balance"]')).to_have_text(f"{gold[0]['balance']:,.2f}")
    panel(page).get_by_test_id("contains-accountType").fill("")
    panel(page).get_by_label("age null or not").select_option("is null")
    ageless = {row["userId"] for row in everybody if row["age"] is None}
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{len(ageless):,}")
    await_that(lambda: first_users(page, 3) <= ageless)
    expect(top.locator('[data-column="age"]')).to_have_text("null")
    expect(top.locator('[data-column="age"]')).to_have_css("font-style", "italic")
    panel(page).get_by_label("age null or not").select_option("null or not")
    panel(page).get_by_test_id("contains-name").fill("Countess")
    expect(top.locator('[data-column="email"]')).to_have_text("")
    page.keyboard.press("Escape")


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

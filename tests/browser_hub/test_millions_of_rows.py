"""The page before tables of ten million rows: every one of them is reached."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from changing_tables import MANY, ChangingTables
from livejoin.access.keys import server_key
from tests.browser_hub.stand import PAGE_MS


@pytest.fixture(scope="module")
def page(tables: ChangingTables, browser: Browser) -> Iterator[Page]:
    """Our page, as the server with the long tables serves it, with one of them maximised."""
    opened = browser.new_page()
    opened.set_default_timeout(PAGE_MS)
    opened.goto(f"{tables.settings.page_url}#key={server_key(tables.settings)}")
    opened.get_by_test_id("grid-final_ui").get_by_test_id("maximise").click()
    yield opened
    opened.close()


@pytest.fixture
def grid(page: Page) -> Locator:
    """The rows, when they are there."""
    found = page.get_by_test_id("grid-final_ui").get_by_role("grid")
    expect(found).to_have_attribute("aria-rowcount", str(MANY + 1))
    return found


def shown(grid: Locator) -> list[int]:
    """The numbers of the rows on the screen, when each of them holds what belongs to its number."""

    def look() -> list[int]:
        rows: list[list[str]] = grid.evaluate(
            """(grid) => {
              const body = grid.getBoundingClientRect();
              return [...grid.querySelectorAll('[role=row][aria-rowindex]')]
                .filter((row) => row.querySelector('[data-column=userId][role=gridcell]') !== null)
                .filter((row) => {
                  const { top, bottom } = row.getBoundingClientRect();
                  return bottom > body.top && top < body.bottom;
                })
                .map((row) => [row.ariaRowIndex ?? row.getAttribute('aria-rowindex'),
                  row.querySelector('[data-column=userId]').textContent.trim()]);
            }"""
        )
        numbers = [int(index) - 2 for index, _ in rows]
        assert len(numbers) > 5
        assert [user for _, user in rows] == [f"u{number}" for number in numbers]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return numbers

    return await_that(look, timeout=PAGE_MS / 1000)


def scroll_to(grid: Locator, share: float) -> None:
    """Take the scroll bar to this part of its way."""
    grid.evaluate("(grid, share) => { grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight); }", share)


def test_the_scroll_bar_reaches_both_ends_and_everything_between(grid: Locator) -> None:
    """A browser cannot scroll as many pixels as the rows are high, and yet the first, the last and the middle come."""
    scroll_to(grid, 1)
    await_that(lambda: shown(grid)[-1] == MANY - 1)
    scroll_to(grid, 0)
    await_that(lambda: shown(grid)[0] == 0)
    scroll_to(grid, 0.5)
    await_that(lambda: abs(shown(grid)[0] - MANY / 2) < MANY / 1000)


def test_the_wheel_leaves_no_row_out(page: Page, grid: Locator) -> None:
    """Where a pixel of the bar stands for several rows, the wheel still goes by the height of the rows."""
    before = shown(grid)
    grid.hover()
    for _ in range(3):
        page.mouse.wheel(0, 100)
        await_that(lambda before=before: shown(grid)[0] > before[0])  # type: ignore[misc]
        after = shown(grid)
        assert after[0] <= before[-1] + 1, "no row was passed over"
        before = after


def test_a_row_is_reached_by_its_number(page: Page, grid: Locator) -> None:
    """And from there its neighbours by key."""
    jump = page.get_by_test_id("grid-final_ui").get_by_test_id("jump")
    jump.fill("7654321")
    jump.press("Enter")
    expect(grid.locator("[id]")).to_have_text("u7654320")
    page.keyboard.press("ArrowDown")
    expect(grid.locator("[id]")).to_have_text("u7654321")
    page.keyboard.press("Control+End")
    expect(grid.locator("[id]")).to_have_text("2,499,999.75")

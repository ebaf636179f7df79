"""AG Grid, mat-table and cdk-table, the real ones, over a table of ten million rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from await_that import await_that
from changing_tables import MANY, ChangingTables
from hub_application import Builds, served
from livejoin.access.keys import server_key
from relay import Relay
from tests.browser_hub.stand import PAGE_MS, Sites, watched

FAIL_MS = 20_000


@pytest.fixture(scope="module")
def address(builds: Builds, sites: Sites) -> Iterator[str]:
    """Where the application with the long tables is served."""
    with served(builds.folder("long-tables"), sites.port("long-tables")) as url:
        yield url


@pytest.fixture
def wire(tables: ChangingTables) -> Iterator[Relay]:
    """Between the page and the server."""
    with Relay(tables.settings.web.port) as made:
        yield made


@contextmanager
def opened(browser: Browser, tables: ChangingTables, address: str, wire: Relay, query: str) -> Iterator[Page]:
    """The application at the other end of the wire."""
    made = watched(browser.new_page())
    made.page.goto(f"{address}?url={wire.url}&key={quote(server_key(tables.settings))}&{query}")
    yield made.page
    made.page.close()
    assert not made.complaints, made.complaints


@pytest.fixture
def grid(browser: Browser, tables: ChangingTables, address: str, wire: Relay) -> Iterator[Page]:
    """AG Grid."""
    with opened(browser, tables, address, wire, "grid=yes") as page:
        await_that(lambda: page.evaluate("() => window.long?.grid !== undefined"), timeout=PAGE_MS / 1_000)
        yield page


def shown(page: Page) -> list[tuple[int, str]]:
    """The numbers of the rows that AG Grid draws, each with what is in its first cell."""
    rows: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll('.ag-row .ag-cell[col-id=userId]')].map(
          (cell) => [cell.closest('.ag-row').getAttribute('row-index'), cell.textContent.trim()])"""
    )
    return sorted((int(index), text) for index, text in rows)


def shows(page: Page, row: int) -> None:
    """Return when this row is on the screen among others, and each is the one of its number."""

    def look() -> bool:
        rows = shown(page)
        assert len(rows) > 5
        assert [text for _, text in rows] == [f"u{index}" for index, _ in rows]
        return row in dict(rows)

    await_that(look, timeout=PAGE_MS / 1_000)


def shows_only(page: Page, *numbers: int) -> None:
    """Return when these rows are what a filter has left."""
    await_that(
        lambda: [text for _, text in shown(page)] == [f"u{number}" for number in numbers], timeout=PAGE_MS / 1_000
    )


def test_ag_grid_is_taken_to_the_end_before_its_first_block_is_answered(grid: Page, wire: Relay) -> None:
    """The block at the end comes, although the grid has never waited for the first one."""
    wire.cut()
    grid.evaluate("(last) => window.long.grid.ensureIndexVisible(last)", MANY - 1)
    wire.mend()
    shows(grid, MANY - 1)
    expect(grid.locator("#problem")).to_have_text("")


def test_ag_grid_filters_ten_million_rows(grid: Page) -> None:
    """By a range of numbers, and by a text; without a filter all of them are back."""
    grid.evaluate(
        """(least) => window.long.grid.setFilterModel({
          balance: { filterType: 'number', type: 'greaterThan', filter: least },
        })""",
        MANY / 4 - 1,
    )
    shows_only(grid, MANY - 3, MANY - 2, MANY - 1)
    grid.evaluate(
        """() => window.long.grid.setFilterModel({
          userId: { filterType: 'text', type: 'equals', filter: 'u7654321' },
        })"""
    )
    shows_only(grid, 7654321)
    grid.evaluate("() => window.long.grid.setFilterModel(null)")
    await_that(lambda: grid.evaluate("() => window.long.grid.getDisplayedRowCount()") == MANY, timeout=PAGE_MS / 1_000)


def test_ag_grid_is_told_of_a_block_that_does_not_come(grid: Page, wire: Relay) -> None:
    """Within the deadline, in words; and the block is there when the server is reached again."""
    shows(grid, 0)
    wire.cut()
    grid.evaluate("(row) => window.long.grid.ensureIndexVisible(row)", MANY // 2)
    expect(grid.locator("#problem")).not_to_have_text("", timeout=FAIL_MS)
    blocks = "() => Object.values(window.long.grid.getCacheBlockState()).map((block) => block.pageStatus)"
    # Why is known as soon as the connection is lost; a block has failed when its time is over.
    await_that(lambda: "failed" in grid.evaluate(blocks), timeout=FAIL_MS / 1_000)
    wire.mend()
    shows(grid, MANY // 2)
    expect(grid.locator("#problem")).to_have_text("", timeout=FAIL_MS)
    await_that(lambda: "failed" not in grid.evaluate(blocks), timeout=FAIL_MS / 1_000)


def test_material_and_cdk_tables_begin_at_the_end_and_go_anywhere(
    browser: Browser, tables: ChangingTables, address: str, wire: Relay
) -> None:
    """Asked for the last rows before anything is answered; then the middle, and what a filter leaves."""
    with opened(browser, tables, address, wire, f"first={MANY - 10}") as page:
        material, plain = (page.locator(f"tr.{kind}-row td:first-child") for kind in ("mat-mdc", "cdk"))
        both = (material, page.locator("table[cdk-table]").locator(plain))
        for users in both:
            expect(users).to_have_text([f"u{MANY - 10 + number}" for number in range(10)], timeout=PAGE_MS)
        page.evaluate("() => window.long.showRows(5_000_000, 5_000_004)")
        for users in both:
            expect(users).to_have_text([f"u{5_000_000 + number}" for number in range(5)], timeout=PAGE_MS)
        page.evaluate("(least) => { window.long.filter(least); window.long.showRows(0, 99); }", MANY / 4 - 1)
        expect(both[1]).to_have_text([f"u{MANY - 4 + number}" for number in range(4)], timeout=PAGE_MS)
        expect(page.locator("#size")).to_have_text("4")
        # Nothing of it is left where the server cannot be reached, and nothing is lost.
        wire.cut()
        page.context.set_offline(True)
        expect(page.locator("#size")).to_have_attribute("data-state", "stale", timeout=FAIL_MS * 3)
        expect(both[1]).to_have_count(4)
        wire.mend()
        page.context.set_offline(False)
        expect(page.locator("#size")).to_have_attribute("data-state", "live", timeout=FAIL_MS * 2)

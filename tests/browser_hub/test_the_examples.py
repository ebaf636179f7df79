"""Every example of docs/angular.md shows live rows."""

import re

from playwright.sync_api import Browser, Page, expect

from hub_application import Builds, examples, served
from livejoin.model.generation import Generation
from tests.browser_hub.stand import Sites, Watched, watched


def test_every_documented_way_shows_live_rows(guest: Watched) -> None:
    """What is joined, component, parts, signals, filters, grid, CDK and AG Grid, in an application with zone.js."""
    shows_every_documented_way(guest.page)


def shows_every_documented_way(page: Page) -> None:
    """Look at each of them on the stage."""
    page.evaluate("() => window.stage.show('declared')")
    expect(page.locator(".declared")).to_have_text("users and accounts")
    expect(page.locator("app-declared-tables [data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
    page.evaluate("() => window.stage.show('formatted', 'searched')")
    expect(page.locator("app-formatted-accounts .type").first).to_have_text(re.compile(r"\w+"))
    cell = page.locator("app-formatted-accounts [role=gridcell][data-column=balance]").first
    expect(cell).to_have_text(re.compile(r"^EUR \d+"))
    cell.click()
    expect(page.locator(".pressed")).to_have_text(re.compile(r"^balance of g\d-\d+"))
    page.locator("app-searched-users").get_by_test_id("search").fill("-0042")
    found = page.locator("app-searched-users [role=gridcell][data-column=userId]")
    expect(found).to_have_text([re.compile(r"g\d-0042")])
    expect(page.locator("app-searched-users").get_by_test_id("chip")).to_have_text("Search: “-0042”")
    page.locator("app-searched-users").get_by_test_id("clear-view").click()
    expect(page.locator("app-searched-users").get_by_role("grid")).to_be_focused()
    page.evaluate("() => window.stage.show('table', 'signals', 'changes', 'grid', 'cdk', 'ag-grid')")
    expect(page.locator("lj-live-table [data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
    expect(page.locator("lj-live-table .note")).to_have_text(re.compile(r"^\d+ rows$"))
    expect(page.locator(".user")).to_have_count(20)
    expect(page.locator(".user").first).to_have_text(re.compile(r"g\d-\d+ · \d+"))
    richest = page.locator(".user").first.inner_text()
    page.locator("app-rich-users button").click()
    expect(page.locator(".user").first).to_have_text(re.compile(r"· 11$"))
    assert not richest.endswith("· 11")
    expect(page.locator(".change")).to_have_text("2024-05-17T08:30:00.124Z · applied")
    first = page.locator("app-sortable-users [data-column=userId]").first
    head = page.locator("app-sortable-users [data-head=userId]")
    head.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(first).to_have_text(re.compile(r"g\d-0000"))
    head.click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(first).to_have_text(re.compile(r"g\d-0\d[49]9"))
    expect(page.locator("td.cdk-column-userId").nth(99)).to_have_text(re.compile(r"g\d-0099"))
    user = page.locator(".ag-row[row-index='0'] .ag-cell[col-id=userId]")
    expect(user).to_have_text(re.compile(r"g\d-0000"))
    page.get_by_label("User Id Filter Input").fill("-0042")
    expect(user).to_have_text(re.compile(r"g\d-0042"))
    expect(page.locator(".ag-row")).to_have_count(1)


def test_ten_lines_show_a_live_table(
    browser: Browser, builds: Builds, sites: Sites, generations: list[Generation]
) -> None:
    """An empty Angular 20.3 application with the example of the documentation shows the rows of final_ui."""
    assert generations
    lines = examples()["src/main.ts"].splitlines()
    assert len([line for line in lines if line.strip()]) <= 10
    with served(builds.folder("ten-lines"), sites.port("ten-lines")) as url:
        made = watched(browser.new_page())
        made.page.goto(url)
        expect(made.page.locator("[role=gridcell][data-column=userId]").first).to_have_text(re.compile(r"g\d-0000"))
        assert not made.complaints, made.complaints
        made.page.close()

"""Filters as the real table server understands them, and what it says of those that it does not."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from changing_tables import ChangingTables
from livejoin.access.keys import server_key
from page_grid import open_menu, panel
from page_person_states import misunderstand_2499
from tests.browser_hub.stand import PAGE_MS, enter


@pytest.fixture(scope="module")
def page(tables: ChangingTables, browser: Browser, stage: str) -> Iterator[Page]:
    """The stage with `moments` on it."""
    guest = enter(browser, stage, tables.settings.page_url, server_key(tables.settings))
    guest.page.evaluate("() => window.stage.tables('moments')")
    yield guest.page
    guest.page.close()
    assert not guest.complaints, guest.complaints


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        ("is: 'equal', to: instant('2024-05-17T08:30:00.000000001Z')", "b"),
        ("is: 'greaterOrEqual', to: instant('2024-05-17T08:30:00.000000001Z')", "bcd"),
        ("is: 'less', to: instant('2024-05-17T10:30:00.000000002+02:00')", "ab"),
        ("is: 'oneOf', to: [instant('2024-05-17T08:30:00.000000002Z'), instant('2024-05-17T08:30:00.001Z')]", "cd"),
    ],
)
def test_points_in_time_are_told_apart_to_the_nanosecond(page: Page, condition: str, shown: str) -> None:
    """Rows one nanosecond apart, where a Date would see one moment."""
    shows(page, "at", condition, shown)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        ("is: 'blank'", "ac"),
        ("is: 'notBlank'", "bd"),
        ("is: 'startingWith', to: 'A'", "bd"),
        ("is: 'startingWith', to: 'a.*'", "d"),
        ("is: 'endingWith', to: '\\\\E'", "d"),
        ("is: 'notContaining', to: 'D'", "acd"),
        ("is: 'anyOf', of: [{ is: 'null' }, { is: 'equal', to: 'Ada' }]", "bc"),
        ("is: 'allOf', of: [{ is: 'containing', to: 'a' }, { is: 'notEqual', to: 'Ada' }]", "d"),
    ],
)
def test_texts_are_taken_as_they_are(page: Page, condition: str, shown: str) -> None:
    """What would mean something in a regular expression or a formula is text."""
    shows(page, "name", condition, shown)


def shows(page: Page, column: str, condition: str, users: str) -> None:
    """Filter by it, and see these rows and no other."""
    page.evaluate(
        f"() => {{ const {{ instant, filter }} = window.stage; filter([{{ column: '{column}', {condition} }}]); }}"
    )
    table = page.locator("lj-live-table")
    expect(table.locator(".note")).to_have_text("1 row" if len(users) == 1 else f"{len(users)} rows")
    expect(table.locator("[data-column=userId]")).to_have_text([*users])


def test_why_the_server_refuses_a_filter_is_said_where_it_was_typed(tables: ChangingTables, browser: Browser) -> None:
    """And at its chip, in the server's words; the other tables go on, and without it this one does, too."""
    context = browser.new_context()
    misunderstand_2499(context)
    page = context.new_page()
    page.goto(f"{tables.settings.page_url}#key={server_key(tables.settings)}")
    table = panel(page, "users_ui")
    expect(table.get_by_test_id("row-count")).to_have_text("10,000", timeout=PAGE_MS)
    menu = open_menu(page, "balance", "users_ui")
    menu.get_by_test_id("from-balance").fill("2499")
    why = "balance has numbers: it is compared with a number"
    expect(menu.get_by_test_id("filter-fault")).to_contain_text(why, timeout=PAGE_MS)
    expect(table.get_by_test_id("refusal")).to_contain_text(why)
    expect(table).to_have_attribute("data-state", "stale")
    expect(page.get_by_test_id("connection-state")).to_have_text("Partly stale")
    expect(panel(page, "accounts_ui")).to_have_attribute("data-state", "live")
    menu.get_by_test_id("from-balance").fill("2498")
    expect(table.get_by_test_id("count")).to_have_text("8 of 10,000 rows", timeout=PAGE_MS)
    expect(menu.get_by_test_id("filter-fault")).to_have_count(0)
    expect(table.get_by_test_id("refusal")).to_have_count(0)
    context.close()

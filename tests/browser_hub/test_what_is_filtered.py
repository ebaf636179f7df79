"""Filters as the real table server understands them: points in time to the nanosecond, blanks, texts of any kind."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from changing_tables import ChangingTables
from livejoin.access.keys import server_key
from tests.browser_hub.stand import enter


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

"""The page of a livejoin, in a real Chromium: what a person sees of its rows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, expect

from default_tables import FINAL_UI

PAGE_MS = 120_000


class WholePage:
    """The joined table of a page that is logged in. Made by `page_at`, which closes it."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def shows(self, user: str, **cells: str) -> None:
        """Return when there is a row of this user, with these texts."""
        for column, text in cells.items():
            expect(self._row(user).locator(f'[data-column="{column}"]')).to_have_text(text, timeout=PAGE_MS)

    def shows_no_more(self, user: str) -> None:
        """Return when there is no row of this user."""
        expect(self._row(user)).to_have_count(0, timeout=PAGE_MS)

    def _row(self, user: str) -> Locator:
        exactly = re.compile(rf"^\s*{re.escape(user)}\s*$")
        cell = self._page.locator('[role=gridcell][data-column="userId"]', has_text=exactly)
        return self._page.get_by_test_id(f"grid-{FINAL_UI.name}").get_by_role("row").filter(has=cell)


@contextmanager
def page_at(url: str, browser: Browser) -> Iterator[WholePage]:
    """The page at an address with a key in it; it must have nothing to complain about."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(url)
        live = re.compile("live", re.IGNORECASE)
        expect(page.get_by_test_id("connection-state")).to_have_text(live, timeout=PAGE_MS)
        yield WholePage(page)
        assert not complaints
    finally:
        page.close()

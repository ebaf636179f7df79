"""The page with people in its tables, and what its tests take hold of."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from default_tables import FINAL_UI, USERS_UI
from page_people import COUNT, show_people
from up import Up

PAGE_MS = 30_000


@contextmanager
def people_page(people: Up, browser: Browser) -> Iterator[Page]:
    """Make everybody live and open the page, logged in, with a clipboard that can be read."""
    url = show_people(people)
    context = browser.new_context(permissions=["clipboard-read"], viewport={"width": 1280, "height": 1000})
    opened = context.new_page()
    opened.set_default_timeout(PAGE_MS)
    opened.goto(url)
    expect(panel(opened).get_by_test_id("row-count")).to_have_text(f"{COUNT:,}", timeout=PAGE_MS)
    yield opened
    context.close()


def reset(page: Page) -> None:
    """All rows and columns as they come, in the tables that tests change."""
    for name in (FINAL_UI.name, USERS_UI.name):
        clear = panel(page, name).get_by_test_id("clear-view")
        if clear.is_visible():
            clear.click()


def panel(page: Page, table: str = FINAL_UI.name) -> Locator:
    """A table with everything around it."""
    return page.get_by_test_id(f"grid-{table}")


def open_menu(page: Page, column: str, table: str = FINAL_UI.name) -> Locator:
    """The menu of a column, opened at its head."""
    head = panel(page, table).get_by_role("columnheader", name=column)
    head.hover()
    head.get_by_test_id(f"menu-{column}").click()
    menu = panel(page, table).get_by_test_id("column-menu")
    expect(menu).to_be_visible()
    return menu


def exported(page: Page, folder: Path, table: str = FINAL_UI.name, kind: str = "csv") -> Path:
    """A file of what is seen, as it is chosen from the menu of the button."""
    with page.expect_download() as downloading:
        begin_export(page, table, kind)
    file = folder / downloading.value.suggested_filename
    downloading.value.save_as(file)
    return file


def begin_export(page: Page, table: str = FINAL_UI.name, kind: str = "csv") -> None:
    """Ask for a file of that kind."""
    panel(page, table).get_by_test_id("export").click()
    panel(page, table).get_by_test_id(f"export-{kind}").click()


def grid(page: Page) -> Locator:
    """The rows of the joined table."""
    return panel(page).get_by_role("grid")

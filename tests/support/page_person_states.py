"""The states of the page that its visitors bring about: before the login, while it loads, and in a table."""

import re
from collections.abc import Iterator

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from page_stage import PAGE_MS, Stage, has_rows, joined
from page_state import state
from up import VIEWER_KEY


@state("Before the login")
def login(stage: Stage) -> Iterator[list[Page]]:
    """Nobody knows a key yet."""
    with stage.strangers() as pages:
        for page in pages:
            expect(page.get_by_test_id("login-submit")).to_be_enabled()
        yield pages


@state("A key that was refused", "main")
def refused(stage: Stage) -> Iterator[list[Page]]:
    """The login says so, and what to do."""
    with stage.strangers() as pages:
        for page in pages:
            page.get_by_test_id("login-key").fill("not the key")
            page.get_by_test_id("login-submit").click()
            expect(page.get_by_test_id("login-error")).to_contain_text("not accepted", timeout=PAGE_MS)
        yield pages


@state("Logged out", "main")
def logged_out(stage: Stage) -> Iterator[list[Page]]:
    """Somebody has left the page to nobody."""
    with stage.strangers(f"#key={VIEWER_KEY}") as pages:
        for page in pages:
            has_rows(page)
            page.get_by_test_id("logout").click()
            expect(page.get_by_test_id("login-submit")).to_be_visible()
        yield pages


@state("Waiting for the table server")
def waiting(stage: Stage) -> Iterator[list[Page]]:
    """It is connected, and answers nothing."""
    with stage.strangers(f"#key={VIEWER_KEY}", _never_answered) as pages:
        for page in pages:
            expect(page.get_by_test_id("skeleton").first).to_be_visible()
        yield pages


@state("Loading the tables")
def loading(stage: Stage) -> Iterator[list[Page]]:
    """What is joined is known, and no row is there yet."""
    with stage.strangers(f"#key={VIEWER_KEY}", _without_rows) as pages:
        for page in pages:
            expect(page.get_by_role("heading", name="Joined")).to_be_visible()
            expect(page.get_by_test_id("skeleton").first).to_be_visible()
        yield pages


def _never_answered(context: BrowserContext) -> None:
    context.route_web_socket(re.compile("/tables$"), lambda _: None)


def _without_rows(context: BrowserContext) -> None:
    def connect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda said: None if '"is":"rows"' in str(said) else page.send(said))

    context.route_web_socket(re.compile("/tables$"), connect)


@state("Live")
def live(stage: Stage) -> Iterator[list[Page]]:
    """Rows that are followed."""
    stage.home()
    stage.each(has_rows)
    yield stage.pages


@state("One table has all the room")
def maximised(stage: Stage) -> Iterator[list[Page]]:
    """The others are there again with Escape."""
    stage.each(lambda page: joined(page).get_by_test_id("maximise").click())
    yield stage.pages
    stage.each(lambda page: joined(page).get_by_test_id("maximise").click())


@state("Searched, sorted, with selected cells")
def view(stage: Stage) -> Iterator[list[Page]]:
    """What somebody has made of a table."""
    stage.each(lambda page: _select(page, stage.text))
    yield stage.pages
    stage.each(_reset)


def _select(page: Page, text: str) -> None:
    table = joined(page)
    table.scroll_into_view_if_needed()
    table.get_by_test_id("search").fill(text)
    head = table.get_by_role("columnheader", name="userId")
    head.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    table.get_by_role("grid").focus()
    page.keyboard.press("Control+Home")
    for key in ("ArrowDown", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(table.locator('[aria-selected="true"]')).to_have_count(6)


def _reset(page: Page) -> None:
    page.keyboard.press("Escape")
    joined(page).get_by_test_id("clear-view").click()
    expect(joined(page).get_by_test_id("chip")).to_have_count(0)


@state("The list of columns", "[data-testid=grid-final_ui]")
def columns(stage: Stage) -> Iterator[list[Page]]:
    """All of them, one hidden."""
    stage.each(lambda page: joined(page).get_by_test_id("columns").click())
    stage.each(lambda page: joined(page).get_by_test_id("show-email").uncheck())
    yield stage.pages
    stage.each(_reset)


@state("The menu of a column", "[data-testid=grid-final_ui]")
def menu(stage: Stage) -> Iterator[list[Page]]:
    """With a filter in it, which is a chip by now."""
    stage.each(lambda page: _filter(page, "from-balance", "100"))
    stage.each(lambda page: expect(joined(page).get_by_test_id("chip")).to_have_count(1))
    yield stage.pages
    stage.each(_reset)


@state("A filter that cannot be asked", "[data-testid=grid-final_ui]")
def fault(stage: Stage) -> Iterator[list[Page]]:
    """It is said where it was typed."""
    stage.each(lambda page: _filter(page, "from-balance", "a hundred"))
    stage.each(lambda page: expect(joined(page).get_by_test_id("filter-fault")).to_be_visible())
    yield stage.pages
    stage.each(lambda page: page.keyboard.press("Escape"))


@state("A filter that the server refuses", "[data-testid=grid-final_ui]")
def refused_filter(stage: Stage) -> Iterator[list[Page]]:
    """In its words, where it was typed and at the chip; the last rows stay."""
    with stage.strangers(f"#key={VIEWER_KEY}", misunderstand_2499) as pages:
        for page in pages:
            has_rows(page)
            _filter(page, "from-balance", "2499")
            expect(joined(page).get_by_test_id("filter-fault")).to_contain_text("compared with", timeout=PAGE_MS)
            expect(joined(page).get_by_test_id("stale")).to_be_visible(timeout=PAGE_MS)
        yield pages


def misunderstand_2499(context: BrowserContext) -> None:
    """Let a page have another idea of numbers than the server: it looks at what is typed before it asks."""

    def connect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(lambda said: server.send(str(said).replace('"to":2499', '"to":"many"')))

    context.route_web_socket(re.compile("/tables$"), connect)


def _filter(page: Page, field: str, text: str) -> None:
    """By way of the list of columns, which a phone has at hand too."""
    joined(page).get_by_test_id("columns").click()
    joined(page).get_by_test_id(f"arrange-{field.partition('-')[2]}").click()
    joined(page).get_by_test_id(field).fill(text)


@state("No row matches")
def nothing_found(stage: Stage) -> Iterator[list[Page]]:
    """An empty table that says why."""
    stage.each(lambda page: joined(page).get_by_test_id("search").fill("nobody at all"))
    stage.each(
        lambda page: expect(joined(page).get_by_test_id("empty")).to_contain_text("No row matches", timeout=PAGE_MS)
    )
    yield stage.pages
    stage.each(_reset)


@state("Paused", "[data-testid=grid-final_ui]")
def paused(stage: Stage) -> Iterator[list[Page]]:
    """The rows stay, and what is held back is counted."""
    stage.each(lambda page: joined(page).get_by_test_id("pause").click())
    stage.each(lambda page: expect(joined(page).get_by_test_id("held")).to_be_visible())
    # A row below the pointer has a colour of its own, on which a null has to be read, too.
    stage.each(lambda page: joined(page).locator("[data-null]").last.hover())
    yield stage.pages
    stage.each(lambda page: joined(page).get_by_test_id("pause").click())


@state("What kind of file", "[data-testid=grid-final_ui]")
def export(stage: Stage) -> Iterator[list[Page]]:
    """The menu of an export."""
    stage.each(lambda page: joined(page).get_by_test_id("export").click())
    stage.each(lambda page: expect(joined(page).get_by_test_id("export-csv")).to_be_visible())
    yield stage.pages
    stage.each(lambda page: page.keyboard.press("Escape"))


@state("Text of twice the size")
def large_text(stage: Stage) -> Iterator[list[Page]]:
    """As somebody has it who does not see well."""
    stage.each(lambda page: _write_in(page, "200%"))
    yield stage.pages
    stage.each(lambda page: _write_in(page, ""))


@state("The panel, with text of twice the size", "[data-testid=control-panel]")
def large_panel(stage: Stage) -> Iterator[list[Page]]:
    """Nothing of it is cut off sideways either."""
    stage.each(lambda page: page.get_by_test_id("open-control").click())
    stage.each(lambda page: _write_in(page, "200%"))
    yield stage.pages
    stage.each(lambda page: _write_in(page, ""))
    stage.each(lambda page: page.keyboard.press("Escape"))


def _write_in(page: Page, size: str) -> None:
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)

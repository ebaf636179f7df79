"""What changes of the route, and what a developer saves while the page is open, leave behind: nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from hub_application import Application
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from tests.browser_hub.stand import OWNED, Sites, Stand, watched

ROUNDS = 5


@pytest.fixture
def developed(stand: Stand, sites: Sites, application: Application, generations: list[Generation]) -> Iterator[str]:
    """Where an application with routes is served by `ng serve`, as its developer has it open."""
    assert generations
    with application.develop("routed", sites.port("routed")) as address:
        yield f"{address}?url={stand.settings.page_url}&key={server_key(stand.settings)}#/users"


def test_routes_edits_and_the_end_leave_nothing_on_the_server(
    stand: Stand, browser: Browser, application: Application, developed: str
) -> None:
    """Routes come and go, a component is exchanged in the open page, and at last the application ends."""
    nobody = stand.objects()
    guest = watched(browser.new_page())
    page = guest.page
    page.goto(developed)
    is_shown(page, "Users")
    before = stand.objects()
    assert all(before[name] > nobody[name] for name in OWNED)
    for _ in range(ROUNDS):
        page.get_by_role("link", name="accounts").click()
        is_shown(page, "Accounts")
        page.get_by_role("link", name="users").click()
        is_shown(page, "Users")
    stand.await_no_more(before)

    page.evaluate("() => { window.isSameDocument = true; }")
    source = application.folder / "src/users-route.ts"
    saved = source.read_text(encoding="utf-8")
    for number in range(ROUNDS):
        source.write_text(saved.replace("<h2>Users</h2>", f"<h2>Users {number}</h2>"), encoding="utf-8")
        is_shown(page, f"Users {number}")
    assert page.evaluate("() => window.isSameDocument === true"), "the page was loaded again"
    stand.await_no_more(before)
    assert [line for line in guest.lines if "connection" in line] == [
        "livejoin connection: idle -> connecting",
        "livejoin connection: connecting -> live",
    ]

    page.evaluate("() => window.endApplication()")
    stand.await_no_more(nobody)
    assert not guest.complaints, guest.complaints
    page.close()


def is_shown(page: Page, title: str) -> None:
    """The route of that title shows rows."""
    expect(page.get_by_role("heading")).to_have_text(title)
    expect(page.locator("lj-live-table [role=gridcell]:not(.waiting)").first).to_be_visible()

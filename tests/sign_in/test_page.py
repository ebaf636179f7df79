"""Signing in on the page, in a real Chromium: the link, the provider at another site, the way back and its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from livejoin.access.keys import server_key
from sign_in_stand import Stand

BUILT = Path(__file__).parents[2] / "web/dist/page/browser/index.html"
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
WHAT_IS_KEPT = "() => [{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]"


@pytest.fixture
def page(stand: Stand, browser: Browser) -> Iterator[Page]:
    """The page, before the login."""
    assert BUILT.is_file(), "the page is not built: npm --prefix web run build"
    context = browser.new_context()
    context.set_default_timeout(20_000)
    opened = context.new_page()
    opened.goto(stand.settings.page_url)
    yield opened
    context.close()


def key_in(page: Page) -> str:
    """The key that the tab has."""
    return str(page.evaluate("() => sessionStorage.getItem('livejoin.key') ?? ''"))


def sign_in(page: Page, stand: Stand, who: str) -> None:
    """Follow the link, and say who one is."""
    page.get_by_role("link", name="Sign in with Example").click()
    expect(page).to_have_title("Who are you?")
    page.get_by_role("link", name=who).click()
    page.wait_for_url(f"{stand.settings.page_url}**")


@pytest.mark.parametrize(("who", "role"), [("ana", "operator"), ("ben", "viewer")])
def test_the_link_leads_to_the_provider_and_back_into_the_page(stand: Stand, page: Page, who: str, role: str) -> None:
    """By mouse; the key is in the tab, and neither in the address, a cookie nor the history."""
    sign_in(page, stand, who)
    expect(page.get_by_test_id("logout")).to_be_visible()
    expect(page.get_by_test_id("login-key")).to_have_count(0)
    assert page.url == stand.settings.page_url
    key = key_in(page)
    stand.keys.append(key)
    with stand.enter(key) as (said, _):
        assert (said["role"], said["name"]) == (role, who)
    kept = page.evaluate(WHAT_IS_KEPT)
    assert kept[1:] == [{}, "", stand.settings.page_url]
    assert page.context.cookies() == []
    history = page.context.new_cdp_session(page).send("Page.getNavigationHistory")["entries"]
    assert [entry["url"] for entry in history if key in entry["url"] or "code=" in entry["url"]] == []


def test_a_session_that_is_over_leads_back_to_the_login(stand: Stand, page: Page) -> None:
    """Which says why, and offers to sign in again."""
    sign_in(page, stand, "ben")
    expect(page.get_by_test_id("logout")).to_be_visible()
    stand.now += 480 * 60
    expect(page.get_by_test_id("login-error")).to_contain_text("Sign in again")
    assert key_in(page) == ""
    sign_in(page, stand, "ben")
    expect(page.get_by_test_id("logout")).to_be_visible()


def test_logging_out_ends_the_session_in_every_tab(stand: Stand, page: Page) -> None:
    """The key that the tab has had opens nothing any more, and a second tab with it is led back to the login."""
    sign_in(page, stand, "ben")
    expect(page.get_by_test_id("logout")).to_be_visible()
    key = key_in(page)
    stand.keys.append(key)
    second = page.context.new_page()
    second.goto(f"{stand.settings.page_url}#key={key}")
    expect(second.get_by_test_id("logout")).to_be_visible()
    page.get_by_test_id("logout").click()
    expect(page.get_by_test_id("login-key")).to_be_visible()
    expect(page.get_by_test_id("login-error")).to_be_empty()
    expect(second.get_by_test_id("login-error")).to_contain_text("Sign in again")
    assert (key_in(page), key_in(second)) == ("", "")
    with stand.enter(key) as (said, _):
        assert said["is"] == "refused"


def test_somebody_without_a_role_can_go_back_to_the_page(stand: Stand, page: Page) -> None:
    """And still log in with a key."""
    sign_in(page, stand, "eve")
    expect(page.get_by_role("heading", name="Not signed in")).to_be_visible()
    expect(page.get_by_role("link", name="Try again")).to_have_attribute("href", f"{stand.settings.page_url}sign-in")
    page.get_by_role("link", name="go to the page").click()
    page.get_by_test_id("login-key").fill(server_key(stand.settings))
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("logout")).to_be_visible()


def test_the_keyboard_reaches_the_link_from_the_key(stand: Stand, page: Page) -> None:
    """The box has the focus, the link is one step before it; nothing is wrong with either for who cannot see."""
    link = page.get_by_role("link", name="Sign in with Example")
    expect(link).to_be_visible()
    expect(page.get_by_test_id("login-key")).to_be_focused()
    # As a browser does for a test, beside the policy of the page.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations.map((one) => one.id)")
    assert found == []
    page.keyboard.press("Shift+Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_title("Who are you?")
    assert page.url.startswith(stand.provider.issuer)

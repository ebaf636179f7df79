"""Coming to the page and leaving it, in a real Chromium: the key and who remembers it, the first rows, the theme."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from up import OPERATOR_KEY, Up

PAGE_MS = 30_000
TABLES = ("users_ui", "accounts_ui", "final_ui")

FIRST_FRAMES = """() => {
  window.frames_seen = [];
  const look = () => {
    const panels = [...document.querySelectorAll('lj-table-panel')];
    if (panels.length > 0) {
      window.frames_seen.push({
        bones: panels.filter((panel) => panel.querySelector('[data-testid=skeleton]') !== null).length,
        places: panels.map((panel) => JSON.stringify(panel.getBoundingClientRect())).join(),
      });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes, frame by frame, how many tables show bones instead of rows and where the tables are."""


_THROW = "throw new DOMException('no', 'SecurityError')"
FORBIDDEN = {
    "any look": f"""for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {{ get() {{ {_THROW}; }} }});""",
    "every write": f"Storage.prototype.setItem = () => {{ {_THROW}; }};",
}
"""What browsers do that are set to keep nothing, or have no room."""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person who has never been here, and likes it dark."""
    opened = browser.new_context(color_scheme="dark")
    opened.set_default_timeout(PAGE_MS)
    yield opened
    opened.close()


@pytest.fixture
def page(up: Up, context: BrowserContext) -> Page:
    """The page, before the login."""
    opened = context.new_page()
    opened.goto(address(up))
    return opened


def address(up: Up) -> str:
    """Of the page, without the key."""
    return up.url.partition("#")[0]


def key(up: Up) -> str:
    """What the printed address logs in with."""
    return up.url.partition("#key=")[2]


def is_in(page: Page) -> None:
    """The tables are shown, and nobody is asked for a key."""
    for table in TABLES:
        expect(page.get_by_test_id(f"grid-{table}").get_by_role("grid")).to_be_visible(timeout=PAGE_MS)
    expect(page.get_by_test_id("login-key")).to_have_count(0)


def test_a_wrong_key_says_so_and_the_next_one_can_be_typed_at_once(up: Up, page: Page) -> None:
    """The box has the focus before, and again with the wrong key selected after."""
    box = page.get_by_test_id("login-key")
    expect(box).to_be_focused()
    page.keyboard.type("not the key")
    page.get_by_test_id("login-submit").click()
    expect(page.get_by_test_id("login-error")).to_contain_text("not accepted")
    expect(page.get_by_role("gridcell")).to_have_count(0)
    expect(box).to_be_focused()
    page.keyboard.type(key(up))
    expect(box).to_have_value(key(up))
    page.keyboard.press("Enter")
    is_in(page)


def test_the_key_is_remembered_for_the_tab_only_and_forgotten_at_the_log_out(up: Up, page: Page) -> None:
    """A reload does not ask again, another tab does, and so does this one from the log out on."""
    page.get_by_test_id("login-key").fill(key(up))
    page.get_by_test_id("login-submit").click()
    is_in(page)
    page.reload()
    is_in(page)
    other = page.context.new_page()
    other.goto(address(up))
    expect(other.get_by_test_id("login-key")).to_be_visible()
    page.get_by_test_id("logout").click()
    for _ in range(2):
        expect(page.get_by_test_id("login-key")).to_be_visible()
        expect(page.get_by_role("grid")).to_have_count(0)
        page.reload()
    assert key(up) not in str(page.evaluate("() => [{ ...sessionStorage }, { ...localStorage }, document.cookie]"))


def test_a_link_with_the_key_logs_in_where_the_page_is_open_already(up: Up, page: Page) -> None:
    """Only the fragment of the address changes then; the key is taken out of it all the same."""
    expect(page.get_by_test_id("login-key")).to_be_visible()
    page.evaluate("(hash) => { location.hash = hash; }", f"key={key(up)}")
    is_in(page)
    assert key(up) not in page.url


def test_bones_stand_where_the_rows_will_be(up: Up, context: BrowserContext) -> None:
    """The first frame shows all three tables without their rows, and no table moves when these come."""
    page = context.new_page()
    page.add_init_script(f"({FIRST_FRAMES})()")
    page.goto(up.url)
    is_in(page)
    expect(page.get_by_test_id("skeleton")).to_have_count(0)
    seen = page.evaluate("() => window.frames_seen")
    assert (seen[0]["bones"], seen[-1]["bones"]) == (len(TABLES), 0)
    assert len({frame["places"] for frame in seen}) == 1


@pytest.mark.parametrize("forbidden", ["any look", "every write"])
def test_the_page_works_where_the_browser_keeps_nothing(up: Up, context: BrowserContext, forbidden: str) -> None:
    """Key, theme and layout are kept until the page is left."""
    page = context.new_page()
    page.add_init_script(FORBIDDEN[forbidden])
    page.goto(address(up))
    page.get_by_test_id("login-key").fill(key(up))
    page.get_by_test_id("login-submit").click()
    is_in(page)
    page.get_by_role("switch", name="Dark colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_role("separator").first.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_test_id("open-control").click()
    page.get_by_test_id("control-key").fill(OPERATOR_KEY)
    page.get_by_test_id("control-key").press("Enter")
    expect(page.get_by_test_id("swap-users")).not_to_have_value("")


def test_the_theme_is_the_system_s_until_it_is_switched(page: Page) -> None:
    """By preference, then by the switch, which is remembered."""
    switch = page.get_by_role("switch", name="Dark colours")
    background = page.locator("body")
    expect(switch).to_be_checked()
    dark = colour(background)
    page.emulate_media(color_scheme="light")
    expect(switch).not_to_be_checked()
    light = colour(background)
    assert dark != light
    switch.click()
    expect(background).to_have_css("background-color", dark)
    page.reload()
    expect(switch).to_be_checked()
    expect(background).to_have_css("background-color", dark)
    switch.click()
    expect(background).to_have_css("background-color", light)
    # Now it is the system's again.
    page.emulate_media(color_scheme="dark")
    expect(background).to_have_css("background-color", dark)


def colour(of: Locator) -> str:
    """The background, as the browser computes it."""
    found: str = of.evaluate("(element) => getComputedStyle(element).backgroundColor")
    assert re.fullmatch(r"rgb\(.+\)", found)
    return found

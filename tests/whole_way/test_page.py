"""The page as its operators use it: swap, understand a rejection, roll back, sort and filter, in a real Chromium."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from await_that import await_that
from default_tables import FINAL_UI
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.default_declaration import ACCOUNTS, USERS
from page_grid import open_menu
from up import OPERATOR_KEY, Up

PAGE_MS = 30_000
PHONE = ViewportSize(width=390, height=844)
USERS_TOPIC, ACCOUNTS_TOPIC = "page-users", "page-accounts"
BALANCES = {"page-a": 20.0, "page-b": 3.0, "page-c": 100.0}


@pytest.fixture(scope="module")
def page(up: Up, browser: Browser) -> Iterator[Page]:
    """The page, logged in, and topics with three people for it to swap to."""
    cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
    for topic in (USERS_TOPIC, ACCOUNTS_TOPIC):
        cluster.ensure(topic)
    for user, balance in BALANCES.items():
        up.produce(USERS_TOPIC, user, {"userId": user, "name": user.upper(), "email": "", "age": 30})
        up.produce(ACCOUNTS_TOPIC, user, {"userId": user, "accountType": "gold", "balance": balance})
    opened = browser.new_page(permissions=["clipboard-read", "clipboard-write"])
    opened.set_default_timeout(PAGE_MS)
    opened.goto(up.url)
    expect(opened.get_by_test_id("connection-state")).to_have_text(re.compile("live", re.IGNORECASE), timeout=PAGE_MS)
    yield opened
    opened.close()


@pytest.fixture
def _may_act(page: Page) -> None:
    """The operators' key is known to the page."""
    page.get_by_test_id("open-control").click()
    expect(page.get_by_test_id("swap-send").or_(page.get_by_test_id("control-key"))).to_be_visible()
    if page.get_by_test_id("control-key").is_visible():
        page.get_by_test_id("control-key").fill(OPERATOR_KEY)
        page.get_by_test_id("control-key").press("Enter")
    expect(page.get_by_test_id("swap-send")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("control-panel")).to_have_count(0)


@pytest.fixture
def _elsewhere(up: Up) -> None:
    """The topics of the settings are live, and nothing lingers that could be brought back."""
    up.show("users", "accounts")
    up.await_one_generation()


@pytest.fixture
def _three_people(up: Up, page: Page) -> None:
    """The topics of these tests are live."""
    up.show(USERS_TOPIC, ACCOUNTS_TOPIC)
    expect(users_shown(page)).to_have_count(len(BALANCES))


def send_swap(page: Page, users: str, accounts: str) -> Locator:
    """Fill in the form and send it; what is shown of its verdict."""
    if not page.get_by_test_id("control-panel").is_visible():
        page.get_by_test_id("open-control").click()
    page.get_by_test_id("swap-users").fill(users)
    page.get_by_test_id("swap-accounts").fill(accounts)
    page.get_by_test_id("swap-send").click()
    return page.get_by_test_id("swap-verdict")


def users_shown(page: Page) -> Locator:
    """The keys of the joined rows, from the top."""
    return page.get_by_test_id(f"grid-{FINAL_UI.name}").locator('[role=gridcell][data-column="userId"]')


def test_the_viewer_s_key_is_not_enough_to_swap(up: Up, browser: Browser) -> None:
    """The panel asks for the control key, says where it is not accepted, and keeps the right one for this tab."""
    page = browser.new_page()
    page.set_default_timeout(PAGE_MS)
    page.goto(up.url)
    page.get_by_test_id("open-control").click()
    box = page.get_by_test_id("control-key")
    expect(page.get_by_test_id("swap-send")).to_have_count(0)
    box.fill("not the control key")
    box.press("Enter")
    expect(page.get_by_test_id("swap-problem")).to_contain_text("Enter the right key")
    box.fill(OPERATOR_KEY)
    box.press("Enter")
    expect(page.get_by_test_id("swap-send")).to_be_visible()
    page.reload()
    page.get_by_test_id("open-control").click()
    expect(page.get_by_test_id("swap-send")).to_be_visible()
    page.close()


@pytest.mark.usefixtures("_may_act")
def test_nothing_can_be_sent_while_nothing_would_change(page: Page) -> None:
    """The form begins with what is live, and says so; a box that is clicked offers every topic, and takes none."""
    page.get_by_test_id("open-control").click()
    users = page.get_by_test_id("swap-users")
    expect(users).not_to_have_value("")
    live = users.input_value()
    users.click()
    offered = page.get_by_role("listbox", name="Users topic").get_by_role("option")
    expect(offered.filter(has_text=USERS_TOPIC)).to_have_count(1)
    # The list goes, the panel stays; another name can be chosen by keys, and taken back.
    page.keyboard.press("Escape")
    expect(offered).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(users).to_have_value(re.compile("."))
    users.fill(live)
    page.get_by_test_id("swap-join").get_by_role("radio").first.focus()
    expect(users).to_have_value(live)
    expect(page.get_by_test_id("swap-plan")).to_contain_text("nothing would change")
    expect(page.get_by_test_id("swap-send")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("control-panel")).to_have_count(0)
    expect(page.get_by_test_id("open-control")).to_be_focused()


@pytest.mark.usefixtures("_may_act")
def test_a_rejected_swap_is_understood(page: Page) -> None:
    """A topic that is not there is named with the one that was meant; what was read once is not told again."""
    verdict = send_swap(page, "page-usrs", ACCOUNTS_TOPIC)
    expect(page.get_by_test_id("swap-plan")).to_contain_text("There is no topic page-usrs")
    expect(page.get_by_test_id("swap-plan")).to_contain_text(f"Did you mean {USERS_TOPIC}?")
    expect(verdict).to_have_attribute("data-verdict", "rejected", timeout=PAGE_MS)
    expect(verdict).to_contain_text(f"'page-usrs': create it, or name one that exists. Did you mean '{USERS_TOPIC}'?")
    entry = page.get_by_test_id("control-log").get_by_role("listitem").first
    expect(entry).to_contain_text("users → page-usrs")
    expect(entry).to_contain_text("rejected")
    expect(entry).to_contain_text("by ana")
    expect(entry.locator("code")).to_have_count(0)
    entry.get_by_text("Message").click()
    expect(entry.locator("code")).to_contain_text('"usersTopic":"page-usrs"')
    expect(page.get_by_text("create it, or name one that exists")).to_have_count(1)
    page.get_by_test_id("dismiss-verdict").click()
    expect(verdict).to_have_count(0)
    # What was begun is there again when the panel is.
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("control-panel")).to_be_hidden()
    expect(page.get_by_test_id("swap-bar")).to_have_count(0)
    page.get_by_test_id("open-control").click()
    expect(page.get_by_test_id("swap-users")).to_have_value("page-usrs")
    page.get_by_test_id("swap-users").fill("")
    # First the list of topics, then the panel.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("control-panel")).to_be_hidden()


def test_a_rejection_of_somebody_else_s_message_is_told_until_it_is_put_away(up: Up, page: Page) -> None:
    """Beside the badge, also for who has the panel closed."""
    up.deployment.send({"usersTopic": "page-nowhere-at-all", "accountsTopic": ACCOUNTS_TOPIC})
    bar = page.get_by_test_id("swap-bar").and_(page.locator("[data-kind=rejected]"))
    expect(bar).to_contain_text("page-nowhere-at-all", timeout=PAGE_MS)
    bar.get_by_test_id("dismiss").click()
    expect(bar).to_have_count(0)


@pytest.mark.usefixtures("_may_act", "_elsewhere")
def test_a_swap_is_sent_applied_and_rolled_back(page: Page) -> None:
    """The verdict is that of this message, the strip confirms it, and one click takes it back."""
    strip = page.get_by_test_id("status-strip")
    verdict = send_swap(page, USERS_TOPIC, ACCOUNTS_TOPIC)
    expect(page.get_by_test_id("swap-plan")).to_contain_text("This is being built")
    expect(page.get_by_test_id("swap-send")).to_be_disabled()
    expect(verdict).to_have_attribute("data-verdict", "applied", timeout=PAGE_MS)
    expect(strip).to_contain_text(USERS_TOPIC)
    expect(page.get_by_test_id("announcer")).to_contain_text(f"Now showing {USERS_TOPIC}")
    expect(page.get_by_test_id("roll-back")).to_have_text(re.compile(r"Roll back\s+\d+ s"))
    # The panel leaves the head of the page free, on a phone too.
    wide = page.viewport_size
    page.set_viewport_size(PHONE)
    page.get_by_test_id("roll-back").click()
    expect(strip).not_to_contain_text(USERS_TOPIC)
    expect(verdict).to_have_count(0)
    assert wide is not None
    page.set_viewport_size(wide)
    # The rolled back one lingers now, so this is answered without building it again.
    expect(page.get_by_test_id("swap-users")).not_to_have_value(USERS_TOPIC)
    send_swap(page, USERS_TOPIC, ACCOUNTS_TOPIC)
    expect(strip).to_contain_text(USERS_TOPIC)
    page.keyboard.press("Escape")
    expect(users_shown(page)).to_have_count(len(BALANCES))


@pytest.mark.usefixtures("_three_people")
def test_a_cell_that_changes_flashes(up: Up, page: Page) -> None:
    """That cell, and no other one of its row."""
    page.evaluate(
        """() => {
          window.flashed = [];
          document.addEventListener('animationstart', ({ target: { dataset } }) => {
            if (dataset.column) window.flashed.push(dataset.column);
          });
        }"""
    )
    up.produce(ACCOUNTS_TOPIC, "page-a", {"userId": "page-a", "accountType": "silver", "balance": BALANCES["page-a"]})
    await_that(lambda: page.evaluate("() => window.flashed"), timeout=PAGE_MS / 1000)
    assert set(page.evaluate("() => window.flashed")) == {"accountType"}


@pytest.mark.usefixtures("_three_people")
def test_sort_and_filter_are_in_the_address(up: Up, page: Page, browser: Browser) -> None:
    """A click sorts on the server, a number range filters, and a link shows the same."""
    grid = page.get_by_test_id(f"grid-{FINAL_UI.name}")
    head = grid.get_by_role("columnheader", name="balance")
    head.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(users_shown(page)).to_have_text(["page-b", "page-a", "page-c"])
    head.click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(users_shown(page)).to_have_text(["page-c", "page-a", "page-b"])
    open_menu(page, "balance")
    # It acts while it is typed, without Enter and without being left.
    grid.get_by_test_id("from-balance").press_sequentially("10")
    expect(users_shown(page)).to_have_text(["page-c", "page-a"])
    expect(grid.get_by_test_id("from-balance")).to_be_focused()
    page.keyboard.press("Escape")
    expect(grid.get_by_test_id("column-menu")).to_have_count(0)
    expect(grid.get_by_test_id("chip")).to_have_text(["balance ≥ 10", "balance ↓"])
    grid.get_by_test_id("maximise").click()
    expect(page.get_by_test_id(f"grid-{USERS.name}_ui")).to_be_hidden()

    other = browser.new_page()
    other.goto(f"{page.url}#{up.url.partition('#')[2]}")
    expect(users_shown(other)).to_have_text(["page-c", "page-a"], timeout=PAGE_MS)
    expect(other.get_by_test_id(f"grid-{ACCOUNTS.name}_ui")).to_be_hidden()
    other.close()

    page.keyboard.press("Escape")
    expect(page.get_by_test_id(f"grid-{USERS.name}_ui")).to_be_visible()
    grid.get_by_test_id("clear-view").click()
    expect(users_shown(page)).to_have_count(len(BALANCES))


@pytest.mark.usefixtures("_three_people")
def test_a_paused_table_counts_what_it_holds_back(up: Up, page: Page) -> None:
    """The rows stay until they are wanted again."""
    grid = page.get_by_test_id(f"grid-{FINAL_UI.name}")
    grid.get_by_test_id("pause").click()
    up.produce(ACCOUNTS_TOPIC, "page-d", {"userId": "page-d", "accountType": "gold", "balance": 1.0})
    up.produce(USERS_TOPIC, "page-d", {"userId": "page-d", "name": "D", "email": "", "age": 1})
    expect(grid.get_by_test_id("held")).to_contain_text("1 new row", timeout=PAGE_MS)
    expect(users_shown(page)).to_have_count(len(BALANCES))
    grid.get_by_test_id("pause").click()
    expect(users_shown(page)).to_have_count(len(BALANCES) + 1)
    for topic in (USERS_TOPIC, ACCOUNTS_TOPIC):
        up.produce(topic, "page-d", None)


@pytest.mark.usefixtures("_three_people")
def test_the_strip_counts_dead_letters_and_leads_to_them(up: Up, page: Page) -> None:
    """A click on the number opens the panel where they are, the newest first, by reason, each to be copied.

    They are found by their texts, and what is found is exported.
    """
    for text in ("not JSON at all", '{"userId": 7}', "no JSON, either"):
        up.produce(USERS_TOPIC, "page-e", text)
    expect(page.get_by_test_id("letters")).not_to_have_text("0", timeout=PAGE_MS)
    page.get_by_test_id("letters").click()
    letters = page.get_by_test_id("dead-letters").get_by_role("listitem")
    expect(letters.first).to_contain_text("no JSON, either")
    expect(page.get_by_test_id("letter-count")).to_contain_text(re.compile(r"^\d+ dead letters"))
    reason = page.get_by_test_id("letter-reasons").get_by_role("button", name=re.compile("userId is a number"))
    reason.click()
    expect(letters.filter(has_text="JSON")).to_have_count(0)
    expect(letters.first).to_contain_text('{"userId": 7}')
    letters.first.get_by_test_id("copy-letter").click()
    copied = json.loads(page.evaluate("() => navigator.clipboard.readText()"))
    assert (copied["topic"], copied["text"]) == (USERS_TOPIC, '{"userId": 7}')
    reason.click()
    panel = page.get_by_role("tabpanel")
    panel.get_by_test_id("search").fill("either")
    expect(letters).to_have_count(1)
    expect(page.get_by_test_id("letter-count")).to_have_text(re.compile(r"^1 of \d+ dead letters$"))
    with page.expect_download() as downloading:
        panel.get_by_test_id("export-letters").click()
        panel.get_by_test_id("export-json-lines").click()
    assert re.fullmatch(r"dead_letters-.*Z\.jsonl", downloading.value.suggested_filename)
    [line] = downloading.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["text"] == "no JSON, either"
    panel.get_by_test_id("search").fill("")
    # It scrolls by keys, too.
    page.get_by_role("tabpanel").focus()
    expect(page.get_by_role("tabpanel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("letters")).to_be_focused()

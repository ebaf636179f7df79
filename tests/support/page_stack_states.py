"""The states that the stack behind the page is in: swaps and what becomes of them, and what is gone or silent."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Page, expect

from footprint import processes_of
from page_stage import LARGE_TOPIC, NEW_TOPIC, PAGE_MS, SWAP_MS, Stage, has_rows, joined
from page_state import state
from up import VIEWER_KEY


@state("An operator's key is needed", "[data-testid=control-panel]")
def control_key(stage: Stage) -> Iterator[list[Page]]:
    """Who may look only cannot swap."""
    with stage.strangers(f"#key={VIEWER_KEY}") as pages:
        for page in pages:
            page.get_by_test_id("open-control").click()
            expect(page.get_by_test_id("control-key")).to_be_visible()
        yield pages


@state("A swap that is prepared", "[data-testid=control-panel]")
def control(stage: Stage) -> Iterator[list[Page]]:
    """With the list of topics open."""
    stage.each(lambda page: page.get_by_test_id("open-control").click())
    stage.each(lambda page: page.get_by_test_id("swap-users").fill("stage"))
    stage.each(lambda page: expect(page.get_by_role("option").first).to_be_visible())
    yield stage.pages
    stage.each(lambda page: page.get_by_test_id("swap-users").fill(""))
    stage.each(_close_panel)


@state("A swap that was rejected", "[data-testid=control-panel]")
def rejected(stage: Stage) -> Iterator[list[Page]]:
    """With the topic that was probably meant, and the message itself."""
    stage.each(lambda page: page.get_by_test_id("open-control").click())
    stage.each(lambda page: page.get_by_test_id("swap-users").fill("stage-lagre"))
    stage.each(lambda page: page.get_by_test_id("swap-send").click())
    for page in stage.pages:
        expect(page.get_by_test_id("swap-verdict")).to_have_attribute("data-verdict", "rejected", timeout=PAGE_MS)
    stage.each(lambda page: page.get_by_test_id("control-log").get_by_text("Message").first.click())
    yield stage.pages
    stage.each(lambda page: page.get_by_test_id("dismiss-verdict").click())
    stage.each(lambda page: page.get_by_test_id("swap-users").fill(""))
    stage.each(_close_panel)


def _close_panel(page: Page) -> None:
    # What lies above the panel goes first.
    while page.get_by_test_id("control-panel").is_visible():
        page.keyboard.press("Escape")


@state("Somebody else's swap was rejected", "header")
def told(stage: Stage) -> Iterator[list[Page]]:
    """Beside the badge, until it is put away."""
    stage.up.deployment.send({"usersTopic": "stage-nowhere-at-all", "accountsTopic": stage.accounts})
    bars = [page.locator("[data-testid=swap-bar][data-kind=rejected]") for page in stage.pages]
    for bar in bars:
        expect(bar).to_contain_text("stage-nowhere-at-all", timeout=PAGE_MS)
    yield stage.pages
    for bar in bars:
        bar.get_by_test_id("dismiss").click()


@state("Dead letters", "[data-testid=control-panel]")
def letters(stage: Stage) -> Iterator[list[Page]]:
    """By reason, each with what it was."""
    for number, text in enumerate(("not JSON at all", '{"userId": 7}', "no JSON, either")):
        stage.up.produce(stage.users, f"stage-{number}", text)
    stage.each(lambda page: page.get_by_test_id("open-control").click())
    stage.each(lambda page: page.get_by_test_id("tab-letters").click())
    stage.each(
        lambda page: expect(page.get_by_test_id("dead-letters").locator("code").nth(2)).to_be_visible(timeout=PAGE_MS)
    )
    yield stage.pages
    stage.each(lambda page: page.get_by_test_id("tab-control").click())
    stage.each(_close_panel)


@state("A swap under way")
def swapping(stage: Stage) -> Iterator[list[Page]]:
    """Its progress is told, also in the panel of whoever has asked."""
    stage.up.deployment.swap(LARGE_TOPIC)
    bars = [page.get_by_role("progressbar", name="Progress of the swap") for page in stage.pages]
    for bar in bars:
        expect(bar).to_have_attribute("aria-valuenow", re.compile(r"\d"), timeout=PAGE_MS)
    with _held(stage, "spark"):
        yield stage.pages
    for page in stage.pages:
        expect(page.get_by_test_id("status-strip")).to_contain_text(LARGE_TOPIC, timeout=SWAP_MS)


@state("After it, while there is a way back", "header")
def swapped(stage: Stage) -> Iterator[list[Page]]:
    """The way back is counted down."""
    stage.home()
    stage.each(lambda page: page.get_by_test_id("roll-back").wait_for())
    yield stage.pages


@state("Topics without an event")
def empty(stage: Stage) -> Iterator[list[Page]]:
    """Everything is well, and nothing is there."""
    stage.up.show(NEW_TOPIC, NEW_TOPIC)
    stage.each(
        lambda page: expect(joined(page).get_by_test_id("empty")).to_contain_text("No rows yet", timeout=PAGE_MS)
    )
    yield stage.pages
    stage.home()
    stage.each(has_rows)


@state("The table server is gone")
def reconnecting(stage: Stage) -> Iterator[list[Page]]:
    """The last rows stay, and say how old they are."""
    with _held(stage, "serve"):
        stage.each(lambda page: expect(page.get_by_test_id("stale").first).to_be_visible(timeout=PAGE_MS))
        yield stage.pages
    for page in stage.pages:
        expect(page.get_by_test_id("connection-state")).to_have_attribute("data-state", "live", timeout=PAGE_MS)


@state("The network is gone", "header")
def offline(stage: Stage) -> Iterator[list[Page]]:
    """Of the person alone."""
    stage.each(lambda page: page.context.set_offline(True))
    for page in stage.pages:
        expect(page.get_by_test_id("connection-state")).to_have_attribute("data-state", "reconnecting", timeout=PAGE_MS)
    yield stage.pages
    stage.each(lambda page: page.context.set_offline(False))
    for page in stage.pages:
        expect(page.get_by_test_id("connection-state")).to_have_attribute("data-state", "live", timeout=PAGE_MS)


@state("The pipeline is silent", "header")
def stalled(stage: Stage) -> Iterator[list[Page]]:
    """Rows are there, and may stand still."""
    with _held(stage, "pipeline"):
        for page in stage.pages:
            expect(page.get_by_test_id("connection-state")).to_have_attribute("data-state", "stalled", timeout=PAGE_MS)
        yield stage.pages
    for page in stage.pages:
        expect(page.get_by_test_id("connection-state")).to_have_attribute("data-state", "live", timeout=PAGE_MS)


@contextmanager
def _held(stage: Stage, role: str) -> Iterator[None]:
    """A process of the stack stands still meanwhile."""
    process = processes_of(stage.up)[role]
    with ExitStack() as undo:
        process.suspend()
        undo.callback(process.resume)
        yield

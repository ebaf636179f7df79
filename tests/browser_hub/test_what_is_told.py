"""What the page tells of what it cannot help: a pipeline that is silent, a swap that failed, a topic without events."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from hub_application import WEB
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation, State
from livejoin.wire.records import generation_key
from page_access import check_everywhere
from table_server import Pipeline
from tests.browser_hub.stand import PAGE_MS, Stand


@pytest.fixture
def page(stand: Stand, pipeline: Pipeline, generations: list[Generation], browser: Browser) -> Iterator[Page]:
    """A page of its own, of somebody who wants no motion; the newest generation is shown."""
    pipeline.go_live(generations[-1])
    context = browser.new_context(reduced_motion="reduce", viewport=ViewportSize(width=1280, height=800))
    context.add_init_script(path=WEB / "node_modules/axe-core/axe.min.js")
    opened = context.new_page()
    opened.set_default_timeout(PAGE_MS)
    opened.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    expect(opened.get_by_role("gridcell").first).to_be_visible(timeout=PAGE_MS)
    yield opened
    context.close()


@pytest.fixture
def _heard(pipeline: Pipeline) -> Iterator[None]:
    """A pipeline that says what the test says, and goes on as usual afterwards."""
    pipeline.heart.stop()
    yield
    pipeline.revive()


@pytest.mark.usefixtures("_heard")
def test_rows_that_may_stand_still_are_not_called_live(pipeline: Pipeline, page: Page) -> None:
    """The badge and the line beside it say why, though the connection is well and rows are there."""
    pipeline.heart.beat(queries="the broker refuses what they write")
    expect(page.get_by_test_id("connection-state")).to_have_text("Stalled")
    notice = page.get_by_test_id("swap-bar")
    expect(notice).to_have_attribute("data-kind", "trouble")
    expect(notice).to_contain_text("queries: the broker refuses what they write.")
    expect(page.get_by_test_id("announcer")).to_contain_text("Stalled. queries: the broker refuses")
    check_everywhere(page)
    pipeline.heart.beat()
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    expect(notice).to_have_count(0)


def test_a_failed_swap_stays_until_it_is_put_away(pipeline: Pipeline, page: Page) -> None:
    """With its reason; what was live still is, and the badge says so."""
    failed = pipeline.record(pipeline.open().move(State.FAILED, why="a task did not answer", now=datetime.now(UTC)))
    notice = page.get_by_test_id("swap-bar")
    expect(notice).to_have_attribute("data-kind", "failed")
    expect(notice).to_contain_text("A task did not answer.")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    check_everywhere(page)
    notice.get_by_test_id("dismiss").click()
    expect(notice).to_have_count(0)
    pipeline.send(pipeline.topics.state, generation_key(failed.number), None)
    pipeline.flush()


def test_a_topic_without_events_says_so(pipeline: Pipeline, generations: list[Generation], page: Page) -> None:
    """However often the table server is heard of; what comes is as old as it says, and waits until it is shown."""
    pipeline.cluster.ensure("told-users")
    coming = pipeline.open(users="told-users")
    pipeline.go_live(coming)
    age = page.get_by_test_id("age-left")
    expect(age).to_have_text("no event yet")
    pipeline.send("told-users", "a", b"{}")
    pipeline.flush()
    expect(age).to_have_text(re.compile(r"^(<\s1|\d+)\ss ago$"))
    # Nobody joins here, so that it is never accounted for.
    expect(age).to_have_text("1 behind", timeout=PAGE_MS)
    expect(page.get_by_test_id("connection-state")).to_have_text("Behind")
    check_everywhere(page)
    pipeline.go_live(generations[0])
    pipeline.close(coming)


def test_a_clock_that_is_fast_makes_nothing_older(
    stand: Stand, pipeline: Pipeline, generations: list[Generation], browser: Browser
) -> None:
    """What the server tells the time of is as old as the server's clock says, on a topic that is busy."""
    pipeline.cluster.ensure("busy-users")
    busy = pipeline.open(users="busy-users")
    pipeline.go_live(busy)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.clock.install(time=datetime.now(UTC) + timedelta(seconds=70))
    page.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    age = page.get_by_test_id("age-left")
    for _ in range(4):
        pipeline.send("busy-users", "a", b"{}")
        pipeline.flush()
        expect(age).to_have_text(re.compile(r"^(<\s1|\d)\ss ago$"), timeout=PAGE_MS)
        assert "no event for" not in page.get_by_test_id("status-strip").inner_text()
    assert page.evaluate("() => Date.now()") / 1_000 > time.time() + 60
    context.close()
    pipeline.go_live(generations[0])
    pipeline.close(busy)

"""What can go wrong between a page and its table server, and how the page mends it by itself."""

import os
import re
import signal
import time
from collections.abc import Callable
from itertools import pairwise

from playwright.sync_api import Browser, expect

from await_that import await_that
from hub_application import Builds
from livejoin.access.keys import server_key
from livejoin.model.generation import Generation
from relay import Relay
from tests.browser_hub.stand import Stand, Watched, enter, is_live, watched


def test_a_page_that_is_opened_before_there_are_tables_shows_them_when_they_come(
    operator: Watched, generations: list[Generation]
) -> None:
    """Nobody reloads: login and tables are tried until they are there, with one line per change of state."""
    assert generations
    is_live(operator)
    changes = [found[1] for line in operator.lines if (found := re.match(r"livejoin connection: (\w+ -> \w+)", line))]
    assert changes[0] == "idle -> connecting"
    assert changes[-1].endswith("-> live")
    # Each begins where the one before has ended, and is one.
    states = [change.split(" -> ") for change in changes]
    assert all(before[1] == after[0] for before, after in pairwise(states)), changes
    assert all(before != after for before, after in states), changes
    assert len(operator.lines) <= 12, operator.lines


def test_a_wrong_key_is_refused_once_and_not_tried_again(
    stand: Stand, browser: Browser, stage: str, generations: list[Generation]
) -> None:
    """Two changes of state, and no third however long one waits."""
    assert generations
    stranger = enter(browser, stage, stand.settings.page_url, "not the key")
    expect(stranger.page.locator("#connection")).to_have_text("refused")
    stranger.page.wait_for_timeout(1_500)
    assert [line.partition(": ")[2].partition(":")[0] for line in stranger.lines] == [
        "idle -> connecting",
        "connecting -> refused",
    ]
    stranger.page.close()


def test_a_network_that_is_gone_is_noticed_and_healed(
    stand: Stand, browser: Browser, stage: str, generations: list[Generation]
) -> None:
    """Offline, and the wire cut without a word: the rows stay and say that they are old; online, they are fresh."""
    assert generations
    with Relay(stand.settings.web.port) as wire:
        guest = enter(browser, stage, wire.url, server_key(stand.settings))
        guest.page.evaluate("() => window.stage.show('table')")
        cell = guest.page.locator("lj-live-table [data-column=userId]").first
        expect(cell).to_have_text(re.compile(r"g\d-0000"))
        wire.cut()
        guest.page.context.set_offline(True)
        state = guest.page.locator("lj-live-table .note")
        expect(state).to_have_attribute("data-state", "stale", timeout=10_000)
        expect(cell).to_have_text(re.compile(r"g\d-0000"))
        wire.mend()
        guest.page.context.set_offline(False)
        expect(state).to_have_attribute("data-state", "live", timeout=10_000)
        assert [line for line in guest.lines if "connection: live -> reconnecting" in line] == [
            "livejoin connection: live -> reconnecting: The table server does not answer."
        ]
        guest.page.close()


def test_a_server_that_is_stopped_and_continued_is_noticed_and_healed(
    stand: Stand, operator: Watched, builds: Builds, generations: list[Generation]
) -> None:
    """SIGSTOP for 15 s: nobody closes a connection, and yet the page says that its rows are old, and heals."""
    assert generations
    is_live(operator)
    began = time.monotonic()
    os.kill(stand.pid, signal.SIGSTOP)
    # The machine has nothing to do for fifteen seconds, so it builds what a later test needs.
    builds.begin("ten-lines")
    try:
        grid = operator.page.get_by_test_id("grid-final_ui")
        expect(grid).to_have_attribute("data-state", "stale", timeout=14_000)
        assert grid.get_by_role("gridcell").count() > 0
        time.sleep(max(0.0, 15 - (time.monotonic() - began)))
    finally:
        os.kill(stand.pid, signal.SIGCONT)
    is_live(operator)


def test_a_server_that_is_killed_and_started_again_brings_the_same_rows_back(
    stand: Stand, browser: Browser, operator: Watched, generations: list[Generation]
) -> None:
    """The rows stay through the outage, also one of an hour, the place in the table too; one line per change."""
    assert generations
    grid = operator.page.get_by_test_id("grid-final_ui")
    first: Callable[[], str] = lambda: grid.locator("[role=gridcell][data-column=userId]").first.inner_text()  # noqa: E731
    grid.get_by_label("First page").click()
    await_that(lambda: first().endswith("-0000"))
    grid.get_by_label("Next page").click()
    await_that(lambda: not first().endswith("-0000"))
    place, before = first(), len(operator.lines)
    patient = watched(browser.new_page())
    patient.page.clock.install()
    patient.page.goto(f"{stand.settings.page_url}#key={server_key(stand.settings)}")
    is_live(patient)
    stand.process.kill()
    for page in (operator.page, patient.page):
        expect(page.get_by_test_id("grid-final_ui")).to_have_attribute("data-state", "stale")
    assert first() == place
    # For this page an hour passes now.
    patient.page.clock.fast_forward("01:00:00")
    mark = patient.page.get_by_test_id("grid-final_ui").get_by_test_id("stale")
    expect(mark).to_have_text(re.compile(r"as of 1\sh ago"))
    stand.start()
    is_live(operator)
    # It tries in longer and longer intervals, which pass at once here.
    patient.page.clock.fast_forward("01:00")
    is_live(patient)
    expect(mark).to_have_count(0)
    assert not patient.complaints
    patient.page.close()
    assert first() == place
    changes = [line for line in operator.lines[before:] if "connection" in line]
    assert len(changes) <= 6, changes
    assert changes[-1].endswith("-> live")

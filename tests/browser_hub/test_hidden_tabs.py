"""A tab that nobody sees, in a real Chromium: it gets its rows, and costs little."""

import re
import time

from playwright.sync_api import expect

from livejoin.model.generation import Generation
from table_server import Pipeline, reader
from tests.browser_hub.stand import Stand, Watched

UPDATES = 60
PAUSE_SECONDS = 0.05
FIRST_VERSION = 1_000
"""Above all that other tests have given this row."""

HIDE = """() => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isHidden });
  const paint = window.requestAnimationFrame.bind(window);
  // As a browser does it: what waits for a frame waits until the tab is seen again.
  window.requestAnimationFrame = (run) => {
    if (!window.isHidden) return paint(run);
    document.addEventListener('visibilitychange', () => paint(run), { once: true });
    return 0;
  };
  window.see = (isSeen) => {
    window.isHidden = !isSeen;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  window.drawn = 0;
  const count = () => { window.drawn += 1; };
  new MutationObserver(count).observe(document.querySelector('table'), { characterData: true, subtree: true });
  window.see(false);
}"""
"""No window of a headless Chromium is ever hidden, so the page is told that it is one."""


def test_a_tab_that_nobody_sees_gets_its_rows_once_a_second(
    stand: Stand, guest: Watched, pipeline: Pipeline, generations: list[Generation]
) -> None:
    """A table that is drawn from `rows$` has the newest values, with few drawings; and every frame when seen."""
    with reader(stand.settings) as viewer:
        shown = generations[viewer.status()["generation"] - 1]
    page = guest.page
    page.evaluate("() => window.stage.show('cdk')")
    balance = page.locator("td.cdk-column-balance").first
    expect(balance).to_have_text(re.compile(r"\d"))
    page.evaluate(HIDE)

    def write(first: int, count: int) -> None:
        for number in range(first, first + count):
            row = {"userId": f"g{shown.number}-0000", "accountType": "gold", "balance": 0.5 + number}
            pipeline.upsert(shown, "accounts_ui", "0", FIRST_VERSION + number, **row)
            pipeline.flush()
            # How fast they come is what this is about.
            time.sleep(PAUSE_SECONDS)

    began = time.monotonic()
    write(0, UPDATES)
    expect(balance).to_have_text(f"{UPDATES - 0.5}")
    seconds = time.monotonic() - began
    drawn = page.evaluate("() => window.drawn")
    assert 2 <= drawn <= seconds + 2, (drawn, seconds)
    page.evaluate("() => { window.see(true); window.drawn = 0; }")
    write(UPDATES, UPDATES)
    expect(balance).to_have_text(f"{2 * UPDATES - 0.5}")
    assert page.evaluate("() => window.drawn") > UPDATES / 4
    row = {"userId": f"g{shown.number}-0000", "accountType": "gold", "balance": 0.0}
    pipeline.upsert(shown, "accounts_ui", "0", FIRST_VERSION + 2 * UPDATES, **row)
    pipeline.flush()

"""What many components cost the table server, and what they leave behind."""

import re
from collections import Counter

from playwright.sync_api import expect

from livejoin.model.generation import Generation
from table_server import Pipeline, reader
from tests.browser_hub.stand import Stand, Watched


def test_live_rows_make_zone_js_check_the_application_once_per_frame(
    stand: Stand, guest: Watched, generations: list[Generation]
) -> None:
    """Twenty updates that are drawn cost twenty checks, and the messages, timers and frames around them none."""
    pipeline = Pipeline(stand.settings)
    with reader(stand.settings) as viewer:
        shown = generations[viewer.status()["generation"] - 1]
    page = guest.page
    page.evaluate("() => window.stage.watch(1)")
    expect(page.locator(".watcher")).to_have_text(f"g{shown.number}-0000")
    before = page.evaluate("() => window.stage.checks()")
    for version in range(2, 22):
        name = f"g{shown.number}-0000" if version == 21 else f"g{shown.number}-0000 {version}"
        pipeline.upsert(shown, "users_ui", "0", version, userId=name)
        pipeline.flush()
        expect(page.locator(".watcher")).to_have_text(name)
    assert page.evaluate("() => window.stage.checks()") - before <= 20


def test_fifty_components_are_one_viewport_for_the_server(stand: Stand, guest: Watched) -> None:
    """The server has as many views and windows with fifty as with one."""

    def cost(count: int) -> Counter[str]:
        guest.page.evaluate("(count) => window.stage.watch(count)", count)
        expect(guest.page.locator(".watcher")).to_have_count(count)
        expect(guest.page.locator(".watcher").last).to_have_text(re.compile(r"g\d-0000"))
        return stand.objects()

    nobody = stand.objects()
    one, fifty = cost(1), cost(50)
    assert one["Window"] == nobody["Window"] + 1
    assert fifty == one


MOUNT = """async (times) => {
  const tables = ['users_ui', 'accounts_ui', 'final_ui', 'orchestrator_status'];
  const isShown = (name) => document.querySelector(`[data-table=${name}] [role=gridcell]:not(.waiting)`) !== null;
  for (let time = 0; time < times; time += 1) {
    window.stage.tables(...tables);
    while (!tables.every(isShown)) await new Promise(requestAnimationFrame);
    window.stage.tables();
    // Longer than the linger, so that every mount is one of its own on the server.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""


def test_two_hundred_mounts_leave_nothing_on_the_server(stand: Stand, guest: Watched) -> None:
    """Four tables come and go fifty times, and the server has no more views and windows than before."""
    guest.page.evaluate(MOUNT, 1)
    before = stand.objects()
    guest.page.evaluate(MOUNT, 50)
    stand.await_no_more(before)

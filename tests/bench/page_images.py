"""Renews docs/images: the page in each of its states, wide and on a phone, dark and light.

    PYTHONPATH=tests/support .venv/bin/python tests/bench/page_images.py [--only live,swapping]

Starts a `livejoin up` of its own in a temporary folder, with demo data, and goes through what an operator may see.
"""

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from await_that import await_that
from chromium import CHROMIUM_FLAGS
from footprint import role
from hub import say
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from up import Up, descendants, end_up, start_up

IMAGES = Path(__file__).parents[2] / "docs/images"
SIZES = (ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844))
THEMES = ("dark", "light")
SLOW_MS = 120_000
LARGE = 60_000

TO_WEBP = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.82).split(',')[1];
}"""


@dataclass
class View:
    """The page as one person sees it."""

    name: str
    page: Page


@dataclass
class Studio:
    """The same page in every size and theme, and the place where pictures go."""

    views: list[View]
    converter: Page
    only: set[str]

    def each(self, step: Callable[[Page], object]) -> None:
        """Do the same everywhere."""
        for view in self.views:
            step(view.page)

    def shoot(self, state: str) -> None:
        """A picture of every view."""
        if self.only and state not in self.only:
            return
        # All at once and converted afterwards: what is shown may last for a moment only.
        shots = [(view.name, view.page.screenshot(animations="disabled")) for view in self.views]
        for name, png in shots:
            webp: str = self.converter.evaluate(TO_WEBP, base64.b64encode(png).decode())
            file = IMAGES / f"{state}-{name}.webp"
            file.write_bytes(base64.b64decode(webp))
            say(f"{file.name} {file.stat().st_size // 1_000} kB")


def main() -> None:
    """Go through the states."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="states to renew, with commas between; all where it is left out")
    only = {name for name in parser.parse_args().only.split(",") if name}
    IMAGES.mkdir(exist_ok=True)
    expect.set_options(timeout=SLOW_MS)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as up, sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        studio = Studio([*opened(browser)], browser.new_page(), only)
        before_the_login(studio, up)
        enter(studio, up)
        for states, stage in STAGES.items():
            if not only or only.intersection(states):
                stage(studio, up)
        browser.close()


def opened(browser: Browser) -> Iterator[View]:
    """A page for every size and theme."""
    for size in SIZES:
        for theme in THEMES:
            context = browser.new_context(viewport=size, color_scheme="dark" if theme == "dark" else "light")
            page = context.new_page()
            page.set_default_timeout(SLOW_MS)
            yield View(f"{size['width']}-{theme}", page)


@contextmanager
def running(folder: Path) -> Iterator[Up]:
    """`livejoin up` with a demo that writes until the end, and topics to swap to."""
    up = start_up(folder, "swap.linger_seconds=60")
    demo = subprocess.Popen(up.command("demo", "--rate", "40"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
        for topic in ("crm.users", "core.accounts", "new.users", "new.accounts"):
            cluster.ensure(topic)
        producer = cluster.producer()
        for number in range(LARGE):
            user: dict[str, Any] = {
                "userId": f"c{number % 50_000:05}",
                "name": f"Customer {number % 50_000}",
                "email": "",
                "age": 40,
            }
            producer.produce("crm.users", key=user["userId"], value=json.dumps(user))
            producer.poll(0)
        assert producer.flush(60) == 0
        yield up
    finally:
        demo.kill()
        demo.wait()
        end_up(up)


def before_the_login(studio: Studio, up: Up) -> None:
    """The login, and a key that is refused."""
    studio.each(lambda page: page.goto(up.url.partition("#")[0]))
    studio.each(lambda page: page.get_by_test_id("login-submit").wait_for())
    studio.shoot("login")
    studio.each(lambda page: page.get_by_test_id("login-key").fill("not the key"))
    studio.each(lambda page: page.get_by_test_id("login-submit").click())
    studio.each(lambda page: expect(page.get_by_test_id("login-error")).to_contain_text("not accepted"))
    studio.shoot("refused")


def enter(studio: Studio, up: Up) -> None:
    """Log in everywhere."""
    studio.each(lambda page: page.goto("about:blank"))
    studio.each(lambda page: page.goto(up.url))
    studio.each(lambda page: page.locator("[data-testid=grid-final_ui] [role=gridcell]").nth(40).wait_for())


def tables(studio: Studio, _: Up) -> None:
    """Live rows, and a view that somebody has made of them."""
    # A curve of some length: the strip looks twice a second.
    points = re.compile(r"(\S+ ){50}")
    expect(studio.views[0].page.locator("polyline")).to_have_attribute("points", points)
    studio.shoot("live")
    studio.each(find_rich_people)
    studio.shoot("view")
    studio.each(filter_by_balance)
    studio.shoot("menu")
    studio.each(lambda page: page.keyboard.press("Escape"))
    studio.each(lambda page: page.get_by_test_id("grid-final_ui").get_by_test_id("clear-view").click())


def filter_by_balance(page: Page) -> None:
    """Open the menu of a column by way of the list of columns, where a phone has it at hand too."""
    panel = page.get_by_test_id("grid-final_ui")
    panel.get_by_test_id("columns").click()
    panel.get_by_test_id("arrange-balance").click()
    panel.get_by_test_id("from-balance").fill("100")
    expect(panel.get_by_test_id("chip").filter(has_text="balance")).to_be_visible()


def find_rich_people(page: Page) -> None:
    """Search, sort by balance, select some cells; on a phone the joined table is scrolled to."""
    panel = page.get_by_test_id("grid-final_ui")
    panel.scroll_into_view_if_needed()
    panel.get_by_test_id("search").fill("an")
    panel.get_by_role("columnheader", name="userId").click()
    expect(panel.get_by_role("columnheader", name="userId")).to_have_attribute("aria-sort", "ascending")
    panel.get_by_role("grid").focus()
    page.keyboard.press("Control+Home")
    for key in ("ArrowDown", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(panel.locator('[aria-selected="true"]')).to_have_count(6)


def control(studio: Studio, _: Up) -> None:
    """A swap that is rejected, and the dead letters."""
    studio.each(lambda page: page.get_by_test_id("open-control").click())
    studio.each(lambda page: page.get_by_test_id("swap-users").fill("crm.user"))
    studio.each(lambda page: page.get_by_test_id("swap-send").click())
    for view in studio.views:
        verdict = view.page.get_by_test_id("swap-verdict")
        expect(verdict).to_have_attribute("data-verdict", "rejected")
    studio.shoot("rejected")
    studio.each(lambda page: page.get_by_test_id("tab-letters").click())
    studio.each(lambda page: page.get_by_test_id("dead-letters").locator("code").first.wait_for())
    studio.shoot("letters")
    studio.each(lambda page: page.keyboard.press("Escape"))


def swaps(studio: Studio, up: Up) -> None:
    """A swap under way, one that is done, and topics that are empty."""
    send_swap(up, "crm.users", "core.accounts")
    studio.views[-1].page.locator("[role=progressbar][aria-valuenow]").wait_for()
    studio.shoot("swapping")
    studio.each(lambda page: page.get_by_test_id("roll-back").wait_for())
    studio.shoot("swapped")
    send_swap(up, "new.users", "new.accounts")
    studio.each(lambda page: page.get_by_test_id("grid-final_ui").get_by_test_id("empty").wait_for())
    studio.shoot("empty")
    send_swap(up, "users", "accounts")
    studio.each(lambda page: page.locator("[data-testid=grid-final_ui] [role=gridcell]").first.wait_for())


def send_swap(up: Up, users: str, accounts: str) -> None:
    """Send it, and wait for nothing."""
    command = up.command("swap", "--users", users, "--accounts", accounts)
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def trouble(studio: Studio, up: Up) -> None:
    """The table server dies; who comes meanwhile waits for it."""
    next(child for child in descendants(up.process.pid) if role(child) == "serve").kill()
    studio.each(lambda page: page.get_by_test_id("stale").first.wait_for())
    studio.shoot("reconnecting")
    studio.each(lambda page: page.goto("about:blank"))
    # The page itself comes back before its tables do.
    await_that(lambda: answers(up.url), timeout=60.0)
    studio.each(lambda page: page.goto(up.url))
    studio.each(lambda page: page.get_by_test_id("skeleton").first.wait_for())
    studio.shoot("waiting")


def answers(url: str) -> bool:
    """Whether anybody serves the page."""
    try:
        with urllib.request.urlopen(url.partition("#")[0], timeout=1):  # noqa: S310  an address of our own
            return True
    except OSError:
        return False


STAGES: dict[tuple[str, ...], Callable[[Studio, Up], None]] = {
    ("live", "view", "menu"): tables,
    ("rejected", "letters"): control,
    ("swapping", "swapped", "empty"): swaps,
    ("reconnecting", "waiting"): trouble,
}
"""What is left out, where only some of the pictures are wanted."""

if __name__ == "__main__":
    main()

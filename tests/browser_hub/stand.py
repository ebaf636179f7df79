"""What the tests of the hub look at: the table server from outside, and pages with what they wrote into the console."""

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from await_that import await_that
from livejoin.settings.settings import Settings
from ports import free_ports
from table_server import ServeProcess

PAGE_MS = 30_000
OWNED = ("View", "Window")
"""What a viewport is for the server."""


class Sites:
    """Ports for applications of others, each of which is an origin of its own."""

    def __init__(self) -> None:
        names = ("stage", "ten-lines", "long-tables", "routed", "stage of a major", "ten lines of a major")
        self._ports = dict(zip(names, free_ports(len(names)), strict=True))

    def port(self, name: str) -> int:
        """Where that one is served."""
        return self._ports[name]

    @property
    def origins(self) -> list[str]:
        """All of them."""
        return [f"http://127.0.0.1:{port}" for port in self._ports.values()]


@dataclass
class Stand:
    """The table server of these tests, which can be ended and started again at the same ports."""

    settings: Settings
    log: Path
    process: ServeProcess = field(init=False)

    def start(self) -> None:
        """Start the server; its tables are there some seconds later."""
        self.process = ServeProcess(self.settings, self.log)

    @property
    def pid(self) -> int:
        """Of the process that serves."""
        return self.process.process.pid

    def objects(self) -> Counter[str]:
        """How many objects that matter here are alive in the server, after a garbage collection."""
        jcmd = shutil.which("jcmd")
        assert jcmd, "no jcmd: install a JDK, as `make test` says"
        told = subprocess.run([jcmd, str(self.pid), "GC.class_histogram"], capture_output=True, text=True, check=True)
        found = re.findall(r"^\s*\d+:\s+(\d+)\s+\d+\s+livejoin\.(\w+)$", told.stdout, re.MULTILINE)
        return Counter({name: int(count) for count, name in found if name in OWNED})

    def await_no_more(self, before: Counter[str]) -> None:
        """Return when the server has no more of them than before."""

        def is_no_more() -> bool:
            now = self.objects()
            assert all(now[name] <= before[name] for name in OWNED), (now, before)
            return True

        await_that(is_no_more, timeout=10.0)


@dataclass
class Watched:
    """A page with what it wrote into the console."""

    page: Page
    lines: list[str] = field(default_factory=list)
    """Of the hub: one per change of state."""
    complaints: list[str] = field(default_factory=list)
    """Errors of scripts. What the browser says of connections that cannot be made is not one."""


def watched(page: Page) -> Watched:
    """Follow a page from its beginning."""
    page.set_default_timeout(PAGE_MS)
    made = Watched(page)

    def said(message: Any) -> None:
        if message.text.startswith("livejoin "):
            made.lines.append(message.text)
        elif message.type == "error" and not re.search(r"net::|WebSocket", message.text):
            made.complaints.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    return made


def enter(browser: Browser, stage: str, url: str, key: str) -> Watched:
    """The stage, logged in."""
    made = watched(browser.new_page())
    made.page.goto(f"{stage}?url={url}")
    made.page.evaluate("(key) => window.stage.connect(key)", key)
    expect(made.page.locator("#connection")).not_to_have_text(re.compile("idle|connecting"), timeout=PAGE_MS)
    return made


def is_live(operator: Watched) -> None:
    """Everything on the page is fresh, now or soon."""
    for name in ("users_ui", "accounts_ui", "final_ui"):
        grid = operator.page.get_by_test_id(f"grid-{name}")
        expect(grid).to_have_attribute("data-state", "live", timeout=60_000)
        expect(grid.get_by_role("gridcell").first).to_be_visible()

"""An open page whose every painted frame is looked at."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, Page, ViewportSize, expect

from await_that import await_that
from frame_checker import ACCOUNTS, FINAL, USERS, Frame, FrameChecker, mark_of
from frame_history import KEY, History, Sent
from livejoin.model.declaration import Side

RECORDER = Path(__file__).with_name("frame_log.js")
TABLES = (USERS, ACCOUNTS, FINAL)
PAGE_MS = 180_000
TALL: ViewportSize = {"width": 1280, "height": 1500}
"""Room for more than a few rows of each table."""


class RecordedPage:
    """Recorded from the first frame that shows all tables on, again after each reload. Who opens it closes it."""

    def __init__(self, browser: Browser, url: str, history: History) -> None:
        self.checker = FrameChecker(history)
        self.painted = 0
        self._history = history
        self._browser, self._url = browser, url
        self._painted_before = 0
        self._page: Page | None = None

    def open(self, pair: str) -> None:
        """Open it and return when all tables show this pair."""
        self._page = page = self._browser.new_page(viewport=TALL)
        page.set_default_timeout(PAGE_MS)
        page.goto(self._url)
        for table in TABLES:
            cell = page.get_by_test_id(f"grid-{table}").locator(f'[data-column="{KEY}"]').first
            expect(cell).to_contain_text(f"{pair}-", timeout=PAGE_MS)
        page.evaluate(RECORDER.read_text(encoding="utf-8"))
        self._painted_before = self.painted

    def close(self) -> None:
        """Close it, if it is open."""
        if self._page is not None:
            self._page.close()
            self._page = None

    def take(self) -> None:
        """Look at what was painted meanwhile: a tab does not hold it for ever."""
        assert self._page is not None
        taken: dict[str, Any] = self._page.evaluate("window.takeFrames()")
        self.painted = self._painted_before + taken["painted"]
        for one in taken["frames"]:
            self.checker.look(Frame(**one))

    def await_shown(self, pair: str, probe: dict[str, Sent], timeout: float) -> None:
        """Return when the page shows that pair, and of these people nothing older than the probe."""

        def shown() -> bool:
            self.take()
            newest = self.checker.last
            assert newest is not None
            assert newest.pair == pair, f"{newest.pair} is shown, not {pair}"
            rows = [row for row in newest.tables[ACCOUNTS] if row[KEY] in probe]
            assert rows, "nobody who was asked for is visible"
            for row in rows:
                found = self._history.find(Side.RIGHT, mark_of(row, Side.RIGHT) or 0)
                wanted = probe[row[KEY]]
                assert found is not None
                assert found.as_event().order >= wanted.as_event().order, f"{row} is older than {wanted.mark}"
            return True

        await_that(shown, timeout=timeout)

    def kill_tab(self) -> None:
        """End the process that draws, as a tab does that is out of memory."""
        self._signal(signal.SIGKILL)
        self.close()

    def stop_tab(self) -> None:
        """Let it stand still, as a laptop does that is closed."""
        self._signal(signal.SIGSTOP)

    def continue_tab(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    @staticmethod
    def _signal(number: signal.Signals) -> None:
        """To the processes that draw: nobody else of this run has a page open."""
        for process in psutil.Process(os.getpid()).children(recursive=True):
            # Some end meanwhile.
            with suppress(psutil.NoSuchProcess):
                if "--type=renderer" in process.cmdline():
                    process.send_signal(number)

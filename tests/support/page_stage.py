"""The page as several people have it open at once, wide and on a phone, before one running stack."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from default_tables import FINAL_UI
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.default_declaration import USERS
from page_access import DESKTOP, PHONE
from page_grid import panel
from up import OPERATOR_KEY, Up

PAGE_MS = 60_000
SWAP_MS = 120_000
LARGE_TOPIC, NEW_TOPIC = "stage-large", "stage-new"
"""Holds enough to be read for some seconds; holds nothing."""
LARGE = 30_000


@dataclass
class Stage:
    """The pages of an operator, and the stack behind them."""

    up: Up
    browser: Browser
    users: str
    accounts: str
    """What is live where a state does not say otherwise."""
    text: str
    """What is in some of the names that are live, and not in all."""
    scripts: Sequence[Path] = ()
    """What pages load before their own scripts."""
    pages: list[Page] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where the page is, without a key."""
        return self.up.url.partition("#")[0]

    def each(self, step: Callable[[Page], object]) -> None:
        """Do the same on every page."""
        for page in self.pages:
            step(page)

    def enter(self) -> None:
        """Open the pages, logged in, and wait for rows."""
        self.home()
        self.pages = [page for page, _ in self._opened(f"{self.address}#key={OPERATOR_KEY}")]
        self.each(has_rows)

    def home(self) -> None:
        """What is live usually is live."""
        self.up.show(self.users, self.accounts)

    @contextmanager
    def strangers(
        self, fragment: str = "", prepare: Callable[[BrowserContext], None] = lambda _: None
    ) -> Iterator[list[Page]]:
        """Pages of somebody else, whom no test has met before."""
        opened = [*self._opened(f"{self.address}{fragment}", prepare)]
        try:
            yield [page for page, _ in opened]
        finally:
            for _, context in opened:
                context.close()

    def _opened(
        self, address: str, prepare: Callable[[BrowserContext], None] = lambda _: None
    ) -> Iterator[tuple[Page, BrowserContext]]:
        for size in (DESKTOP, PHONE):
            context = self.browser.new_context(viewport=size, reduced_motion="reduce", color_scheme="dark")
            for script in self.scripts:
                # Not by a script element: the page forbids those of others.
                context.add_init_script(path=script)
            prepare(context)
            page = context.new_page()
            page.set_default_timeout(PAGE_MS)
            page.goto(address)
            yield page, context


def has_rows(page: Page) -> None:
    """Return when the joined table shows some."""
    expect(joined(page).get_by_role("gridcell").nth(40)).to_be_visible(timeout=PAGE_MS)


def joined(page: Page) -> Locator:
    """The joined table with everything around it."""
    return panel(page, FINAL_UI.name)


def send_topics(up: Up) -> None:
    """Write what states swap to."""
    cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
    for topic in (LARGE_TOPIC, NEW_TOPIC):
        cluster.ensure(topic)
    producer = cluster.producer()
    for number in range(LARGE):
        user = {USERS.key[0]: f"c{number:05}", "name": f"Customer {number}", "email": "", "age": 40}
        producer.produce(LARGE_TOPIC, key=f"c{number:05}", value=json.dumps(user))
        producer.poll(0)
    assert producer.flush(60) == 0

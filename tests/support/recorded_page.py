"""An open page whose every painted frame is written down, and the events that it should show."""

import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaError, Message, Producer
from playwright.sync_api import Browser, Page, expect

from await_that import await_that
from frame_checker import ACCOUNTS, FINAL, KEY, USERS, Frame, History
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from up import Up

RECORDER = Path(__file__).with_name("frame_log.js")
TABLES = (USERS, ACCOUNTS, FINAL)
SIDES = ("users", "accounts")
PAGE_MS = 60_000


class Sender:
    """Sends events of some people of some pairs, and remembers them. Who starts it stops it."""

    def __init__(self, up: Up, pairs: tuple[str, ...], people: int, rate: float, seed: int) -> None:
        self.history = History()
        self._pairs, self._people, self._rate = pairs, people, rate
        self._random = random.Random(seed)  # noqa: S311  not for secrets
        self._marks = count()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._flow)
        cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
        for topic in (f"{pair}-{side}" for pair in pairs for side in SIDES):
            cluster.ensure(topic)
        # As long as it takes: what the broker was not there for arrives when it is back, once and in order.
        self._producer: Producer = cluster.producer(**{"linger.ms": 5, "message.timeout.ms": 300_000})

    def start(self) -> None:
        """Everybody is there once, and then events go on."""
        for pair in self._pairs:
            for person in range(self._people):
                for side in SIDES:
                    self._send(side, f"{pair}-{person}")
        assert self._producer.flush(30) == 0
        self._thread.start()

    def stop(self) -> None:
        """Send no more; returns when the broker has everything."""
        self._stop.set()
        self._thread.join()
        assert self._producer.flush(120) == 0

    def _flow(self) -> None:
        while not self._stop.wait(1 / self._rate):
            # Rows of users stay, so that most events are of accounts, which change them.
            side = self._random.choices(SIDES, (1, 9))[0]
            self._send(side, f"{self._random.choice(self._pairs)}-{self._random.randrange(self._people)}")
            self._producer.poll(0)

    def _send(self, side: str, key: str) -> None:
        mark = next(self._marks)
        shown = {"name": f"Name {mark}"} if side == "users" else {"balance": mark}

        def delivered(error: KafkaError | None, _: Message) -> None:
            if error is None:
                self.history.acknowledge(side, key, mark)

        self.history.send(side, key, mark)
        topic = f"{key.split('-')[0]}-{side}"
        self._producer.produce(topic, key=key, value=json.dumps({KEY: key, **shown}), on_delivery=delivered)


class RecordedPage:
    """The frames since it was opened."""

    def __init__(self, page: Page) -> None:
        self.painted = 0
        self.frames: list[Frame] = []
        self._page = page

    def take(self) -> None:
        """Fetch what was painted meanwhile: a tab does not hold it for ever."""
        taken: dict[str, Any] = self._page.evaluate("window.takeFrames()")
        self.painted = taken["painted"]
        self.frames += [Frame(one["generation"], one["left"], one["tables"]) for one in taken["frames"]]

    def await_newer(self, pair: str, mark: int, timeout: float) -> None:
        """Return when the page shows an account of that pair whose mark is not older."""

        def shown() -> bool:
            self.take()
            newest = self.frames[-1]
            assert newest.pair == pair
            marks = [float(str(row["balance"]).replace(",", "")) for row in newest.tables[ACCOUNTS]]
            assert max(marks) >= mark
            return True

        await_that(shown, timeout=timeout)


@contextmanager
def recorded(up: Up, browser: Browser, pair: str) -> Iterator[RecordedPage]:
    """The page, recorded from the first frame that shows all tables of this pair on."""
    page = browser.new_page()
    page.set_default_timeout(PAGE_MS)
    try:
        page.goto(up.url)
        for table in TABLES:
            cell = page.get_by_test_id(f"grid-{table}").locator(f'[data-column="{KEY}"]').first
            expect(cell).to_contain_text(f"{pair}-", timeout=PAGE_MS)
        page.evaluate(RECORDER.read_text(encoding="utf-8"))
        yield RecordedPage(page)
    finally:
        page.close()

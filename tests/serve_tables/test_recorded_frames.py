"""Wrong rows that a real Chromium paints are found: the recorder and the checker of frames are tried as they are used.

The table server and the page are real, and the hand that writes rows does what a pipeline with a defect would do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser

from await_that import await_that
from frame_checker import ACCOUNTS, FINAL, USERS, Frame, FrameChecker, mark_of, wrong_end
from frame_history import History, cells_of, topic_of
from livejoin.access.keys import server_key
from livejoin.model.declaration import Side
from livejoin.model.generation import Generation
from recorded_page import RecordedPage
from table_server import Pipeline, Reader, ServeProcess

SEEN_SECONDS = 60.0
NEVER_SENT = 999
NUMBERS = count(1)
"""Of scenes."""
FIRST = {1: (1, 2), 2: (3,), 3: (4,)}
"""The marks of the users of each person; the account of each has that number and ten."""


@dataclass
class Scene:
    """A generation that shows three people as they were sent, the first of them with two users."""

    pipeline: Pipeline
    generation: Generation
    page: RecordedPage
    pair: str
    history: History = field(default_factory=History)
    versions: Iterator[int] = field(default_factory=lambda: count(1))

    def send(self, side: Side, person: int, mark: int, time: int, *, tombstone: bool = False) -> None:
        """An event that the broker has."""
        sent = self.history.send(side, f"{self.pair}-{person}", mark, time=time, tombstone=tombstone)
        self.history.acknowledge(sent.as_event())

    def user(self, person: int, row: int, mark: int, **cells: Any) -> None:
        """A row of users, by its number."""
        self.set(USERS, f"{person}/{row}", f"{self.pair}-{person}", {**cells_of(Side.LEFT, mark), **cells})

    def account(self, person: int, mark: int) -> None:
        """The row of accounts of a person."""
        self.set(ACCOUNTS, f"{person}", f"{self.pair}-{person}", cells_of(Side.RIGHT, mark))

    def joined(self, person: int, row: int, user: int, account: int | None) -> None:
        """A joined row, by its number."""
        cells = {} if account is None else cells_of(Side.RIGHT, account)
        self.set(FINAL, f"{person}/{row}", f"{self.pair}-{person}", {**cells_of(Side.LEFT, user), **cells})

    def set(self, table: str, row: str, key: str, cells: dict[str, Any]) -> None:
        """Any row."""
        self.pipeline.upsert(self.generation, table, row, next(self.versions), userId=key, **cells)
        self.pipeline.flush()

    def remove(self, table: str, *rows: str) -> None:
        """Take rows away."""
        for row in rows:
            self.pipeline.delete(self.generation, table, row, next(self.versions))
        self.pipeline.flush()

    def fill(self) -> None:
        """Everybody, as they were sent."""
        for person, users in FIRST.items():
            self.send(Side.RIGHT, person, person + 10, time=5)
            self.account(person, person + 10)
            for row, mark in enumerate(users):
                self.send(Side.LEFT, person, mark, time=row + 1)
                self.user(person, row, mark)
                self.joined(person, row, mark, person + 10)

    def await_painted(self, condition: Callable[[Frame], bool]) -> Frame:
        """The newest frame, when it is like that."""

        def painted() -> Frame | None:
            self.page.take()
            found = self.page.checker.last
            return found if found is not None and condition(found) else None

        return await_that(painted, timeout=SEEN_SECONDS)


@pytest.fixture(scope="module")
def page(served: ServeProcess, browser: Browser) -> Iterator[RecordedPage]:
    """Our page, recorded by the first scene that is shown in it."""
    made = RecordedPage(browser, f"{served.settings.page_url}#key={server_key(served.settings)}", History())
    yield made
    made.close()


@pytest.fixture
def scene(pipeline: Pipeline, page: RecordedPage) -> Scene:
    """What is right, as a page shows it whose every frame is looked at from now on."""
    pair = f"scene{next(NUMBERS)}"
    topic = topic_of(pair, Side.LEFT)
    pipeline.cluster.ensure(topic)
    made = Scene(pipeline, pipeline.open(users=topic), page, pair)
    made.fill()
    page.checker = FrameChecker(History())
    pipeline.go_live(made.generation)
    if page.painted == 0:
        page.open(pair)
    shown = made.await_painted(lambda frame: frame.pair == pair and len(frame.tables[FINAL]) == 4)
    page.checker = FrameChecker(made.history)
    page.checker.look(shown)
    assert page.checker.wrong == []
    return made


def a_row_of_another_pair(scene: Scene) -> None:
    """A mixture."""
    scene.set(USERS, "9/0", "other-1", cells_of(Side.LEFT, 1))


def an_empty_table(scene: Scene) -> None:
    """Nobody has an account."""
    scene.remove(ACCOUNTS, "1", "2", "3")


def a_row_of_another_life(scene: Scene) -> None:
    """The topic was created again, and the generation reads on."""
    scene.history.begin_life(topic_of(scene.pair, Side.LEFT))
    scene.send(Side.LEFT, 3, 50, time=9)
    scene.user(3, 1, 50)


def a_value_nobody_sent(scene: Scene) -> None:
    """As a table would have that counts by itself."""
    scene.account(2, NEVER_SENT)


def a_torn_row(scene: Scene) -> None:
    """Two events of one person, half of each."""
    scene.user(1, 1, 2, email=cells_of(Side.LEFT, 1)["email"])


def an_account_that_never_was_the_newest(scene: Scene) -> None:
    """It is late: when it came, a newer one was there."""
    scene.send(Side.RIGHT, 3, 60, time=1)
    scene.account(3, 60)


def half_of_an_event(scene: Scene) -> None:
    """An account in one of the rows that it changes."""
    scene.send(Side.RIGHT, 1, 70, time=9)
    scene.joined(1, 0, 1, 70)


def a_row_that_goes_back(scene: Scene) -> None:
    """As what a replaced pipeline writes would do."""
    scene.send(Side.RIGHT, 2, 80, time=9)
    scene.account(2, 80)
    scene.await_painted(lambda frame: any(mark_of(row, Side.RIGHT) == 80 for row in frame.tables[ACCOUNTS]))
    scene.account(2, 12)


def a_match_that_is_lost(scene: Scene) -> None:
    """A joined row is without its account again."""
    scene.joined(2, 0, 3, None)


def a_row_that_is_lost(scene: Scene) -> None:
    """A user between others."""
    scene.remove(USERS, "2/0")


def a_row_that_is_back(scene: Scene) -> None:
    """A tombstone has ended it."""
    scene.send(Side.LEFT, 2, 90, time=9, tombstone=True)
    scene.remove(FINAL, "2/0")
    scene.remove(USERS, "2/0")
    scene.await_painted(lambda frame: len(frame.tables[USERS]) == 3)
    assert scene.page.checker.wrong == []
    scene.user(2, 0, 3)


@pytest.mark.parametrize(
    ("bug", "told_of_it"),
    [
        (a_row_of_another_pair, "where the status says {pair}"),
        (an_empty_table, "accounts_ui is empty"),
        (a_row_of_another_life, "shows life 1 of {pair}-users, and life 0 of it"),
        (a_value_nobody_sent, "accounts_ui {pair}-2 shows"),
        (a_torn_row, "users_ui {pair}-1 shows"),
        (an_account_that_never_was_the_newest, "accounts_ui {pair}-3 shows"),
        (half_of_an_event, "final_ui {pair}-1 shows"),
        (a_row_that_goes_back, "accounts_ui {pair}-2 went back from 80 to 12"),
        (a_match_that_is_lost, "final_ui {pair}-2 lost its account 12"),
        (a_row_that_is_lost, "users_ui {pair}-2 lost 3, which nothing has ended"),
        (a_row_that_is_back, "users_ui {pair}-2 shows 3 again, which was ended"),
    ],
)
def test_each_thing_that_is_painted_wrong_is_found(scene: Scene, bug: Callable[[Scene], None], told_of_it: str) -> None:
    """One for each property."""
    bug(scene)

    wanted = told_of_it.format(pair=scene.pair)
    scene.await_painted(lambda _: any(wanted in what for what in scene.page.checker.wrong))


def test_an_end_that_is_wrong_is_found(scene: Scene, viewer: Reader) -> None:
    """The whole tables, as the door gives them: right before, and one acknowledged event too few after."""

    def end() -> list[str]:
        return wrong_end(scene.pair, {table: viewer.rows(table) for table in (USERS, ACCOUNTS, FINAL)}, scene.history)

    assert end() == []
    scene.send(Side.LEFT, 3, 95, time=9)
    assert any("missing" in what and "'Name 95'" in what for what in end()), end()

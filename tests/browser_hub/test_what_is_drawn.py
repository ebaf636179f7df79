"""What is drawn is what is in the table, on the real server: after any growth, loss, jump, sort or filter."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect

from await_that import await_that
from changing_tables import AMOUNTS, FEW, ChangingTables
from livejoin.access.keys import server_key
from relay import Relay
from tests.browser_hub.stand import PAGE_MS, enter

STEPS = 40
MANY_ROWS = 300


@dataclass
class Log:
    """The table `log`, and a model of it: the numbers of its rows, in their order."""

    tables: ChangingTables
    rows: list[int] = field(default_factory=list)
    made: int = 0

    def grow(self, count: int) -> None:
        """Put rows at the end."""
        self.tables.say(f"add {self.made} {self.made + count}")
        self.rows += range(self.made, self.made + count)
        self.made += count

    def shrink(self, gone: list[int]) -> None:
        """Take these rows away; none are left where it is all of them."""
        self.tables.say(" ".join(["remove", *(f"u{number}" for number in gone)]))
        self.rows = [number for number in self.rows if number not in set(gone)]


@dataclass
class Look:
    """What somebody wants to see."""

    first: int = 0
    length: int = 20
    is_sorted: bool = False
    is_filtered: bool = False

    def of(self, rows: list[int]) -> tuple[int, list[str]]:
        """How many rows there are for it, and which of them are in its window, each with its place."""
        left = [number for number in rows if not self.is_filtered or number % AMOUNTS > 2]
        if self.is_sorted:
            left.sort(key=lambda number: -(number % AMOUNTS))
        first = max(0, min(self.first, len(left) - self.length))
        return len(left), [
            f"{first + place} u{number}" for place, number in enumerate(left[first : first + self.length])
        ]

    def show(self, page: Page) -> None:
        """Ask for it."""
        sort = [{"column": "amount", "direction": "descending"}] if self.is_sorted else []
        chosen = [{"column": "amount", "is": "greater", "to": 2}] if self.is_filtered else []
        page.evaluate(
            "([first, last, sort, filter]) => window.stage.draw(first, last, sort, filter)",
            [self.first, self.first + self.length - 1, sort, chosen],
        )


@pytest.fixture(scope="module")
def log(tables: ChangingTables) -> Log:
    """With some rows."""
    made = Log(tables)
    made.grow(300)
    return made


@pytest.fixture
def wire(tables: ChangingTables) -> Iterator[Relay]:
    """Between the page and the server."""
    with Relay(tables.settings.web.port) as made:
        yield made


@pytest.fixture
def page(tables: ChangingTables, wire: Relay, browser: Browser, stage: str) -> Iterator[Page]:
    """The stage, at the other end of the wire."""
    guest = enter(browser, stage, wire.url, server_key(tables.settings))
    yield guest.page
    guest.page.close()
    assert not guest.complaints, guest.complaints


def test_what_is_drawn_is_the_table_after_each_of_many_changes(
    log: Log, wire: Relay, page: Page, chance: random.Random
) -> None:
    """Also those that come while others are under way: only every second time is waited for."""
    page.evaluate("() => window.stage.show('drawn')")
    look = Look()

    def shows_the_table() -> bool:
        drawn = page.locator("#drawn")
        size, lines = look.of(log.rows)
        assert drawn.get_attribute("data-state") == "live"
        assert (int(drawn.get_attribute("data-size") or -1), drawn.inner_text().split("\n")) == (size, lines or [""])
        return True

    for step in range(STEPS):
        match chance.choice(["grow", "shrink", "jump", "end", "sort", "filter", "lose"]):
            case "grow":
                log.grow(chance.choice([1, 2, 150]))
            case "shrink":
                count = min(chance.choice([1, 3, 120]), len(log.rows))
                is_end = chance.random() < 0.5
                log.shrink(log.rows[len(log.rows) - count :] if is_end else chance.sample(log.rows, count))
            case "jump":
                look.first = chance.choice([0, chance.randrange(600), 5_000])
            case "end":
                look.first = max(0, len(log.rows) - 10)
            case "sort":
                look.is_sorted = not look.is_sorted
            case "filter":
                look.is_filtered = not look.is_filtered
            case _:
                wire.drop()
        look.show(page)
        if step % 2:
            await_that(shows_the_table, timeout=PAGE_MS / 1000)
    await_that(shows_the_table, timeout=PAGE_MS / 1000)


def test_a_grid_that_follows_the_end_goes_on_when_a_row_has_left_it(log: Log, page: Page) -> None:
    """One row less, and then more, one by one: each is drawn when it is there."""
    # With fewer, all of them are in what was asked for once, and nothing has to be asked for again.
    log.grow(max(0, MANY_ROWS - len(log.rows)))
    page.evaluate("() => window.stage.tables('log')")
    table = page.locator("lj-live-table[data-table=log]")
    grid = table.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(len(log.rows) + 1))
    assert len(log.rows) > 200
    expect(grid.locator("[data-column=userId][role=gridcell]").first).to_be_visible()
    grid.evaluate("(grid) => { grid.scrollTop = grid.scrollHeight; }")
    last = grid.locator("[data-column=userId][role=gridcell]").last
    expect(last).to_have_text(f"u{log.rows[-1]}")
    log.shrink(log.rows[-1:])
    expect(last).to_have_text(f"u{log.rows[-1]}")
    for _ in range(4):
        log.grow(1)
        expect(last).to_have_text(f"u{log.rows[-1]}")


def test_rows_are_drawn_in_the_frame_in_which_they_are_delivered(log: Log, page: Page) -> None:
    """No second frame is waited for, in an application with zone.js: each change is made by a frame's own callback."""
    page.evaluate("() => window.stage.show('drawn')")
    look = Look(first=max(0, len(log.rows) - 10))
    look.show(page)
    drawn = page.locator("#drawn")
    expect(drawn).to_have_attribute("data-state", "live")
    expect(drawn).to_have_text(re.compile(rf"\bu{log.rows[-1]}$"))
    page.evaluate(
        """() => {
          const drawn = document.querySelector('#drawn');
          const counted = { changes: 0, inFrame: 0 };
          const note = () => { counted.changes += 1; };
          new MutationObserver(note).observe(drawn, { characterData: true, childList: true, subtree: true });
          const request = window.requestAnimationFrame.bind(window);
          window.requestAnimationFrame = (run) => request((at) => {
            const before = drawn.textContent;
            run(at);
            if (drawn.textContent !== before) counted.inFrame += 1;
          });
          window.counted = counted;
        }"""
    )
    for _ in range(5):
        log.grow(1)
        expect(drawn).to_have_text(re.compile(rf"\bu{log.rows[-1]}$"))
    counted = page.evaluate("() => window.counted")
    assert counted["changes"] == counted["inFrame"] >= 5, counted


def test_ag_grid_is_taken_anywhere(page: Page) -> None:
    """Jumps that follow each other faster than blocks are answered leave it with the rows of the last one."""
    page.evaluate("() => window.stage.show('ag-grid')")
    expect(page.locator(".ag-row[row-index='0'] .ag-cell[col-id=userId]")).to_have_text("u0")
    for share in (0.9, 0.1, 0.3, 0.8, 0.2, 0.5):
        # What scrolls has another name in each major of AG Grid.
        page.evaluate(
            """(share) => {
              let scroller = document.querySelector('.ag-row').parentElement;
              while (scroller.scrollHeight <= 2 * scroller.clientHeight) scroller = scroller.parentElement;
              scroller.scrollTop = share * scroller.scrollHeight;
            }""",
            share,
        )

    def shows_its_rows() -> list[int]:
        # In one go: the grid takes cells away at any moment.
        rows: list[list[str]] = page.evaluate(
            """() => [...document.querySelectorAll('.ag-row .ag-cell[col-id=userId]')].map(
              (cell) => [cell.closest('.ag-row').getAttribute('row-index'), cell.textContent])"""
        )
        assert len(rows) > 5
        assert [text.strip() for _, text in rows] == [f"u{index}" for index, _ in rows]
        return sorted(int(index) for index, _ in rows)

    numbers = await_that(shows_its_rows, timeout=PAGE_MS / 1000)
    assert abs(numbers[0] - FEW / 2) < FEW / 100

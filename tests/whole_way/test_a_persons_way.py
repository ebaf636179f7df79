"""The whole way, as a person takes it: `livejoin up`, events into Kafka, rows in a real Chromium, Ctrl-C.

The stack and the browser are started once; the last test ends the stack.
"""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from default_tables import FINAL_UI
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.default_declaration import ACCOUNTS, USERS
from up import Up, descendants

STOP_SECONDS = 15
PAGE_MS = 30_000
LONGEST_SILENCE = 20.0
"""In seconds: something is said every ten, on a machine that may be slow to do so."""


@pytest.fixture(scope="module")
def opened(up: Up, browser: Browser) -> Iterator[Page]:
    """The page, logged in by the printed address and left open for all tests, as an operator does."""
    opened = browser.new_page()
    opened.set_default_timeout(PAGE_MS)
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(up.url)
    expect(opened.get_by_test_id("connection-state")).to_have_text(re.compile("live", re.IGNORECASE), timeout=PAGE_MS)
    yield opened
    opened.close()
    # The last test may have ended the stack under it.
    assert not [one for one in complaints if "ERR_CONNECTION_REFUSED" not in one], complaints


@pytest.fixture
def page(up: Up, opened: Page) -> Page:
    """The same, with the topics of the settings live."""
    up.show("users", "accounts")
    return opened


def row_of(page: Page, table: str, user_id: str) -> Locator:
    """The rows of a user in a grid."""
    cell = page.locator('[role=gridcell][data-column="userId"]', has_text=re.compile(rf"^\s*{re.escape(user_id)}\s*$"))
    return page.get_by_test_id(f"grid-{table}").get_by_role("row").filter(has=cell)


def expect_cell(row: Locator, column: str, text: str | re.Pattern[str]) -> None:
    """A cell shows this text, now or soon."""
    expect(row.locator(f'[data-column="{column}"]')).to_have_text(text, timeout=PAGE_MS)


def test_the_printed_address_logs_in_and_hides_the_key(page: Page) -> None:
    """The key in the fragment opens the page and is gone from the address bar."""
    assert "key" not in page.url


def test_the_start_is_told_without_long_silence(up: Up) -> None:
    """Every line says when; what takes long is told of again and again, and commands come without a tail of options."""
    told = [float(found[1]) for line in up.said if (found := re.match(r"\s*([\d.]+) s  \w", line))]
    assert max(later - sooner for sooner, later in pairwise([0.0, *told])) < LONGEST_SILENCE
    assert any(re.search(r"serve +ready after .*: page and tables at", line) for line in up.said)
    commands = [line for line in up.said if re.match(r"    \S*livejoin (status|rows|demo|swap)", line)]
    assert len(commands) == 5
    assert not [line for line in commands if "--set" in line]
    [export] = [line for line in up.said if line.startswith("    export ")]
    assert f"LIVEJOIN_DATA_DIR={up.data}" in export


def test_events_appear_joined(up: Up, page: Page) -> None:
    """A user and an account that are produced are one row of final_ui in the browser."""
    up.produce("users", "ada", {"userId": "ada", "name": "Ada Byron", "email": "ada@example.org", "age": 36})
    up.produce("accounts", "ada", {"userId": "ada", "accountType": "gold", "balance": 1234.5})
    row = row_of(page, FINAL_UI.name, "ada")
    expect_cell(row, "name", "Ada Byron")
    expect_cell(row, "accountType", "gold")
    expect_cell(row, "balance", re.compile(r"1.?234[.,]5"))
    expect_cell(row_of(page, f"{USERS.name}_ui", "ada"), "age", "36")
    expect_cell(row_of(page, f"{ACCOUNTS.name}_ui", "ada"), "accountType", "gold")


def test_a_late_account_fills_in_a_row_that_is_shown(up: Up, page: Page) -> None:
    """A user without an account is shown with nulls, and completed when the account comes."""
    up.produce("users", "bob", {"userId": "bob", "name": "Bob", "email": None, "age": None})
    row = row_of(page, FINAL_UI.name, "bob")
    expect_cell(row, "name", "Bob")
    expect(row.locator('[data-column="accountType"]')).not_to_have_text("silver")
    up.produce("accounts", "bob", {"userId": "bob", "accountType": "silver", "balance": 2})
    expect_cell(row, "accountType", "silver")
    assert row.count() == 1


def test_a_bad_event_is_a_dead_letter_and_stops_nothing(up: Up, page: Page) -> None:
    """What is not valid can be read with its reason, and the events after it are shown."""
    up.produce("users", "eve", '{"userId": 42}')
    up.produce("users", "cy", {"userId": "cy", "name": "Cy", "email": "cy@example.org", "age": 5})
    expect_cell(row_of(page, FINAL_UI.name, "cy"), "name", "Cy")

    def letters() -> list[str]:
        return [row["reason"] for row in up.livejoin("rows", "dead_letters") if row["text"] == '{"userId": 42}']

    assert await_that(letters, timeout=30) == ["userId is a number, not a string"]


def test_status_tells_what_is_live(up: Up) -> None:
    """`livejoin status --json` names the generation, its topics and join, rows per table and no lag."""
    users, accounts = "counted-users", "counted-accounts"
    for topic in (users, accounts):
        Cluster(KafkaClient({"bootstrap.servers": up.bootstrap})).ensure(topic)
    for user in ("dot", "eva", "flo"):
        up.produce(users, user, {"userId": user, "name": user.title()})
    for user in ("dot", "eva"):
        up.produce(accounts, user, {"userId": user, "balance": 1})
    up.produce(users, "gus", "no JSON that is counted")
    up.show(users, accounts)

    def settled() -> dict[str, Any]:
        found: dict[str, Any] = up.livejoin("status")
        assert (found["lag"], found["accounting"]["unaccounted"]) == (0, 0)
        return found

    # Lag is refreshed about once a second.
    status = await_that(settled, timeout=30)
    assert (status["generation"], status["state"], status["joinType"]) == (up.deployment.live_number, "live", "left")
    assert (status["usersTopic"], status["accountsTopic"]) == (users, accounts)
    assert status["rows"]["users_ui"] == 3
    assert status["rows"]["accounts_ui"] == 2
    assert status["rows"]["final_ui"] == 3
    assert status["accounting"] == {"read": 6, "events": 5, "deadLetters": 1, "cut": 0, "unaccounted": 0}


def test_text_of_a_stranger_is_shown_and_not_obeyed(up: Up, page: Page) -> None:
    """HTML, escapes of a terminal, line ends and marks of direction, in the page and on a terminal."""
    name = "<img src=x onerror='document.title=1'>\x1b[2J\n\u202egnol"
    up.produce("users", "x", {"userId": "\u202eevil", "name": name, "email": "", "age": 1})
    row = row_of(page, FINAL_UI.name, "⟨U+202E⟩evil")
    expect_cell(row, "name", "<img src=x onerror='document.title=1'>␛[2J␊⟨U+202E⟩gnol")
    assert page.locator("img[src=x]").count() == 0
    told = subprocess.run(up.command("rows", "final_ui"), capture_output=True, text=True, check=True, timeout=60).stdout
    assert r"\u202eevil" in told
    assert not [hidden for hidden in ("\x1b", "\u202e") if hidden in told]


@pytest.mark.last
def test_ctrl_c_stops_everything(up: Up) -> None:
    """SIGINT ends `up` within 15 s, with exit code 0, and no process of it is left."""
    family = descendants(up.process.pid)
    assert len(family) >= 4
    began = time.monotonic()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(timeout=STOP_SECONDS + 5) == 0
    assert time.monotonic() - began < STOP_SECONDS
    _, alive = psutil.wait_procs(family, timeout=1)
    # What has ended after its parent is nobody's but init's, which may take its time to notice.
    assert not [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]

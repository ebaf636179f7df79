"""What a person exports from the page in a real Chromium: all of it, exactly, of one moment and one generation."""

import csv
import json
import re
import subprocess
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from default_tables import USERS_UI
from page_grid import PAGE_MS, begin_export, exported, grid, panel, people_page, reset
from page_people import ACCOUNTS_TOPIC, COUNT, FORMULA, ONE_TOPIC, csv_rows, person
from up import Up


@pytest.fixture(scope="module")
def page(people: Up, browser: Browser) -> Iterator[Page]:
    """The page, logged in, with everybody live."""
    with people_page(people, browser) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _as_it_is(page: Page) -> None:
    """No test inherits another one's view."""
    reset(page)


def test_what_is_seen_is_exported(page: Page, tmp_path: Path) -> None:
    """All rows, exactly; or those of the filter, in their order, with the columns that are shown."""
    file = exported(page, tmp_path)
    assert re.fullmatch(r"final_ui-generation-\d+-[\dT-]+Z\.csv", file.name)
    rows = csv_rows(file)
    assert sorted(rows, key=lambda row: row["userId"]) == [person(number) for number in range(COUNT)]
    expect(panel(page).get_by_test_id("note")).to_have_text(f"Exported {COUNT:,} rows")

    panel(page).get_by_test_id("search").fill("u0000")
    expect(panel(page).get_by_test_id("row-count")).to_have_text("10")
    grid(page).get_by_role("columnheader", name="balance").click()
    panel(page).get_by_test_id("columns").click()
    panel(page).get_by_test_id("show-email").uncheck()
    page.keyboard.press("Escape")
    few = csv_rows(exported(page, tmp_path))
    assert list(few[0]) == ["userId", "name", "age", "accountType", "balance"]
    balances = [row["balance"] for row in few if row["balance"] is not None]
    assert len(few) == 10
    assert balances == sorted(balances)


def test_a_person_chooses_what_kind_of_file_it_is(page: Page, tmp_path: Path) -> None:
    """A cell that a spreadsheet would calculate is a text in both kinds of CSV, one of which Excel reads as UTF-8."""
    panel(page).get_by_test_id("search").fill("u0001")
    expect(panel(page).get_by_test_id("row-count")).to_have_text("10")
    # In folders of their own: what is made in the same second has the same name.
    plain, excel, lines = (exported(page, tmp_path / kind, kind=kind) for kind in ("csv", "excel", "json-lines"))
    assert not plain.read_bytes().startswith(BOM_UTF8)
    assert excel.read_bytes() == BOM_UTF8 + plain.read_bytes()
    assert FORMULA.replace('"', '""') in plain.read_text(encoding="utf-8")
    [formula] = [cell for row in csv.reader(plain.open(encoding="utf-8", newline="")) for cell in row if "=" in cell]
    assert formula == f"'{FORMULA}"
    assert re.fullmatch(r"final_ui-generation-\d+-[\dT-]+Z\.jsonl", lines.name)
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert sorted(rows, key=lambda row: row["userId"]) == [person(number) for number in range(10, 20)]

    # Whoever wants formulas gets them, in files and in copied cells.
    page.keyboard.press("Escape")
    formula_cell = grid(page).locator("[data-column=name]").filter(has_text=FORMULA)
    formula_cell.click()
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == f"'{FORMULA}"
    panel(page).get_by_test_id("export").click()
    panel(page).get_by_test_id("formulas-as-text").uncheck()
    page.keyboard.press("Escape")
    formula_cell.click()
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == FORMULA
    raw = exported(page, tmp_path / "raw")
    cells = [cell for row in csv.reader(raw.open(encoding="utf-8", newline="")) for cell in row if "=" in cell]
    assert cells == [FORMULA]
    panel(page).get_by_test_id("export").click()
    panel(page).get_by_test_id("formulas-as-text").check()
    page.keyboard.press("Escape")

    panel(page).get_by_test_id("search").fill("u00010")
    expect(panel(page).get_by_test_id("count")).to_have_text(f"1 of {COUNT:,} rows")
    exported(page, tmp_path)
    expect(panel(page).get_by_test_id("note")).to_have_text("Exported 1 row")


def test_an_export_can_be_cancelled(page: Page) -> None:
    """Nothing is saved then, and the next one works."""
    saved: list[str] = []
    page.on("download", lambda download: saved.append(download.suggested_filename))
    # Both in one go: a hand would be too slow for five thousand rows.
    panel(page).evaluate(
        """async (panel) => {
          const press = (name) => panel.querySelector(`[data-testid=${name}]`)?.click();
          press('export');
          while (panel.querySelector('[data-testid=export-csv]') === null) await new Promise(requestAnimationFrame);
          press('export-csv');
          while (panel.querySelector('[data-testid=cancel-export]') === null) await new Promise(requestAnimationFrame);
          press('cancel-export');
        }"""
    )
    expect(panel(page).get_by_test_id("export-progress")).to_have_count(0)
    expect(panel(page).get_by_test_id("export")).to_be_enabled()
    with page.expect_download() as downloading:
        begin_export(page, USERS_UI.name)
    assert downloading.value.suggested_filename.startswith(USERS_UI.name)
    assert saved == [downloading.value.suggested_filename]


def test_a_flip_in_the_middle_does_not_get_into_an_export(people: Up, page: Page, tmp_path: Path) -> None:
    """The file is of the generation in which it began, although the page shows another one by then."""
    to_one = ("swap", "--users", ONE_TOPIC, "--accounts", ACCOUNTS_TOPIC)
    # So that it lingers, and can be flipped in at once; where that took too long, it is built again.
    livejoin(people, *to_one)
    livejoin(people, "rollback")
    expect(panel(page).get_by_test_id("row-count")).to_have_text(f"{COUNT:,}", timeout=PAGE_MS)

    def flip(route: Route) -> None:
        livejoin(people, *to_one)
        route.fulfill(body="")

    page.route("**/flip", flip)
    # The second blob of a file is its first portion of rows: the page waits there until everything has flipped.
    page.evaluate(
        """() => {
          const Real = Blob;
          let made = 0;
          window.Blob = class extends Real {
            constructor(...parts) {
              super(...parts);
              made += 1;
              if (made !== 2) return;
              const waiting = new XMLHttpRequest();
              waiting.open('GET', 'flip', false);
              waiting.send();
            }
          };
        }"""
    )
    file = exported(page, tmp_path)
    assert sorted(row["userId"] for row in csv_rows(file)) == [person(number)["userId"] for number in range(COUNT)]
    # The page has stood still for so long that it may have to connect again.
    expect(panel(page).get_by_test_id("row-count")).not_to_have_text(f"{COUNT:,}", timeout=PAGE_MS)
    livejoin(people, "rollback")


def livejoin(up: Up, *arguments: str) -> None:
    """A control message, until it is applied."""
    command = up.command(*arguments, "--wait", "--timeout", "90")
    subprocess.run(command, check=True, capture_output=True, timeout=120)

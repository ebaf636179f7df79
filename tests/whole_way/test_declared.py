"""Orders and customers, declared in a file: the real broker, Spark, table server and Chromium, and another declaration.

The second one joins by two columns. It comes with a restart of everything but the page, which follows. All of it runs
from the built wheel, in an environment and a folder of its own, as somebody has it who has no checkout.
"""

import csv
import io
import json
import math
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from installed import build_wheel, install
from livejoin.checkout import checkout
from livejoin.jvm.jars import locked_jars
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from page_grid import begin_export, exported, open_menu
from up import Up, end_up, start_up

PAGE_MS = 30_000
FLIP_MS = 120_000
"""Spark starts, and the tables of before are shown until it has joined what was declared anew."""

ORDERS = Path(__file__).parents[1] / "support/orders.toml"
SWAP = ("swap", "--orders")

LINES = """
[left]
name = "lines"
topic = "shop.lines"
[left.columns]
"the order" = "string"
line = "long"
"it's ${env:HOME}" = "boolean"
amount = "decimal(38,18)"
weight = "double"
count = "long"
placed = "timestamp"
seen = { type = "timestamp(millis)", path = "more.seen" }
due = "date"
"Größe" = "string"
[right]
name = "parcels"
topic = "shop.parcels"
[right.columns]
order = "string"
number = "long"
sent = "date"
[join]
on = { "the order" = "order", line = "number" }
"""
LARGE = (
    '{"the order":"a","line":1,"it\'s ${env:HOME}":true,"amount":12345678901234567890.123456789012345678,'
    '"weight":0.30000000000000004,"count":9223372036854775807,"placed":"2262-04-11T23:47:14.999999999Z",'
    '"more":{"seen":9223372035000},"due":"9999-12-31","Größe":"a, \\"b\\"\\u202e"}'
)
SMALL = (
    '{"the order":"a","line":2,"it\'s ${env:HOME}":false,"amount":-0.000000000000000001,"weight":-0.0,'
    '"count":-9223372036854775807,"placed":"1677-09-22T02:12:43.000000001+02:00","more":{"seen":-1},'
    '"due":"0001-01-01","Größe":""}'
)
LESS = (
    '{"the order":"a","line":4,"amount":12345678901234567890.123456789012345677,"weight":0.3,'
    '"count":9223372036854775806,"placed":"2262-04-11T23:47:14.999999998Z","more":{"seen":9223372034999},'
    '"due":"9999-12-30","Größe":"a, \\"b"}'
)
"""Of each type, one unit less than the large ones: the next double below, a nanosecond, a day."""
SHOWN = {
    "it's ${env:HOME}": ["true", "false"],
    "amount": ["12,345,678,901,234,567,890.123456789012345678", "-0.000000000000000001"],
    "weight": ["0.30000000000000004", "-0.00"],
    "count": ["9,223,372,036,854,775,807", "-9,223,372,036,854,775,807"],
    "placed": ["2262-04-11 23:47:14.999999999", "1677-09-22 00:12:43.000000001"],
    "seen": ["2262-04-11 23:47:15", "1969-12-31 23:59:59.999"],
    "due": ["9999-12-31", "0001-01-01"],
    "Größe": ['a, "b"⟨U+202E⟩', ""],
}
"""The cells of both; a third one has nothing but its key."""
PRINTED: dict[str, list[Any]] = {
    "it's ${env:HOME}": [True, False],
    "amount": ["12345678901234567890.123456789012345678", "-0.000000000000000001"],
    "weight": [0.30000000000000004, -0.0],
    "count": [2**63 - 1, -(2**63) + 1],
    "placed": ["2262-04-11T23:47:14.999999999Z", "1677-09-22T00:12:43.000000001Z"],
    "seen": ["2262-04-11T23:47:15.000Z", "1969-12-31T23:59:59.999Z"],
    "due": ["9999-12-31", "0001-01-01"],
    "Größe": ['a, "b"\u202e', ""],
}
EXPORTED = {
    "it's ${env:HOME}": ["true", "false"],
    "amount": PRINTED["amount"],
    "weight": ["0.30000000000000004", "-0"],
    "count": ["9223372036854775807", "-9223372036854775807"],
    "placed": PRINTED["placed"],
    "seen": ["2262-04-11T23:47:15Z", "1969-12-31T23:59:59.999Z"],
    "due": PRINTED["due"],
    "Größe": PRINTED["Größe"],
}
ASKED = {
    "it's ${env:HOME}": ("asks", "is true"),
    "amount": ("from", "12345678901234567890.123456789012345678"),
    "weight": ("from", "0.30000000000000004"),
    "count": ("from", "9223372036854775807"),
    "placed": ("from", "2262-04-11T23:47:14.999999999"),
    "seen": ("from", "2262-04-11T23:47:15"),
    "due": ("from", "9999-12-31"),
    "Größe": ("value", '"b"'),
}
"""Of each column, a field in its menu, and what finds one row alone."""
EQUAL = {
    "amount": "12345678901234567890.123456789012345677",
    "weight": "0.3",
    "count": "9223372036854775806",
    "placed": "2262-04-11 23:47:14.999999998",
    "seen": "2262-04-11 23:47:14.999",
    "due": "9999-12-30",
    "Größe": 'a, "b',
}
"""What is equal to a cell of the row that has one unit less, and to no other."""


def order(number: int, customer: str, total: str) -> str:
    """An order as its service writes it: a number keeps its digits."""
    placed = f"2024-05-0{number}T10:00:00.123456789+02:00"
    return f'{{"orderId":"o{number}","buyer":{{"id":"{customer}"}},"total":{total},"placed":"{placed}","order":null}}'


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is declared."""
    return tmp_path_factory.mktemp("declared") / "livejoin.toml"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment that has livejoin from its wheel."""
    return str(install(build_wheel(tmp_path_factory.mktemp("wheel")), tmp_path_factory.mktemp("environment")))


@pytest.fixture(scope="module")
def jars(installed: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The jars, as somebody has brought them who has no network."""
    folder, root = tmp_path_factory.mktemp("jars"), checkout()
    command = [installed, "-m", "livejoin", "jars", "--from", f"{root}/.cache/jars", "--set", f"jars.dir={folder}"]
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout
    assert said == f"jars: {len(locked_jars())} taken, checked, in {folder}\n"
    return folder


@pytest.fixture(scope="module")
def shop(file: Path, installed: str, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """`livejoin up` with this file, and some orders."""
    file.write_bytes(ORDERS.read_bytes())
    running = start_up(tmp_path_factory.mktemp("shop"), f"jars.dir={jars}", config=file, python=installed)
    try:
        produce(running, "shop.orders", order(1, "c1", "1234567890123456.70"), order(2, "c2", "-0.05"))
        produce(running, "crm.customers", '{"id":"c1","region":"EU","name":"Ann"}')
        yield running
    finally:
        end_up(running)


@pytest.fixture(scope="module")
def page(shop: Up, browser: Browser) -> Iterator[Page]:
    """The page, logged in, and never loaded again."""
    opened = browser.new_page(permissions=["clipboard-read"])
    opened.set_default_timeout(PAGE_MS)
    opened.goto(shop.url)
    yield opened
    opened.close()


def produce(shop: Up, topic: str, *values: str) -> None:
    """Send records and wait until the broker has them."""
    cluster = Cluster(KafkaClient({"bootstrap.servers": shop.bootstrap}))
    cluster.ensure(topic)
    for value in values:
        shop.produce(topic, None, value)


def cells(page: Page, table: str, column: str) -> Locator:
    """The cells of a column, from the top; any name can be asked for."""
    found = page.get_by_test_id(f"grid-{table}").locator("[role=gridcell]")
    return found.and_(page.locator(f'[data-column="{column}"]'))


def run(shop: Up, *arguments: str) -> str:
    """A command that succeeds, and what it prints."""
    done = subprocess.run(shop.command(*arguments), capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def newest(shop: Up, table: str) -> list[dict[str, Any]]:
    """The rows of a table, as a script has them."""
    rows = shop.livejoin("rows", table)
    assert isinstance(rows, list)
    return rows


def test_orders_are_shown_with_their_customers_and_exactly(shop: Up, page: Page) -> None:
    """A decimal, a point in time, a nested field, and a column that is called order."""
    expect(cells(page, "final_ui", "orderId")).to_have_text(["o1", "o2"], timeout=PAGE_MS)
    expect(cells(page, "final_ui", "customerName")).to_have_text(["Ann", "null"])
    expect(cells(page, "final_ui", "customer")).to_have_text(["c1", "c2"])
    expect(cells(page, "final_ui", "total")).to_have_text(["1,234,567,890,123,456.70", "-0.05"])
    expect(cells(page, "final_ui", "placed").first).to_have_text(re.compile("08:00:00.123456789"))
    expect(page.get_by_role("heading", name="Orders")).to_be_visible()
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    row = newest(shop, "final_ui")[0]
    assert (row["total"], row["order"]) == ("1234567890123456.70", "")


def test_an_order_that_does_not_fit_is_a_dead_letter(shop: Up) -> None:
    """With the reason in the names that are declared."""
    produce(shop, "shop.orders", order(3, "c1", "0.001"))
    shop.deployment.await_live("shop.orders")

    def reasons() -> list[str]:
        return [row["reason"] for row in newest(shop, "dead_letters")]

    assert await_that(reasons, timeout=30) == ["total does not fit into a decimal(18,2)"]


def test_topics_are_swapped_and_brought_back_by_the_declared_names(shop: Up, page: Page) -> None:
    """By the command, whose options are called after the sources; an open page shows it."""
    produce(shop, "shop.returns", order(9, "c1", "9"))
    swap = run(shop, *SWAP, "shop.returns", "--customers", "crm.customers", "--join", "inner", "--wait")
    assert "applied" in swap
    expect(cells(page, "final_ui", "orderId")).to_have_text(["o9"])
    assert "applied" in run(shop, "rollback", "--wait")

    expect(cells(page, "final_ui", "orderId")).to_have_text(["o1", "o2"])
    asked = newest(shop, "control_raw")[0]
    assert (asked["ordersTopic"], asked["customersTopic"], asked["verdict"]) == (
        "shop.returns",
        "crm.customers",
        "applied",
    )


@pytest.fixture(scope="module")
def redeclared(shop: Up, file: Path, page: Page) -> Iterator[Up]:
    """Everything but the page, started again with other sources, which are joined by two columns."""
    expect(page.get_by_role("heading", name="Orders")).to_be_visible(timeout=PAGE_MS)
    page.evaluate("() => { window.neverLoadedAgain = true }")
    produce(shop, "shop.lines", LARGE, SMALL, '{"the order":"b","line":3}')
    produce(shop, "shop.parcels", '{"order":"a","number":2,"sent":"2024-02-29"}')
    shop.process.send_signal(signal.SIGINT)
    assert shop.process.wait(30) == 0
    file.write_text(LINES, encoding="utf-8")
    pairs = [value for name, value in zip(shop.settings[::2], shop.settings[1::2], strict=True) if name == "--set"]
    again = start_up(shop.data, *pairs, config=file, python=shop.python)
    # The ports are those that were chosen before.
    again.bootstrap = shop.bootstrap
    try:
        expect(cells(page, "final_ui", "sent")).to_have_text(["null", "2024-02-29", "null"], timeout=FLIP_MS)
        yield again
    finally:
        end_up(again)


@pytest.mark.usefixtures("redeclared")
def test_an_open_page_follows_another_declaration(page: Page) -> None:
    """With other headings and columns, and without being loaded again."""
    expect(cells(page, "final_ui", "line")).to_have_text(["1", "2", "3"])
    expect(page.get_by_role("heading", name="Parcels")).to_be_visible()
    expect(page.get_by_role("heading", name="Orders")).to_have_count(0)
    assert page.evaluate("() => window.neverLoadedAgain")


@pytest.mark.usefixtures("redeclared")
@pytest.mark.parametrize("column", SHOWN)
def test_every_type_is_shown_exactly(page: Page, column: str) -> None:
    """From the digits of an event, through Spark and the table server, to the cell; and a null as one."""
    expect(cells(page, "final_ui", column)).to_have_text([*SHOWN[column], "null"])


def test_every_type_is_printed_and_exported_exactly(redeclared: Up, page: Page, tmp_path: Path) -> None:
    """By `livejoin rows --json` and in a CSV file: what was in the event, and nothing else."""
    rows = sorted(newest(redeclared, "final_ui"), key=lambda row: int(row["line"]))
    assert [{name: row[name] for name in PRINTED} for row in rows] == [
        *({name: values[place] for name, values in PRINTED.items()} for place in (0, 1)),
        dict.fromkeys(PRINTED),
    ]
    with page.expect_download() as downloading:
        begin_export(page)
    file = tmp_path / "final_ui.csv"
    downloading.value.save_as(file)
    with file.open(encoding="utf-8", newline="") as lines:
        exported = sorted(csv.DictReader(lines), key=lambda row: int(row["line"]))
    assert [[row[name] for name in EXPORTED] for row in exported] == [
        *([values[place] for values in EXPORTED.values()] for place in (0, 1)),
        [""] * len(EXPORTED),
    ]


@pytest.fixture(scope="module")
def _one_unit_less(redeclared: Up, page: Page) -> None:
    """A row beside the large one, so that a filter that rounds finds both."""
    produce(redeclared, "shop.lines", LESS)
    expect(cells(page, "final_ui", "line")).to_have_text(["1", "2", "3", "4"], timeout=PAGE_MS)


@pytest.mark.usefixtures("_one_unit_less")
@pytest.mark.parametrize("column", ASKED)
def test_every_type_is_filtered_as_it_was_typed(page: Page, column: str) -> None:
    """By the last digit: what is one less is not found, and is found alone where it is asked for."""
    field, typed = ASKED[column]
    menu = open_menu(page, column)
    box = menu.get_by_test_id(f"{field}-{column}")
    try:
        if field == "asks":
            box.select_option(typed)
        else:
            box.fill(typed)
        expect(cells(page, "final_ui", "line")).to_have_text(["1"])
        if column in EQUAL:
            menu.get_by_test_id(f"asks-{column}").select_option("equals")
            menu.get_by_test_id(f"value-{column}").fill(EQUAL[column])
            expect(cells(page, "final_ui", "line")).to_have_text(["4"])
    finally:
        page.keyboard.press("Escape")
        page.get_by_test_id("grid-final_ui").get_by_test_id("clear-view").click()
        expect(cells(page, "final_ui", "line")).to_have_count(4)


SORTED = {**{name: ["2", "4", "1", "3"] for name in EQUAL}, "it's ${env:HOME}": ["2", "1", "3", "4"]}
"""Of each column, the lines from the least to the greatest: by the last digit, and nulls behind everything."""


@pytest.mark.usefixtures("_one_unit_less")
@pytest.mark.parametrize("column", SORTED)
def test_every_type_is_sorted_by_its_last_digit(page: Page, column: str) -> None:
    """In either direction; what is null comes last in both."""
    head = (
        page.get_by_test_id("grid-final_ui")
        .locator("[role=columnheader]")
        .and_(page.locator(f'[data-head="{column}"]'))
    )
    lines, nulls = cells(page, "final_ui", "line"), SORTED[column].index("3")
    try:
        head.click()
        expect(head).to_have_attribute("aria-sort", "ascending")
        expect(lines).to_have_text(SORTED[column])
        head.click()
        expect(head).to_have_attribute("aria-sort", "descending")
        expect(lines).to_have_text([*SORTED[column][:nulls][::-1], *SORTED[column][nulls:]])
    finally:
        page.get_by_test_id("grid-final_ui").get_by_test_id("clear-view").click()


@pytest.mark.usefixtures("_one_unit_less")
def test_every_type_is_copied_exactly(page: Page) -> None:
    """What a spreadsheet takes from the clipboard is what the file has."""
    table = page.get_by_test_id("grid-final_ui")
    names = [head.get_attribute("data-head") or "" for head in table.get_by_role("columnheader").all()]
    cells(page, "final_ui", names[0]).first.click()
    for key in ("Shift+End", "Shift+ArrowDown", "Control+c"):
        page.keyboard.press(key)
    copied = page.evaluate("() => navigator.clipboard.readText()")
    rows = [dict(zip(names, row, strict=True)) for row in csv.reader(io.StringIO(copied), delimiter="\t")]
    assert [[row[name] for name in EXPORTED] for row in rows] == [
        [values[place] for values in EXPORTED.values()] for place in (0, 1)
    ]


@pytest.mark.usefixtures("_one_unit_less")
def test_every_type_is_a_line_of_json_exactly(page: Page, tmp_path: Path) -> None:
    """A number that a reader would round is a text of its digits."""
    file = exported(page, tmp_path, kind="json-lines")
    rows = sorted(map(json.loads, file.read_text(encoding="utf-8").splitlines()), key=lambda row: int(row["line"]))
    wanted: dict[str, list[Any]] = {**PRINTED, "count": EXPORTED["count"], "seen": EXPORTED["seen"]}
    assert [{name: row[name] for name in wanted} for row in rows[:3]] == [
        *({name: values[place] for name, values in wanted.items()} for place in (0, 1)),
        dict.fromkeys(wanted),
    ]
    assert math.copysign(1, rows[1]["weight"]) == -1, "the sign of a zero"


def test_a_key_of_two_columns_is_swapped_brought_back_and_deleted(redeclared: Up, page: Page) -> None:
    """A tombstone names both columns in a JSON object; one that does not is a dead letter."""
    produce(redeclared, "shop.late", '{"order":"b","number":3,"sent":"2024-03-01"}')
    swap = ("swap", "--lines", "shop.lines", "--parcels", "shop.late", "--join", "inner", "--wait")
    assert "applied" in run(redeclared, *swap)
    lines, second = cells(page, "final_ui", "line"), re.compile("^2$")
    expect(lines).to_have_text(["3"])
    assert "applied" in run(redeclared, "rollback", "--wait")
    expect(lines.filter(has_text=second)).to_have_count(1)

    redeclared.produce("shop.lines", '{"the order":"a","line":2}', None)
    expect(lines.filter(has_text=second)).to_have_count(0)
    expect(lines.first).to_have_text("1")
    redeclared.produce("shop.lines", '{"the order":"a"}', None)
    wanted = "no value, and in its key line is missing"
    await_that(lambda: wanted in [row["reason"] for row in newest(redeclared, "dead_letters")], timeout=30)

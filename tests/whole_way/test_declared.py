"""Orders and customers, declared in a file: the real broker, Spark, table server and Chromium, and another declaration.

The second one joins by two columns. It comes with a restart of everything but the page, which follows. All of it runs
from the built wheel, in an environment and a folder of its own, as somebody has it who has no checkout.
"""

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
from up import Up, end_up, start_up

PAGE_MS = 30_000
FLIP_MS = 120_000
"""Spark starts, and the tables of before are shown until it has joined what was declared anew."""

ORDERS = Path(__file__).parents[1] / "support/orders.toml"

LINES = """
[left]
name = "lines"
topic = "shop.lines"
[left.columns]
"the order" = "string"
line = "long"
"it's ${env:HOME}" = "boolean"
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
    opened = browser.new_page()
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
    swap = run(shop, "swap", "--orders", "shop.returns", "--customers", "crm.customers", "--join", "inner", "--wait")
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


def test_an_open_page_follows_another_declaration(shop: Up, file: Path, page: Page) -> None:
    """Everything but the page is started again with other sources, which are joined by two columns."""
    page.evaluate("() => { window.neverLoadedAgain = true }")
    produce(shop, "shop.lines", '{"the order":"a","line":1,"it\'s ${env:HOME}":true}', '{"the order":"a","line":2}')
    produce(shop, "shop.parcels", '{"order":"a","number":2,"sent":"2024-02-29"}')
    shop.process.send_signal(signal.SIGINT)
    assert shop.process.wait(30) == 0
    file.write_text(LINES, encoding="utf-8")
    pairs = [value for name, value in zip(shop.settings[::2], shop.settings[1::2], strict=True) if name == "--set"]
    again = start_up(shop.data, *pairs, config=file, python=shop.python)
    try:
        expect(cells(page, "final_ui", "sent")).to_have_text(["null", "2024-02-29"], timeout=FLIP_MS)
        expect(cells(page, "final_ui", "line")).to_have_text(["1", "2"])
        expect(cells(page, "lines_ui", "it's ${env:HOME}")).to_have_text(["true", "null"])
        expect(page.get_by_role("heading", name="Parcels")).to_be_visible()
        expect(page.get_by_role("heading", name="Orders")).to_have_count(0)
        assert page.evaluate("() => window.neverLoadedAgain")
    finally:
        end_up(again)

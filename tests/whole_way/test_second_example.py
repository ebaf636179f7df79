"""docs/second-example.md from an empty folder to its last command: what stands there, and nothing else.

What a reader does by hand is done by hand here too: the place of livejoin is filled in, the draft of the declaration is
edited as the page shows it, and the address that was printed is opened. The ports are others, by variables.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from await_that import await_that
from livejoin.checkout import checkout
from livejoin.settings.loader import load_settings
from ports import broker_ports, free_ports
from terminal_window import TerminalWindow

PATIENCE = 200.0
PAGE_MS = 30_000
FLIP_MS = 120_000
"""Spark starts, and the empty tables of before are shown until it has joined what is declared now."""

Blocks = list[tuple[str, str]]
"""What a step shows as code, in order: the language that it names, and the text."""


def steps(page: str) -> dict[str, Blocks]:
    """What the page has below each heading."""
    root = checkout()
    assert root is not None
    first, *others = re.split(r"^## ", (root / "docs" / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    fenced = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return {text.splitlines()[0]: fenced.findall(text) for text in (f"before\n{first}", *others)}


class Reader:
    """Who does what the page says, in a terminal that stays open and in another one."""

    def __init__(self, folder: Path, ports: Mapping[str, str]) -> None:
        self.folder = folder
        self._ports = ports
        self._first: TerminalWindow | None = None

    def run(self, commands: str, *, exits: int = 0) -> str:
        """Run commands to the end, and return what was printed."""
        done = subprocess.run(
            ["/bin/bash", "-ec", commands],
            cwd=self.folder,
            env={**os.environ, **self._ports},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == exits, (commands, done.stdout, done.stderr)
        return done.stdout

    def start(self, commands: str) -> str:
        """Start what goes on until Ctrl-C, and return the address that it prints."""
        window = TerminalWindow(["/bin/bash", "-ec", commands], folder=self.folder, variables=self._ports)
        self._first = window
        await_that(lambda: "Ctrl-C stops" in window.seen or window.has_ended, timeout=PATIENCE)
        addresses = re.findall(r"Open +(http\S+)", window.seen)
        assert len(addresses) == 1, window.seen
        return str(addresses[0])

    def interrupt(self) -> None:
        """Ctrl-C in the first terminal, which is closed."""
        if self._first is not None:
            try:
                assert self._first.interrupt(patience=60) == 0, self._first.seen
            finally:
                self._first.close()
                self._first = None


@pytest.fixture(scope="module")
def ports() -> dict[str, str]:
    """Where the stack listens, as variables: the usual ports may be those of somebody else."""
    web, monitor = free_ports(2)
    wanted = {f"BROKER__{name.upper()}": number for name, number in broker_ports().items()}
    wanted |= {"WEB__PORT": web, "PIPELINE__PORT": monitor}
    return {f"LIVEJOIN_{name}": str(number) for name, number in wanted.items()}


@pytest.fixture(scope="module")
def reader(ports: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Begins in an empty folder."""
    person = Reader(tmp_path_factory.mktemp("second-example"), ports)
    yield person
    person.interrupt()


def test_the_page_leads_from_an_empty_folder_to_a_swap(reader: Reader, ports: dict[str, str], browser: Browser) -> None:
    """Each command is run as it is printed, in order, and prints what the page says that it prints."""
    empty, events, declaration, trial, shown, _ = list(steps("second-example.md").values())[1:]

    [(_, commands)] = empty
    place = commands.replace("~/livejoin", str(checkout()))
    exports = "".join(f"{line}\n" for line in place.splitlines() if line.startswith("export "))
    reader.start(place)
    reader.folder /= "shop"

    [(language, program), (_, produce)] = events
    assert language == "python"
    [address] = re.findall(r"127\.0\.0\.1:\d+", program)
    ours = f"127.0.0.1:{ports['LIVEJOIN_BROKER__PORT']}"
    (reader.folder / "produce.py").write_text(program.replace(address, ours), encoding="utf-8")
    assert "not sent: 0" in reader.run(exports + produce)

    [(_, init), (_, drafted), (_, edited)] = declaration
    assert reader.run(exports + init) == drafted
    edit(reader.folder / "livejoin.toml", edited)

    [(_, check), (_, judged)] = trial
    said = reader.run(exports + check, exits=1)
    for line in judged.splitlines():
        wanted = re.sub(r"\(e\.g\. .*\)", "(e.g. ", line).strip()
        assert wanted == "..." or wanted in said, (wanted, said)
    assert "customerName" in said

    [(_, up), (_, looks), (_, swap)] = shown
    reader.interrupt()
    page = browser.new_page()
    page.set_default_timeout(PAGE_MS)
    page.goto(reader.start(exports + up))
    rows = page.get_by_test_id("grid-final_ui")
    expect(rows.locator("[role=gridcell][data-column=customerName]").first).to_be_visible(timeout=FLIP_MS)
    expect(page.get_by_role("heading", name="Orders")).to_be_visible()

    # As many events, in less time.
    assert "shop.orders and crm.customers" in reader.run(exports + looks.replace("--rate 50", "--rate 1000"))
    [there, back] = swap.splitlines()
    assert "applied" in reader.run(exports + there)
    expect(joined(page, "inner")).to_be_visible()
    assert "applied" in reader.run(exports + back)
    expect(joined(page, "left")).to_be_visible()


def joined(page: Page, join: str) -> Locator:
    """Where the page says how the sources are joined."""
    return page.get_by_test_id("status-strip").get_by_text(f"{join} join")


def edit(file: Path, edited: str) -> None:
    """Give the drafted column the name that the page gives it, and the join its columns, as the page shows both."""
    [join] = re.findall(r"^columns = .*$", edited, re.MULTILINE)
    drafted = file.read_text(encoding="utf-8")
    file.write_text(
        drafted.replace("buyerId = {", "customer = {").replace("on = { buyerId", f"{join}\non = {{ customer"),
        encoding="utf-8",
    )
    declared = load_settings(file).declaration
    assert [column.name for column in declared.joined][-3:] == ["order", "customerName", "region"]
    for line in edited.splitlines():
        assert line in file.read_text(encoding="utf-8") or line.startswith("#"), line


def test_the_reference_declares_what_can_be_declared(tmp_path: Path) -> None:
    """The example of docs/declaration.md is read."""
    file = tmp_path / "reference.toml"
    [example, *_] = [code for blocks in steps("declaration.md").values() for of, code in blocks if of == "toml"]
    file.write_text(example, encoding="utf-8")
    declaration = load_settings(file).declaration
    assert declaration.left.column("customer").path == ("buyer", "id")
    assert declaration.joined[-1].name == "customerName"

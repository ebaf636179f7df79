"""docs/second-example.md, as far as it goes before anything is built: its program, its commands, its declaration."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livejoin.checkout import checkout
from livejoin.cli.check import told, verdict
from livejoin.cli.main import app
from livejoin.doctor.trial import Rejection, Sampled, Trial
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

PATIENCE = 200.0
HOSTILE = "\x1b[2J"


def page(name: str) -> str:
    """A page of the docs."""
    root = checkout()
    assert root is not None
    return (root / "docs" / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """What a page shows as code."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [code for of, code in found if of == language]


@pytest.fixture(scope="module")
def declared(broker: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The settings that the page arrives at, from its own program and command."""
    folder, text = tmp_path_factory.mktemp("second-example"), page("second-example.md")
    [program] = blocks(text, "python")
    assert "BROKER = {" in program
    program = re.sub(r"BROKER = \{.*\}", lambda _: f"BROKER = {broker.kafka!r}", program)
    sent = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert "not sent: 0" in sent.stdout

    login, file = folder / "login.toml", folder / "livejoin.toml"
    kafka = "".join(f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in broker.kafka.items())
    login.write_text(f"[kafka]\n{kafka}", encoding="utf-8")
    command = ["init", "shop.orders", "crm.customers"]
    assert f"livejoin {' '.join(command)}" in text
    done = CliRunner().invoke(app, [*command, f"--config={login}", f"--output={file}"])
    assert done.exit_code == 0, done.exception
    assert "orders and customers, joined by orders.buyerId = customers.id" in done.stdout

    drafted = file.read_text(encoding="utf-8").partition("[kafka]")[0]
    [join] = re.findall(r"^columns = .*$", blocks(text, "toml")[0], re.MULTILINE)
    edited = drafted.replace("buyerId = {", "customer = {").replace("on = { buyerId", f"{join}\non = {{ customer")
    file.write_text(edited + login.read_text(encoding="utf-8"), encoding="utf-8")
    return file


def test_the_edited_draft_is_what_the_page_says(declared: Path) -> None:
    """Column for column."""
    declaration = load_settings(declared).declaration
    assert [column.name for column in declaration.joined] == [
        "orderId",
        "customer",
        "total",
        "placed",
        "order",
        "customerName",
        "region",
    ]
    assert (declaration.left.keep, declaration.right.keep) == ("all", "latest")


def test_the_trial_says_what_the_page_says(declared: Path) -> None:
    """Its counts, its share of dead letters, and its last line."""
    command = [sys.executable, "-m", "livejoin", "check", f"--config={declared}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (1, "")
    shown = next(block for block in blocks(page("second-example.md"), "") if block.startswith("orders (shop.orders)"))
    for line in shown.splitlines():
        wanted = re.sub(r"\(e\.g\. .*\)", "(e.g. ", line).strip()
        assert wanted == "..." or wanted in done.stdout, (wanted, done.stdout)
    assert "customerName" in done.stdout


def test_the_reference_declares_what_can_be_declared(tmp_path: Path) -> None:
    """The example of docs/declaration.md is read."""
    file = tmp_path / "reference.toml"
    file.write_text(blocks(page("declaration.md"), "toml")[0], encoding="utf-8")
    declaration = load_settings(file).declaration
    assert declaration.left.column("customer").path == ("buyer", "id")
    assert declaration.joined[-1].name == "customerName"


def trial(rejections: list[Rejection], *, matched: int, events: int = 10) -> Trial:
    """A trial of two sources, the left of which has dead letters."""
    left = Sampled("orders", f"o{HOSTILE}", 100, events, rejections)
    return Trial([left, Sampled("customers", "c", events, events, [])], "final_ui", [], [], 5, 4, matched)


@pytest.mark.parametrize(
    ("found", "fits", "said"),
    [
        (trial([], matched=3), True, "3 of 4 keys are on both sides; it fits"),
        (trial([Rejection("x", 1, "o/0/1")], matched=3), False, "dead letters are kept with their reasons"),
        (trial([], matched=0), False, "is join.on right?"),
        (trial([], matched=0, events=0), False, "there are no events yet"),
    ],
)
def test_the_last_line_says_what_it_comes_down_to(found: Trial, fits: bool, said: str) -> None:  # noqa: FBT001
    """And the exit code follows from it."""
    assert found.fits is fits
    assert said in verdict(found)


def test_reasons_are_shown_and_not_obeyed() -> None:
    """Topics and reasons are of others."""
    first, second = told(trial([Rejection(f"r{HOSTILE}", 4, "o/0/1")], matched=1).sources[0])
    assert first == r"orders (o\x1b[2J): 10 newest events of at the most 100: 6 valid, 4 dead letters (40.0 %)"
    assert second == r"        4  40.0 %  r\x1b[2J (e.g. o/0/1)"

"""People for the page to show: enough to scroll, and some that are hard to write down."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from default_tables import FINAL_UI
from livejoin.kafka.client import KafkaClient
from livejoin.kafka.cluster import Cluster
from livejoin.model.column import Kind
from livejoin.model.default_declaration import ACCOUNTS, USERS
from up import Up

COUNT = 5_000
USERS_TOPIC, ACCOUNTS_TOPIC = "grid-users", "grid-accounts"
ONE_TOPIC = "grid-one"
"""Holds one user, of whom there is no account."""

ONE = {USERS.key[0]: "one", "name": "One", "email": "", "age": 1}

FORMULA = '=HYPERLINK("http://elsewhere.example","all is well")'
"""A name of somebody who wants a spreadsheet to calculate it."""

_ODD: dict[int, dict[str, Any]] = {
    7: {"name": 'Ada "the first", Countess', "email": ""},
    8: {"name": "two\nlines", "age": 2**53 + 1},
    9: {"name": "Zoë 🦉", "balance": 0.1 + 0.2},
    10: {"name": FORMULA},
}


def person(number: int) -> dict[str, Any]:
    """A row of the joined table; every 11th has no age and every 13th no account."""
    row: dict[str, Any] = {
        USERS.key[0]: f"u{number:05}",
        "name": f"Person {number}",
        "email": f"p{number}@example.org",
        "age": None if number % 11 == 0 else 20 + number % 60,
        "accountType": None if number % 13 == 0 else ("basic", "silver", "gold")[number % 3],
        "balance": None if number % 13 == 0 else float(number * 7919 % 100_000) / 8,
    }
    return {**row, **_ODD.get(number, {})}


def send_people(up: Up) -> None:
    """Write everybody to the two topics."""
    cluster = Cluster(KafkaClient({"bootstrap.servers": up.bootstrap}))
    for topic in (USERS_TOPIC, ACCOUNTS_TOPIC, ONE_TOPIC):
        cluster.ensure(topic)
    producer = cluster.producer()
    producer.produce(ONE_TOPIC, key="one", value=json.dumps(ONE))
    for number in range(COUNT):
        row = person(number)
        for topic, source in ((USERS_TOPIC, USERS), (ACCOUNTS_TOPIC, ACCOUNTS)):
            value = {column.name: row[column.name] for column in source.columns}
            if source is USERS or value["accountType"] is not None:
                producer.produce(topic, key=row[USERS.key[0]], value=json.dumps(value))
    assert producer.flush(30) == 0


def show_people(up: Up) -> str:
    """Make them live, whatever was before, and return the address of the page."""
    up.show(USERS_TOPIC, ACCOUNTS_TOPIC)
    return up.url


def csv_rows(file: Path) -> list[dict[str, Any]]:
    """What a careful reader makes of an exported file: a cell without anything is null, `""` is an empty text.

    A formula is a text behind an apostrophe.
    """
    # Python's reader cannot tell the two apart, so the quotes of an empty text become a word first.
    marked = file.read_bytes().decode("utf-8-sig").replace(',"",', ",<empty>,").replace(',"",', ",<empty>,")
    rows = list(csv.DictReader(io.StringIO(marked, newline="")))
    return [{name: _value(name, cell) for name, cell in row.items()} for row in rows]


def _value(name: str, cell: str) -> Any:
    kinds = {column.name: column.type.kind for column in FINAL_UI.columns}
    if cell == "":
        return None
    if cell == "<empty>":
        return ""
    if cell.startswith("'="):
        return cell[1:]
    readers: dict[Kind, Callable[[str], Any]] = {Kind.LONG: int, Kind.DOUBLE: float}
    return readers.get(kinds[name], str)(cell)

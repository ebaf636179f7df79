"""The examples of docs/semantics.md, through the model that the pipeline is compared with."""

import re
from collections import Counter
from pathlib import Path

import pytest

from livejoin.generation import JoinType, Request
from livejoin.schema import FINAL_UI
from model import Event, Order, tables

DOCS = Path(__file__).parent.parent / "docs" / "semantics.md"
EVENT = re.compile(r"^(users|accounts) +t=(\d+) +(\{.*\})$", re.MULTILINE)


@pytest.mark.parametrize("join", JoinType)
def test_the_joins_are_as_the_documentation_says(join: JoinType) -> None:
    """Every row of the table under Joins, and no other, comes out of the events above it."""
    chapter = DOCS.read_text(encoding="utf-8").partition("## Joins")[2]
    sent, _, results = chapter.partition("| join |")
    events = [
        Event(source, Order(int(at), 0, number), None, value.encode())
        for number, (source, at, value) in enumerate(EVENT.findall(sent))
    ]
    assert len(events) == 6
    told = re.search(rf"^\| `{join}` \| (.*) \|$", results, re.MULTILINE)
    assert told
    shown = ("userId", "name", "accountType", "balance")
    places = [FINAL_UI.column_names.index(name) for name in shown]
    found = tables(events, Request(users_topic="users", accounts_topic="accounts", join=join))[FINAL_UI.name]
    rows = Counter(" ".join(_word(row[place]) for place in places) for row in found.elements())
    assert rows == Counter(told.group(1).split("; "))


def _word(value: object) -> str:
    return "null" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

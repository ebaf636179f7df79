"""Views at the real engine: what a client has been told equals what the rows are, whatever happened to them.

What happens to them is random; a test that fails prints its seed, and `--hypothesis-seed=N` replays it.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from door_client import DoorClient, enter
from livejoin.model.generation import Generation
from table_server import Pipeline, Reader, ServeProcess

STEPS = 60
NAMES = ("Ada", "ada lovelace", "Bé😀b", "", None, 'quote " \\ \n \u2028', "z")

Row = dict[str, Any]


@dataclass
class People:
    """Users as they are to be, and the hand that writes them."""

    pipeline: Pipeline
    generation: Generation
    rows: dict[str, Row] = field(default_factory=dict)
    version: int = 0

    def change(self, chance: random.Random) -> None:
        """Some rows come, change and go."""
        self.version += 1
        for _ in range(chance.choice((1, 1, 5, 40))):
            user = f"u{chance.randrange(120):03}"
            if chance.random() < 0.3 and self.rows:
                gone = chance.choice(sorted(self.rows))
                del self.rows[gone]
                self.pipeline.delete(self.generation, "users_ui", gone, self.version)
            else:
                age = chance.choice((None, 0, 2**53, -(2**62), chance.randrange(100)))
                row = {"userId": user, "name": chance.choice(NAMES), "email": "", "age": age}
                self.rows[user] = row
                self.pipeline.upsert(self.generation, "users_ui", user, self.version, **row)
            self.version += 1
        self.pipeline.flush()

    def mark(self) -> str:
        """A row that sorts first and says how far this is."""
        self.version += 1
        mark = str(self.version)
        self.rows["!"] = {"userId": "!", "name": mark, "email": "", "age": None}
        self.pipeline.upsert(self.generation, "users_ui", "!", self.version, **self.rows["!"])
        self.pipeline.flush()
        return mark


BY_USER = [{"column": "userId", "direction": "ascending"}]
ASKED: dict[str, tuple[dict[str, Any], Callable[[Row], bool]]] = {
    "all": ({}, lambda _: True),
    "older": (
        {"filter": [{"column": "age", "is": "greater", "to": 49.5}]},
        lambda row: row["age"] is not None and row["age"] > 49.5,
    ),
    "ada": ({"search": "ADA"}, lambda row: "ada" in (row["name"] or "").lower()),
    "blank": ({"filter": [{"column": "name", "is": "blank"}]}, lambda row: not row["name"]),
    "picture": (
        {"filter": [{"column": "name", "is": "containing", "to": "\U0001f600B"}]},
        lambda row: "\U0001f600b" in (row["name"] or "").lower(),
    ),
    "by age": ({"sort": [{"column": "age", "direction": "ascending"}, *BY_USER]}, lambda _: True),
    "by age, falling": ({"sort": [{"column": "age", "direction": "descending"}, *BY_USER]}, lambda _: True),
}


def in_order(rows: list[Row], asked: dict[str, Any]) -> list[Row]:
    """Sorted as it was asked for, with nulls behind everything else."""
    for by in reversed(asked.get("sort", BY_USER)):
        values = [row for row in rows if row[by["column"]] is not None]
        values.sort(key=lambda row: row[by["column"]], reverse=by["direction"] == "descending")
        rows = [*values, *(row for row in rows if row[by["column"]] is None)]
    return rows


def _told(age: int | None) -> int | str | None:
    return str(age) if age is not None and abs(age) > 2**53 - 1 else age


def described(asked: dict[str, Any]) -> dict[str, Any]:
    """In an order that is the same whenever rows came."""
    return {"columns": ["userId", "name", "age"], "sort": BY_USER, **asked}


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.usefixtures("turn")
def test_what_was_told_equals_the_rows_after_every_step(
    served: ServeProcess, pipeline: Pipeline, viewer: Reader, chance: random.Random
) -> None:
    """Growth, shrinking, filters, a search, looks that move, and a second client that comes and goes."""
    people = People(pipeline, pipeline.open())
    people.change(chance)
    viewer.await_generation(pipeline.go_live(people.generation).number)
    with enter(served.settings) as door:
        marks = door.open("users_ui", columns=["userId", "name"], sort=BY_USER, first=0, last=0)
        numbers = {name: door.open("users_ui", **described(asked)) for name, (asked, _) in ASKED.items()}
        for step in range(STEPS):
            people.change(chance)
            if chance.random() < 0.3:
                first = chance.randrange(0, 90)
                door.look(numbers["all"], first, first + chance.randrange(0, 50))
            if step % 20 == 10:
                _reopen(door, numbers, chance)
            mark = people.mark()
            while door.views[marks].table[:1] != [["!", mark]]:
                door.hear()
            for name, (asked, holds) in ASKED.items():
                seen = door.views[numbers[name]]
                rows = in_order([row for row in people.rows.values() if holds(row)], asked)
                told = [[row["userId"], row["name"], _told(row["age"])] for row in rows]
                assert seen.size == len(told), (name, step)
                assert seen.table == told[seen.first : seen.last + 1], (name, step)


def _reopen(door: DoorClient, numbers: dict[str, int], chance: random.Random) -> None:
    name = chance.choice(sorted(ASKED))
    door.close(numbers[name])
    numbers[name] = door.open("users_ui", **described(ASKED[name][0]))


def test_a_copy_stays_as_it_was(
    served: ServeProcess, pipeline: Pipeline, viewer: Reader, chance: random.Random
) -> None:
    """While the table goes on, and another generation is shown."""
    people = People(pipeline, pipeline.open())
    people.change(chance)
    viewer.await_generation(pipeline.go_live(people.generation).number)
    with enter(served.settings) as door:
        copied = door.open("users_ui", do="copy", columns=["userId"], sort=BY_USER)
        before = list(door.views[copied].table)
        assert before == [[user] for user in sorted(people.rows)]
        people.change(chance)
        viewer.await_generation(pipeline.go_live(pipeline.open()).number)
        door.look(copied, 0, 10)
        assert door.views[copied].table == before[:11]
        assert door.views[copied].generation == people.generation.number

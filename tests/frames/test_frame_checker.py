"""The checker of frames is believed because it finds what is put in on purpose, one for each of its properties."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from frame_checker import ACCOUNTS, FINAL, USERS, Frame, History, wrong_end, wrong_frames

Bug = Callable[[list[Frame]], None]


def a_right_run() -> tuple[list[Frame], History]:
    """Two people of each of two pairs; accounts change, the pairs are exchanged, and then come back."""
    history, frames = History(), list[Frame]()
    for pair in "xy":
        for person in (f"{pair}-1", f"{pair}-2"):
            for side in ("users", "accounts"):
                history.send(side, person, 0)
                history.acknowledge(side, person, 0)
    for mark in (1, 2, 3):
        history.send("accounts", "x-1", mark)
        history.acknowledge("accounts", "x-1", mark)
    shown = [("1", "x", 0), ("1", "x", 1), ("1", "x", 2), ("2", "y", 0), ("3", "x", 3)]
    for generation, pair, mark in shown:
        users = [{"userId": f"{pair}-{n}", "name": "Name 0"} for n in (1, 2)]
        accounts = [
            {"userId": f"{pair}-1", "balance": f"{mark}" if pair == "x" else "0"},
            {"userId": f"{pair}-2", "balance": "0"},
        ]
        final = [{**user, **account} for user, account in zip(users, accounts, strict=True)]
        frames.append(Frame(generation, f"{pair}-users", {USERS: users, ACCOUNTS: accounts, FINAL: final}))
    return frames, history


def put(frames: list[Frame], at: int, table: str, row: int, **cells: str) -> None:
    """Change a row of one frame."""
    rows = [dict(one) for one in frames[at].tables[table]]
    rows[row].update(cells)
    frames[at] = replace(frames[at], tables={**frames[at].tables, table: rows})


def a_mixture(frames: list[Frame]) -> None:
    """A row of the pair before."""
    put(frames, 3, FINAL, 0, userId="x-1")


def an_empty_table(frames: list[Frame]) -> None:
    """For one frame."""
    frames[2] = replace(frames[2], tables={**frames[2].tables, ACCOUNTS: []})


def the_wrong_status(frames: list[Frame]) -> None:
    """The rows of one pair, the name of the other."""
    frames[3] = replace(frames[3], left="x-users")


def a_value_nobody_sent(frames: list[Frame]) -> None:
    """As a torn row would have."""
    put(frames, 1, FINAL, 1, balance="7")


def a_row_that_goes_back(frames: list[Frame]) -> None:
    """As what a replaced pipeline writes would do."""
    put(frames, 2, ACCOUNTS, 0, balance="0")


def a_match_that_is_lost(frames: list[Frame]) -> None:
    """A joined row is without its account again, in a generation that was built later."""
    put(frames, 4, FINAL, 0, balance="")


@pytest.mark.parametrize(
    ("bug", "told"),
    [
        (a_mixture, "frame 3, generation 2: rows of ['x', 'y'] where the status says y"),
        (an_empty_table, "frame 2, generation 1: accounts_ui is empty"),
        (the_wrong_status, "frame 3, generation 2: rows of ['y'] where the status says x"),
        (a_value_nobody_sent, "nobody sent such an event of accounts"),
        (a_row_that_goes_back, "frame 2, generation 1: accounts_ui x-1 went back from 1 to 0"),
        (a_match_that_is_lost, "frame 4, generation 3: final_ui x-1 0 went back from 2 to -1"),
    ],
)
def test_each_thing_that_is_wrong_is_found(bug: Bug, told: str) -> None:
    """And nothing where nothing is."""
    frames, history = a_right_run()
    assert wrong_frames(frames, history) == []
    bug(frames)

    assert any(told in what for what in wrong_frames(frames, history))


def test_the_end_is_everything_that_was_acknowledged_and_nothing_else() -> None:
    """A row too few, a row too many and an older value are each found; what nobody has acknowledged is not missed."""
    frames, history = a_right_run()
    tables = dict(frames[-1].tables)
    assert wrong_end("x", tables, history) == []
    history.send("users", "x-3", 0)
    assert wrong_end("x", tables, history) == []

    older = [dict(row, balance="2") if row["userId"] == "x-1" else row for row in tables[ACCOUNTS]]
    assert "missing [('x-1', 3)], not expected [('x-1', 2)]" in wrong_end("x", {**tables, ACCOUNTS: older}, history)[0]
    assert "missing [('x-2', 0)]" in wrong_end("x", {**tables, USERS: tables[USERS][:1]}, history)[0]
    twice = [*tables[USERS], tables[USERS][0]]
    assert "not expected [('x-1', 0)]" in wrong_end("x", {**tables, USERS: twice}, history)[0]

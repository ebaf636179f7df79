"""The checker of frames is believed because it finds what is put in on purpose, one for each of its properties."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from frame_checker import ACCOUNTS, FINAL, USERS, Frame, wrong_end, wrong_frames
from frame_history import History, cells_of, topic_of
from join_model import Event, Order
from livejoin.model.declaration import Side

Bug = Callable[[list[Frame]], None]

FIRST = {("x", 1): 10, ("x", 2): 11, ("y", 1): 12, ("y", 2): 13}
"""The mark of each person's first account; that of the user is lower by ten."""
LATER = (20, 21, 22)
"""Further accounts of x-1; before the last of them, one arrives that is late and never the newest."""
LATE, SECOND_USER = 30, 4


def send(history: History, side: Side, key: str, mark: int, **more: Any) -> None:
    """An event that is sent and acknowledged."""
    sent = history.send(side, key, mark, **more)
    history.acknowledge(sent.as_event())


def a_right_run() -> tuple[list[Frame], History]:
    """Two people of each of two pairs; accounts change, the pairs are exchanged, and then come back."""
    history = History()
    for (pair, number), mark in FIRST.items():
        send(history, Side.LEFT, f"{pair}-{number}", mark - 10, time=1)
        send(history, Side.RIGHT, f"{pair}-{number}", mark, time=1)
    send(history, Side.LEFT, "x-1", SECOND_USER, time=2)
    for time, mark in enumerate(LATER, 2):
        if mark == LATER[-1]:
            send(history, Side.RIGHT, "x-1", LATE, time=0)
        send(history, Side.RIGHT, "x-1", mark, partition=mark % 2, time=time)
    shown = [
        ("1", "x", FIRST["x", 1]),
        ("1", "x", LATER[0]),
        ("1", "x", LATER[1]),
        ("2", "y", 12),
        ("3", "x", LATER[2]),
    ]
    return [frame(*one) for one in shown], history


def frame(generation: str, pair: str, mark: int) -> Frame:
    """Both people of a pair, the first of them with this account."""
    marks = {1: mark, 2: FIRST[pair, 2]}
    users = [(person, FIRST[pair, person] - 10) for person in marks]
    if mark in LATER:
        users.append((1, SECOND_USER))
    users_rows = [{"userId": f"{pair}-{one}", **told(Side.LEFT, of)} for one, of in users]
    accounts = [{"userId": f"{pair}-{one}", **told(Side.RIGHT, of)} for one, of in marks.items()]
    final = [{"userId": f"{pair}-{one}", **told(Side.LEFT, of), **told(Side.RIGHT, marks[one])} for one, of in users]
    return Frame(generation, topic_of(pair, Side.LEFT), {USERS: users_rows, ACCOUNTS: accounts, FINAL: final})


def told(side: Side, mark: int) -> dict[str, str]:
    """What the page writes of an event."""
    return {name: f"{value}" for name, value in cells_of(side, mark).items()}


def put(frames: list[Frame], at: int, table: str, row: int, cells: dict[str, str]) -> None:
    """Change a row of one frame."""
    rows = [dict(one) for one in frames[at].tables[table]]
    rows[row].update(cells)
    frames[at] = replace(frames[at], tables={**frames[at].tables, table: rows})


def a_mixture(frames: list[Frame]) -> None:
    """A row of the pair before."""
    put(frames, 3, FINAL, 0, {"userId": "x-1"})


def an_empty_table(frames: list[Frame]) -> None:
    """For one frame."""
    frames[2] = replace(frames[2], tables={**frames[2].tables, ACCOUNTS: []})


def the_wrong_status(frames: list[Frame]) -> None:
    """The rows of one pair, the name of the other."""
    frames[3] = replace(frames[3], left=topic_of("x", Side.LEFT))


def a_generation_of_two_pairs(frames: list[Frame]) -> None:
    """Its tables and the status are exchanged together, and it is still the same generation."""
    frames[3] = replace(frames[3], generation="1")


def a_value_nobody_sent(frames: list[Frame]) -> None:
    """As a table would have that counts by itself."""
    put(frames, 1, FINAL, 1, told(Side.RIGHT, 77))


def a_torn_row(frames: list[Frame]) -> None:
    """Two events of one person, half of each."""
    put(frames, 1, USERS, 0, {"email": told(Side.LEFT, SECOND_USER)["email"]})


def an_account_of_somebody_else(frames: list[Frame]) -> None:
    """As a join by the wrong key would have."""
    put(frames, 1, FINAL, 1, told(Side.RIGHT, LATER[0]))


def an_account_that_never_was_the_newest(frames: list[Frame]) -> None:
    """It arrived when a newer one was there: after no prefix of its partition it is what the model shows."""
    for table in (ACCOUNTS, FINAL):
        put(frames, 0, table, 0, told(Side.RIGHT, LATE))


def two_accounts_of_one_person(frames: list[Frame]) -> None:
    """Each of them was the newest once, and never both at the same time."""
    put(frames, 2, FINAL, 0, told(Side.RIGHT, LATER[0]))


def a_row_that_goes_back(frames: list[Frame]) -> None:
    """As what a replaced pipeline writes would do."""
    put(frames, 2, ACCOUNTS, 0, told(Side.RIGHT, FIRST["x", 1]))


def a_match_that_is_lost(frames: list[Frame]) -> None:
    """A joined row is without its account again, in a generation that was built later."""
    for row in (0, 2):
        put(frames, 4, FINAL, row, {"accountType": "null", "balance": "null"})


def a_user_that_is_lost(frames: list[Frame]) -> None:
    """The row between two others, with its joined row, while all of the table is visible."""
    for at in (1, 2):
        for table in (USERS, FINAL):
            frames[at] = replace(frames[at], tables={**frames[at].tables, table: without(frames[at].tables[table], 1)})


def a_person_who_is_lost(frames: list[Frame]) -> None:
    """The row of a key is not in a generation that was built later."""
    frames[4] = replace(frames[4], tables={**frames[4].tables, ACCOUNTS: without(frames[4].tables[ACCOUNTS], 1)})


def a_user_from_before(frames: list[Frame]) -> None:
    """What was sent later to the same partition is shown, and all of the table is visible."""
    frames[4] = replace(frames[4], tables={**frames[4].tables, USERS: without(frames[4].tables[USERS], 0)})


def without(rows: Sequence[Any], at: int) -> list[Any]:
    """All rows but one."""
    return [row for place, row in enumerate(rows) if place != at]


@pytest.mark.parametrize(
    ("bug", "told_of_it"),
    [
        (a_mixture, "frame 3, generation 2: rows of ['x', 'y'] where the status says y"),
        (an_empty_table, "frame 2, generation 1: accounts_ui is empty"),
        (the_wrong_status, "frame 3, generation 2: rows of ['y'] where the status says x"),
        (a_generation_of_two_pairs, "frame 3, generation 1: shows y, and showed x before"),
        (a_value_nobody_sent, "frame 1, generation 1: final_ui x-2 shows"),
        (a_torn_row, "frame 1, generation 1: users_ui x-1 shows"),
        (an_account_of_somebody_else, "final_ui x-2 shows what was sent of ['x-1']"),
        (an_account_that_never_was_the_newest, "frame 0, generation 1: accounts_ui x-1 shows"),
        (two_accounts_of_one_person, "frame 2, generation 1: final_ui x-1 shows"),
        (a_row_that_goes_back, "frame 2, generation 1: accounts_ui x-1 went back from 20 to 10"),
        (a_match_that_is_lost, "frame 4, generation 3: final_ui x-1 lost its account 21"),
        (a_user_that_is_lost, "frame 1, generation 1: users_ui x-2 lost 1, which nothing has ended"),
        (a_person_who_is_lost, "frame 4, generation 3: accounts_ui x-2 lost its account 11"),
        (a_user_from_before, "frame 4, generation 3: users_ui x-1 does not show [('x-1', 'Name 0',"),
    ],
)
def test_each_thing_that_is_wrong_is_found(bug: Bug, told_of_it: str) -> None:
    """And nothing where nothing is."""
    frames, history = a_right_run()
    assert wrong_frames(frames, history) == []
    bug(frames)

    assert any(told_of_it in what for what in wrong_frames(frames, history)), wrong_frames(frames, history)


def test_a_tombstone_may_end_what_is_shown_and_nothing_older_comes_back() -> None:
    """An account is gone after a tombstone that is ordered after it; then one that was before it is wrong."""
    frames, history = a_right_run()
    frames = frames[:3]
    gone = frame("1", "x", LATER[1])
    gone = replace(gone, tables={**gone.tables, ACCOUNTS: gone.tables[ACCOUNTS][1:]})
    frames.append(gone)
    for row in (0, 2):
        put(frames, 3, FINAL, row, {"accountType": "null", "balance": "null"})
    assert {what.split(": ")[1] for what in wrong_frames(frames, history)} == {
        "accounts_ui x-1 lost its account 21",
        "accounts_ui x-1 lost 21, which nothing has ended",
        "final_ui x-1 lost its account 21",
    }

    send(history, Side.RIGHT, "x-1", 40, partition=1, time=3, tombstone=True)
    assert wrong_frames(frames, history) == []
    frames.append(frame("1", "x", FIRST["x", 1]))
    assert "final_ui x-1 went back from 21 to 10" in " ".join(wrong_frames(frames, history))


def test_what_is_not_among_the_visible_rows_is_not_missed() -> None:
    """A page follows the end of a table; what moves out of it at the top, or is not there yet below, is not lost."""
    frames, history = a_right_run()
    [*_, before, now] = [
        replace(
            frames[4],
            tables={**frames[4].tables, USERS: [frames[4].tables[USERS][row] for row in rows]},
            places={USERS: rows},
            sizes={USERS: size},
        )
        for rows, size in (([0, 1], 2), ([1, 2], 3))
    ]
    assert wrong_frames([before, now], history) == []
    waiting = replace(now, tables={**now.tables, USERS: now.tables[USERS][1:]}, places={USERS: [2]}, sizes={USERS: 4})
    assert wrong_frames([before, now, waiting], history) == []

    further = replace(now, places={USERS: [5, 6]}, sizes={USERS: 7})
    shorter = replace(
        further, tables={**now.tables, USERS: now.tables[USERS][:1]}, places={USERS: [5]}, sizes={USERS: 6}
    )
    [found] = wrong_frames([further, shorter], history)
    assert "users_ui x-1 lost 4, which nothing has ended" in found


def test_a_table_server_that_was_started_again_may_have_another_order() -> None:
    """The rows of before stay until something comes by the next connection; after that, nothing may be lost."""
    frames, history = a_right_run()
    whole = frames[4]
    turned = {**whole.tables, USERS: [*reversed(whole.tables[USERS])][:2]}
    later = replace(whole, connection=1)
    other = replace(later, tables=turned, places={USERS: [1, 2]}, sizes={USERS: 3})
    assert wrong_frames([whole, later, other], history) == []


def test_what_a_tombstone_of_another_partition_has_ended_is_not_missed() -> None:
    """Nothing that is shown tells that it was read, and it was: what was sent before it is gone."""
    frames, history = a_right_run()
    whole = frames[4]
    later = {table: without(whole.tables[table], 0) for table in (USERS, FINAL)}
    frames[4] = replace(whole, tables={**whole.tables, **later})
    assert any("does not show" in what for what in wrong_frames(frames, history))

    history.send(Side.LEFT, "x-1", 42, partition=1, time=1, tombstone=True)
    assert wrong_frames(frames, history) == []


def test_what_a_tombstone_has_ended_does_not_come_back() -> None:
    """A user is gone after it; one that was ordered before it is wrong then, also in another generation."""
    frames, history = a_right_run()
    whole = frames[2]
    without_users = {table: [row for row in whole.tables[table] if row["userId"] != "x-1"] for table in (USERS, FINAL)}
    gone = replace(whole, tables={**whole.tables, **without_users})
    send(history, Side.LEFT, "x-1", 41, time=3, tombstone=True)
    assert wrong_frames([whole, gone], history) == []

    again = wrong_frames([whole, gone, replace(frames[4], generation="5")], history)
    assert any("generation 5: users_ui x-1 shows 4 again, which was ended" in what for what in again), again


def test_a_generation_shows_one_life_of_a_topic() -> None:
    """What a topic holds that was created again is shown by another generation than what it held before."""
    frames, history = a_right_run()
    for side, mark in ((Side.LEFT, 50), (Side.RIGHT, 60)):
        history.begin_life(topic_of("x", side))
        for person in (1, 2):
            send(history, side, f"x-{person}", mark + person, time=9)
    rows = {
        person: {"userId": f"x-{person}", **told(Side.LEFT, 50 + person), **told(Side.RIGHT, 60 + person)}
        for person in (1, 2)
    }
    again = Frame("4", topic_of("x", Side.LEFT), {name: [*rows.values()] for name in (USERS, ACCOUNTS, FINAL)})
    assert wrong_frames([*frames, again], history) == []
    assert wrong_end("x", again.tables, history) == []

    assert "shows life 1 of x-" in " ".join(wrong_frames([*frames, replace(again, generation="3")], history))
    mixed = replace(again, tables={**again.tables, USERS: [rows[1], frames[-1].tables[USERS][1]]})
    assert "shows life 0 of x-users, and life 1 of it" in " ".join(wrong_frames([*frames, again, mixed], history))


def test_the_end_is_everything_that_was_acknowledged_and_nothing_else() -> None:
    """A row too few, a row too many and an older value are each found; what nobody has acknowledged is not missed."""
    frames, history = a_right_run()
    tables = dict(frames[-1].tables)
    assert wrong_end("x", tables, history) == []
    history.send(Side.LEFT, "x-3", 70)
    assert wrong_end("x", tables, history) == []

    older = [{**row, **told(Side.RIGHT, 21)} if row["userId"] == "x-1" else row for row in tables[ACCOUNTS]]
    [wrong] = wrong_end("x", {**tables, ACCOUNTS: older}, history)
    assert "missing [('x-1', 'type 22', 22.0)], not expected [('x-1', 'type 21', 21.0)]" in wrong
    [wrong] = wrong_end("x", {**tables, USERS: tables[USERS][:2]}, history)
    assert "missing [('x-1', 'Name 4', '4@example.org', 4)]" in wrong
    [wrong] = wrong_end("x", {**tables, USERS: [*tables[USERS], tables[USERS][0]]}, history)
    assert "missing [], not expected [('x-1', 'Name 0', '0@example.org', 0)]" in wrong


def test_every_bad_event_that_a_topic_has_is_expected_among_the_dead_letters() -> None:
    """By its place; a valid one is not, nor is one of a topic that was created again."""
    _, history = a_right_run()
    history.acknowledge(Event("x-users", Order(1, 1, 7), None, b"not an event"))
    history.acknowledge(Event("y-users", Order(1, 0, 8), None, b"not an event"))
    assert history.bad() == {"x-users/1/7", "y-users/0/8"}
    history.begin_life("y-users")
    assert history.bad() == {"x-users/1/7"}

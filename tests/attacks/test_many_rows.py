"""How many rows may be looked at, and how large they may be: over one connection, and over all of them."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from await_that import await_that
from door_client import DoorClient, enter
from livejoin.serve.door.message import MOST_ROWS
from tests.attacks.plain_deephaven import PlainDeephaven
from tests.attacks.stage import GIVEN_KEY, Attacked, Onlooker, Stage

LARGE, SIXFOLD = 5, "\x7f"
"""Rows, and a character that takes one byte in Kafka and six bytes in an answer."""


def look_at_many(client: DoorClient, windows: Iterable[int]) -> list[str]:
    """What is answered where each of these looks at 5,000 rows that begin there: `rows`, or why there are none."""
    answers = []
    for first in windows:
        client.say(do="open", view=first, table="final_ui", columns=["userId"])
        client.hear_until("opened")
        client.say(do="look", view=first, look=1, first=first, last=first + MOST_ROWS - 1)
        answers.append(_answer_to_look(client, first))
    return answers


def _answer_to_look(client: DoorClient, view: int) -> str:
    while True:
        heard = client.hear()
        if heard.get("view") == view:
            return str(heard["reason"])
        if view in [change["view"] for change in heard.get("changes", [])]:
            return "rows"


def test_control_without_limits_any_number_of_rows_is_looked_at(stage: Stage, unguarded: Attacked) -> None:
    """More than elsewhere all connections may look at together."""
    windows = stage.settings.limits.different_rows_looked_at // MOST_ROWS + 1
    with enter(unguarded.settings, unguarded.viewer_key) as client:
        assert look_at_many(client, range(windows)) == ["rows"] * windows


def test_rows_beyond_what_may_be_looked_at_are_refused(stage: Stage) -> None:
    """The view that wants them fails, and those before go on."""
    most = stage.settings.limits.rows_looked_at
    with enter(stage.settings, stage.operator_key) as client:
        assert look_at_many(client, range(most // MOST_ROWS + 1)) == [
            *["rows"] * (most // MOST_ROWS),
            f"a connection looks at {most} rows at the most",
        ]
        client.say(do="look", view=0, look=2, first=5, last=9)
        assert _answer_to_look(client, 0) == "rows"


def test_different_rows_are_counted_with_each_key_and_over_all_connections(stage: Stage, onlooker: Onlooker) -> None:
    """Who is the one too many fails, those before go on, and what others look at already can be looked at."""
    limits = stage.settings.limits
    with_key, in_all = (
        most // MOST_ROWS for most in (limits.different_rows_looked_at_per_key, limits.different_rows_looked_at)
    )
    with ExitStack() as stack:
        viewer, operator, third = (
            stack.enter_context(enter(stage.settings, key)) for key in (stage.viewer_key, stage.operator_key, GIVEN_KEY)
        )
        # The onlooker has some rows, too, with the viewers' key: their last window is not whole, nor is that of all.
        refused = "too many different rows are looked at with this key"
        assert look_at_many(viewer, range(with_key)) == ["rows"] * (with_key - 1) + [refused]
        left = in_all - with_key
        assert look_at_many(operator, range(with_key, with_key + left)) == ["rows"] * left
        assert look_at_many(third, [in_all]) == ["too many different rows are looked at"]
        assert look_at_many(third, [0]) == ["rows"]
        onlooker.hear_a_beat(within=2.0)


def test_control_a_plain_deephaven_sends_rows_of_any_size_at_once(control: PlainDeephaven) -> None:
    """Twenty megabytes are asked for by a line, made and sent."""
    session = control.session()
    try:
        rows = session.empty_table(LARGE).update([f"text = `{SIXFOLD}`.repeat(4_000_000)"]).to_arrow()
        assert rows.nbytes > 2**24
    finally:
        session.close()


def test_rows_of_many_megabytes_are_not_written_at_once(stage: Stage, viewer: DoorClient, onlooker: Onlooker) -> None:
    """Who looks at them is told to look at fewer, and can; over HTTP they come in portions, all of them."""
    users = [f"large{number}" for number in range(LARGE)]
    for user in users:
        stage.write(user, name=SIXFOLD * 800_000)
    asked: dict[str, Any] = {
        "columns": ["userId", "name"],
        "filter": [{"column": "userId", "is": "startingWith", "to": "large"}],
    }
    await_that(lambda: len(stage.rows(filter=asked["filter"], columns=["userId"])) == LARGE)
    viewer.say(do="open", view=1, table="final_ui", **asked)
    viewer.hear_until("opened")
    viewer.say(do="look", view=1, look=1, first=0, last=LARGE - 1)
    assert viewer.hear_until("failed")["reason"] == "these rows are too large to be shown at once: look at fewer"
    onlooker.hear_a_beat(within=2.0)
    view = viewer.open("final_ui", last=0, **asked)
    assert len(viewer.views[view].table[0][1]) == 800_000
    assert sorted(row["userId"] for row in stage.rows(**asked)) == users
    viewer.close(view)
    for user in users:
        stage.write(user)
    stage.await_name(users[-1], "")

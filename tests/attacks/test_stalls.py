"""Questions that take for ever: a plain Deephaven stands still over them, at the door they cannot be asked."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any

import pytest
from pydeephaven import Session
from pydeephaven.table import Table
from pydeephaven.ticket import ApplicationTicket

from await_that import await_that
from door_client import enter
from livejoin.settings.door import LimitSettings
from tests.attacks.plain_deephaven import APPLICATION, NOTES, TICKS, PlainDeephaven
from tests.attacks.restless import hearing, restless
from tests.attacks.stage import Attacked, Onlooker, Stage
from websocket_frames import TEXT, frame

SLOW_PATTERN = "(a+)+\\1b"
"""Every further `a` of a text doubles the time that it takes to find out that it does not match."""
ESCAPED = SLOW_PATTERN.replace("\\", "\\\\")
LONG_ENOUGH = 1.0
"""Seconds that a try has to take, so that the stall takes some seconds and not minutes."""
IN_TIME = 1.0
"""Seconds within which others hear of a change, and do not where there are no limits."""
BEATS, CROWD, MUCH_LATER = 7, 8, 3
"""How often somebody looks, how many keep him from it, and how many times as late is late."""
RESTLESS: dict[str, list[dict[str, Any]]] = {
    "looks": [{"do": "look", "view": 0}],
    "copies": [{"do": "copy", "table": "final_ui"}, {"do": "close"}],
}


def fetch(session: Session, name: str) -> Table:
    """A table of the control."""
    return session.fetch_table(session.fetch(ApplicationTicket.app_ticket(APPLICATION, name)))  # type: ignore[arg-type]


def test_control_a_regular_expression_stops_all_rows(control: PlainDeephaven) -> None:
    """The update cycle that has to answer it does nothing else, for as long as it takes."""
    session = control.session()
    ticks = fetch(session, TICKS)
    length = next(length for length in range(20, 60, 2) if _seconds(session, length) > LONG_ENOUGH)
    try:
        # A busy machine takes longer to begin, and a length for long that is none when it is idle again.
        stalls = (_stall(ticks, length + more, 20 * more) for more in range(1, 5))
        assert any(seconds >= LONG_ENOUGH for seconds in stalls)
    finally:
        session.close()


def _stall(ticks: Table, length: int, ahead: int) -> float:
    """For how long all rows stand still, when one comes that a text of that length is matched for."""
    asked = ticks.where([f"ii == {_newest(ticks) + ahead} && `{'a' * length}`.matches(`{ESCAPED}`)"])
    try:
        seen, longest, until = _newest(ticks), 0.0, time.monotonic() + 8.0
        stood_still = time.monotonic()
        while longest < LONG_ENOUGH and time.monotonic() < until:
            number = _newest(ticks)
            if number != seen:
                seen, stood_still = number, time.monotonic()
            longest = max(longest, time.monotonic() - stood_still)
        return longest
    finally:
        asked.close()


def _seconds(session: Session, length: int) -> float:
    began = time.monotonic()
    fetch(session, NOTES).where([f"i == 0 && `{'a' * length}`.matches(`{ESCAPED}`)"])
    return time.monotonic() - began


def _newest(ticks: Table) -> int:
    """The number of the last row. A copy that is made while rows come may have none, and is made again."""
    while not (rows := ticks.update_view(["number = ii"]).tail(1).to_arrow().to_pylist()):
        pass
    return int(rows[0]["number"])


@pytest.mark.parametrize("pattern", [SLOW_PATTERN, "(a+)+$", "(a|a)*b", "((a*)*)*\\2b", "a" * 4_000 + "b"])
def test_at_the_door_a_pattern_is_a_text(stage: Stage, onlooker: Onlooker, pattern: str) -> None:
    """Rows with the very text that it would take long for come and change, and everybody hears of them at once."""
    stage.write("slow", name="a" * 10_000)
    stage.await_name("slow", "a" * 10_000)
    view = {"do": "open", "table": "final_ui"}
    asked: list[dict[str, Any]] = [
        {**view, "view": 1, "search": pattern},
        {**view, "view": 2, "filter": [{"column": "name", "is": "containing", "to": pattern}]},
        {**view, "view": 3, "filter": [{"column": "name", "is": "notContaining", "to": pattern}]},
        {**view, "view": 4, "filter": [{"column": "name", "is": "equal", "to": pattern}]},
    ]
    looks = [{"do": "look", "view": number, "look": 1, "first": 0, "last": 9} for number in range(1, 5)]
    with stage.enter_raw() as client, hearing(client) as opened:
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in asked))
        for _ in asked:
            assert opened.acquire(timeout=20.0)
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in looks))
        for number in range(5):
            stage.hurry("slow", name="a" * 10_000 + str(number))
            onlooker.hear_a_beat(within=1.0)
        assert stage.objects("Window")["Window"] == 1 + len(looks)
    assert stage.rows(search=pattern) == []


def test_at_the_door_the_text_that_is_worst_to_look_for_takes_no_longer_than_another(
    stage: Stage, onlooker: Onlooker
) -> None:
    """As many and as long as fit into a message, in the largest cell that Kafka takes, while that changes.

    Where a search begins anew at every place, as a regular expression does (`tests/door/test_likeness.py`), each change
    would take the engine half a minute.
    """
    name = "a" * 900_000
    stage.write("large", name=name)
    stage.await_name("large", name)
    wanted = [{"column": "name", "is": "containing", "to": "a" * 4_090 + f"{number}"} for number in range(15)]
    view = {"do": "open", "view": 1, "table": "final_ui", "columns": ["userId"]}
    look = {"do": "look", "view": 1, "look": 1, "first": 0, "last": 9}
    any_of = {**wanted[0], "is": "anyOf", "of": [{"is": one["is"], "to": one["to"]} for one in wanted]}
    del any_of["to"]
    try:
        with stage.enter_raw() as client, hearing(client) as opened:
            client.sendall(frame(TEXT, json.dumps({**view, "filter": [any_of]}).encode()))
            assert opened.acquire(timeout=20.0)
            client.sendall(frame(TEXT, json.dumps(look).encode()))
            for number in range(3):
                stage.hurry("large", name=name + str(number))
                onlooker.hear_a_beat(within=2.0)
            assert stage.objects("Window")["Window"] == 2
        assert [row["userId"] for row in stage.rows(columns=["userId"], search="a" * 4_090 + "2")] == ["large"]
    finally:
        stage.write("large", name="small")


@contextmanager
def _greedy(attacked: Attacked, limits: LimitSettings) -> Iterator[None]:
    """Somebody who asks for everything that one connection may: views, rows and copies up to these limits."""
    orders = ["age", "balance", "name", "userId"]
    said: list[dict[str, Any]] = []
    for view in range(limits.views - limits.copies_per_key):
        order = [{"column": orders[view % 4], "direction": "descending"}]
        kept = [{"column": "age", "is": "notEqual", "to": -1 - view}] * 20
        said.append({"do": "open", "view": view, "table": "final_ui", "sort": order, "filter": kept})
    copies = range(limits.views - limits.copies_per_key, limits.views)
    said.extend({"do": "copy", "view": view, "table": "final_ui"} for view in copies)
    with attacked.enter_raw(attacked.operator_key) as client, hearing(client) as opened:
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in said))
        for _ in said:
            assert opened.acquire(timeout=60.0)
        looks = [
            {"do": "look", "view": view, "look": 1, "first": view, "last": view + 4_999}
            for view in range(limits.rows_looked_at // 5_000)
        ]
        client.sendall(b"".join(frame(TEXT, json.dumps(message).encode()) for message in looks))
        yield


@pytest.fixture
def patient(stage: Stage, unguarded: Attacked) -> Iterator[Onlooker]:
    """Somebody who looks on where there are no limits."""
    with enter(unguarded.settings, unguarded.viewer_key) as client:
        yield Onlooker(stage, client)


def test_control_without_limits_the_largest_requests_keep_others_waiting(
    stage: Stage, onlooker: Onlooker, unguarded: Attacked, patient: Onlooker
) -> None:
    """One connection has ten times as many views, and looks at ten times as many rows: others wait much longer."""
    limits = stage.settings.limits
    with _greedy(stage, limits):
        usual = median(onlooker.hear_a_beat(within=60.0) for _ in range(BEATS))
    wanted = {name: 10 * getattr(limits, name) for name in ("views", "rows_looked_at")}
    with _greedy(unguarded, limits.model_copy(update=wanted)):
        late = median(patient.hear_a_beat(within=60.0) for _ in range(BEATS))
        assert late > MUCH_LATER * usual


def test_at_the_door_the_largest_requests_leave_others_their_rows(stage: Stage, onlooker: Onlooker) -> None:
    """While one connection has all that it may have, another one hears of every change within a second."""
    with _greedy(stage, stage.settings.limits):
        slowest = max(onlooker.hear_a_beat(within=IN_TIME) for _ in range(10))
        assert stage.objects("Window")["Window"] > 1
    assert slowest < IN_TIME
    await_that(lambda: stage.objects("View", "Window") == {"View": 2, "Window": 1})


def test_control_without_limits_many_who_are_restless_keep_others_waiting(
    stage: Stage, onlooker: Onlooker, unguarded: Attacked, patient: Onlooker
) -> None:
    """From many connections with one key, each ten times as often as it might: others wait much longer.

    Copies without limits would end that server, as those of a large table do (`test_a_million_rows.py`).
    """
    messages = RESTLESS["looks"]
    with restless(stage, *messages):
        usual = median(onlooker.hear_a_beat(within=60.0) for _ in range(BEATS))
    pace = 10 * stage.settings.limits.messages_per_second
    with ExitStack() as stack:
        for _ in range(CROWD):
            stack.enter_context(restless(unguarded, *messages, pace=pace))
        late = median(patient.hear_a_beat(within=60.0) for _ in range(BEATS))
        assert late > MUCH_LATER * usual


@pytest.mark.parametrize("messages", RESTLESS.values(), ids=RESTLESS)
def test_at_the_door_who_is_restless_leaves_others_their_rows(
    stage: Stage, onlooker: Onlooker, messages: list[dict[str, Any]]
) -> None:
    """While one connection asks for five thousand other rows, or for copies of all, as often as it may."""
    with restless(stage, *messages) as visitor:
        slowest = max(onlooker.hear_a_beat(within=IN_TIME) for _ in range(20))
        assert not visitor.is_cut_off
    assert slowest < IN_TIME


def test_at_the_door_nobody_can_ask_for_a_table_that_is_not_there(stage: Stage) -> None:
    """There is no message that makes rows: a size, a range or an expression in place of a table is none."""
    for table in ("emptyTable(1000000000)", "empty_table", "TableTools.emptyTable(1L << 40)", 10**9, {"size": 10**9}):
        for asked in ({"table": table}, {"table": "final_ui", "size": table}, {"table": "final_ui", "view": table}):
            answer = stage.ask("POST", "/rows", body=asked)
            assert answer.status in (400, 404)
    assert stage.ask("GET", "/rows/final_ui?newest=100001").status == 400
    assert stage.ask("GET", "/rows/final_ui?newest=000000000000100001").status == 400
    assert stage.ask("GET", f"/rows/final_ui?newest={'9' * 4_000}").status == 400

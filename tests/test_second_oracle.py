"""The model against a second, independent opinion: the same events through Deephaven's own table operations."""

import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

from histories import MAX_BYTES, collect_histories
from livejoin.generation import JoinType, Keep, Request
from livejoin.schema import SOURCES
from model import Event, Order, judge, tables

NULLS_OF_DEEPHAVEN = {-(2**63), -sys.float_info.max}
"""Deephaven has no room for these two values: they are how it writes null."""


def test_deephaven_agrees_with_the_model(tmp_path: Path) -> None:
    """left_outer_join, join, aj and last_by give the model's rows for every join and keep setting."""
    events = events_of_histories(400)
    requests = [
        Request(users_topic="u", accounts_topic="a", join=join, keep_users=users, keep_accounts=accounts)
        for join, users, accounts in product(JoinType, Keep, Keep)
    ]
    asked: dict[str, Any] = {
        source.name: [
            (judged.user_id, (judged.order.timestamp, judged.order.partition, judged.order.offset), judged.row)
            for judged in (judge(event, MAX_BYTES) for event in events if event.source == source.name)
            if judged
        ]
        for source in SOURCES
    }
    asked["requests"] = [request.model_dump(mode="json") for request in requests]
    given, answer = tmp_path / "given.json", tmp_path / "answer.json"
    given.write_text(json.dumps(asked))
    program = Path(__file__).with_name("deephaven_oracle.py")
    done = subprocess.run(
        [sys.executable, str(program), str(given), str(answer)],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert answer.exists(), done.stderr[-3000:]
    for request, found in zip(requests, json.loads(answer.read_text()), strict=True):
        expected = tables(events, request, MAX_BYTES)
        assert sum(sum(rows.values()) for rows in expected.values()) > 500
        for table, rows in expected.items():
            answered = Counter(tuple(row) for row in found[table])
            assert (rows - answered, answered - rows) == (Counter(), Counter()), (request, table)


def events_of_histories(count: int) -> list[Event]:
    """Histories as they would stand in the topics."""
    offsets: Counter[tuple[str, int]] = Counter()
    events = []
    for move in (move for history in collect_histories(count, "user") for move in history):
        place = (move.source, move.partition)
        event = Event(move.source, Order(move.timestamp, move.partition, offsets[place]), move.key, move.value)
        judged = judge(event, MAX_BYTES)
        if judged is None or not NULLS_OF_DEEPHAVEN.intersection(judged.row or ()):
            events.append(event)
            offsets[place] += 1
    return events

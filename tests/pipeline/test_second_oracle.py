"""The model against a second, independent opinion: the same events through Deephaven's own table operations."""

from collections import Counter
from pathlib import Path
from typing import Any

from answered import answered
from histories import MAX_BYTES, Fate, collect_histories
from join_comparison import REQUESTS, TOPICS
from join_model import Event, Order, judge, tables
from livejoin.model.declaration import Side
from livejoin.model.default_declaration import DEFAULT
from livejoin.wire.records import to_json


def test_deephaven_agrees_with_the_model(tmp_path: Path, run_seed: int) -> None:
    """left_outer_join, join, aj and last_by give the model's rows for every join and keep setting."""
    events = events_of_histories(400, run_seed)
    requests = [request for request in REQUESTS if not request.keep_limit]
    asked: dict[str, Any] = {
        DEFAULT.source(side).name: [
            (judged.key[0], (judged.order.timestamp, judged.order.partition, judged.order.offset), judged.row)
            for event in events
            if event.topic == TOPICS[side] and (judged := judge(event, DEFAULT.source(side), MAX_BYTES))
        ]
        for side in Side
    }
    asked["requests"] = [to_json(request).decode() for request in requests]
    answers = answered("deephaven_oracle.py", asked, tmp_path)
    for request, found in zip(requests, answers, strict=True):
        expected = tables(events, request, MAX_BYTES)
        assert sum(sum(rows.values()) for rows in expected.values()) > 500
        for table, rows in expected.items():
            told = Counter(tuple(row) for row in found[table])
            assert (rows - told, told - rows) == (Counter(), Counter()), (request, table)


def events_of_histories(count: int, seed: int) -> list[Event]:
    """Histories as they would stand in the topics."""
    offsets: Counter[tuple[str, int]] = Counter()
    events = []
    for move in (move for history in collect_histories(count, "user", seed) for move in history):
        place = (TOPICS[move.side], move.partition)
        time = move.timestamp if move.time is None else move.time
        if move.fate is not Fate.ABORTED:
            events.append(Event(place[0], Order(time, move.partition, offsets[place]), move.key, move.value))
        offsets[place] += 1
    return events

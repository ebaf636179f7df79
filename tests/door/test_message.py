"""What a client may say: everything else is refused with a reason, and nothing else happens."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livejoin.serve.door import message as bounds
from livejoin.serve.door.message import LARGEST_MESSAGE, BadMessage, Open, read_description, read_message

ROOT = Path(__file__).parents[2]
OPEN = {"do": "open", "view": 1, "table": "final_ui"}
MESSAGES: list[dict[str, Any]] = [
    {"do": "login", "key": "k"},
    {**OPEN, "columns": ["a"], "sort": [{"column": "a", "direction": "ascending"}], "search": "x"},
    {**OPEN, "filter": [{"column": "a", "is": "oneOf", "to": [1, 2.5, "3", True]}]},
    {**OPEN, "filter": [{"column": "a", "is": "anyOf", "of": [{"is": "null"}, {"is": "equal", "to": 3}]}]},
    {**OPEN, "do": "copy"},
    {"do": "look", "view": 1, "look": 2, "first": 0, "last": 99},
    {"do": "close", "view": 1},
    {"do": "ping", "id": 7},
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message["do"])
def test_a_message_of_the_protocol_is_read(message: dict[str, Any]) -> None:
    """As docs/protocol.md has it."""
    assert read_message(json.dumps(message)).do == message["do"]


@pytest.mark.parametrize(
    "message",
    [
        {"do": "exec", "code": "1"},
        {**OPEN, "formula": "a = 1"},
        {**OPEN, "view": True},
        {**OPEN, "view": -1},
        {**OPEN, "view": 2**60},
        {**OPEN, "table": ""},
        {**OPEN, "columns": []},
        {**OPEN, "columns": "a"},
        {**OPEN, "columns": ["a", "b", "a"]},
        {**OPEN, "search": "x" * 5_000},
        {**OPEN, "sort": [{"column": "a", "direction": "sideways"}]},
        {**OPEN, "filter": [{"column": "a", "is": "matches", "to": "(a+)+"}]},
        {**OPEN, "filter": [{"column": "a", "is": "equal"}]},
        {**OPEN, "filter": [{"column": "a", "is": "equal", "to": None}]},
        {**OPEN, "filter": [{"column": "a", "is": "equal", "to": {"method": "exec"}}]},
        {**OPEN, "filter": [{"column": "a", "is": "null", "to": 1}]},
        {**OPEN, "filter": [{"column": "a", "is": "anyOf", "of": []}]},
        {**OPEN, "filter": [{"is": "null"}]},
        {**OPEN, "filter": [{"column": "a", "is": "oneOf", "to": list(range(1_001))}]},
        {**OPEN, "filter": [{"column": "a", "is": "null"}] * 201},
        {"do": "look", "view": 1, "look": 1, "first": 5, "last": 4},
        {"do": "look", "view": 1, "look": 1, "first": 0, "last": 5_000},
        {"do": "look", "view": 1, "look": 1, "first": 0.5, "last": 3},
        [],
        "open",
        None,
    ],
)
def test_anything_else_is_refused_with_a_reason(message: Any) -> None:
    """Unknown words, wrong types, numbers and lists out of bounds."""
    with pytest.raises(BadMessage) as refused:
        read_message(json.dumps(message))
    assert str(refused.value)


def test_the_page_knows_the_bounds() -> None:
    """It does not say what would end its connection, with every table that is open over it."""
    text = (ROOT / "web/projects/livejoin-client/src/door/bounds.ts").read_text(encoding="utf-8")
    told = {name: int(number.replace("_", "")) for name, number in re.findall(r"const ([A-Z_]+) = ([\d_]+);", text)}
    told.pop("ROOM")
    assert len(told) == 8
    assert told == {name: getattr(bounds, name) for name in told}


def test_conditions_lie_only_so_deep_in_one_another() -> None:
    """Depth is bounded before anybody walks through it."""
    condition: dict[str, Any] = {"is": "null"}
    for _ in range(3):
        condition = {"is": "allOf", "of": [condition]}
    assert isinstance(read_message(json.dumps({**OPEN, "filter": [{"column": "a", **condition}]})), Open)
    deep = '{"is":"allOf","of":[' * 3_000 + '{"is":"null"}' + "]}" * 3_000
    for text in (
        json.dumps({**OPEN, "filter": [{"column": "a", "is": "allOf", "of": [json.loads(_nested(4))]}]}),
        f'{{"do":"open","view":1,"table":"t","filter":[{{"column":"a","is":"allOf","of":[{deep}]}}]}}',
    ):
        with pytest.raises(BadMessage):
            read_message(text)


def _nested(depth: int) -> str:
    return '{"is":"allOf","of":[' * depth + '{"is":"null"}' + "]}" * depth


def test_a_key_is_never_repeated_in_a_reason() -> None:
    """Reasons are logged and sent back."""
    with pytest.raises(BadMessage) as refused:
        read_message(json.dumps({"do": "login", "key": ["hunter2"]}))
    assert "hunter2" not in str(refused.value)
    assert "hunter2" not in repr(read_message(json.dumps({"do": "login", "key": "hunter2"})))


def test_a_message_that_is_too_large_is_not_looked_at() -> None:
    """By bytes, whatever they are."""
    for text in ('"' + "x" * LARGEST_MESSAGE + '"', '"' + "é" * (LARGEST_MESSAGE // 2) + '"'):
        with pytest.raises(BadMessage, match="at most"):
            read_message(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda children: st.lists(children, max_size=5) | st.dictionaries(st.text(max_size=10), children, max_size=5),
    max_leaves=6,
)
words = st.sampled_from(
    [
        "do",
        "open",
        "copy",
        "look",
        "view",
        "table",
        "filter",
        "column",
        "is",
        "to",
        "of",
        "anyOf",
        "equal",
        "oneOf",
        "sort",
    ]
)
nearly = st.recursive(
    json_values | words,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(words, children, max_size=6),
    max_leaves=6,
)


@settings(max_examples=2_000, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200),
        nearly.map(lambda value: json.dumps(value)),
        st.tuples(st.sampled_from(MESSAGES), st.dictionaries(words, nearly, max_size=3)).map(
            lambda pair: json.dumps({**pair[0], **pair[1]})
        ),
    )
)
def test_whatever_arrives_is_a_message_or_is_refused(text: str) -> None:
    """Never another exception: random texts, nearly right objects, right messages with anything put into them."""
    with suppress(BadMessage):
        read_message(text)


@settings(max_examples=8_000, deadline=None)
@given(st.sampled_from(MESSAGES).map(lambda m: json.dumps(m).encode()), st.data())
def test_a_message_that_is_cut_or_bent_anywhere_is_a_message_or_is_refused(message: bytes, data: st.DataObject) -> None:
    """Cut at any byte, with bytes changed, put in and left out."""
    begin = data.draw(st.integers(0, len(message)))
    end = data.draw(st.integers(begin, len(message)))
    bent = message[:begin] + data.draw(st.binary(max_size=6)) + message[end:]
    with suppress(BadMessage):
        read_description(bent)
    with suppress(BadMessage):
        read_message(bent.decode("utf-8", "surrogateescape"))

"""What a control message says, and that nothing in one can do harm."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livejoin.model.control_message import ControlEntry, ControlMessage
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import JoinType
from livejoin.wire import control_message
from livejoin.wire.records import from_json, to_json

GOOD = {"usersTopic": "users-b", "accountsTopic": "accounts-b"}


def parse(value: bytes | None) -> ControlMessage:
    """A message about the default sources."""
    return control_message.parse(value, DEFAULT)


def test_a_swap_names_topics_and_join() -> None:
    """Strings are trimmed, the join is case-insensitive, and an id is allowed."""
    message = parse(json.dumps({"usersTopic": " u ", "accountsTopic": "a\n", "joinType": " InNer", "id": "x"}).encode())

    assert (message.left_topic, message.right_topic, message.join, message.problem) == ("u", "a", "inner", "")


@pytest.mark.parametrize("join", [{}, {"joinType": None}])
def test_the_join_is_left_where_none_is_given(join: dict[str, None]) -> None:
    """A missing joinType and a null one mean the default."""
    assert parse(json.dumps({**GOOD, **join}).encode()).join is JoinType.LEFT


def test_a_rollback_goes_alone() -> None:
    """It may have an id and nothing else."""
    assert parse(b'{"rollback": true, "id": "7"}').rollback
    assert "goes without topics" in parse(json.dumps({**GOOD, "rollback": True}).encode()).problem
    assert "can only be true" in parse(b'{"rollback": false}').problem


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "empty"),
        (b"", "empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "malformed JSON"),
        (b'{"usersTopic": "u"} x', "malformed JSON"),
        (b"[" * 100_000, "malformed JSON"),
        (b"[1]", "not a JSON object"),
        (b"7", "not a JSON object"),
        (b"{}", "usersTopic is missing"),
        (b'{"usersTopic": "u"}', "accountsTopic is missing"),
        (b'{"usersTopic": "u", "accountsTopic": null}', "accountsTopic is missing"),
        (b'{"usersTopic": "u", "accountsTopic": "  "}', "accountsTopic is empty"),
        (b'{"usersTopic": 5, "accountsTopic": "a"}', "usersTopic is not a string"),
        (b'{"usersTopic": "u u", "accountsTopic": "a"}', "no name that a topic can have"),
        (b'{"usersTopic": "..", "accountsTopic": "a"}', "no name that a topic can have"),
        (b'{"usersTopic": "\\ud800", "accountsTopic": "a"}', "no name that a topic can have"),
        (b'{"usersTopic": "u", "usersTopic": "v", "accountsTopic": "a"}', "given twice"),
        (b'{"usersTopic": "u", "accountsTopic": "a", "joinType": "full"}', "one of left, inner, asof"),
        (b'{"usersTopic": "u", "accountsTopic": "a", "joinType": 3}', "one of left, inner, asof"),
        (b'{"usersTopic": "u", "accountsTopic": "a", "join": "left"}', "unknown field 'join'"),
        (b'{"usersTopic": "u", "accountsTopic": "a", "\\ud800": 1}', "unknown field"),
        (b'{"usersTopic": "u", "accountsTopic": "a", "id": 7}', "id is not a string"),
    ],
)
def test_what_is_wrong_is_said(value: bytes | None, reason: str) -> None:
    """The reason names the field, and can be stored with the message."""
    message = parse(value)

    assert reason in message.problem
    assert to_json(ControlEntry.of(message, 0))


@given(
    st.binary()
    | st.recursive(
        st.text() | st.integers() | st.none(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.text() | st.sampled_from(["usersTopic", "accountsTopic", "joinType", "rollback", "id"]), x
            )
        ),
    ).map(lambda found: json.dumps(found).encode())
)
def test_no_message_can_do_harm(value: bytes) -> None:
    """Whatever it is, it can be read and kept."""
    entry = ControlEntry.of(parse(value), 0)

    assert from_json(ControlEntry, to_json(entry)) == entry


def test_a_long_message_is_cut_in_the_log() -> None:
    """The control log takes a message that is larger than a record of it may be."""
    message = parse(b'{"usersTopic": "' + b"x" * 2_000_000 + b'"}')

    assert len(to_json(ControlEntry.of(message, 0))) < 100_000
    assert "2000018 characters" in message.raw

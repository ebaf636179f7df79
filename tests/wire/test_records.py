"""The records of the state topic: what somebody else has written there is refused, and nothing else happens."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, Request
from livejoin.model.registry import Current, Epoch, Ledger, Pulse, Record, Registry, Standby
from livejoin.wire.records import LEDGER_KEY, apply, key_of, to_json

NOW = datetime(2024, 5, 17, tzinfo=UTC)
REQUEST = Request(DEFAULT, "u", "a")
RECORDS: tuple[Record, ...] = (
    Current(3, NOW),
    Ledger(3, REQUEST),
    Pulse(NOW),
    Epoch(7, "somebody", NOW),
    Standby("another", NOW),
    Generation(3, REQUEST, "v", requested=NOW, since=NOW),
)
"""One of each kind."""
NO_OBJECTS = (b"[]", b"[[1]]", b"7", b"null", b"true", b'"x"', b"{", b"\xff", b"[" * 100_000, b"9" * 10_000)
ODD: st.SearchStrategy[object] = st.sampled_from(
    [None, 7, -1, 10**30, 1.5, True, "", "x", "\ud800", [], [[]], {}, {"x": []}, {"1": "x"}]
)


@pytest.mark.parametrize("record", RECORDS, ids=key_of)
@pytest.mark.parametrize("junk", NO_OBJECTS, ids=lambda junk: repr(junk[:6]))
def test_what_is_no_object_is_refused_under_every_kind_of_key(record: Record, junk: bytes) -> None:
    """By the one error that every reader expects, and the registry stays as it was."""
    registry = Registry()
    apply(registry, key_of(record), to_json(record))
    before = vars(registry.copy())
    with pytest.raises(ValueError, match=r"\w"):
        apply(registry, key_of(record), junk)
    assert vars(registry) == before


def test_what_a_ledger_counts_is_kept_where_what_was_asked_for_cannot_be_read() -> None:
    """Another version of livejoin may have written it, and no number may be given twice."""
    ledger = Ledger(9, REQUEST, "id", {0: 7}, "control", NOW)
    value = json.loads(to_json(ledger)) | {"settings": {"of": "another version"}}
    registry = Registry()
    apply(registry, LEDGER_KEY, json.dumps(value).encode())
    assert registry.ledger == replace(ledger, settings=None)


def test_a_generation_without_a_number_is_refused() -> None:
    """With a value or without one."""
    with pytest.raises(ValueError, match="invalid literal"):
        apply(Registry(), "generation/first", None)


@given(record=st.sampled_from(RECORDS), data=st.data())
def test_a_record_with_anything_in_any_place_is_taken_or_refused(record: Record, data: st.DataObject) -> None:
    """However deep it is: no other error reaches who reads."""
    value = json.loads(to_json(record))
    place = value
    while True:
        name = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
        if not place[name] or not isinstance(place[name], dict | list) or data.draw(st.booleans()):
            break
        place = place[name]
    place[name] = data.draw(ODD)
    _apply_or_refuse(key_of(record), value)


def _apply_or_refuse(key: str, value: Any) -> None:
    with suppress(ValueError):
        apply(Registry(), key, json.dumps(value).encode())

"""Rows of one event are handed on together."""

import pytest

from kafka_record import Record
from livejoin.serve.decode.whole_events import WholeEvents
from view_records import Keyed, everything, progress, row


@pytest.fixture
def events() -> WholeEvents:
    """What is tested."""
    return WholeEvents()


def joined(user: str, place: int, version: int, epoch: int = 1) -> Keyed:
    """A row of the joined table."""
    return row("final_ui", f"{user}/{place}", version, {"userId": user, "name": f"{version}"}, epoch=epoch)


def records(*keyed: Keyed) -> list[Record]:
    """As Kafka hands them over."""
    return [Record(key.encode(), value) for key, value in keyed]


def shown(events: WholeEvents, *keyed: Keyed) -> list[str]:
    """The keys of what is handed on."""
    return [record.key().decode() for record in events.add(records(*keyed))]  # type: ignore[arg-type, union-attr]


def test_the_rows_of_an_event_wait_for_its_progress(events: WholeEvents) -> None:
    """Two of three rows have arrived: nothing is shown of them, and then everything, in order."""
    assert shown(events, joined("ann", 0, 7), joined("ann", 1, 7)) == []
    last = shown(events, joined("ann", 2, 7), progress("ann", 7, "accounts", 0, 3))
    assert last == ["joined/ann/0", "joined/ann/1", "joined/ann/2", "progress/ann"]
    assert shown(events) == []


def test_nobody_waits_for_somebody_else(events: WholeEvents) -> None:
    """Also where the records of two events stand among each other, or those of two versions or epochs."""
    mixed = (joined("ann", 0, 7), joined("bob", 0, 2), joined("ann", 1, 8), progress("bob", 2, "users", 0, 1))
    assert shown(events, *mixed) == ["joined/bob/0", "progress/bob"]
    assert shown(events, progress("ann", 7, "users", 0, 2)) == ["joined/ann/0", "progress/ann"]
    assert shown(events, progress("ann", 8, "users", 0, 2)) == ["joined/ann/1", "progress/ann"]


def test_a_key_may_look_like_anything(events: WholeEvents) -> None:
    """Also like the part of a record where its version stands."""
    key = 'x","v":1,"y'
    assert shown(events, joined(key, 0, 5)) == []
    assert len(shown(events, progress(key, 5, "users", 0, 1))) == 2


def test_what_is_whole_in_itself_waits_for_nothing(events: WholeEvents) -> None:
    """What a backfill writes, and whatever nobody of ours wrote."""
    assert shown(events, everything("ann", 3), ("taken", b"4"), ("joined", b"{}")) == [
        "everything/ann",
        "taken",
        "joined",
    ]


def test_half_an_event_waits_for_who_goes_on_with_it(events: WholeEvents) -> None:
    """A pipeline that died in the middle of one: its half is shown with what another one wrote instead."""
    assert shown(events, joined("ann", 0, 7), joined("ann", 1, 7)) == []
    assert shown(events, joined("ann", 0, 7, epoch=2)) == []
    assert len(shown(events, joined("ann", 1, 7, epoch=2), progress("ann", 7, "accounts", 0, 3, epoch=2))) == 5
    assert shown(events) == []


def test_half_an_event_goes_with_a_whole_one(events: WholeEvents) -> None:
    """What a backfill writes of a key instead."""
    assert shown(events, joined("ann", 0, 7), joined("bob", 0, 2)) == []
    assert shown(events, everything("ann", 7)) == ["joined/ann/0", "everything/ann"]


def test_nothing_is_settled_by_what_came_before_it(events: WholeEvents) -> None:
    """Rows of an event wait for its own progress, or a later one."""
    assert shown(events, joined("ann", 1, 8), progress("ann", 7, "users", 0, 1)) == ["progress/ann"]
    assert shown(events, progress("ann", 9, "users", 0, 3)) == ["joined/ann/1", "progress/ann"]


def test_half_an_event_waits_for_who_is_behind(events: WholeEvents) -> None:
    """Who takes over writes an earlier event first: the half that the one before has left is not of that."""
    assert shown(events, joined("ann", 1, 8)) == []
    assert shown(events, joined("ann", 0, 7, epoch=2), progress("ann", 7, "users", 0, 2, epoch=2)) == [
        "joined/ann/0",
        "progress/ann",
    ]
    assert shown(events, joined("ann", 1, 8, epoch=2)) == []
    assert len(shown(events, progress("ann", 8, "users", 0, 3, epoch=2))) == 3


def test_while_nobody_looks_compaction_may_have_taken_the_rest(events: WholeEvents) -> None:
    """Of a key only its newest progress is kept: one of a later start counts for all before it."""
    written = records(joined("ann", 1, 8), progress("ann", 3, "users", 0, 2, epoch=2))
    assert len(events.add(written, is_shown=False)) == 2  # type: ignore[arg-type]

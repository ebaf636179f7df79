"""Of a view topic that several generations have had, the records of one."""

from datetime import UTC, datetime

import pytest

from kafka_record import Record
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, Request
from livejoin.serve.decode.own_records import OwnRecords
from livejoin.wire.view_record import TAKEN, Taken
from view_records import row

AT = 5
"""The epoch at which the generation has taken its topic."""


def own_of(taken: int) -> OwnRecords:
    """Of generation 2, which has taken its topic at that epoch."""
    now = datetime.now(UTC)
    return OwnRecords(Generation(2, Request(DEFAULT, "u", "a"), "v", requested=now, since=now, taken=taken))


def users(own: OwnRecords, *written: Record) -> list[str]:
    """The ids of the rows that are handed on."""
    return [(record.key() or b"").decode().removeprefix("left/") for record in own.of(written)]  # type: ignore[arg-type]


def of(user: str, epoch: int) -> Record:
    """A row of a user."""
    key, value = row("users_ui", user, 1, {"userId": user}, epoch=epoch)
    return Record(key.encode(), value)


def taken(generation: int, epoch: int) -> Record:
    """The word of a generation that the topic is its own."""
    return Record(TAKEN.encode(), Taken(generation, epoch).to_json())


def test_what_was_begun_before_the_topic_was_taken_is_dropped_wherever_it_lies() -> None:
    """Also between the moment at which it was emptied and the word of who has it."""
    own = own_of(AT)

    assert users(own, of("early", 4), taken(2, AT), of("own", 6), of("late", 4)) == ["own"]
    assert users(own, of("later", 3), of("again", 7)) == ["again"]


def test_nothing_follows_the_word_of_who_has_taken_it_later() -> None:
    """Neither in the batch nor in the next one."""
    own = own_of(AT)

    assert users(own, of("own", 6), taken(3, 8), of("other", 9)) == ["own"]
    assert users(own, of("own", 6)) == []


def test_who_was_paused_before_he_took_it_has_not_taken_it() -> None:
    """His word comes late, and has a lower epoch than that of who has it by then."""
    assert users(own_of(AT), of("own", 6), taken(1, 4), of("more", 6)) == ["own", "more"]


def test_a_word_that_cannot_be_read_ends_it() -> None:
    """Another version of livejoin has it by then."""
    assert users(own_of(AT), of("own", 6), Record(TAKEN.encode(), b"3"), of("other", 9)) == ["own"]


@pytest.mark.parametrize("epoch", [1, 4])
def test_a_topic_that_nobody_else_has_is_read_as_it_is(epoch: int) -> None:
    """One is made for each generation there, and its rows have any epoch."""
    assert users(own_of(0), of("own", epoch)) == ["own"]

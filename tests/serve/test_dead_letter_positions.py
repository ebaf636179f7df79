"""How many events were rejected, and up to where, whatever comes again."""

import pytest

from livejoin.serve.decode.batch import arrow_table
from livejoin.serve.decode.log_batch import DEAD_LETTER_BATCH
from livejoin.serve.engine import dead_letter_positions
from livejoin.serve.engine.dead_letter_positions import REMEMBERED, DeadLetterPositions


def rejected(positions: DeadLetterPositions, judgement: str, *offsets: int, topic: str = "users") -> None:
    """Dead letters of one partition, by who judges so."""
    columns: dict[str, list[object]] = {column.field: [None] * len(offsets) for column in DEAD_LETTER_BATCH}
    given = {"judgement": judgement, "topic": topic, "partition": 0}
    columns |= {name: [value] * len(offsets) for name, value in given.items()}
    positions.add(arrow_table(DEAD_LETTER_BATCH, {**columns, "offset": [*offsets]}))


def test_each_is_counted_once_however_often_it_is_written() -> None:
    """A restart writes again what was not committed."""
    positions = DeadLetterPositions()
    rejected(positions, "a", 1, 4, 7, 4, 7, 9)

    assert (positions.of("a", "users", 0), positions.topics["users"]) == (10, 4)
    assert positions.of("a", "users", 1) == 0


def test_what_the_broker_has_compacted_counts_in_any_order() -> None:
    """Somebody began to write all of them again, and stopped in the middle: the first of them stand last."""
    positions = DeadLetterPositions()
    rejected(positions, "a", 51, 60, 100, 1, 20, 50)
    rejected(positions, "a", 20, 51, 30)

    assert (positions.of("a", "users", 0), positions.topics["users"]) == (101, 7)


def test_more_than_can_be_kept_count_by_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is below the newest was counted before, in all likelihood; nothing grows with them."""
    monkeypatch.setattr(dead_letter_positions, "EXACT", 3)
    positions = DeadLetterPositions()
    rejected(positions, "a", 1, 4, 7, 9)
    rejected(positions, "a", 4, 9, 8, 11)

    assert (positions.of("a", "users", 0), positions.topics["users"]) == (12, 5)


def test_a_topic_that_was_created_again_begins_with_none() -> None:
    """It is judged under another name."""
    positions = DeadLetterPositions()
    rejected(positions, "a", 1, 4, 7)
    rejected(positions, "b", 1)

    assert (positions.of("b", "users", 0), positions.topics["users"]) == (2, 1)


def test_topics_that_are_created_again_and_again_are_forgotten_but_for_the_newest() -> None:
    """What is asked for stays, however long nothing of it was rejected."""
    positions = DeadLetterPositions()
    rejected(positions, "shown", 3)
    rejected(positions, "gone", 3)
    for number in range(REMEMBERED):
        assert positions.of("shown", "users", 0) == 4
        rejected(positions, f"later {number}", 3)

    assert (positions.of("shown", "users", 0), positions.of("gone", "users", 0)) == (4, 0)


def test_the_numbers_of_topics_that_are_forgotten_are_forgotten_too() -> None:
    """There may be another topic each day, and each would have a row for as long as the server lives."""
    positions = DeadLetterPositions()
    for number in range(REMEMBERED + 3):
        rejected(positions, "a", 3, topic=f"users-{number}")

    assert len(positions.topics) == REMEMBERED
    assert (positions.topics["users-2"], positions.topics["users-3"]) == (0, 1)

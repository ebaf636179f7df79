"""Every row of every table, for every join and keep setting, against the model: backfill, live, after a kill -9.

The records are whatever Kafka can hold: of any time, with any key, headers, size and compression, in transactions.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

import pytest

from histories import REASONS
from join_comparison import LIMITED, SHORT, TOPICS, UNLIMITED, VIEW_PARTITIONS, WIDE, Comparison
from join_model import EARLIEST, LATEST
from livejoin.settings.generation import EventSettings
from livejoin.wire import dead_letter

PATIENCE = 600.0


@pytest.mark.timeout(PATIENCE)
def test_every_table_is_what_the_model_says(
    comparison: Future[Comparison], record_property: Callable[[str, object], None]
) -> None:
    """Backfill, live events, those after the end of a batch and those after a kill -9 give the model's rows."""
    found = comparison.result()
    for phase, told in found.compared.items():
        record_property(phase, told)
    assert [*found.compared] == ["backfill", "live", "after a batch", "restart"]
    assert not found.wrong, "\n".join(found.wrong)


@pytest.mark.timeout(PATIENCE)
def test_every_bad_event_is_one_dead_letter(comparison: Future[Comparison]) -> None:
    """None is lost, and each has its bytes, its time and its reason."""
    found = comparison.result()
    assert len(found.bad) > 100
    assert found.letters.keys() == found.bad.keys()
    declared = {event.topic for event in found.bad.values()} - set(TOPICS.values())
    assert len(declared) > 1, "no topic of a drawn declaration has a bad event"
    for position, letter in found.letters.items():
        headers = dict(cast("list[tuple[str, bytes]]", letter.headers()))
        event = found.bad[position]
        of_topic = [found.topic_ids[position.split("/")[0]], headers[dead_letter.JUDGEMENT].decode()]
        assert (letter.key() or b"").decode() == "/".join([position, *of_topic])
        assert letter.value() == (event.value or b"")[: EventSettings().dead_letter_bytes]
        assert int(headers[dead_letter.TIMESTAMP]) == event.order.timestamp
        reason = headers[dead_letter.REASON].decode()
        if not EARLIEST <= event.order.timestamp <= LATEST:
            beyond = f"the time of the record is out of range: {event.order.timestamp} milliseconds since 1970"
            assert reason == beyond
        elif event.topic in TOPICS.values() and event.value in REASONS:
            assert reason == REASONS[event.value]


@pytest.mark.timeout(PATIENCE)
def test_rejected_events_are_not_in_the_state_of_a_join(comparison: Future[Comparison]) -> None:
    """It has the keys of the others, whatever became of their rows, and no more."""
    found = comparison.result()
    assert found.bad
    assert all(keys == valid > 0 for keys, valid in found.state_keys.values()), found.state_keys


@pytest.mark.timeout(PATIENCE)
def test_what_recovers_goes_on_from_what_a_live_query_has_committed(comparison: Future[Comparison]) -> None:
    """Where batches are short; where they are not, everything since the backfill is read again. Both were compared."""
    commits = comparison.result().live_commits
    assert all(commits[number] > 0 for number in SHORT), commits
    assert any(commits[number] == 0 for number in commits), commits


@pytest.mark.timeout(PATIENCE)
def test_everything_of_a_key_stands_in_one_partition(comparison: Future[Comparison]) -> None:
    """So who reads a view topic finds the records of an event in their order, however many partitions it has."""
    homes = comparison.result().homes
    for number in WIDE:
        assert all(len(partitions) == 1 for partitions in homes[number].values())
        assert set().union(*homes[number].values()) == set(range(VIEW_PARTITIONS))


@pytest.mark.timeout(PATIENCE)
def test_nobody_notices_a_limit_that_is_not_reached(comparison: Future[Comparison]) -> None:
    """An event writes its own rows, and those that are ordered after it where it is late, as half of these are."""
    written = comparison.result().written
    assert 0 < written[LIMITED] < 20 * written[UNLIMITED]

"""While one pipeline takes over from another, no row becomes older."""

import pytest

from clock import Clock
from kafka_record import Record
from livejoin.serve.decode.never_back import PATIENCE_SECONDS, NeverBack
from view_records import everything, progress, row

OLD, NEW = 4, 5


@pytest.fixture
def never_back(clock: Clock) -> NeverBack:
    """What is tested."""
    return NeverBack(clock)


def shown(never_back: NeverBack, *written: tuple[str, int, int], is_live: bool = True) -> list[tuple[str, int, int]]:
    """What is handed on of a row of a user, an epoch and a version each."""
    records = [
        Record(key.encode(), value, the_offset=place)
        for place, (user, epoch, version) in enumerate(written)
        for key, value in [row("users_ui", user, version, {"userId": user, "name": f"{epoch} {version}"}, epoch=epoch)]
    ]
    found = [record.value() for record in never_back.add(records, is_live=is_live)]  # type: ignore[arg-type]
    every = {row("users_ui", u, v, {"userId": u, "name": f"{e} {v}"}, epoch=e)[1]: (u, e, v) for u, e, v in KNOWN}
    return [every[value] for value in found]  # type: ignore[index]


KNOWN = [(user, epoch, version) for user in ("ann", "bob") for epoch in (OLD, NEW) for version in range(1, 20)]


def test_what_is_older_than_what_was_shown_waits_until_it_is_not(never_back: NeverBack) -> None:
    """The one that is replaced was ahead by two events; nobody else waits for that."""
    assert shown(never_back, ("ann", OLD, 9)) == [("ann", OLD, 9)]
    assert shown(never_back, ("ann", NEW, 7), ("bob", NEW, 1)) == [("bob", NEW, 1)]
    assert shown(never_back, ("ann", NEW, 8)) == []
    assert shown(never_back, ("ann", NEW, 9)) == [("ann", NEW, 7), ("ann", NEW, 8), ("ann", NEW, 9)]
    assert shown(never_back, ("ann", NEW, 10)) == [("ann", NEW, 10)]


def test_the_one_that_is_replaced_may_go_on_meanwhile(never_back: NeverBack) -> None:
    """What it writes is shown while it is ahead, and is no longer when the new one has caught up."""
    assert shown(never_back, ("ann", OLD, 9), ("ann", NEW, 8), ("ann", OLD, 10)) == [("ann", OLD, 9), ("ann", OLD, 10)]
    assert shown(never_back, ("ann", NEW, 9)) == []
    caught_up = [("ann", NEW, 8), ("ann", NEW, 9), ("ann", NEW, 10)]
    assert shown(never_back, ("ann", NEW, 10), ("ann", OLD, 11)) == [*caught_up, ("ann", OLD, 11)]
    assert shown(never_back, ("ann", NEW, 11)) == [("ann", NEW, 11)]


def test_a_count_that_stays_lower_counts_after_a_while(never_back: NeverBack, clock: Clock) -> None:
    """Compaction has taken events of the source; also where nothing of that key comes any more."""
    shown(never_back, ("ann", OLD, 9))
    assert shown(never_back, ("ann", NEW, 3)) == []
    clock.now += PATIENCE_SECONDS - 1
    assert shown(never_back) == []
    clock.now += 1
    assert shown(never_back) == [("ann", NEW, 3)]
    assert shown(never_back, ("ann", NEW, 4)) == [("ann", NEW, 4)]


def test_what_was_shown_long_ago_is_forgotten(never_back: NeverBack, clock: Clock) -> None:
    """So what is remembered does not grow, and a lower count waits for nobody who has been silent."""
    for version in range(1, 10):
        shown(never_back, ("ann", OLD, version), ("bob", OLD, version))
        clock.now += 1
    clock.now += PATIENCE_SECONDS - 1
    shown(never_back, ("bob", OLD, 10))
    assert shown(never_back, ("ann", NEW, 3), ("bob", NEW, 3)) == [("ann", NEW, 3)]


def test_nothing_is_forgotten_before_the_one_that_takes_over_is_live(never_back: NeverBack, clock: Clock) -> None:
    """It reads for a minute what was there when it began; the one before has shown what came after that."""
    shown(never_back, is_live=False)
    assert shown(never_back, ("ann", OLD, 9), is_live=False) == [("ann", OLD, 9)]
    clock.now += 6 * PATIENCE_SECONDS
    assert shown(never_back, ("ann", NEW, 8), is_live=False) == []
    clock.now += 6 * PATIENCE_SECONDS
    assert shown(never_back, is_live=False) == []
    assert shown(never_back) == []
    clock.now += PATIENCE_SECONDS - 1
    assert shown(never_back, ("ann", NEW, 9)) == [("ann", NEW, 8), ("ann", NEW, 9)]


def test_a_count_that_stays_lower_counts_a_while_after_the_new_one_is_live(never_back: NeverBack, clock: Clock) -> None:
    """It is live, so it has read everything but for what came lately; and what was shown before is forgotten then."""
    shown(never_back, ("ann", OLD, 9), ("bob", OLD, 9))
    assert shown(never_back, ("ann", NEW, 3), is_live=False) == []
    clock.now += PATIENCE_SECONDS - 1
    assert shown(never_back) == []
    clock.now += 1
    assert shown(never_back) == [("ann", NEW, 3)]
    assert shown(never_back, ("bob", NEW, 3)) == [("bob", NEW, 3)]


def test_everything_of_a_key_waits_as_its_rows_do(never_back: NeverBack) -> None:
    """What a backfill writes, and progress; whatever nobody of ours wrote does not."""
    shown(never_back, ("ann", OLD, 9))
    whole, far = everything("ann", 8), progress("ann", 8, "users", 0, 1, epoch=NEW)
    later = (whole[0], whole[1].replace(b'"e":1', b'"e":5'))
    written = (later, far, ("joined/x", b"{}"), ("taken", b"7"))
    found = never_back.add([Record(key.encode(), value) for key, value in written])  # type: ignore[misc]
    assert [record.key() for record in found] == [b"joined/x", b"taken"]
    assert len(never_back.add([Record(b"progress/ann", far[1].replace(b'"v":8', b'"v":9'))])) == 3  # type: ignore[list-item]

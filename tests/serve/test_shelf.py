"""The newest records of a log are kept, however many come and however large they are."""

from hypothesis import given
from hypothesis import strategies as st

from livejoin.serve.decode.shelf import Shelf

BATCHES = st.lists(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 40)), max_size=8), max_size=12)


@given(BATCHES, st.integers(1, 6), st.integers(1, 120))
def test_a_table_that_is_told_what_changes_holds_the_newest(
    batches: list[list[tuple[int, int]]], most: int, most_bytes: int
) -> None:
    """By slots, which are fewer than there may be records and one; in order of their first arrival."""
    shelf = Shelf(most, most_bytes)
    told: dict[int, tuple[int, int, int]] = {}
    kept: dict[int, int] = {}
    for batch in batches:
        change = shelf.take(batch)
        told |= {placed.slot: (placed.number, *batch[index]) for index, placed in change.put.items()}
        for slot in change.emptied:
            del told[slot]
        for name, size in batch:
            kept[name] = size
            while len(kept) > 1 and (len(kept) > most or sum(kept.values()) > most_bytes):
                del kept[next(iter(kept))]
        assert [(name, size) for _, name, size in sorted(told.values())] == list(kept.items())
        assert all(slot <= most for slot in told)
        assert (len(shelf), shelf.total_bytes) == (len(kept), sum(kept.values()))

"""The life of a generation as data: what is allowed, what is drawn, and what the registry makes of its records."""

from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest

from livejoin.model.control_message import Verdict
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import MOVES, OVER, Generation, IllegalMove, Progress, Request, State
from livejoin.model.registry import Current, Ledger, Registry
from livejoin.wire.records import CURRENT_KEY, LEDGER_KEY, apply, generation_key, to_json

NOW = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
LATER = NOW + timedelta(seconds=5)
PAGE = Path(__file__).parents[2] / "docs/generations.md"


def generation(number: int, state: State = State.REQUESTED) -> Generation:
    """A generation in that state."""
    request = Request(DEFAULT, "users", "accounts")
    return Generation(
        number=number, request=request, view_topic=f"view.{number}", state=state, requested=NOW, since=NOW
    )


@pytest.mark.parametrize(("before", "after"), [*product(State, State)])
def test_only_the_moves_of_the_table_are_made(before: State, after: State) -> None:
    """Every other one is a defect and says so."""
    if after in MOVES[before]:
        moved = generation(1, before).move(after, why="because", now=LATER)
        assert (moved.state, moved.message, moved.since) == (after, "because", LATER)
    else:
        with pytest.raises(IllegalMove, match=f"{before} -> {after}"):
            generation(1, before).move(after, why="because", now=LATER)


def test_every_life_comes_to_an_end() -> None:
    """From every state there is a way to one in which nothing is left."""
    ending = set(OVER)
    for _ in State:
        ending |= {state for state, moves in MOVES.items() if ending & set(moves)}
    assert ending == set(State)


def test_the_page_tells_every_state_every_move_and_every_verdict() -> None:
    """An operator finds each of them in docs/generations.md."""
    text = PAGE.read_text(encoding="utf-8")
    for name in [*State, *Verdict]:
        assert f"`{name}`" in text
    for before, moves in MOVES.items():
        for after, meaning in moves.items():
            assert f"| `{before}` | `{after}` | {meaning} |" in text


def test_recovering_is_no_new_application() -> None:
    """What the status calls lastApplied is the flip, not the end of a repair."""
    live = generation(1, State.LOADING).move(State.LIVE, why="", now=NOW)
    again = live.move(State.RECOVERING, why="died", now=LATER).move(State.LIVE, why="", now=LATER)
    assert again.applied == NOW


def records(*generations: Generation) -> list[tuple[str, bytes]]:
    """Their records in the state topic."""
    return [(generation_key(g.number), to_json(g)) for g in generations]


def flip_to(number: int, lingering: int | None = None) -> tuple[str, bytes]:
    """The record that flips."""
    return CURRENT_KEY, to_json(Current(generation=number, lingering=lingering, at=LATER))


def read(*found: tuple[str, bytes | None]) -> Registry:
    """A registry that has read these records."""
    registry = Registry()
    for key, value in found:
        apply(registry, key, value)
    return registry


def test_one_record_flips_both_generations() -> None:
    """Whoever has read it sees the new one live and the old one lingering, never only one of the two."""
    registry = read(*records(generation(1, State.LIVE), generation(2, State.LOADING)), flip_to(2, lingering=1))

    assert registry.live is not None
    assert (registry.live.number, registry.live.state, registry.live.applied) == (2, State.LIVE, LATER)
    assert (registry.of(1).state, registry.of(1).since) == (State.LINGERING, LATER)


def test_compaction_changes_nothing() -> None:
    """A reader that only finds the newest record of each key comes to the same registry."""
    one, two = generation(1, State.LIVE), generation(2, State.LOADING)
    story = [*records(one), flip_to(1), *records(two), flip_to(2, lingering=1), flip_to(1, lingering=2)]
    newest = dict(story)
    in_order = sorted(newest.items(), key=lambda item: max(i for i, (key, _) in enumerate(story) if key == item[0]))

    assert read(*in_order).generations.keys() == {1, 2}
    for number, state in ((1, State.LIVE), (2, State.LINGERING)):
        assert read(*story).of(number).state is read(*in_order).of(number).state is state


def test_a_number_is_never_given_twice() -> None:
    """Not even when nothing is left of the generation that had it."""
    ledger = (LEDGER_KEY, to_json(Ledger(last_number=7)))
    assert read(ledger, *records(generation(3)), (generation_key(3), None)).next_number == 8


def test_progress_is_told_in_words() -> None:
    """Events done of the total, the rate, and what is left."""
    assert str(Progress(done=120_000, total=200_000, rate=40_000)) == (
        "120,000 of 200,000 events, 40,000/s, about 2 s left"
    )
    assert str(Progress(done=0, total=10)) == "0 of 10 events"

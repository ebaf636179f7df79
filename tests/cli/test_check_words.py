"""What `livejoin check` says of a trial, and that the reference of the declaration is one."""

import pytest

from livejoin.cli.check import told, verdict
from livejoin.doctor.trial import Rejection, Sampled, Trial

HOSTILE = "\x1b[2J"


def trial(rejections: list[Rejection], *, matched: int, events: int = 10) -> Trial:
    """A trial of two sources, the left of which has dead letters."""
    left = Sampled("orders", f"o{HOSTILE}", 100, events, rejections)
    return Trial([left, Sampled("customers", "c", events, events, [])], "final_ui", [], [], 5, 4, matched)


@pytest.mark.parametrize(
    ("found", "fits", "said"),
    [
        (trial([], matched=3), True, "3 of 4 keys are on both sides; it fits"),
        (trial([Rejection("x", 1, "o/0/1")], matched=3), False, "dead letters are kept with their reasons"),
        (trial([], matched=0), False, "is join.on right?"),
        (trial([], matched=0, events=0), False, "there are no events yet"),
    ],
)
def test_the_last_line_says_what_it_comes_down_to(found: Trial, fits: bool, said: str) -> None:  # noqa: FBT001
    """And the exit code follows from it."""
    assert found.fits is fits
    assert said in verdict(found)


def test_reasons_are_shown_and_not_obeyed() -> None:
    """Topics and reasons are of others."""
    first, second = told(trial([Rejection(f"r{HOSTILE}", 4, "o/0/1")], matched=1).sources[0])
    assert first == r"orders (o\x1b[2J): 10 newest events of at the most 100: 6 valid, 4 dead letters (40.0 %)"
    assert second == r"        4  40.0 %  r\x1b[2J (e.g. o/0/1)"

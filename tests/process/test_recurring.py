"""Trouble that comes again and again is told when it begins, changes and ends."""

from structlog.testing import capture_logs

from livejoin.process.recurring import Recurring


def test_it_is_told_once_and_counted() -> None:
    """Again where the reason is another one; and after it went well, as what it is: new."""
    with capture_logs() as logged:
        trouble = Recurring("the sink is blocked", kitchen=1)
        for why in ("fat", "fat", "fat", "hair"):
            trouble.tell(why)
        trouble.over()
        trouble.over()
        trouble.tell("hair")
    told = [(line["event"], line["why"], line["times"], line["kitchen"]) for line in logged]
    over = "the sink is blocked: over"
    assert told == [
        ("the sink is blocked", "fat", 1, 1),
        ("the sink is blocked", "hair", 1, 1),
        (over, "hair", 1, 1),
        ("the sink is blocked", "hair", 1, 1),
    ]


def test_an_error_that_nobody_has_expected_is_told_with_the_way_to_it_once() -> None:
    """A traceback a second would bury everything else."""
    error = KeyError("soap")
    with capture_logs() as logged:
        trouble = Recurring("the sink is blocked")
        for _ in range(3):
            trouble.unexpected(error)
    [line] = logged
    assert (line["why"], line["exc_info"], line["log_level"]) == ("KeyError: 'soap'", error, "error")

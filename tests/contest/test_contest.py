"""The contest: a fast wrong answer fails, and what is told of delays is what was seen."""

from pathlib import Path

import psutil
import pytest

from contest import contestant
from contest.contestant import Contestant, Sighting, WrongResult
from contest.events import Pair, Row, Sent
from contest.phases import Delays, Measured
from contest.plots import delay_plot, duration_plot


class Told(Contestant):
    """Has the rows that it is given."""

    name = "told"
    seen_at = "nowhere"

    def __init__(self, *tables: dict[str, Row] | None) -> None:
        self.settings = {}
        self._tables = [*tables]

    def start(self, bootstrap: str, pair: Pair, folder: Path) -> None:
        """There is nothing to start."""

    def rows(self) -> dict[str, Row] | None:
        """One table after the other; the last one stays."""
        return self._tables.pop(0) if len(self._tables) > 1 else self._tables[0]

    def watch(self, seconds: float) -> list[Sighting]:  # noqa: ARG002  the interface has it
        """Nothing is seen."""
        return []

    def processes(self) -> list[psutil.Process]:
        """There are none."""
        return []

    def stop(self) -> None:
        """There is nothing to stop."""


@pytest.fixture
def sent() -> Sent:
    """Two users, one of them with an account, and an account without a user."""
    found = Sent()
    found.add("a", 1, is_user=True)
    found.add("a", 2, is_user=False)
    found.add("b", 3, is_user=True)
    found.add("c", 4, is_user=False)
    return found


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong is not waited for."""
    monkeypatch.setattr(contestant, "COMPLETE_SECONDS", 0.2)


def test_a_table_is_complete_when_every_row_is_right(sent: Sent) -> None:
    """It may be nothing, and not whole, before that."""
    Told(None, {"a": (1, None)}, {"a": (1, 2), "b": (3, None)}).await_complete(sent)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({"a": (1, 2)}, "1 of 2 rows are wrong, 0 too many; b is None"),
        ({"a": (1, 1), "b": (3, None)}, r"1 of 2 rows are wrong, 0 too many; a is \(1, 1\), not \(1, 2\)"),
        ({"a": (1, 2), "b": (3, None), "c": (None, 4)}, "0 of 2 rows are wrong, 1 too many"),
    ],
)
def test_a_wrong_answer_fails(sent: Sent, rows: dict[str, Row], why: str) -> None:
    """A row that is missing, old, or too many."""
    with pytest.raises(WrongResult, match=why):
        Told(rows).await_complete(sent)


def test_what_is_sent_later_replaces_what_was_before(sent: Sent) -> None:
    """Each side of a row by itself."""
    later = Sent()
    later.add("a", 9, is_user=True)
    later.add("b", 8, is_user=False)
    sent.take(later)
    assert sent.joined() == {"a": (9, 2), "b": (3, 8)}
    assert sent.events == 6


def test_delays_are_told_with_the_longest_one_and_drawn() -> None:
    """A maximum that is not in the percentiles is not hidden."""
    delays = Delays.of([Sighting(0, float(delay)) for delay in (*range(1, 100), 5_000)])
    assert delays.percentiles["p50"] == 51.0
    assert delays.longest == 5_000.0
    results = {"it": [Measured("live", 1.0, 1.0, 1.0, 0.0, delays), Measured("catching up", 7.5, 1.0, 1.0, 0.0)]}
    assert "it: live" in delay_plot(results)
    assert "it: 7.5 s" in duration_plot(results)

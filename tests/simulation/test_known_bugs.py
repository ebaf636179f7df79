"""Whether the simulation can be believed: it has to find bugs that are put in on purpose."""

from collections.abc import Callable
from typing import Any

import pytest

from livejoin.kafka.fenced_writer import FencedWriter
from livejoin.pipeline.control.lifecycle import Lifecycle
from livejoin.pipeline.control.log import ControlLog
from livejoin.pipeline.control.one_writer import OneWriter
from livejoin.pipeline.control.silent_standbys import SilentStandbys
from livejoin.pipeline.control.view_topics import ViewTopics
from simulated_broker import Broker
from simulated_clients import Way
from simulated_faults import Break
from simulation import Simulation

SEEDS = 500
"""How many are tried at the most; each of the bugs shows itself in far fewer."""


def nobody_is_fenced(patch: pytest.MonkeyPatch) -> None:
    """A producer that somebody has replaced goes on writing."""
    own = Broker._own  # noqa: SLF001

    def newest(broker: Broker, transactional_id: str, _: int) -> Any:
        return own(broker, transactional_id, broker._transactions[transactional_id].epoch)  # noqa: SLF001

    patch.setattr(Broker, "_own", newest)


def the_producer_is_kept(patch: pytest.MonkeyPatch) -> None:
    """Who finds out, by the way of a new producer, that another one writes, keeps that producer."""
    patch.setattr(FencedWriter, "let_go", lambda _: None)


def deletions_are_not_confirmed(patch: pytest.MonkeyPatch) -> None:
    """Who was paused deletes what another one has made."""
    patch.setattr(OneWriter, "confirm", lambda _: None)


def numbers_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """The highest number is known only for as long as its generation is."""
    write = Lifecycle.write_ledger

    def forgetful(life: Lifecycle, **fields: Any) -> None:
        write(life, **{name: value for name, value in fields.items() if name != "last_number"})

    patch.setattr(Lifecycle, "write_ledger", forgetful)


def verdicts_are_repeated(patch: pytest.MonkeyPatch) -> None:
    """A message that was judged is judged again when it is read again."""
    patch.setattr(ControlLog, "has_verdict", lambda *_: False)


def verdicts_are_not_read(patch: pytest.MonkeyPatch) -> None:
    """What was judged before a start is not known."""
    patch.setattr(ControlLog, "open", lambda _: None)


def nothing_is_read_again(patch: pytest.MonkeyPatch) -> None:
    """A record whose confirmation got lost is taken for one that was not written."""
    patch.setattr(Lifecycle, "read_again", lambda _: None)


def view_topics_stay(patch: pytest.MonkeyPatch) -> None:
    """A generation that is over leaves its view topic, and nobody looks for it later."""
    patch.setattr(ViewTopics, "release", lambda *_: None)
    patch.setattr(ViewTopics, "orphans", lambda *_: set())


def standbys_stay(patch: pytest.MonkeyPatch) -> None:
    """One that was killed is told of until a pipeline starts to write."""
    patch.setattr(SilentStandbys, "forget", lambda _: None)


NOTHING = {"crash": 0.0, "pause": 0.0, "query_death": 0.0, "breaks": (), "break_topics": False, "way": Way()}
PAUSES = {**NOTHING, "seconds": 40.0, "pipelines": 2, "share_data": True, "breaks": (Break.PAUSE,)}
KILLS = {**NOTHING, "seconds": 20.0, "pipelines": 3, "breaks": (Break.KILL,)}
LOST_ANSWERS = {**NOTHING, "seconds": 40.0, "pipelines": 1, "way": Way(unanswered_commit=0.1)}
BUGS: list[tuple[Callable[[pytest.MonkeyPatch], None], dict[str, Any]]] = [
    (nobody_is_fenced, {}),
    (numbers_are_forgotten, {}),
    (verdicts_are_repeated, {}),
    (verdicts_are_not_read, {}),
    (view_topics_stay, {}),
    # Rare among all faults, so they are looked for among those that bring them about.
    (deletions_are_not_confirmed, PAUSES),
    (the_producer_is_kept, PAUSES | {"pipelines": 3, "way": Way(seconds=0.5)}),
    (nothing_is_read_again, LOST_ANSWERS),
    (standbys_stay, KILLS),
]


@pytest.mark.parametrize(("bug", "faults"), BUGS, ids=[bug.__name__ for bug, _ in BUGS])
def test_a_known_bug_is_found(
    bug: Callable[[pytest.MonkeyPatch], None], faults: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one of a bounded number of seeds, always the same ones."""
    bug(monkeypatch)

    assert Simulation(**faults).run(range(SEEDS), 0) is not None

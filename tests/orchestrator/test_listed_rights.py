"""The orchestrator with the rights that livejoin lists and no others, and without each of them in turn.

The Spark queries are stand-ins; tests/whole_way/test_rights.py does it with Spark and a table server.
"""

from collections.abc import Callable

import pytest

from await_that import await_that
from guest import Guest
from livejoin.pipeline.control import vitals
from livejoin.settings.settings import Settings
from livejoin.topics.plan import own_topics
from livejoin.topics.rights import Operation, Right, Who, rights
from play import Play

PATIENCE = 40.0


def needed(settings: Settings) -> list[Right]:
    """What a pipeline cannot do without, besides the topics that are swapped to."""
    found = [right for right in rights(settings) if right.who is Who.PIPELINE and right.needed]
    others = [
        Right(Who.PIPELINE, Operation.READ, f"{settings.topics.prefix}-{name}", "a source") for name in ("x", "y", "z")
    ]
    return [*found, *others]


class Little:
    """An orchestrator that may do little, and who gives and takes its rights."""

    def __init__(self, play: Play, guest: Guest) -> None:
        self.play = play
        self._guest = guest
        self._turn = 0

    def swap(self) -> str:
        """Ask for another users topic than that of before."""
        self._turn += 1
        return self.play.swap(self.play.topic("xyz"[self._turn % 3]))

    def without(self, right: Right, provoke: Callable[[], object]) -> None:
        """See that the right is named while it is missing, and that a swap is whole when it is there again."""
        self._guest.take_one(right)
        provoke()
        await_that(lambda: self._is_told(right), timeout=PATIENCE)
        self._guest.allow_all([right])
        await_that(lambda: not self.play.cluster.missing(self.play.settings.own_topics.fixed), timeout=PATIENCE)
        users = self.play.topic("xyz"[(self._turn + 1) % 3])
        assert self.play.verdict(self.swap(), PATIENCE)[0] == "applied"
        self.play.await_alone(self.play.await_live(users, PATIENCE).number, PATIENCE)
        await_that(lambda: not self.play.problems, timeout=PATIENCE)

    def _is_told(self, right: Right) -> bool:
        is_recorded = not self.play.cluster.missing([self.play.settings.own_topics.state])
        said = [*self.play.problems.values(), *(g.message for g in (self.play.records() if is_recorded else []))]
        assert any(self._guest.refused(right) in text for text in said), said
        return True


@pytest.fixture
def little(
    settings: Settings, play_of: Callable[[Settings], Play], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Settings], Little]:
    """Makes an orchestrator with everything that it needs and nothing else, with generation 1 live."""
    monkeypatch.setattr(vitals, "LONGEST_RETRY_SECONDS", 1.0)
    guest = Guest(settings.kafka_client, f"guest-{settings.topics.prefix}")

    def make(chosen: Settings) -> Little:
        play = play_of(chosen)
        guest.allow_all(needed(chosen))
        if not chosen.topics.create:
            for topic in own_topics(chosen):
                play.cluster.ensure(topic.name, config=topic.config)
        play.start(chosen.model_copy(update={"kafka": guest.properties}))
        play.await_live(chosen.left.topic_name, PATIENCE)
        return Little(play, guest)

    return make


def test_every_right_of_a_pipeline_is_needed_and_named_and_enough(
    settings: Settings, little: Callable[[Settings], Little]
) -> None:
    """Without one, the log and the status name who may not do what with which topic; with it everything goes on."""
    stage = little(settings)
    play, own = stage.play, settings.own_topics

    def begin_without(topic: str) -> None:
        play.stop()
        play.cluster.delete(topic)
        await_that(lambda: play.cluster.missing([topic]))
        play.start()

    def provoke(right: Right) -> Callable[[], object]:
        if right.operation is Operation.CREATE and not right.prefixed:
            return lambda: begin_without(right.topic)
        if right.operation is Operation.READ and right.topic in (own.state, own.control_log):
            return play.restart
        return stage.swap

    for right in needed(settings):
        # Nobody but Spark writes dead letters, and topics that are swapped to are like the first.
        if (right.operation, right.topic) == (Operation.WRITE, own.dead_letters) or right.why == "a source":
            continue
        stage.without(right, provoke(right))


def test_a_pool_needs_no_right_to_create(settings: Settings, little: Callable[[Settings], Little]) -> None:
    """A view topic is emptied by the right to delete, which is named like every other."""
    name = settings.topics.prefix
    topics = {"views": [f"{name}-view-{letter}" for letter in "abc"], "create": False}
    pooled = settings.model_copy(update={"topics": settings.topics.model_copy(update=topics)})
    assert Operation.CREATE not in {right.operation for right in rights(pooled)}
    stage = little(pooled)
    assert stage.play.verdict(stage.swap(), PATIENCE)[0] == "applied"
    deletes = next(right for right in needed(pooled) if right.operation is Operation.DELETE)

    stage.without(deletes, lambda: [stage.play.verdict(stage.swap(), PATIENCE) for _ in range(3)])

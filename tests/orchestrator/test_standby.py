"""A pipeline that stands by beside a real orchestrator, and what it says of what it may not do."""

from collections.abc import Iterator
from threading import Event, Thread

import pytest
from structlog.testing import capture_logs

from await_that import await_that
from guest import Guest
from livejoin.kafka.cluster import Cluster
from livejoin.pipeline.control import standby
from livejoin.pipeline.control.standby import StandbyWatch
from play import Play

UNTOLD = "nobody is told of this standby"


@pytest.fixture
def guest(play: Play) -> Guest:
    """Who may read the registry, and not write to it."""
    guest = Guest(play.settings.kafka_client, play.settings.topics.prefix)
    guest.allow(play.settings.own_topics.state, "READ")
    return guest


@pytest.fixture
def told(play: Play, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Why the guest waits, again and again, until the test is over."""
    monkeypatch.setattr(standby, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(standby, "TELL_SECONDS", 0.02)
    watch, stop, told = (
        StandbyWatch(Cluster(guest.client), play.settings.own_topics.state, "guest"),
        Event(),
        list[str](),
    )
    waiting = Thread(target=watch.wait, args=(stop, told.append, lambda: None))
    waiting.start()
    yield told
    stop.set()
    waiting.join()
    watch.stop()


def test_who_may_not_tell_of_itself_says_so_once(play: Play, guest: Guest, request: pytest.FixtureRequest) -> None:
    """However often it tries, with the right that is missing; it stands by all the same, and is told of with it."""
    with capture_logs() as logged:
        told: list[str] = request.getfixturevalue("told")
        await_that(lambda: len(told) > 20)
        [line] = [line for line in logged if line["event"].startswith(UNTOLD)]
        assert f"{guest.principal} has no right to WRITE" in line["why"]
        assert "guest" not in play.registry.standbys
        guest.allow(play.settings.own_topics.state, "WRITE")
        await_that(lambda: "guest" in play.registry.standbys)
        await_that(lambda: f"{UNTOLD}: over" in [line["event"] for line in logged])
    assert len([line for line in logged if line["event"] == UNTOLD]) == 1

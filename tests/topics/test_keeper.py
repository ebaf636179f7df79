"""Topics of livejoin's own that are there already, and not as they have to be. The broker is real."""

import pytest

from guest import Guest
from livejoin.kafka.cluster import Cluster
from livejoin.settings.settings import Settings
from livejoin.topics.keeper import TopicKeeper
from livejoin.topics.plan import LARGEST, POLICY, RETENTION, PlannedTopic, fixed_topics, letter_topic, view_topic


@pytest.fixture
def settings(broker: Settings, request: pytest.FixtureRequest) -> Settings:
    """Settings with topics of this test's own."""
    topics = broker.topics.model_copy(update={"prefix": request.node.name[:60]})
    return broker.model_copy(update={"topics": topics})


@pytest.fixture
def state(settings: Settings) -> PlannedTopic:
    """The state topic, which somebody has made so that it forgets after a week."""
    planned = fixed_topics(settings)[0]
    Cluster(settings.kafka_client).ensure(planned.name, config={POLICY: "delete"})
    return planned


def test_a_topic_that_livejoin_may_make_is_mended(settings: Settings, state: PlannedTopic) -> None:
    """A registry that is not compacted would be lost after the broker's retention."""
    cluster = Cluster(settings.kafka_client)
    TopicKeeper(settings, cluster).provide(state)

    assert cluster.configuration(state.name)[POLICY] == "compact"


def test_a_topic_of_somebody_else_is_told_and_left_alone(
    settings: Settings, state: PlannedTopic, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, with the command that mends it."""
    topics = settings.topics.model_copy(update={"create": False, "views": ["a", "b", "c"]})
    cluster = Cluster(settings.kafka_client)
    keeper = TopicKeeper(settings.model_copy(update={"topics": topics}), cluster)
    for _ in range(3):
        keeper.provide(state)
    told = capsys.readouterr().out

    assert told.count(f"--topic {state.name} --add-config") == 1
    assert "cleanup.policy=[compact]" in told
    assert cluster.configuration(state.name)[POLICY] == "delete"


def test_without_the_right_to_mend_it_is_told(
    settings: Settings, state: PlannedTopic, capsys: pytest.CaptureFixture[str]
) -> None:
    """And without the right to look, that nobody looks; neither keeps anybody from going on."""
    guest = Guest(settings.kafka_client, settings.topics.prefix)
    guest.allow(state.name, "WRITE")
    TopicKeeper(settings, Cluster(guest.client)).provide(state)
    assert f"{guest.principal} has no right to DescribeConfigs topic {state.name!r}" in capsys.readouterr().out
    guest.allow(state.name, "DESCRIBE_CONFIGS")
    assert "needs cleanup.policy=compact" in TopicKeeper(settings, Cluster(guest.client)).check(state)
    guest.allow(state.name, "ALTER_CONFIGS")

    assert TopicKeeper(settings, Cluster(guest.client)).check(state) == ""
    assert Cluster(settings.kafka_client).configuration(state.name)[POLICY] == "compact"


def test_what_serves_as_well_is_left_as_it_is(settings: Settings) -> None:
    """A larger limit is not made smaller, and a log that somebody compacts stays compacted."""
    _, control_log, _ = fixed_topics(settings)
    view = view_topic(settings, settings.own_topics.view(1))
    larger = str(2 * settings.events.row_bytes)

    assert control_log.wrong({POLICY: "compact"}) == {}
    assert view.wrong({POLICY: "compact", LARGEST: larger}) == {}
    assert view.wrong({POLICY: "delete", LARGEST: "1048588"}) == dict(view.config)


def test_own_topics_are_made_as_the_settings_say(settings: Settings) -> None:
    """Under chosen names, and with so many partitions."""
    name = f"{settings.topics.prefix}-chosen"
    chosen = {"state": name, "replication": 1, "view_partitions": 3}
    settings = settings.model_copy(update={"topics": settings.topics.model_copy(update=chosen)})
    cluster = Cluster(settings.kafka_client)
    keeper = TopicKeeper(settings, cluster)
    view = view_topic(settings, settings.own_topics.view(7))
    for topic in (fixed_topics(settings)[0], view):
        keeper.provide(topic)

    assert len(cluster.partitions(name)) == 1
    assert len(cluster.partitions(view.name)) == 3
    assert cluster.configuration(view.name)[LARGEST] == str(settings.events.row_bytes)


@pytest.mark.parametrize(("hours", "kept"), [(0, None), (48, "172800000"), (-1, "-1")])
def test_dead_letters_are_kept_as_the_settings_say(settings: Settings, hours: int, kept: str | None) -> None:
    """Where they say nothing, the broker decides."""
    topics = settings.topics.model_copy(update={"dead_letter_hours": hours})
    letters = letter_topic(settings.model_copy(update={"topics": topics}))

    assert letters.config.get(RETENTION) == kept

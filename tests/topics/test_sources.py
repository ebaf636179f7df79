"""Which topic somebody may have meant."""

import pytest

from livejoin.settings.loader import load_settings
from livejoin.topics.sources import meant, possible_sources

TOPICS = ["accounts", "crm.users", "users", "users-v2"]


@pytest.mark.parametrize(
    ("slip", "found"),
    [
        ("user", "users"),
        ("Users", "users"),
        ("users-v3", "users-v2"),
        ("crm-users", "crm.users"),
        ("acounts", "accounts"),
        ("nowhere-accounts", ""),
        ("orders", ""),
        ("x", ""),
    ],
)
def test_a_slip_of_the_hand_finds_the_topic(slip: str, found: str) -> None:
    """A letter in four may be wrong; a name unlike all others is nobody's."""
    assert meant(slip, TOPICS) == found


def test_only_sources_are_offered() -> None:
    """Not what Kafka or livejoin keep for themselves."""
    settings = load_settings(None, {})
    own = [settings.own_topics.state, settings.own_topics.view(3), settings.topics.control, "__consumer_offsets"]
    assert possible_sources(settings, {"users", "b", *own}) == ["b", "users"]

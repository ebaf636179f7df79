"""Which of the topics of a cluster can be sources, and which of them somebody may have meant."""

from collections.abc import Iterable

from livejoin.settings.settings import Settings


def possible_sources(settings: Settings, topics: Iterable[str]) -> list[str]:
    """By name: not Kafka's internal ones, not livejoin's own."""
    own, control = settings.own_topics, settings.topics.control
    return sorted(one for one in topics if not one.startswith("__") and one != control and not own.is_own(one))


def meant(name: str, topics: Iterable[str]) -> str:
    """The one that is called most nearly so; empty where none differs by a slip of the hand only."""
    distances = {topic: _distance(name.lower(), topic.lower()) for topic in topics if topic != name}
    nearest = min(distances, key=lambda topic: (distances[topic], topic), default="")
    return nearest if nearest and distances[nearest] <= max(1, len(name) // 4) else ""


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, taken out or exchanged to make one of the other."""
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, another in enumerate(other, 1):
            exchanged = before[column - 1] + (letter != another)
            now.append(min(exchanged, before[column] + 1, now[column - 1] + 1))
        before = now
    return before[-1]

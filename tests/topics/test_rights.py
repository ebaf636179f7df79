"""docs/kafka-permissions.md, which somebody reads before they grant anything."""

from pathlib import Path

from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings
from livejoin.topics.plan import fixed_topics
from livejoin.topics.rights import Resource, Right, rights

PAGE = Path(__file__).parents[2] / "docs/kafka-permissions.md"
POOL = {"topics": {"views": ["a", "b", "c"], "create": False}}


def row(right: Right, on: str) -> str:
    """A right as the page has it."""
    return f"| {right.who} | {right.operation} | {on} | {'yes' if right.needed else 'no'} | {right.why} |"


def named(right: Right) -> str:
    """What it is on, as the page has it."""
    name = f"`{right.topic}{'*' if right.prefixed else ''}`"
    return name if right.on is Resource.TOPIC else f"transactional id {name}"


def test_the_page_lists_every_right_and_no_other() -> None:
    """With topics that livejoin makes, and with a pool."""
    written = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.count("|") == 6]
    made = [row(right, named(right)) for right in rights(load_settings())]
    pool = [row(r, "each of `topics.views`") for r in rights(load_settings(None, POOL)) if r.topic == "a"]

    assert [line for line in written if " who " not in line and "---" not in line] == made + pool


def test_the_page_tells_the_configuration_of_every_topic() -> None:
    """Whoever makes them beforehand has to know it."""
    page = PAGE.read_text(encoding="utf-8")

    def told(settings: Settings) -> list[str]:
        return [
            f"`{name}={value}`"
            for topic in fixed_topics(settings)
            for name, value in topic.config.items()
            if f"`{topic.name}`" in page
        ]

    expected = told(load_settings())
    assert len(expected) == 4
    assert all(line in page for line in expected)

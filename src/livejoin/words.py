"""The words that a name is made of: `placedAt`, `placed_at` and `placed at` are placed, at."""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def words_of(name: str) -> list[str]:
    """In small letters, in order."""
    return [word.lower() for word in _WORD.findall(name)]

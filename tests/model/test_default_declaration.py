"""Users and accounts are a declaration and nothing more: no other file of the program knows them."""

import re
from collections.abc import Iterator
from pathlib import Path

from livejoin.checkout import checkout
from livejoin.model.default_declaration import DEFAULT

PROGRAM = ("src", "web/src", "web/projects", "web/public", "deploy", "tools")
NOT_PROGRAM = {"README.md", "node_modules", "dist", "test", "testing", "__pycache__"}
KNOWN_BY = {"src/livejoin/model/default_declaration.py", "src/livejoin/local/demo/people.py"}
"""The declaration itself, and the people of the demo."""
ANYBODYS = {"name", "email", "age"}
"""Columns of the default that are words for many other things."""


def words_of_the_default() -> Iterator[str]:
    """What only somebody can write who knows that it is users and accounts, as patterns."""
    for source in DEFAULT.sources:
        yield from (rf"\b{column.name}\b" for column in source.columns if column.name not in ANYBODYS)
        yield from (rf"\b{name}\b" for name in (source.table, source.topic_field))
        yield rf"""["'`]{source.name}["'`.]|--{source.name}\b|\b(topics|keep|left|right)\.{source.name}\b"""


def test_no_file_of_the_program_mentions_a_word_of_the_default() -> None:
    """What is declared is read from the declaration, in Python, in Java and in the browser."""
    root = checkout()
    assert root is not None
    asked = re.compile("|".join(words_of_the_default()))
    mentioned: dict[str, list[str]] = {}
    for file in (path for folder in PROGRAM for path in (root / folder).rglob("*") if path.is_file()):
        place = file.relative_to(root)
        if NOT_PROGRAM.isdisjoint(place.parts) and (said := read(file)):
            found = sorted({match[0] for match in asked.finditer(said)})
            mentioned |= {place.as_posix(): found} if found else {}
    # Where they may be, they are found: so they would be elsewhere.
    assert mentioned.keys() == KNOWN_BY, mentioned


def read(file: Path) -> str:
    """The text of a file; empty where it has none."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""

"""Users and accounts are a declaration and nothing more: no other file of the program knows them."""

import re
from collections.abc import Iterator
from pathlib import Path

from livejoin.checkout import checkout
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.table import Tables
from livejoin.settings.loader import load_settings
from livejoin.wire.control_message import parse

PROGRAM = ("src", "web/src", "web/projects", "web/public", "deploy", "tools")
NOT_PROGRAM = {"README.md", "node_modules", "dist", "test", "testing", "__pycache__"}
KNOWN_BY = {"src/livejoin/model/default_declaration.py", "src/livejoin/local/demo/people.py"}
"""The declaration itself, and the people of the demo."""
ANYBODYS = {"name", "email", "age"}
"""Columns of the default that are words for many other things."""
ORDINARY = re.compile(r"other users|its users|super\.users|text-wrap: balance")
"""Those who use a machine or a broker have the name of a source, and lines of even length that of a column."""


ASKED = {"usersTopic": "string", "accountsTopic": "string", "joinType": "string"}
SERVED = {
    "users_ui": {"userId": "string", "name": "string", "email": "string", "age": "long"},
    "accounts_ui": {"userId": "string", "accountType": "string", "balance": "double"},
    "final_ui": {
        "userId": "string",
        "name": "string",
        "email": "string",
        "age": "long",
        "accountType": "string",
        "balance": "double",
    },
    "orchestrator_status": {
        **ASKED,
        "lastApplied": "string",
        "generation": "long",
        "state": "string",
        "message": "string",
    },
    "control_raw": {**ASKED, "raw": "string", "when": "timestamp", "verdict": "string", "reason": "string"},
    "dead_letters": {
        "when": "timestamp",
        "topic": "string",
        "partition": "long",
        "offset": "long",
        "reason": "string",
        "text": "string",
    },
}
"""What applications, dashboards and scripts have relied on since before anything could be declared."""


def test_where_nothing_is_declared_everything_is_as_it_was() -> None:
    """Tables, columns and types, in their order; what is kept, what a null becomes, and what a message is made of."""
    settings = load_settings()
    tables = {table.name: table for table in Tables(settings.declaration).all}
    served = {name: [(column.name, str(column.type)) for column in tables[name].columns] for name in SERVED}
    assert served == {name: list(columns.items()) for name, columns in SERVED.items()}
    left, right = settings.declaration.sources
    assert (left.keep, right.keep, left.key, right.key) == ("all", "latest", ("userId",), ("userId",))
    becomes = {column.name: column.null_becomes for source in (left, right) for column in source.columns}
    assert {name: value for name, value in becomes.items() if value is not None} == {"name": "", "email": ""}
    message = parse(b'{"usersTopic": " u ", "accountsTopic": "a", "joinType": "INNER"}', settings.declaration)
    assert (message.left_topic, message.right_topic, message.join, message.problem) == ("u", "a", "inner", "")
    assert settings.source_topics == ("users", "accounts")


def words_of_the_default() -> Iterator[str]:
    """What only somebody can write who knows that it is users and accounts, as patterns."""
    for source in DEFAULT.sources:
        yield from (rf"\b{column.name}\b" for column in source.columns if column.name not in ANYBODYS)
        yield from (rf"\b{name}\b" for name in (source.table, source.topic_field))
        yield rf"\b{source.name}\b"


def test_no_file_of_the_program_mentions_a_word_of_the_default() -> None:
    """What is declared is read from the declaration, in Python, in Java and in the browser."""
    root = checkout()
    assert root is not None
    asked = re.compile("|".join(words_of_the_default()))
    mentioned: dict[str, list[str]] = {}
    for file in (path for folder in PROGRAM for path in (root / folder).rglob("*") if path.is_file()):
        place = file.relative_to(root)
        if NOT_PROGRAM.isdisjoint(place.parts) and (said := read(file)):
            found = sorted({match[0] for match in asked.finditer(ORDINARY.sub("", said))})
            mentioned |= {place.as_posix(): found} if found else {}
    # Where they may be, they are found: so they would be elsewhere.
    assert mentioned.keys() == KNOWN_BY, mentioned


def read(file: Path) -> str:
    """The text of a file; empty where it has none."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""

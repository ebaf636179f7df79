"""Text of a declaration in SQL: it is always a literal, and never an identifier.

Everything but plain characters is escaped: a quote or a backslash would end or bend the literal, and Spark replaces
`${...}` in SQL text before it parses it.
"""

import re

_PLAIN = re.compile(r"[A-Za-z0-9 _:,/()<>-]", re.ASCII)


def literal(text: str) -> str:
    """The text as a literal of Spark's SQL."""
    return "'" + "".join(character if _PLAIN.match(character) else _escaped(character) for character in text) + "'"


def _escaped(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"

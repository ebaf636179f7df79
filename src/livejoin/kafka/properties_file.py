"""A file of client properties, as every Kafka tool of Java reads one."""

import re
from pathlib import Path

from livejoin.kafka.mistake import PropertyMistake

_ENDS_NAME = re.compile(r"(?<!\\)(?:\\\\)*[=:\s]")
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


def read_properties(file: Path) -> dict[str, str]:
    """The properties in a file; a file that cannot be read is a mistake in the setting that names it."""
    try:
        return parse_properties(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise PropertyMistake("file", f"{file} cannot be read: {reason}") from None


def parse_properties(text: str) -> dict[str, str]:
    """Java's syntax: comments, names that end at = or : or a blank, lines that go on after a backslash, escapes."""
    found: dict[str, str] = {}
    for line in _logical_lines(text):
        end = _ENDS_NAME.search(line)
        name, rest = (line, "") if end is None else (line[: end.end() - 1], line[end.end() - 1 :])
        value = re.sub(r"^\s*[=:]?\s*", "", rest)
        found[_unescaped(name)] = _unescaped(value)
    return found


def _logical_lines(text: str) -> list[str]:
    lines: list[str] = []
    goes_on = False
    for natural in re.split(r"\r\n|\r|\n", text):
        line = natural.lstrip(" \t\f")
        if not goes_on and (not line or line[0] in "#!"):
            continue
        if goes_on:
            lines[-1] += line
        else:
            lines.append(line)
        backslashes = len(line) - len(line.rstrip("\\"))
        goes_on = backslashes % 2 == 1
        if goes_on:
            lines[-1] = lines[-1][:-1]
    return lines


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else _CONTROL.get(found[2], found[2]), text)

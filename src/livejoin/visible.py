"""Text of strangers as text: what a terminal would obey, hide or turn around is shown instead.

Names, topics and reasons come from whoever writes to a source. On a terminal, a control character clears the screen or
sets the clipboard, a direction mark lets a name read backwards, and a character without width makes two names look the
same.
"""

import json
import re
from typing import Any

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
# What Unicode calls control and format characters, lone surrogates, separators of lines and paragraphs, and what it
# allows to be left undrawn: written down, because asking for each of a million characters takes longer than a command.
_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_IN_ONE_LINE = re.compile(rf"[{_HIDDEN}\\]")
_IN_LINES = re.compile(rf"(?![\n\t])[{_HIDDEN}]")
_IN_JSON = re.compile(rf"(?!\n)[{_HIDDEN}]")


def visible(text: str) -> str:
    """A text in one line that shows every character; different texts look different, so a backslash is doubled."""
    return _IN_ONE_LINE.sub(lambda found: _SHORT.get(found[0]) or _escape(found[0]), text)


def visible_lines(text: str) -> str:
    """A text of several lines, as a log has it: line ends, tabs and backslashes stay what they are."""
    return _IN_LINES.sub(lambda found: _escape(found[0]), text)


def visible_json(data: Any) -> str:
    """JSON for people and programs: what would be hidden is escaped as JSON does it."""
    told = json.dumps(data, indent=2, ensure_ascii=False)
    return _IN_JSON.sub(lambda found: _escape_in_json(found[0]), told)


def _escape(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _escape_in_json(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))

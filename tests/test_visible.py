"""Text of strangers on terminals and in logs: nothing is obeyed, hidden or turned around."""

import io
import json
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.errors import MarkupError
from rich.text import Text

from livejoin.cli.main import told as told_failure
from livejoin.cli.rows import drawn
from livejoin.cli.status import told as told_status
from livejoin.cli.swap import Bar, outcome, progress_bar
from livejoin.errors import LivejoinError
from livejoin.logs.configure import show_every_character
from livejoin.model.control_message import ControlEntry, Verdict
from livejoin.model.default_declaration import DEFAULT
from livejoin.model.generation import Generation, Request
from livejoin.visible import visible, visible_json, visible_lines

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",  # clears the screen, sets the title
    "\x1b]52;c;aGk=\x07",  # sets the clipboard
    "\x9b31m",  # the same as ESC [, in one character
    "a\nb\r\tc\x00\x7f",
    "\u202egnp.exe\u2066\u200f",
    "pay\u200bpal\ufeff\u00ad",
    "[red]not markup[/] [/nonsense] :smile:",
    "\ud800 alone",
    "tag\U000e0041\u2028",
)
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
ANY_TEXT = st.text(st.characters() | st.sampled_from("\x1b\x9b\n\r\u202e\u2066\u200b\\x1bu202e")) | st.sampled_from(
    HOSTILE
)


def commands(text: str, allowed: str = "") -> set[str]:
    """The characters of a text that a terminal does not draw."""
    return {c for c in text if c not in allowed and unicodedata.category(c) in OBEYED}


@given(ANY_TEXT)
def test_nothing_is_left_that_is_not_drawn(text: str) -> None:
    """No control, format or direction character comes out, and what comes out can be encoded."""
    assert not commands(visible(text))
    assert not commands(visible_lines(text), "\n\t")
    assert not commands(visible_json([text]), "\n")
    for shown in (visible(text), visible_lines(text), visible_json([text])):
        shown.encode()


@given(ANY_TEXT, ANY_TEXT)
def test_different_texts_look_different(one: str, other: str) -> None:
    """An escape that stood in the text is not mistaken for one that stands for a character."""
    assert (visible(one) == visible(other)) == (one == other)


@given(ANY_TEXT)
def test_different_texts_look_different_also_beside_what_they_look_like(text: str) -> None:
    """A text and the way it is shown are two texts, unless there was nothing to show."""
    assert visible(visible(text)) == visible(text) or visible(text) != text
    assert (visible(visible(text)) == visible(text)) == ("\\" not in visible(text))


@given(st.recursive(ANY_TEXT | st.none() | st.integers(), lambda inner: st.dictionaries(ANY_TEXT, inner)))
def test_json_says_the_same(data: Any) -> None:
    """Programs read back what was there."""
    assert json.loads(visible_json(data)) == data


def test_every_character_of_these_kinds_is_known() -> None:
    """What Python knows as control, format, surrogate or separator is shown, and plain text of any script is not."""
    assert not commands(visible("".join(map(chr, range(0x110000)))))
    plain = "Zoë Müller, Иван, 王秀英, محمد, दीपिका, 😀 <b>&amp; 'quotes' \"double\" 100 %"
    assert visible(plain) == plain


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("terminal", [True, False])
def test_rows_are_texts(text: str, terminal: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """`livejoin rows` draws names, columns and title as they are, on a terminal and elsewhere."""
    screen = io.StringIO()
    # A terminal without colours: every escape that is found is not of rich's own.
    console = Console(file=screen, force_terminal=terminal, color_system=None, width=400)
    console.print(drawn(text, [text], [{text: text}]), style=None)
    drawing = screen.getvalue()
    own = ("\x1b[1m", "\x1b[3m", "\x1b[0m") if terminal else ()
    for style in own:
        drawing = drawing.replace(style, "")
    assert not commands(drawing, "\n")
    assert visible(text) in drawing


def test_without_that_a_terminal_would_obey() -> None:
    """The control case: drawn and written without being made visible, the same texts reach the terminal as commands."""
    screen = io.StringIO()
    Console(file=screen, color_system=None, width=400).print(Text(HOSTILE[0]))
    assert "\x1b" in commands(screen.getvalue())
    assert commands(json.dumps(HOSTILE, ensure_ascii=False)) >= {"\x9b", "\u202e"}
    with pytest.raises(MarkupError):
        Console(file=screen).print("[/nonsense]")


@pytest.mark.parametrize("text", HOSTILE)
def test_status_is_text(text: str) -> None:
    """`livejoin status` shows topics and messages, each in its line."""
    row = {"generation": 1, "usersTopic": text, "accountsTopic": text, "joinType": "left", "state": "live"}
    row |= {"message": text, "total": None, "done": None, "rate": None}
    lines = told_status({"state": text, "message": text, "rows": {"users_ui": 1}, "generations": [row]})
    assert not commands(lines, "\n")
    assert len(lines.split("\n")) == 4
    assert lines.count(visible(text)) == 5


@pytest.mark.parametrize("text", HOSTILE)
def test_a_verdict_is_text(text: str) -> None:
    """`livejoin swap` and `livejoin rollback` tell the reason, which may repeat what a stranger has sent."""
    entry = ControlEntry(text, text, text, text, 0, Verdict.REJECTED, text)
    assert outcome(entry) == f"rejected: {visible(text)}"


@pytest.mark.parametrize("text", HOSTILE)
def test_the_progress_of_a_swap_is_text(text: str) -> None:
    """The line with the bar holds the message of a generation."""
    screen, now = io.StringIO(), datetime.now(UTC)
    generation = Generation(2, Request(DEFAULT, "u", "a"), "v", requested=now, since=now, message=text)
    bar = progress_bar()
    bar.live.console = Console(file=screen, width=400, color_system=None)
    Bar(bar).tell(None, generation)
    bar.live.console.print(bar.get_renderable())
    assert not commands(screen.getvalue(), "\n")
    assert visible(text) in screen.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_failure_is_text(text: str) -> None:
    """What is told about an error cannot pose as another error."""
    said = told_failure(LivejoinError(f"{text}\nlivejoin: all is well", do=f"nothing {text}"))
    assert not commands(said, "\n\t")
    assert [line for line in said.split("\n") if line.startswith("livejoin:")] == [said.split("\n")[0]]


@pytest.mark.parametrize("text", HOSTILE)
def test_log_lines_are_text(text: str) -> None:
    """Values of structured logs, on a terminal and as JSON."""
    event = show_every_character(None, "info", {"event": text, "topic": text, "number": 7, "exception": f"{text}\nat"})
    console = structlog.dev.ConsoleRenderer(colors=False)(None, "info", dict(event))
    line = structlog.processors.JSONRenderer()(None, "info", dict(event))
    assert not commands(str(console), "\n\t")
    assert not commands(str(line))
    assert json.loads(line)["topic"] == visible(text)

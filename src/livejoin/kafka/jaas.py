"""A line of JAAS, in which Java's clients are told how to log in: a login module and its options."""

import re
from dataclasses import dataclass, field

from livejoin.kafka.mistake import PropertyMistake

JAAS = "sasl.jaas.config"
FLAGS = ("required", "requisite", "sufficient", "optional")
_COMMENT = r"//[^\n]*|/\*.*?\*/"
_TOKEN = re.compile(
    rf"""\s+|{_COMMENT}|(?P<quoted>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<word>[^\s=;"']+)|(?P<sign>[=;])""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\([0-3]?[0-7]{1,2}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b", "a": "\a", "v": "\v"}


@dataclass(frozen=True, slots=True)
class LoginLine:
    """A login module, by the name of its class, and its options."""

    module: str
    options: dict[str, str] = field(repr=False)


def login_line(module: str, **options: str) -> str:
    """The line for a login module and its options, quoted."""
    quoted = " ".join(f'{name}="{_escaped(value)}"' for name, value in options.items())
    return f"{module} required {quoted};"


def read_login_line(text: str) -> LoginLine:
    """What a line says. No mistake shows more of it than the name of an option."""
    tokens = _tokens(text)
    if tokens[-1:] != [(";", "sign")]:
        raise PropertyMistake(JAAS, "a line of JAAS ends with a semicolon")
    words = tokens[:-1]
    if len(words) < 2 or words[0][1] == "sign" or words[1][0].lower() not in FLAGS:
        raise PropertyMistake(JAAS, 'a line of JAAS begins with a login module and the word "required"')
    options: dict[str, str] = {}
    given = words[2:]
    for index in range(0, len(given), 3):
        option = given[index : index + 3]
        if [kind for _, kind in option[1:2]] != ["sign"] or len(option) != 3 or option[2][1] == "sign":
            raise PropertyMistake(JAAS, f"option {index // 3 + 1} of the login module is not of the form name=value")
        options[option[0][0]] = option[2][0]
    return LoginLine(words[0][0], options)


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise PropertyMistake(JAAS, "a quote is not closed in the line in which it was opened")
        place = token.end()
        if token["quoted"] is not None:
            found.append((_unescaped(token["quoted"][1:-1]), "quoted"))
        elif token["word"] is not None:
            found.append((token["word"], "word"))
        elif token["sign"] is not None:
            found.append((token["sign"], "sign"))
    return found


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code, 8)) if code[0] in "01234567" else _CONTROL.get(code, code)

    return _ESCAPED.sub(character, text)

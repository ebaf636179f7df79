"""What the documents point to is there: links, headings, files, and the tests that hold what is said of security."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
SECURITY = [ROOT / "docs" / name for name in ("security.md", "security-broker-and-files.md")]
ROOTS = ("deploy", "docs", "requirements", "src", "tests", "tools", "web")
SHORT = ("src/livejoin", "tests")
"""Where files are that are named without it."""
MADE = ("web/dist", "web/node_modules/", ".venv/")
"""Folders that are made, and not checked in."""

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(ROOTS)})/[\w./*-]*[\w/]")
_MODULE = re.compile(r"(?<![\w./-])(?:[a-z_]+/)+\w+\.(?:py|java|ts)\b")
_TEST = re.compile(r"(?<![\w./-])test_\w+\.py\b")


def missing(document: Path, text: str) -> Iterator[str]:
    """What a text points to that is not there, where the text stands in that document."""
    prose = _FENCE.sub("", text)
    for target in _LINK.findall(prose):
        yield from _missing_link(document, target)
    for code in _CODE.findall(prose):
        for path in _PATH.findall(code):
            if not path.startswith(MADE) and not list(ROOT.glob(path)):
                yield path
        for module in _MODULE.findall(code):
            if not module.startswith(ROOTS) and not any((ROOT / root / module).exists() for root in SHORT):
                yield module
        for test in _TEST.findall(code):
            if not list((ROOT / "tests").rglob(test)):
                yield test


def _missing_link(document: Path, target: str) -> Iterator[str]:
    if re.match(r"[a-z]+:", target):
        return
    path, _, heading = target.partition("#")
    file = document.parent / path if path else document
    if not file.exists() or (heading and heading not in _headings(file)):
        yield target


def _headings(file: Path) -> set[str]:
    found = re.findall(r"^#+ (.*)$", _FENCE.sub("", file.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_a_document_points_to_is_there(document: Path) -> None:
    """Links, headings, and files that are named as code."""
    assert not list(missing(document, document.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "wrong",
    [
        "[somewhere](nowhere.md)",
        "[a heading](security.md#that-is-not-there)",
        "[a heading](#that-is-not-there)",
        "`tests/attacks/test_nothing.py`",
        "see `test_nothing.py`",
        "`.venv/bin/python src/nothing.py`",
        "(`pipeline/nothing.py`)",
    ],
)
def test_what_is_not_there_is_found(wrong: str) -> None:
    """Each kind of it, among what is there."""
    right = (
        "[here](security.md#what-protects) `tests/attacks/` `test_floods.py` `pipeline/process.py` <https://a.org/b>"
    )
    assert list(missing(SECURITY[0], right)) == []
    assert len(list(missing(SECURITY[0], f"{right} {wrong}"))) == 1


@pytest.mark.parametrize("document", SECURITY, ids=lambda file: file.name)
def test_every_line_about_protection_names_its_test(document: Path) -> None:
    """In the tables whose last column is the test: a file that is there, or the same one as the line before."""
    lines = document.read_text(encoding="utf-8").splitlines()
    unproven, columns = list[str](), list[str]()
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not columns or not cells:
            columns = cells
        elif columns[-1].startswith(("test", "the test")) and not cells[-1].startswith(("the same", "---")):
            folder = "tests/attacks/" if document is SECURITY[0] else ""
            named = re.findall(r"`((?:tests/|web/)[\w./-]+|test_\w+\.py)`", cells[-1])
            files = [ROOT / (name if "/" in name else folder + name) for name in named]
            if not files or not all(file.exists() for file in files):
                unproven.append(line)
    assert not unproven


def test_every_document_is_reached_from_the_first_one() -> None:
    """By links, from the README."""
    found, todo = set[Path](), [ROOT / "README.md"]
    while todo:
        document = todo.pop()
        if document.suffix != ".md" or document in found:
            continue
        found.add(document)
        targets = [target.partition("#")[0] for target in _LINK.findall(document.read_text(encoding="utf-8"))]
        todo += [(document.parent / target).resolve() for target in targets if target and ":" not in target]
    assert not {file for file in set(DOCUMENTS) - found if "decisions" not in file.parts}

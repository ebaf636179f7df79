"""Python packages: the lock says who wants them, the installed environment what is really there."""

import re
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from audit.component import DIRECT, Component, Ecosystem, through

OWN = "livejoin"
FOR_DEVELOPMENT = f"{DIRECT}, for development"
LONGEST_NAME = 100
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")
_VIA = re.compile(r"^    #(?: via)?\s+(\S.*)$")


def canonical(name: str) -> str:
    """A name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def environment_packages(prefix: Path) -> list[Distribution]:
    """Every distribution in a virtual environment."""
    folders = sysconfig.get_paths(vars={"base": str(prefix), "platbase": str(prefix)})
    return list(distributions(path=list(dict.fromkeys((folders["purelib"], folders["platlib"])))))


def python_packages(requirements: Path, installed: list[Distribution]) -> Iterator[Component]:
    """What the lock files name and what is installed, which is usually the same."""
    pinned, wanted_by, direct = _read_locks(requirements)
    there = set()
    for distribution in installed:
        name, version = canonical(distribution.name), distribution.version
        there.add((name, version))
        if name != OWN:
            origin = through(name, wanted_by, direct) or "the environment itself, in no lock file"
            if name in pinned and version not in pinned[name]:
                origin += f"; locked is {' or '.join(sorted(pinned[name]))}"
            yield Component(Ecosystem.PYPI, name, version, declared_licences(distribution), (origin,))
    for name, version in ((name, version) for name, versions in pinned.items() for version in versions):
        if (name, version) not in there:
            origin = through(name, wanted_by, direct) or DIRECT
            yield Component(Ecosystem.PYPI, name, version, (), (f"{origin}; locked, not installed here",))


def declared_licences(distribution: Distribution) -> tuple[str, ...]:
    """The licence by the most exact field that has one: expression, short name, classifiers."""
    fields = distribution.metadata
    expression = "".join(fields.get_all("License-Expression") or ()).strip()
    if expression:
        return (expression,)
    text = "\n".join(fields.get_all("License") or ()).strip()
    if 0 < len(text) <= LONGEST_NAME and "\n" not in text and text != "UNKNOWN":
        return (text,)
    classifiers = fields.get_all("Classifier") or []
    named = [each.rpartition("::")[2].strip() for each in classifiers if each.startswith("License ::")]
    return tuple(named) or ((text.splitlines()[0],) if text else ())


def _read_locks(requirements: Path) -> tuple[dict[str, set[str]], dict[str, set[str]], dict[str, str]]:
    """Pinned versions, who wants each, and what livejoin wants itself, from every lock of the folder."""
    pinned: dict[str, set[str]] = {}
    wanted_by: dict[str, set[str]] = {}
    direct: dict[str, str] = {}
    for lock in sorted(requirements.glob("*.txt")):
        name = ""
        for line in lock.read_text(encoding="utf-8").splitlines():
            if pin := _PINNED.match(line):
                name = canonical(pin[1])
                pinned.setdefault(name, set()).add(pin[2])
            elif name and (via := _VIA.match(line)):
                _note(name, via[1], wanted_by, direct)
    return pinned, wanted_by, direct


def _note(name: str, wants: str, wanted_by: dict[str, set[str]], direct: dict[str, str]) -> None:
    if wants.startswith(("-r ", f"{OWN} (pyproject.toml)")):
        direct[name] = DIRECT
    elif wants.startswith(f"{OWN} ("):
        direct.setdefault(name, FOR_DEVELOPMENT)
    elif wants != "via":
        wanted_by.setdefault(name, set()).add(canonical(wants))

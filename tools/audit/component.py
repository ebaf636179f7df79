"""One thing that is installed: its name where it is published, its licence in its own words, and who wants it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import quote

DIRECT = "direct"


class Ecosystem(StrEnum):
    """Where a component is published, as OSV names it."""

    PYPI = "PyPI"
    NPM = "npm"
    MAVEN = "Maven"


@dataclass(frozen=True, slots=True)
class Component:
    """A package or jar in one version; a Maven component is named group:artifact."""

    ecosystem: Ecosystem
    name: str
    version: str
    licences: tuple[str, ...] = ()
    """As the component words them; all of them hold."""
    origins: tuple[str, ...] = ()
    """"direct", or through what it got here."""
    guess: str = ""
    """Why the name is not certain; nothing where the component or a lock file says it."""
    other_groups: tuple[str, ...] = ()
    """Further Maven groups that a guessed name may belong to."""

    @property
    def label(self) -> str:
        """The name for people."""
        return f"{self.name} (guess)" if self.guess else self.name

    @property
    def purls(self) -> tuple[str, ...]:
        """The addresses to ask for, several where the name is a guess; none where too little is known."""
        if not self.version:
            return ()
        version = quote(self.version, safe="")
        if self.ecosystem is not Ecosystem.MAVEN:
            name = quote(self.name, safe="/")
            return (f"pkg:{self.ecosystem.lower()}/{name}@{version}",)
        group, _, artifact = self.name.rpartition(":")
        groups = dict.fromkeys((group, *self.other_groups))
        return tuple(f"pkg:maven/{quote(each)}/{quote(artifact)}@{version}" for each in groups if each)


def merged(components: Iterable[Component]) -> list[Component]:
    """Each component once, with all that was said of it wherever it was found; certain names win over guesses."""
    found: dict[tuple[Ecosystem, str, str], Component] = {}
    for component in components:
        key = (component.ecosystem, component.name, component.version)
        known = found.get(key)
        found[key] = _both(known, component) if known else component
    return [found[key] for key in sorted(found)]


def _both(one: Component, other: Component) -> Component:
    certain = not (one.guess and other.guess)
    return replace(
        one,
        licences=tuple(dict.fromkeys(one.licences + other.licences)),
        origins=tuple(dict.fromkeys(one.origins + other.origins)),
        guess="" if certain else one.guess,
        other_groups=() if certain else tuple(dict.fromkeys(one.other_groups + other.other_groups)),
    )


def through(name: str, wanted_by: Mapping[str, Iterable[str]], direct: Mapping[str, str]) -> str:
    """The shortest way from something livejoin asks for itself to a name: "direct" or "through a > b".

    `wanted_by` says for each name who asks for it, `direct` for each name that livejoin asks for what to call that.
    """
    ways: list[tuple[str, ...]] = [(name,)]
    seen = {name}
    while ways:
        way = ways.pop(0)
        if way[0] in direct:
            return direct[way[0]] if len(way) == 1 else f"through {' > '.join(way[:-1])}"
        for parent in sorted(wanted_by.get(way[0], ())):
            if parent not in seen:
                seen.add(parent)
                ways.append((parent, *way))
    return ""

"""Jars: those that livejoin fetches by its lock, and those that come inside of Python packages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution
from pathlib import Path

from audit.component import DIRECT, Component, Ecosystem
from audit.jar_file import JarFile, read_jar
from audit.python_packages import canonical

_COORDINATES = re.compile(r"([\w.-]+):([\w.-]+)(?:[:\s].*)?")
_ALSO_APACHE = "also licensed under the Apache"


@dataclass(slots=True)
class Bundled:
    """What a distributor lists as bundled: for each artifact its group and its licence."""

    groups: dict[str, str] = field(default_factory=dict)
    licences: dict[str, str] = field(default_factory=dict)

    def name(self, stem: str) -> tuple[str, str, str] | None:
        """Group, artifact and version of a file, where its artifact is in the list."""
        for artifact in sorted(self.groups, key=len, reverse=True):
            if re.match(rf"{re.escape(artifact)}-v?\d", stem):
                return self.groups[artifact], artifact, stem[len(artifact) + 1 :]
        return None


@dataclass(frozen=True, slots=True)
class Found:
    """A jar, where it comes from, the name that a lock gives it, and what its distributor says of it."""

    jar: JarFile
    origin: str
    locked: tuple[str, str, str] | None
    bundled: Bundled


def maven_jars(lock: Path, folder: Path, installed: list[Distribution]) -> Iterator[Component]:
    """Every component of every jar; a jar of the lock counts even where it has not been fetched."""
    found = list(_in_packages(installed))
    for use, coordinates in _locked(lock):
        origin = f"{DIRECT}: {lock.name}, {use}"
        file = folder / use / f"{coordinates[1]}-{coordinates[2]}.jar"
        if file.is_file():
            found.append(Found(read_jar(file), origin, coordinates, Bundled()))
        else:
            yield _component(coordinates, (), f"{origin}; not fetched yet")
    certain = _certain_groups(found)
    for each in found:
        yield from _components(each, certain)


def bundled_list(text: str) -> Bundled:
    """Read the list at the end of a licence file: titles underlined with dashes, below each group:artifact lines."""
    bundled = Bundled()
    licence, previous = "", ""
    for line in text.splitlines():
        if _ALSO_APACHE in line:
            licence = "Apache-2.0"
        elif previous and re.fullmatch(r"-{6,}", line):
            licence = previous
        elif licence and (coordinates := _COORDINATES.fullmatch(line)):
            bundled.groups[coordinates[2]] = coordinates[1]
            bundled.licences[coordinates[2]] = licence
        previous = line.strip()
    return bundled


def _in_packages(installed: list[Distribution]) -> Iterator[Found]:
    for distribution in installed:
        jars = [file for file in distribution.files or () if file.suffix == ".jar"]
        name = canonical(distribution.name)
        if jars and name != "livejoin":
            licence = next((file for file in distribution.files or () if file.name == "LICENSE"), None)
            bundled = bundled_list(licence.read_text(encoding="utf-8")) if licence else Bundled()
            for file in sorted(jars):
                path = Path(str(file.locate()))
                if path.is_file():
                    yield Found(read_jar(path), f"through {name} > {path.name}", None, bundled)


def _locked(lock: Path) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            use, coordinates, _sha256 = line.split()
            group, artifact, version = coordinates.split(":")
            yield use, (group, artifact, version)


def _certain_groups(found: list[Found]) -> dict[str, str]:
    """The group of each artifact that some jar, lock or list names: a good guess where it is found again unnamed."""
    groups: dict[str, str] = {}
    for each in found:
        groups |= each.bundled.groups
        groups |= {pom.artifact: pom.group for pom in each.jar.poms}
    return groups | {each.locked[1]: each.locked[0] for each in found if each.locked}


def _components(found: Found, certain: dict[str, str]) -> Iterator[Component]:
    """The jar itself, and all that is shaded into it."""
    jar, own = found.jar, found.jar.own
    listed = found.bundled.name(jar.stem)
    if own:
        said = own.licences or jar.licences or _listed_licence(found, own.artifact)
        yield _component((own.group, own.artifact, own.version), said, found.origin)
    elif found.locked:
        yield _component(found.locked, jar.licences, found.origin)
    elif listed:
        yield _component(listed, jar.licences or _listed_licence(found, listed[1]), found.origin)
    else:
        yield _guessed(jar, found.origin, certain)
    for pom in jar.poms:
        if pom != own:
            yield _component((pom.group, pom.artifact, pom.version), pom.licences, f"{found.origin} (shaded)")


def _listed_licence(found: Found, artifact: str) -> tuple[str, ...]:
    licence = found.bundled.licences.get(artifact)
    return (licence,) if licence else ()


def _component(coordinates: tuple[str, str, str], licences: tuple[str, ...], origin: str) -> Component:
    group, artifact, version = coordinates
    return Component(Ecosystem.MAVEN, f"{group}:{artifact}", version, licences, (origin,))


def _guessed(jar: JarFile, origin: str, certain: dict[str, str]) -> Component:
    artifact, version = jar.by_file_name
    groups = tuple(dict.fromkeys(([certain[artifact]] if artifact in certain else []) + list(jar.probable_groups)))
    if groups:
        name, guess = (
            f"{groups[0]}:{artifact}",
            "artifact by the file name, group by its family, manifest, classes or another jar",
        )
    else:
        name, guess = artifact, "by the file name; nothing says the group"
    return Component(Ecosystem.MAVEN, name, version, jar.licences, (origin,), guess, groups[1:])

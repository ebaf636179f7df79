"""npm packages: the lock file, and npm's own record of what it has put into node_modules."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from audit.component import DIRECT, Component, Ecosystem

MODULES = "node_modules/"
DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
Packages = dict[str, dict[str, Any]]


def npm_packages(web: Path) -> Iterator[Component]:
    """Each package that the lock names or node_modules holds, whatever platform it is for."""
    locked = _packages(web / "package-lock.json")
    installed = _packages(web / "node_modules" / ".package-lock.json")
    ways = _ways(locked)
    for place, package in {**locked, **installed}.items():
        if MODULES in place and not package.get("link"):
            version = str(package.get("version", ""))
            origin = ways.get(place, "in node_modules, in no lock file")
            if place in locked and (locked[place].get("version") != version):
                origin += f"; locked is {locked[place].get('version')}"
            licences = _licences(web / place / "package.json", package)
            yield Component(Ecosystem.NPM, _name(place, package), version, licences, (origin,))


def _packages(lock: Path) -> Packages:
    if not lock.is_file():
        return {}
    packages: Packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return packages


def _name(place: str, package: Mapping[str, Any]) -> str:
    """The folder's name, except where an alias is installed under another one."""
    return str(package.get("name") or place.rpartition(MODULES)[2])


def _licences(manifest: Path, locked: Mapping[str, Any]) -> tuple[str, ...]:
    said = json.loads(manifest.read_text(encoding="utf-8")) if manifest.is_file() else locked
    licence = said.get("license") or said.get("licenses") or locked.get("license") or ()
    each = licence if isinstance(licence, list) else [licence] if licence else []
    return tuple(str(one.get("type", "")) if isinstance(one, dict) else str(one) for one in each)


def _ways(locked: Packages) -> dict[str, str]:
    """For each place in node_modules the shortest way to it from the project's own package.json."""
    ways: dict[str, tuple[str, ...]] = {}
    project = locked.get("", {})
    waiting: deque[tuple[str, tuple[str, ...]]] = deque([("", ())])
    while waiting:
        place, way = waiting.popleft()
        for kind in DEPENDENCIES:
            for name in sorted(locked[place].get(kind, ())) if place in locked else ():
                found = _resolve(place, name, locked)
                if found and found not in ways:
                    ways[found] = way
                    waiting.append((found, (*way, name)))
    return {place: _told(place, way, project) for place, way in ways.items()}


def _told(place: str, way: tuple[str, ...], project: Mapping[str, Any]) -> str:
    if way:
        return f"through {' > '.join(way)}"
    return DIRECT if place.removeprefix(MODULES) in project.get("dependencies", {}) else f"{DIRECT}, for development"


def _resolve(place: str, name: str, locked: Packages) -> str | None:
    """Where Node finds a package that the one at a place asks for: the nearest node_modules above."""
    while True:
        candidate = f"{place}/{MODULES}{name}" if place else f"{MODULES}{name}"
        if candidate in locked:
            return candidate
        if not place:
            return None
        place = place.rpartition(MODULES)[0].rstrip("/")

"""What is installed: the three ecosystems of one checkout together."""

from dataclasses import dataclass
from pathlib import Path

from audit.component import Component, merged
from audit.maven_jars import maven_jars
from audit.npm_packages import npm_packages
from audit.python_packages import environment_packages, python_packages


@dataclass(frozen=True, slots=True)
class Installation:
    """A checkout and the Python environment that goes with it."""

    root: Path
    environment: Path
    jars: Path
    """The folder of the jars that were fetched."""


def inventory(installation: Installation) -> list[Component]:
    """Every component once, ordered by ecosystem, name and version."""
    packages = environment_packages(installation.environment)
    lock = installation.root / "src" / "livejoin" / "jvm" / "jars.lock"
    return merged(
        [
            *python_packages(installation.root / "requirements", packages),
            *npm_packages(installation.root / "web"),
            *maven_jars(lock, installation.jars, packages),
        ]
    )

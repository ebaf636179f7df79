"""The jars of jars.lock: fetched once by the Ivy that PySpark ships, and compared with their SHA-256 at every use.

A jar gets its final name only after its bytes were checked, so an interrupted or falsified download never looks
complete. Several processes may ask at the same time; one of them fetches.
"""

import fcntl
import hashlib
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from xml.sax.saxutils import quoteattr

from livejoin.errors import JarsUnavailable
from livejoin.jvm.java import java
from livejoin.settings.settings import Settings

OnProgress = Callable[[int, int], None]
LAST_LINES = 12


class Use(StrEnum):
    """What a jar is for; jars of different uses never share a classpath."""

    SPARK = "spark"
    BROKER = "broker"


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock."""

    use: Use
    organisation: str
    name: str
    revision: str
    sha256: str

    @property
    def coordinates(self) -> str:
        """The jar as Maven names it."""
        return f"{self.organisation}:{self.name}:{self.revision}"

    def path(self, folder: Path) -> Path:
        """Where the jar is kept below the folder of all jars."""
        return folder / self.use / f"{self.name}-{self.revision}.jar"


def locked_jars() -> tuple[Jar, ...]:
    """Every jar that livejoin fetches, in the lock's order."""
    return _parse_lock(resources.files("livejoin.jvm").joinpath("jars.lock").read_text(encoding="utf-8"))


def spark_jars(settings: Settings) -> list[Path]:
    """The jars of the Spark session, checked, fetched where they are missing."""
    return _present(settings, Use.SPARK)


def broker_classpath(settings: Settings) -> list[Path]:
    """The classpath of the embedded broker, checked, fetched where something is missing.

    Kafka's own dependencies bind its log calls to nothing; PySpark ships a binding and the log API that it needs, which
    therefore comes first.
    """
    logging = [_one(pyspark_jars(), pattern) for pattern in ("slf4j-api-*.jar", "log4j-slf4j2-impl-*.jar")]
    return logging + _present(settings, Use.BROKER)


def fetch_jars(
    settings: Settings, jars: tuple[Jar, ...] | None = None, *, on_progress: OnProgress | None = None
) -> int:
    """Make every given jar (default: all of the lock) present and right; the number of jars that had to be fetched."""
    folder = settings.jars.folder
    wanted = locked_jars() if jars is None else jars
    if not _wrong(wanted, folder):
        return 0
    with _only_one(folder):
        missing = _wrong(wanted, folder)
        if missing:
            _fetch(missing, folder, settings.jars.repository, on_progress or _tell_nobody)
        return len(missing)


def take_jars(settings: Settings, source: Path, jars: tuple[Jar, ...] | None = None) -> int:
    """The same without a network, from a folder that somebody has brought, as deep in it as they may be."""
    folder = settings.jars.folder
    wanted = locked_jars() if jars is None else jars
    with _only_one(folder):
        missing = _wrong(wanted, folder)
        found = {jar: _brought(jar, source) for jar in missing}
        absent = [jar.coordinates for jar, file in found.items() if file is None]
        if absent:
            raise JarsUnavailable(
                f"{source} does not have {', '.join(absent)}, with the bytes that are locked",
                do="run `livejoin jars` where there is a network; its last line names the folder to bring here",
            )
        for jar, file in found.items():
            assert file is not None  # noqa: S101  for the type checker: none is absent
            _put(file, jar.path(folder))
    return len(missing)


def missing_jars(settings: Settings) -> tuple[Jar, ...]:
    """Those of the lock that are not there, or whose bytes are others."""
    return _wrong(locked_jars(), settings.jars.folder)


def try_fetching(settings: Settings, jar: Jar) -> None:
    """Fetch one jar and throw it away; raises JarsUnavailable where the repository does not have it."""
    with tempfile.TemporaryDirectory(prefix="livejoin-") as scratch:
        _fetch((jar,), Path(scratch), settings.jars.repository, _tell_nobody)


def pyspark_jars() -> Path:
    """The folder of the jars that the installed PySpark brings."""
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise JarsUnavailable("PySpark is not installed", do="install livejoin's dependencies: `make up` does")
    return Path(spec.origin).parent / "jars"


def _present(settings: Settings, use: Use) -> list[Path]:
    jars = tuple(jar for jar in locked_jars() if jar.use is use)
    fetch_jars(settings, jars)
    return [jar.path(settings.jars.folder) for jar in jars]


def _parse_lock(text: str) -> tuple[Jar, ...]:
    jars = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            use, coordinates, sha256 = line.split()
            organisation, name, revision = coordinates.split(":")
            jars.append(Jar(Use(use), organisation, name, revision, sha256))
    return tuple(jars)


def _brought(jar: Jar, source: Path) -> Path | None:
    files = source.rglob(f"{jar.name}-{jar.revision}.jar")
    return next((file for file in files if _sha256(file) == jar.sha256), None)


def _put(file: Path, place: Path) -> None:
    """A copy gets its name when it is whole."""
    place.parent.mkdir(exist_ok=True)
    draft = place.with_name(f".{place.name}")
    shutil.copyfile(file, draft)
    draft.replace(place)


def _wrong(jars: tuple[Jar, ...], folder: Path) -> tuple[Jar, ...]:
    return tuple(jar for jar in jars if _sha256(jar.path(folder)) != jar.sha256)


def _sha256(file: Path) -> str | None:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except FileNotFoundError:
        return None


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch(jars: tuple[Jar, ...], folder: Path, repository: str, on_progress: OnProgress) -> None:
    """Download next to the final place, check, and only then give each jar its name."""
    # Ivy's cache outlives an interruption, so that the next attempt goes on where this one stopped.
    cache = folder / "ivy"
    for abandoned in folder.glob("fetch-*"):
        shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=folder) as scratch:
        staged = Path(scratch)
        _run_ivy(jars, staged, cache, repository, on_progress)
        for jar in jars:
            actual = _sha256(jar.path(staged))
            if actual != jar.sha256:
                shutil.rmtree(cache, ignore_errors=True)
                raise JarsUnavailable(
                    f"{jar.coordinates} is not the jar that was locked: expected SHA-256 {jar.sha256}, "
                    f"got {actual or 'no file'}",
                    do="try again; if it stays so, the repository (or a proxy before it) serves another file: "
                    "set jars.repository to one that you trust, or correct jars.lock if the change is meant",
                )
        for jar in jars:
            jar.path(folder).parent.mkdir(exist_ok=True)
            jar.path(staged).replace(jar.path(folder))
    shutil.rmtree(cache, ignore_errors=True)


def _tell_nobody(_done: int, _total: int) -> None:
    """Progress for a caller that has nobody to show it to."""


def _run_ivy(jars: tuple[Jar, ...], staged: Path, cache: Path, repository: str, on_progress: OnProgress) -> None:
    (staged / "ivysettings.xml").write_text(_ivy_settings(repository), encoding="utf-8")
    (staged / "ivy.xml").write_text(_ivy_module(jars), encoding="utf-8")
    command = [java(), "-jar", str(_one(pyspark_jars(), "ivy-*.jar"))]
    command += ["-settings", str(staged / "ivysettings.xml"), "-ivy", str(staged / "ivy.xml"), "-cache", str(cache)]
    command += ["-retrieve", f"{staged}/[conf]/[artifact]-[revision].[ext]"]
    done, told = 0, []
    on_progress(done, len(jars))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as ivy:
        assert ivy.stdout is not None  # noqa: S101 - for the type checker: a pipe was asked for
        for line in ivy.stdout:
            # Ivy draws a bar of dots for each download.
            if line.strip(" .\n"):
                told.append(line.rstrip())
            if "[SUCCESSFUL ]" in line:
                done += 1
                on_progress(done, len(jars))
    if ivy.returncode != 0:
        missing = [jar.coordinates for jar in jars if any(f"{_ivy_name(jar)}: " in line for line in told)]
        raise JarsUnavailable(
            f"Ivy could not fetch {', '.join(missing) or 'the jars'}:\n" + "\n".join(told[-LAST_LINES:]),
            do="check the network (Java takes a proxy from JAVA_TOOL_OPTIONS=-Dhttps.proxyHost=...), "
            "or set jars.repository to a Maven repository that has these coordinates",
        )


def _ivy_settings(repository: str) -> str:
    """No POMs and no repository checksums: the lock names every jar and what its bytes are."""
    root = f" root={quoteattr(repository)}" if repository else ""
    return (
        '<ivysettings><property name="ivy.checksums" value=""/><settings defaultResolver="maven"/>'
        f'<resolvers><ibiblio name="maven" m2compatible="true" usepoms="false"{root}/></resolvers></ivysettings>'
    )


def _ivy_module(jars: tuple[Jar, ...]) -> str:
    dependencies = "".join(
        f"<dependency org={quoteattr(jar.organisation)} name={quoteattr(jar.name)} rev={quoteattr(jar.revision)}"
        f' conf="{jar.use}->default" transitive="false"/>'
        for jar in jars
    )
    configurations = "".join(f'<conf name="{use}"/>' for use in Use)
    return (
        '<ivy-module version="2.0"><info organisation="livejoin" module="jars"/>'
        f"<configurations>{configurations}</configurations><dependencies>{dependencies}</dependencies></ivy-module>"
    )


def _ivy_name(jar: Jar) -> str:
    return f"{jar.organisation}#{jar.name};{jar.revision}"


def _one(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise JarsUnavailable(f"PySpark does not ship {pattern} in {folder}", do="install PySpark as it is locked")
    return found[-1]

"""Jars: exactly the locked ones, fetched by the real Ivy from a repository on this machine's disk."""

import hashlib
from pathlib import Path

import pytest

from livejoin.errors import JarsUnavailable, ToolMissing
from livejoin.jvm.jars import Jar, Use, broker_classpath, fetch_jars, locked_jars, spark_jars, take_jars
from livejoin.jvm.java import java
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings

CONTENT = {"alpha": b"first jar", "beta": b"second jar"}
JARS = tuple(
    Jar(use, "org.example", name, "1.0", hashlib.sha256(CONTENT[name]).hexdigest())
    for use, name in ((Use.SPARK, "alpha"), (Use.BROKER, "beta"))
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A Maven repository with two jars and no POMs."""
    root = tmp_path / "repository"
    for jar in JARS:
        file = root / "org" / "example" / jar.name / jar.revision / f"{jar.name}-{jar.revision}.jar"
        file.parent.mkdir(parents=True)
        file.write_bytes(CONTENT[jar.name])
    return root


@pytest.fixture
def settings(tmp_path: Path, repository: Path) -> Settings:
    """Settings that keep jars in a folder of the test and fetch them from its repository."""
    return load_settings(None, {"jars": {"dir": tmp_path / "jars", "repository": repository.as_uri()}})


def kept(settings: Settings) -> list[str]:
    """Every jar that has its final name."""
    folder = settings.jars.folder
    return sorted(str(file.relative_to(folder)) for use in Use for file in (folder / use).glob("*"))


def test_every_line_of_the_lock_is_exact() -> None:
    """The lock names each jar once, with a full SHA-256, for Spark and for the broker."""
    jars = locked_jars()
    assert len({(jar.use, jar.coordinates) for jar in jars}) == len(jars) == 49
    assert all(len(bytes.fromhex(jar.sha256)) == 32 for jar in jars)
    assert {jar.use for jar in jars} == set(Use)


def test_jars_are_fetched_once_and_nothing_else_is_left(settings: Settings) -> None:
    """A fetch keeps exactly the jars, tells its progress, and a second one finds nothing to do."""
    progress: list[tuple[int, int]] = []
    assert fetch_jars(settings, JARS, on_progress=lambda done, total: progress.append((done, total))) == 2
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert kept(settings) == ["broker/beta-1.0.jar", "spark/alpha-1.0.jar"]
    assert {file.name for file in settings.jars.folder.iterdir()} == {".lock", "broker", "spark"}
    assert fetch_jars(settings, JARS) == 0


def test_present_jars_need_no_java(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all jars are there, nothing is run to find that out."""
    fetch_jars(settings, JARS)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    assert fetch_jars(settings, JARS) == 0


def test_jars_are_taken_from_a_folder_without_a_network(
    settings: Settings, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From wherever they are in it; what is there already is left, and nothing is run."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    assert take_jars(settings, repository, JARS[:1]) == 1
    assert take_jars(settings, repository, JARS) == 1
    assert kept(settings) == ["broker/beta-1.0.jar", "spark/alpha-1.0.jar"]
    assert fetch_jars(settings, JARS) == 0


def test_a_folder_without_the_locked_bytes_is_refused(settings: Settings, repository: Path) -> None:
    """What is missing or another one is named, and nothing of it gets a name."""
    next(repository.rglob("alpha-1.0.jar")).write_bytes(b"another one")
    next(repository.rglob("beta-1.0.jar")).unlink()
    with pytest.raises(JarsUnavailable, match=r"does not have org.example:alpha:1.0, org.example:beta:1.0"):
        take_jars(settings, repository, JARS)
    assert kept(settings) == []


def test_a_changed_jar_is_fetched_again(settings: Settings) -> None:
    """A jar whose bytes changed on the disk is replaced, and only that one is fetched."""
    fetch_jars(settings, JARS)
    damaged = JARS[0].path(settings.jars.folder)
    damaged.write_bytes(b"damaged")
    assert fetch_jars(settings, JARS) == 1
    assert damaged.read_bytes() == CONTENT["alpha"]


def test_a_falsified_jar_is_refused(settings: Settings, repository: Path) -> None:
    """A repository that serves other bytes is refused with both hashes, and no jar of that fetch gets its name."""
    file = repository / "org" / "example" / "beta" / "1.0" / "beta-1.0.jar"
    file.write_bytes(b"something else")
    with pytest.raises(JarsUnavailable) as refused:
        fetch_jars(settings, JARS)
    assert "org.example:beta:1.0" in refused.value.what
    assert JARS[1].sha256 in refused.value.what
    assert hashlib.sha256(b"something else").hexdigest() in refused.value.what
    assert kept(settings) == []
    file.write_bytes(CONTENT["beta"])
    assert fetch_jars(settings, JARS) == 2


def test_a_jar_that_the_repository_lacks_is_named(settings: Settings, repository: Path) -> None:
    """A coordinate that cannot be fetched is named, with what to do, and nothing looks complete."""
    (repository / "org" / "example" / "alpha" / "1.0" / "alpha-1.0.jar").unlink()
    with pytest.raises(JarsUnavailable, match=r"could not fetch org\.example:alpha:1\.0:") as refused:
        fetch_jars(settings, JARS)
    assert "jars.repository" in refused.value.do
    assert kept(settings) == []


def test_an_interrupted_fetch_is_cleared_away(settings: Settings) -> None:
    """What a killed fetch left behind is gone after the next one."""
    abandoned = settings.jars.folder / "fetch-killed"
    abandoned.mkdir(parents=True)
    (abandoned / "half.jar").write_bytes(b"ha")
    fetch_jars(settings, JARS)
    assert not abandoned.exists()


def test_the_locked_jars_are_there_for_spark_and_broker() -> None:
    """The project's own jars are complete: four for Spark, and the broker's with a binding for its log before them."""
    settings = load_settings()
    assert len(spark_jars(settings)) == 4
    classpath = broker_classpath(settings)
    assert len(classpath) == 2 + 45
    assert classpath[0].name.startswith("slf4j-api-2")
    assert all(jar.is_file() for jar in classpath)


def test_jars_are_kept_in_the_checkout_from_every_folder() -> None:
    """The folder of the jars does not depend on where a command is run."""
    assert load_settings().jars.folder == Path(__file__).resolve().parents[2] / ".cache" / "jars"


def test_a_missing_java_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without java on the PATH the error says what to install."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolMissing, match="no java on the PATH") as missing:
        java()
    assert "JDK 17" in missing.value.do


def test_an_old_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A java that is older than 17 is named with its version."""
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ToolMissing, match="is Java 11; livejoin needs 17"):
        java()

"""A JVM starts with its archive, without one, and with one that does not fit."""

import subprocess
from pathlib import Path

import pytest

from livejoin.jvm.class_archive import Jvm, NoArchive, archive_file, archive_options, write_archive
from livejoin.jvm.java import java
from livejoin.settings.loader import load_settings
from livejoin.settings.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """With jars and archives of their own."""
    return load_settings(None, {"jars": {"dir": str(tmp_path / "jars")}})


def test_without_an_archive_nothing_is_asked_for(settings: Settings) -> None:
    """A start is slower then, and otherwise the same."""
    assert archive_options(settings, Jvm.SPARK) == []


@pytest.mark.parametrize("content", [b"", b"no archive", bytes(100_000)])
def test_what_does_not_fit_is_left_without_a_word(settings: Settings, content: bytes) -> None:
    """Of another Java, or broken: logs have nothing of it."""
    file = archive_file(settings, Jvm.SPARK)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    options = archive_options(settings, Jvm.SPARK)
    assert options
    told = _version(*options)
    assert told.stdout.replace(", sharing", "") == _version().stdout.replace(", sharing", "")


def test_a_process_that_is_gone_writes_none(settings: Settings) -> None:
    """And nothing looks like an archive afterwards."""
    with subprocess.Popen([java(), "-version"], stderr=subprocess.DEVNULL) as process:
        process.wait()
    with pytest.raises(NoArchive, match="spark wrote no archive"):
        write_archive(settings, Jvm.SPARK, process.pid)
    assert not archive_file(settings, Jvm.SPARK).exists()


def _version(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [java(), *options, "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
    )

"""The data folder is made private, and one that is not livejoin's is left alone."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from livejoin.local.stack import NOTE
from livejoin.secrecy import data_folder
from livejoin.secrecy.data_folder import DataFolderNotOurs, is_ours, own_data_folder
from livejoin.secrecy.private_file import create_once

IN_DATA_FOLDER = re.compile(r'data_dir / "([^"]+)"')


def mode(path: Path) -> int:
    """The permissions of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def _umask_of_the_test_only() -> Iterator[None]:
    """What is not livejoin's is made as most machines make it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_new_folder_and_what_is_written_after_it_are_private(tmp_path: Path) -> None:
    """The folder, and every file and folder that the process makes from then on."""
    own_data_folder(tmp_path / "new" / "data")
    assert mode(tmp_path / "new" / "data") == 0o700
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert (mode(tmp_path / "file"), mode(tmp_path / "folder")) == (0o600, 0o700)


def test_a_folder_of_an_earlier_livejoin_is_made_private(tmp_path: Path) -> None:
    """What others could read is closed to them at the next start."""
    data = tmp_path / "data"
    (data / "checkpoints").mkdir(parents=True)
    (data / "spark-log4j2.xml").touch()
    assert mode(data) == 0o755
    own_data_folder(data)
    assert mode(data) == 0o700


def test_a_folder_that_was_opened_again_is_livejoins_own(tmp_path: Path) -> None:
    """Whatever of livejoin's is in it, also what was left by a process that was killed."""
    spark = ["spark-log4j2.xml", "spark.properties", "rehearsal-4711"]
    create_once(tmp_path / "data" / "key", "secret")
    for name in [*spark, ".key.4711.0a1b2c3d", ".spark-log4j2.xml.1.0a1b2c3d", "kafka", NOTE]:
        (tmp_path / "data" / name).touch()
    (tmp_path / "data").chmod(0o755)
    own_data_folder(tmp_path / "data")
    assert mode(tmp_path / "data") == 0o700


@pytest.mark.parametrize("name", ["keys", ".key", ".letters.1.0a1b2c3d", "rehearsal-", "rehearsal-of-a-play", "data"])
def test_what_only_looks_like_livejoins_is_not(tmp_path: Path, name: str) -> None:
    """A folder with it in is not closed to others."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).touch()
    with pytest.raises(DataFolderNotOurs, match="holds more than livejoin's files"):
        own_data_folder(tmp_path / "data")


def test_every_name_in_the_sources_is_known() -> None:
    """Who keeps something else there has to say so. `tests/whole_way/test_private.py` looks at the folder of a run."""
    sources = Path(data_folder.__file__).parents[1].rglob("*.py")
    named = {name for file in sources for name in IN_DATA_FOLDER.findall(file.read_text(encoding="utf-8"))}
    assert {"checkpoints", "kafka", "logs", "table-server", "spark-log4j2.xml"} <= named
    assert not [name for name in named if not is_ours(name)]


def test_a_folder_with_other_things_is_not_touched(tmp_path: Path) -> None:
    """Nobody is locked out of a folder such as /tmp; the sentence says what to do."""
    data = tmp_path / "data"
    (data / "of-somebody-else").mkdir(parents=True)
    with pytest.raises(DataFolderNotOurs, match="of-somebody-else") as refused:
        own_data_folder(data)
    assert "chmod 700" in refused.value.do
    assert mode(data) == 0o755
    data.chmod(0o700)
    own_data_folder(data)


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner could read and exchange everything in it."""
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(DataFolderNotOurs, match="belongs to another user"):
        own_data_folder(tmp_path)

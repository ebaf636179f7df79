"""The data folder is made private, and one that is not livejoin's is left alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from livejoin.secrecy.data_folder import DataFolderNotOurs, own_data_folder


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

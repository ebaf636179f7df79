"""The folder in which Spark works, held by plain processes in its place."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from livejoin.pipeline.spark.work_folder import work_folders

HOLD = """
import sys
from pathlib import Path
from livejoin.pipeline.spark.work_folder import take_work_folder
folder = take_work_folder(Path(sys.argv[1]))
(folder / "library").touch()
print(folder, flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(data_dir: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that has a folder, and ends in order when this does."""
    started = [sys.executable, "-c", HOLD, str(data_dir)]
    process = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process, Path(process.stdout.readline().strip())
        process.communicate()
    finally:
        process.kill()
        process.wait()


def test_each_process_has_a_folder_of_its_own_and_leaves_none(tmp_path: Path) -> None:
    """Also beside another one that runs."""
    with holder(tmp_path) as (_, first):
        with holder(tmp_path) as (_, second):
            assert first != second
            assert {first, second} == folders(tmp_path)
        assert folders(tmp_path) == {first}

    assert [found.name for found in work_folders(tmp_path).iterdir()] == ["lock"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_folder_of_one_that_was_killed_is_removed_by_the_next_one(tmp_path: Path, how: signal.Signals) -> None:
    """Whatever the number of its process is by then."""
    with holder(tmp_path) as (process, left):
        process.send_signal(how)
        process.wait()
        assert folders(tmp_path) == {left}
    with holder(tmp_path) as (_, folder):
        assert folders(tmp_path) == {folder}


def test_the_folder_of_one_that_stands_still_stays(tmp_path: Path) -> None:
    """Its Spark may go on."""
    with holder(tmp_path) as (process, still):
        process.send_signal(signal.SIGSTOP)
        with holder(tmp_path) as (_, other):
            assert folders(tmp_path) == {still, other}
        process.send_signal(signal.SIGCONT)


def folders(data_dir: Path) -> set[Path]:
    """Those of all processes."""
    return {found for found in work_folders(data_dir).iterdir() if found.is_dir()}

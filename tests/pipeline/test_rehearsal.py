"""What a standby rehearses leaves nothing behind."""

import os
import time
from pathlib import Path

from livejoin.pipeline.spark.rehearsal import LONGEST_SECONDS, forget_rehearsals


def test_what_a_killed_standby_has_left_is_removed_by_a_later_one(tmp_path: Path) -> None:
    """Not what another one may be at, and nothing else."""
    left, under_way, other = (tmp_path / name for name in ("rehearsal-17", "rehearsal-18", "checkpoints"))
    for folder in (left, under_way, other):
        (folder / "commits").mkdir(parents=True)
    long_ago = time.time() - LONGEST_SECONDS - 1
    for folder in (left, other):
        os.utime(folder, (long_ago, long_ago))
    forget_rehearsals(tmp_path)

    assert {folder.name for folder in tmp_path.iterdir()} == {"rehearsal-18", "checkpoints"}

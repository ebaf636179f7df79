"""What is random in a test that fails can be had again."""

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
RANDOM = """
from hypothesis import given, strategies as st
from drawn import drawn

def test_of_a_history(run_seed):
    assert drawn(5, run_seed, lambda _: st.text()) != drawn(5, run_seed + 1, lambda _: st.text())
    assert drawn(5, run_seed, lambda _: st.text()) == "history"

@given(st.integers())
def test_of_a_property(number):
    assert number < 1000, f"property {number}"

def test_without_chance():
    assert False
"""


def failed(folder: Path, *options: str) -> str:
    """What is said of tests that fail, whatever is drawn."""
    (folder / "test_random.py").write_text(RANDOM, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (TESTS.parent, TESTS / "support")))}
    plain = ("-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", str(folder), "--tb=short")
    command = [sys.executable, "-m", "pytest", *plain, "test_random.py", *options]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert "3 failed" in done.stdout, done.stdout + done.stderr
    return done.stdout


def test_a_failure_prints_its_seed_and_is_replayed_by_it(tmp_path: Path) -> None:
    """The same history again, which another seed has not; and no seed where nothing was drawn."""

    def history(said: str) -> list[str]:
        return re.findall(r"^E .*assert (\[.*) == 'history'$", said, re.MULTILINE)

    said = failed(tmp_path)
    seeds = re.findall(r"it is the same again with --hypothesis-seed=(\d+)", said)
    assert len(seeds) == 2
    assert len(set(seeds)) == 1
    assert len(history(said)) == 1
    assert history(failed(tmp_path, f"--hypothesis-seed={seeds[0]}")) == history(said)

"""How the table server looks for a text in a cell: as a regular expression would, and not as slowly."""

import subprocess
from importlib.resources import files
from pathlib import Path

from livejoin.jvm.java import java
from livejoin.serve.engine.engine import LOOKOUT_JAR

PROGRAM = Path(__file__).parents[1] / "support/java/LikenessBesidePattern.java"
CASES, LENGTH = 20_000, 50_000


def test_a_text_is_found_where_a_regular_expression_finds_it_and_no_text_takes_long() -> None:
    """In upper and lower case, also of letters with oddities; the worst text for the one is like any for the other."""
    jar = files("livejoin.serve.engine").joinpath(LOOKOUT_JAR)
    command = [java(), "-cp", str(jar), str(PROGRAM), str(CASES), str(LENGTH)]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert told.returncode == 0, told.stderr
    found = {name: int(number) for name, number in (line.split("\t") for line in told.stdout.splitlines())}
    assert CASES / 4 < found["found"] < CASES * 3 / 4
    assert found["likeness"] < found["pattern"] / 20

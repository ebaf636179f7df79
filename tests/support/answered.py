"""Programs of this folder that have to run in a process of their own: a question in JSON, an answer in JSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def answered(program: str, question: Any, folder: Path) -> Any:
    """What the program says to the question; both pass through files of the folder."""
    given, answer = folder / "given.json", folder / "answer.json"
    given.write_text(json.dumps(question), encoding="utf-8")
    command = [sys.executable, str(Path(__file__).with_name(program)), str(given), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert answer.exists(), done.stderr[-3000:]
    return json.loads(answer.read_text(encoding="utf-8"))

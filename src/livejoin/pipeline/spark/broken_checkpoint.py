"""Whether anything can go on from a checkpoint: what a disk has lost of it, no further try brings back.

What Spark says of a query that dies does not tell that apart from trouble that passes. So the checkpoint is looked at:
the files that tell which batch was the last, whenever a query is to begin, and the state when queries die again and
again, by reading it as whoever looks into it does.
"""

import json
import shutil
from pathlib import Path

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

ROOM = 64_000_000
"""Where less is free on the disk, it may be for that that nothing can be read: Spark copies what it reads."""


class CheckpointBroken(Exception):
    """Nothing can go on from there: only a fresh beginning can be right."""


def require_logs(query: Path) -> None:
    """Raise CheckpointBroken where the files cannot be read that tell which batch of a query was the last."""
    done, begun = _newest(query / "commits"), _newest(query / "offsets")
    needed = {query / "offsets" / str(batch) for batch in (done, begun) if batch >= 0}
    if done >= 0:
        needed.add(query / "commits" / str(done))
    if (query / "metadata").exists():
        needed.add(query / "metadata")
    for file in sorted(needed):
        if not _is_readable(file):
            raise CheckpointBroken(f"its checkpoint is broken: {file.relative_to(query)} cannot be read")


def require_state(spark: SparkSession, query: Path) -> None:
    """Raise CheckpointBroken where the state of a query that has done any batch cannot be read."""
    if _newest(query / "commits") < 0:
        return
    try:
        spark.read.format("statestore").load(str(query)).groupBy().count().collect()
    except (PySparkException, Py4JJavaError) as error:
        if shutil.disk_usage(query).free > ROOM:
            # Its first sentence: the others name options and folders.
            why = (str(error).strip().splitlines() or [type(error).__name__])[0].split(". ")[0]
            raise CheckpointBroken(f"its checkpoint is broken: the state cannot be read ({why})") from error


def _newest(log: Path) -> int:
    """The newest batch that a log has a file of; -1 where it has none."""
    return max((int(file.name) for file in log.glob("[0-9]*")), default=-1)


def _is_readable(file: Path) -> bool:
    """A version as Spark writes it, and then lines of JSON, or of a dash for a source that has read nothing."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        if file.name != "metadata":
            lines = lines[1:]
        for line in lines:
            if line != "-":
                json.loads(line)
    except (OSError, ValueError):
        return False
    return bool(lines)
